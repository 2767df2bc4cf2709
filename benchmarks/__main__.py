"""`python -m benchmarks [NAME ...]` measures and prints Markdown; `make bench` measures everything."""

from __future__ import annotations

import os
import re
import signal
from inspect import getdoc
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from benchmarks import build, definitions, http, lookup, machine, oracle, page, search, sql, start
from benchmarks.figures import markdown

_MODULES = (sql, build, definitions, start, lookup, search, oracle, http, page)  # in this order: see process.run
_BENCHMARKS = {module.__name__.rpartition(".")[2]: module for module in _MODULES}
_RESULTS = Path(__file__).with_name("RESULTS.md")
_MEASURED = re.compile("(?<=<!-- measured -->\n).*(?=<!-- end of what was measured -->)", re.DOTALL)


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...", type=click.Choice(list(_BENCHMARKS)))
@click.option("--write", is_flag=True, help="Also replace what RESULTS.md states; only for a run of everything.")
@click.option("--twsearch", type=click.Path(dir_okay=False, exists=True), help="Program to measure definitions beside.")
def main(names: tuple[str, ...], write: bool, twsearch: str | None) -> None:
    """Measure sql, build, definitions, start, lookup, search, oracle, http, page, or those named. Prints Markdown."""
    if names and write:
        raise click.UsageError("RESULTS.md holds one run of everything; leave out the names, or --write")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that what was started is stopped
    if twsearch:
        os.environ[definitions.TWSEARCH] = twsearch
    before = machine.load()
    sections = []
    with TemporaryDirectory() as data:
        for name in [name for name in _BENCHMARKS if name in names or not names]:
            click.echo(f"measuring {name} ...", err=True)
            measured = _BENCHMARKS[name].measure(Path(data))
            sections.append(f"## `{name}`\n\n{getdoc(_BENCHMARKS[name])}\n\n{markdown(measured)}\n")
    text = "\n".join([f"## Machine and versions\n\n{machine.describe(before)}\n", *sections])
    click.echo(text)
    if write:
        results, found = _MEASURED.subn(lambda _: f"\n{text}\n", _RESULTS.read_text("utf-8"))
        if not found:
            raise click.ClickException(f"{_RESULTS.name} lacks the two comments that what is measured goes between")
        _RESULTS.write_text(results, "utf-8")


if __name__ == "__main__":
    main()
