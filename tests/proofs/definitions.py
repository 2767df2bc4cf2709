"""Random definitions, with goals and choices of moves:
`python -m tests.proofs.definitions` compares 300 of them.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from puzzlebase.plugins.definitions.tests.random_definitions import check, drawn


@click.command()
@click.option("--cases", default=300, show_default=True)
def main(cases: int) -> None:
    """Compare every state of every definition with a plain search,
    and say how many have symmetries.
    """
    fewer = 0
    for seed in range(cases):
        with TemporaryDirectory() as folder:
            fewer += check(drawn(seed), Path(folder)) > 1
        if not (seed + 1) % 20:
            click.echo(f"{seed + 1} definitions agree, {fewer} of them stored up to symmetry")


if __name__ == "__main__":
    main()
