"""Pictures of states, as SVG."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from puzzlebase.puzzles import Picture, Puzzle, shorten
from puzzlebase.service.problems import InvalidRequest


def drawn(puzzle: Puzzle, state: str, style: str | None = None) -> str:
    """A state as SVG, by default in the first style; raises as `parse` does, or InvalidRequest for an unknown style."""
    return svg(styled(puzzle, style)(state), f"{puzzle.title}: {state}")


def styled(puzzle: Puzzle, style: str | None = None) -> Callable[[str], Picture]:
    """The function that draws states in a style, by default the first; raises InvalidRequest for an unknown style."""
    if style is not None and style not in puzzle.styles:
        known = ", ".join(puzzle.styles)
        hint = (
            f"its styles are: {known} (the first is the default)"
            if known
            else "it has only one style: leave the style out"
        )
        raise InvalidRequest(f"{puzzle.name} has no style {shorten(style)!r}", hint)
    return puzzle.picture if style is None else puzzle.styles[style]


def svg(picture: Picture, title: str) -> str:
    """A picture as an SVG document; labels are for people who cannot tell the colours apart."""
    cells = "".join(
        f'<path d="{cell.outline}" fill="{escape(cell.colour)}"><title>{escape(cell.place)}</title></path>'
        + (f'<text x="{cell.x:g}" y="{cell.y:g}">{escape(cell.label)}</text>' if cell.label else "")
        for cell in picture.cells
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {picture.width:g} {picture.height:g}" role="img">'
        f"<title>{escape(title)}</title>"
        "<style>path{stroke:#fff;stroke-width:2.5;stroke-linejoin:round}text{font:600 11px system-ui,sans-serif;"
        "fill:#fff;text-anchor:middle;dominant-baseline:central;paint-order:stroke;stroke:#0007;stroke-width:2}</style>"
        f"{cells}</svg>"
    )
