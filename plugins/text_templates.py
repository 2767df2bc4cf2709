"""Templates of plain text, in the folder `templates` of a plugin."""

from __future__ import annotations

from jinja2 import Environment, PackageLoader, StrictUndefined, Template


def text_template(plugin: str, name: str) -> Template:
    """A template by its plugin's package and its name; an unknown value in it is an error."""
    environment = Environment(  # noqa: S701 -- it is text
        loader=PackageLoader(plugin),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)
