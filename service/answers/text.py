"""Answers as text for people: functions from an answer, as over HTTP, to lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from puzzlebase.terminal_text import align_columns, fact_line

if TYPE_CHECKING:
    from puzzlebase.service.answers.batches import BatchAnswer
    from puzzlebase.service.answers.catalog import PuzzleAnswer, Puzzles
    from puzzlebase.service.answers.difficulties import DifficultyAnswer
    from puzzlebase.service.answers.grades import GradeAnswer
    from puzzlebase.service.answers.hints import HintAnswer
    from puzzlebase.service.answers.lookups import Answer, LookupAnswer, MoveAnswer
    from puzzlebase.service.answers.random_states import RandomAnswer
    from puzzlebase.service.answers.solutions import SolveAnswer
    from puzzlebase.service.answers.whole_tables import Antipodes, Histogram

Lines = Iterator[str]

_MAX_BARS = 100  # a histogram with more layers is drawn in bands of several distances
_BAR = 40  # letters of the longest bar


def puzzles_text(answer: Puzzles) -> Lines:
    """The list of puzzles as text: a line for each, under headings."""
    rows = [("name", "states", "God's number", "coverage", "title")]
    for line in answer["puzzles"]:
        numbers = number(line["states"]), number(line["gods_number"])
        rows.append((line["name"], *numbers, line["coverage"], line["title"]))
    yield from align_columns(rows, {1, 2})


def puzzle(answer: PuzzleAnswer) -> Lines:
    """A line for each fact about a puzzle."""
    facts = {
        "puzzle": f"{answer['name']} ({answer['title']}, family {answer['family']})",
        "about": answer["about"],
        "instructions": answer["instructions"],
        "inventor": answer["inventor"],
        "link": answer["link"],
        "moves": " ".join(move["move"] for move in answer["moves"]),
        "goals": ", ".join(f"{goal['name']} (from {goal['start']})" for goal in answer["goals"]),
        "state": answer["notation"]["state"],
        "notation": answer["notation"]["moves"],
        "examples": "  ".join(answer["notation"]["examples"]),
        "states": number(answer["states"]),
        "God's number": number(answer["gods_number"]),
        "coverage": answer["coverage"],
        "difficulties": ", ".join(
            f"{each['name']} {_range(each)}" for each in answer["difficulties"]
        ),
        "levels": (levels := answer["levels"])
        and f"1-{len(levels)}, at distances {', '.join(map(_range, levels))}",
    }
    if table := answer["table"]:
        facts |= {
            "stored": f"distances of {table['encoding']}, {table['bytes']:,} bytes",
            "built": table["built"] or "unknown",
            "digest": table["digest"],
            "certified": " and ".join(
                f"{proved['nodes']:,} {proved['graph']}" for proved in table["certificates"]
            ),
        }
    if layers := answer["layers"]:
        facts["layers"] = f"0 to {layers['depth']} of {layers['goal']}, {layers['bytes']:,} bytes"
    facts["patterns"] = "; ".join(
        f"{pattern['puzzle']}, "
        f"{'not built' if pattern['bytes'] is None else format(pattern['bytes'], ',') + ' bytes'}"
        for pattern in answer["patterns"]
    )
    for name, value in facts.items():
        if value:
            yield fact_line(name, value)


def _range(difficulty: DifficultyAnswer) -> str:
    """The distances of a difficulty."""
    return "-".join(map(number, dict.fromkeys((difficulty["min"], difficulty["max"]))))


def distance(answer: Answer) -> Lines:
    """The distance of a state from the goal."""
    known = answer["distance"]
    none = (
        "lost: no goal can be reached any more" if answer.get("lost") else "cannot reach the goal"
    )
    what = none if known is None else f"distance {number(known)}"
    if not answer["exact"]:
        why = "; the search ended before it knew" if answer["source"] == "search" else ""
        if (most := answer["upper_bound"]) is not None:
            why = f"; at most {number(most)}"
        what = f"at least {number(answer['lower_bound'])} moves from the goal{why}"
        if answer["solvable"] is None:
            what = f"not known whether it can be solved; {what}"
    yield f"{answer['state']}  {what} ({answer['source']})"


def lookup(answer: LookupAnswer) -> Lines:
    """The distance of a state and its moves."""
    yield from distance(answer)
    yield from _moves(answer["moves"])


def batch_text(answer: BatchAnswer) -> Lines:
    """A batch as text: the distance of each state, or its problem; and its moves, if requested."""
    results: list[Any] = answer["results"]
    for result in results:
        if "problem" in result:
            yield f"{result['state']}  {result['problem']['detail']}"
        else:
            yield from distance(result)
            yield from _moves(result.get("moves", []))


def _moves(moves: list[MoveAnswer]) -> Lines:
    width = max([5, *(len(move["move"]) for move in moves)])
    for move in moves:
        delta = "" if move["delta"] is None else f"{move['delta']:+d}"
        best = "  optimal" if move["optimal"] else "  lost" if move.get("lost") else ""
        yield (
            f"  {move['move']:<{width}} {move['state']}  {number(move['distance']):>6} "
            f"{delta:>4}{best}"
        )


def solution_text(answer: SolveAnswer) -> Lines:
    """A solution as text; and the states on it or other solutions, if requested."""
    yield from distance(answer)
    if "states" in answer:
        for move, state in zip(("", *answer["solution"]), answer["states"], strict=True):
            yield f"  {move:<5} {state}"
    elif "solutions" not in answer:
        yield " ".join(answer["solution"])
    for line in answer.get("solutions", []):
        yield " ".join(line)


def solution_notes_text(answer: SolveAnswer) -> Lines:
    """The text of notes: how many solutions, and the option for the rest of a long one."""
    if "stuck" in answer:
        yield f"stuck at {answer['stuck']}"
    if "optimal_count" in answer:
        count = answer["optimal_count"]
        yield (
            f"{'too many to count' if count is None else number(count)} shortest "
            f"solution{'s' * (count != 1)}"
        )
    if answer["next"] is not None:
        yield f"go on with --offset {answer['next']}"


def hint(answer: HintAnswer) -> Lines:
    """The help of a hint, a line for each part."""
    yield from distance(answer)
    if answer["distance"] == 0:
        yield "  solved: there is nothing to do"
    if groups := answer.get("groups"):
        yield f"  a best move moves the {' or the '.join(groups)}"
    if move := answer.get("move"):
        yield f"  a best move is {move}"
    if solution := answer.get("solution"):
        rest = "" if len(solution) == answer["distance"] else " ..."
        yield f"  a shortest solution is {' '.join(solution)}{rest}"
    if back := answer.get("take_back"):
        yield (
            f"  take back the last {f'{back} moves' if back > 1 else 'move'}, and the goal can "
            "be reached again"
        )


def grade(answer: GradeAnswer) -> Lines:
    """The steps of a game, its first mistake and its worth."""
    yield from distance(answer)
    before = answer["distance"]
    for at, step in enumerate(answer["steps"], 1):
        yield f"  {at:>2}. {step['move']:<5} {step['state']}  {_progress(before, step)}"
        before = step["distance"]
    if illegal := answer["illegal"]:
        yield f"step {illegal['step']}, {illegal['played']}, is not legal: {illegal['reason']}"
    for what, mistake in (
        ("first mistake:", answer["first_mistake"]),
        ("lost at", answer.get("lost_at")),
    ):
        if mistake:
            better = " or ".join(mistake["better"]) or "stopping, it was solved"
            yield f"{what} step {mistake['step']}, {mistake['played']}; better: {better}"
    solved = "solved" if answer["solved"] else "not solved" if answer["legal"] else "not legal"
    legal = "" if answer["legal"] else "legal "
    most = " at most" if answer["against_bound"] else ""
    wasted = "" if answer["wasted"] is None else f",{most} {number(answer['wasted'])} wasted"
    moves = f"{number(answer['length'])} {legal}move{'' if answer['length'] == 1 else 's'}"
    yield f"{solved}, {moves}{wasted}, {'★' * answer['stars'] or 'no star'}"


def _progress(before: int | None, step: MoveAnswer) -> str:
    """The worth of a step, in words."""
    after = step["distance"]
    if after is None:
        return "lost" if step.get("lost") else "distance not known"
    left = "solved" if after == 0 else f"{number(after)} to go"
    if before is None:
        return left
    return f"{left}, optimal" if after < before else f"{left}, {number(after - before + 1)} wasted"


def random_state(answer: RandomAnswer) -> Lines:
    """A random state, its percentile, and a scramble."""
    yield from distance(answer)
    if answer["percentile"] is not None:
        word = f"{answer['difficulty']}, " if answer["difficulty"] else ""
        yield f"  {word}at least as hard as {answer['percentile']:.4g} % of all states"
    if answer["scramble"] is not None:
        yield f"  scramble: {' '.join(answer['scramble'])}"


def histogram(answer: Histogram) -> Lines:
    """The number of states at each distance, with bars."""
    layers, lost = answer["layers"], answer.get("lost", 0)
    if not layers:
        yield (
            f"{answer['puzzle']}, goal {answer['goal']}: none of {answer['states'] + lost:,} "
            "states can reach it"
        )
        return
    band = -(-len(layers) // _MAX_BARS)
    firsts = range(0, len(layers), band)
    sums = [sum(layers[first : first + band]) for first in firsts]
    width, digits, total = len(f"{max(sums):,}"), max(len(str(len(layers) - 1)), 4), sum(layers)
    yield f"{answer['puzzle']}, goal {answer['goal']}: states at each distance"
    for first, states in zip(firsts, sums, strict=True):
        last = min(first + band, len(layers)) - 1
        distances = f"{first:>{digits}}" + (f" to {last:<{digits}}" if band > 1 else "")
        bar = "█" * round(_BAR * states / max(sums))
        yield f"  {distances}  {states:>{width},}  {states / total:7.3%}  {bar}".rstrip()
    yield f"  {total:,} states, God's number {len(layers) - 1:,}, mean {answer['mean']:,.3f}"
    if lost:
        yield f"  {lost:,} more states are lost: no goal can be reached any more"


def antipodes(answer: Antipodes) -> Lines:
    """The states of a page, a line each."""
    yield from answer["states"]


def antipodes_notes_text(answer: Antipodes) -> Lines:
    """The text of notes: how many antipodes, and the option for the next page."""
    rest = f"; go on with --offset {answer['next']}" if answer["next"] is not None else ""
    yield (
        f"{answer['count']:,} state{'s' * (answer['count'] != 1)} at distance "
        f"{number(answer['distance'])}{rest}"
    )


def number(value: int | str | None) -> str:
    """Format a number for people. An answer that was JSON has its large integers as strings."""
    return "-" if value is None else f"{int(value):,}"
