"""The verb mixing: its options, its text and its chart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from puzzlebase.command_line import options
from puzzlebase.command_line.printing import Shown, show
from puzzlebase.plugins.chart import chart_file, write_chart
from puzzlebase.service.error_status import InvalidRequest, unsolvable_error

if TYPE_CHECKING:
    from puzzlebase.paths import DataFolder
    from puzzlebase.plugins.mixing.mixing import Measurement
    from puzzlebase.puzzles import Puzzle
    from puzzlebase.service.sources.table import OpenTable

# The walks by name, each with its rule for a turn.
WALKS = {
    "any": "any legal move, each equally likely",
    "alternate": "the wheels in turn, the first at random, each by any turn",
}
_EACH_TURN = "; ".join(f"{name}: {what}" for name, what in WALKS.items())


@click.command()
@options.puzzle
@options.goal
@options.with_default(
    "--turns", type=click.IntRange(1, 10_000), default=100, help="Random turns to make."
)
@options.with_default(
    "--walk",
    type=click.Choice([*WALKS]),
    default="any",
    help=f"How each turn is drawn. {_EACH_TURN}.",
)
@chart_file(help="Also draw the turns to this SVG file.")
@options.threads
@options.as_json
@click.pass_obj
def verb(
    folder: DataFolder,
    puzzle: Puzzle,
    goal: str | None,
    turns: int,
    walk: str,
    chart: Path | None,
    threads: int,
    as_json: bool,
) -> None:
    """Show how well random turns mix a puzzle, exactly.

    The result is over all states of a puzzle that has a table.
    """
    from puzzlebase.builder.progress import Reporter
    from puzzlebase.command_line.verb_sources import header_sources_of_verb
    from puzzlebase.plugins.mixing.mixing import compute_mixing

    source = header_sources_of_verb(folder.existing()).table(puzzle.name, goal)
    if not source.table.info.layers:
        raise unsolvable_error(source.puzzle)
    if source.one_way:
        raise InvalidRequest(
            f"the moves of {puzzle.name} cannot all be taken back, so random turns lead to no "
            "uniform state",
            "`puzzlebase random --turns` makes random turns from its start",
        )
    measured = compute_mixing(
        source.puzzle, source.space, source.table, walk, turns, threads, Reporter()
    )
    answer = _answer(source, walk, measured)
    if chart:
        states = answer["uniform"]["states"]
        write_chart(
            chart,
            columns=["turns", "distance from uniform", "share of states reached"],
            rows=[
                (turn["turn"], turn["from_uniform"], turn["reached"] / states)
                for turn in answer["turns"]
            ],
            title=f"{puzzle.name}: how random turns mix, walk {walk}",
            unit="fraction",
            log=True,
        )
    show(Shown(answer, _lines), as_json)


def _answer(source: OpenTable, walk: str, measured: Sequence[Measurement]) -> dict[str, Any]:
    """The state after each turn, turn 0 first,
    and one that is drawn uniformly from those that reach the goal.

    `from_uniform` is the total variation distance from it, `reached` the number of possible states,
    `mean` their mean distance, and `by_distance` the probability of each distance.
    """
    from puzzlebase.plugins.mixing.mixing import Measurement

    layers = source.table.info.layers
    states = sum(layers)
    uniform = Measurement(0, 0.0, states, tuple(layer / states for layer in layers))
    return {
        "puzzle": source.puzzle.name,
        "goal": source.goal.name,
        "walk": walk,
        "uniform": {"states": states, "mean": uniform.mean, "by_distance": uniform.by_distance},
        "turns": [
            {
                "turn": turn.turn,
                "from_uniform": turn.from_uniform,
                "reached": turn.reached,
                "mean": turn.mean,
                "by_distance": turn.by_distance,
            }
            for turn in measured
        ],
    }


def _lines(answer: dict[str, Any]) -> Iterator[str]:
    uniform = answer["uniform"]
    width = max(len("states reached"), len(f"{uniform['states']:,}"))
    yield (
        f"{answer['puzzle']}, goal {answer['goal']}, walk {answer['walk']}: the state after so "
        "many random turns"
    )
    yield f"  {'turns':>7}  from uniform  {'states reached':>{width}}  mean distance"
    turns = [
        (turn["turn"], f"{turn['from_uniform']:.3e}", turn["reached"], turn)
        for turn in answer["turns"]
    ]
    for turn, apart, states, facts in [*turns, ("uniform", "0", uniform["states"], uniform)]:
        yield f"  {turn:>7}  {apart:>12}  {states:>{width},}  {facts['mean']:>13,.4f}"
