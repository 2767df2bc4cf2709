"""The verb over every table: the service."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import say_unreadable
from puzzlebase.service.sources.budget import SearchLimits


def _limit(
    name: str, field: str, kind: click.ParamType[float], text: str
) -> Callable[[options.Verb], options.Verb]:
    return options.with_default(
        name, field, type=kind, default=getattr(SearchLimits, field), help=text
    )


@click.command()
@options.with_default("--host", default="127.0.0.1", help="Address to listen at.")
@options.with_default(
    "--port",
    type=click.IntRange(1, 65535),
    default=8080,
    help="Port to listen at.",
)
@options.with_default(
    "--workers",
    type=click.IntRange(1, 64),
    default=2,
    help="Processes that answer.",
)
@click.option(
    "--memory",
    "worker_memory",
    type=click.IntRange(1),
    show_default="half of what is free, shared, at most 4 GiB",
    envvar="PUZZLEBASE_MEMORY",
    help="Memory of each process, bytes: tables, spaces, oracles, searches and requests.",
)
@click.option(
    "--log/--no-log",
    default=lambda: not sys.stderr.isatty(),
    show_default="log, unless that is a terminal",
    help="Log the start and each request as JSON on standard error.",
)
@options.plugin_options("serve")
@options.options_as_record(
    SearchLimits,
    "limits",
    _limit(
        "--searches",
        "at_once",
        click.IntRange(1, 64),
        "Requests that may search at a time in each process.",
    ),
    _limit(
        "--search-states",
        "states",
        click.IntRange(0),
        "States the searches of a request may expand.",
    ),
    _limit(
        "--search-seconds",
        "seconds",
        options.SECONDS,
        "Time limit of the searches of a request, seconds.",
    ),
    _limit(
        "--search-memory",
        "memory",
        click.IntRange(1),
        "Memory limit of the searches of a request, bytes.",
    ),
)
@options.data_option
def serve(
    data: Path,
    host: str,
    port: int,
    workers: int,
    worker_memory: int | None,
    log: bool,
    limits: SearchLimits,
    added: list[Any],
) -> None:
    """Answer over HTTP until stopped. New and rebuilt tables are served without a restart."""
    from puzzlebase.service.http import server
    from puzzlebase.service.http.settings import Settings, default_memory_setting

    say_unreadable()
    for each in added:
        os.environ |= each.to_environment()
    server.serve(
        Settings(data, worker_memory or default_memory_setting(workers), log, limits),
        host,
        port,
        workers,
    )
