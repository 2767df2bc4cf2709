"""X(n) >= U(n) for all n >= 5: find the certificate, and check it.

`python -m research.panex_theorem 34`, at the top of the project;
research/panex_theorem/README.md has the proof.
"""

from __future__ import annotations

import sys

from research.panex_theorem import checker
from research.panex_theorem.certificate import certificate
from research.panex_theorem.graph import derive


def main(steps: int) -> None:
    """Find and check the steps from 2 to `steps`,
    and print what holds; ends with status 1 if one is refused.
    """
    graph = derive()
    try:
        proof = checker.check(graph, certificate(graph, steps))
    except checker.StepsRefused as error:
        sys.exit(f"the certificate is refused: {error}")
    print(
        f"the graph is the same for every level: {len(graph['words'])} words, "
        f"{len(graph['types'])} types, {len(graph['places']):,} partial states, "
        f"{len(graph['edges']):,} edges"
    )
    print(
        f"each step holds; from step {proof.first} on they repeat, with {proof.constants:,} "
        "constants and "
        f"{proof.inequalities:,} inequalities that hold for ever"
    )
    print(
        "so the exchange takes at least U(n) moves for all n >= 5; "
        "research/panex_theorem/README.md shows that U(n) "
        "are enough by the construction that solve --method seed follows"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))
