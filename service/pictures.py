"""A picture's cells as SVG."""

from __future__ import annotations

from html import escape

from puzzles import Picture


def svg(picture: Picture, title: str) -> str:
    """The picture as a document of its own; labels are for those who do not see the colours apart."""
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
