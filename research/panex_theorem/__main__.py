"""X(n) >= U(n) for all n >= 5: write the certificate to a file, and have it checked.

`python -m research.panex_theorem FILE 34`, at the top of the project; research/panex_theorem/README.md has the proof.
"""

from __future__ import annotations

import sys
from pathlib import Path

from research.panex_theorem import checker
from research.panex_theorem.certificate import certificate
from research.panex_theorem.graph import derive


def main(path: Path, steps: int) -> None:
    """Write and check the steps from 2 to `steps`, and print what holds; ends with status 1 if one is refused."""
    with path.open("w", encoding="ascii") as file:
        for line in certificate(steps):
            file.write(line + "\n")
    print(f"the first {steps} steps are written to {path}, {path.stat().st_size:,} bytes")
    try:
        with path.open(encoding="ascii") as file:
            proved = checker.check(file)
    except checker.StepsRefused as error:
        sys.exit(f"the certificate in {str(path)!r} is refused: {error}")
    graph = derive()
    print(
        f"its graph is what the rules give, the same for every level: {len(graph['words'])} words, "
        f"{len(graph['types'])} types, {len(graph['places']):,} partial states, {len(graph['edges']):,} edges"
    )
    print(
        f"each step holds; from step {proved.first} on they repeat, with {proved.constants:,} constants and "
        f"{proved.inequalities:,} inequalities that hold for ever"
    )
    print(
        "so the exchange takes at least U(n) moves for all n >= 5; research/panex_theorem/README.md shows that U(n) "
        "are enough by the construction that solve --method seed follows"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
