"""`python -m benchmarks [NAME ...]` measures and prints Markdown;
`make bench` measures everything.
"""

from __future__ import annotations

import re
import signal
from contextlib import nullcontext
from importlib import import_module
from inspect import getdoc
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import click
from jinja2 import Template

from benchmarks import machine
from benchmarks.figures import number

_NAMES = [
    "sql",
    "build",
    "start",
    "lookup",
    "search",
    "oracle",
    "http",
    "workers",
    "publishing",
    "inputs",
]
"""In this order: see process.run."""
_BENCHMARKS = {name: import_module(f"benchmarks.{name}") for name in _NAMES}
_RESULTS = Path(__file__).with_name("RESULTS.md")
_SECTION_TEXT = Template(
    Path(__file__).with_name("section.txt").read_text("utf-8"), trim_blocks=True
)
_SECTION = re.compile(r"^## `(\w+)`\n(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
_MEASURED = re.compile("(?<=<!-- measured -->\n).*(?=<!-- end of what was measured -->)", re.DOTALL)


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...", type=click.Choice(_NAMES))
@click.option("--write", is_flag=True, help="Also replace what RESULTS.md states of them.")
@click.option(
    "--data",
    type=click.Path(file_okay=False, exists=True),
    help="Folder of tables that need not be built, or of collections.",
)
def main(names: tuple[str, ...], write: bool, data: str | None) -> None:
    """Measure all of them, or those named. Prints Markdown."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that what was started is stopped
    with nullcontext(data) if data else TemporaryDirectory() as folder:
        for name in [name for name in _NAMES if name in names or not names]:
            click.echo(f"measuring {name} ...", err=True)
            before = machine.conditions()
            if not (measured := _BENCHMARKS[name].measure(Path(folder))):
                continue
            text = _SECTION_TEXT.render(
                about=getdoc(_BENCHMARKS[name]),
                machine=machine.describe(before),
                measured=measured,
                median=median,
                number=number,
            )
            click.echo(f"## `{name}`\n\n{text}\n")
            if write:
                _write(name, text)


def _write(name: str, text: str) -> None:
    """Put a section in the place of the former one, in the order of the benchmarks."""
    results = _RESULTS.read_text("utf-8")
    found = _MEASURED.search(results)
    assert found, "two comments are around what is measured"
    sections = dict(_SECTION.findall(found[0])) | {name: text}
    written = "".join(
        f"\n## `{name}`\n\n{sections[name].strip()}\n" for name in _NAMES if name in sections
    )
    _RESULTS.write_text(f"{results[: found.start()]}{written}\n{results[found.end() :]}", "utf-8")


if __name__ == "__main__":
    main()
