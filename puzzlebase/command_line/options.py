"""Arguments and options that verbs share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import partial, reduce, wraps
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args, get_origin

import click
from click.core import ParameterSource

from puzzlebase import hooks, puzzles
from puzzlebase.machine import processors
from puzzlebase.paths import DataFolder
from puzzlebase.service.answers import limits
from puzzlebase.service.answers.record import SEARCH, Field

if TYPE_CHECKING:
    from puzzlebase.puzzles import Puzzle

Verb = Callable[..., None]


class FiniteFloat(click.FloatRange):
    """A finite number in a range; click takes nan, which is neither below a range nor above it."""

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The number; raises BadParameter."""
        number: float = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value!r} is not a finite number", param, ctx)
        return number


class Read(click.ParamType):  # type: ignore[type-arg]  # older versions of click have none
    """A value that a function reads from a text; it raises ValueError."""

    name = "text"

    def __init__(self, read: Callable[[str], Any]) -> None:
        self._read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The value; raises BadParameter."""
        try:
            return self._read(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


def refuse_options(_context: click.Context, _parameter: click.Parameter, words: Any) -> Any:
    """Refuse words that begin with a dash, except states of rows,
    and of Panguru: only capitals follow there.
    """
    for word in [words] if isinstance(words, str) else words or ():
        if word.startswith("-") and word != "-" and not (word[1:].isupper() or "/" in word):
            raise click.NoSuchOption(word)
    return words


def refuse(options: Mapping[str, str], puzzle: Puzzle) -> None:
    """Raise UsageError for one of these options that is given;
    each value names what the option does not go with.
    """
    for option, what in options.items():
        if click.get_current_context().get_parameter_source(option) is ParameterSource.COMMANDLINE:
            raise click.UsageError(
                f"--{option} does not go with {what.format(puzzle.name)}; leave it out"
            )


def given_options(**options: Any) -> dict[str, Any]:
    """The options that were given."""
    return {
        name: value for name, value in options.items() if value is not None and value is not False
    }


# Of a verb that takes states: these may begin with a dash, and `refuse_options` then refuses other
# words.
TAKES_STATES = {"ignore_unknown_options": True}

MAX_SECONDS = limits.MAX_SECONDS
SECONDS = FiniteFloat(0, MAX_SECONDS)

with_default = partial(click.option, show_default=True)  # its help tells the default

FILE = click.Path(dir_okay=False, path_type=Path)


moves = click.option(
    "--moves",
    "words",
    type=Read(lambda text: text.split(",")),
    is_eager=True,
    help="Moves of a definition to play with alone, as in U,R; the puzzle is then called "
    "PUZZLE+U+R.",
)


def puzzle_of_words(name: str, words: Sequence[str] | None) -> Puzzle:
    """The puzzle of a name, with the moves of `--moves` alone."""
    return puzzles.find("+".join([name, *(words or ())]))


def _find(context: click.Context, _parameter: click.Parameter, name: str) -> Puzzle:
    return puzzle_of_words(name, context.params.pop("words", None))


def puzzle(verb: Verb) -> Verb:
    """Give a verb the argument PUZZLE,
    and the option --moves if `moves` is no other parameter of it.
    """
    found = click.argument("puzzle", callback=_find)(verb)
    parameters: list[click.Parameter] = getattr(found, "__click_params__", [])
    return found if "moves" in {each.name for each in parameters} else moves(found)


state = click.argument("state", callback=refuse_options)
_NUMBERS: dict[Any, Callable[..., click.ParamType[Any]]] = {int: click.IntRange, float: FiniteFloat}


def option_of_field(field: Field) -> Callable[[Verb], Verb]:
    """The command-line option of a field of an answer, or the argument STATE."""
    name, kind, within = field.name, field.kind, field.limits
    if name == "state":
        return click.argument(name, required=not field.optional, callback=refuse_options)
    counted = kind in _NUMBERS and not field.listed
    takes: Any = None
    if within and counted:
        takes = _NUMBERS[kind](within.low, within.here or within.high)
    elif field.read:
        takes = Read(field.read)
    elif get_origin(kind) is Literal:
        takes = click.Choice(get_args(kind))
    return click.option(
        f"--{name.replace('_', '-')}",
        type=takes,
        is_flag=kind is bool,
        default=None if field.listed else field.default,
        show_default=counted and field.default is not None,
        help=f"{field.sentence[:1].upper()}{field.sentence[1:]}.",
    )


def combined_options(options: Iterable[Callable[[Verb], Verb]]) -> Callable[[Verb], Verb]:
    """Give a verb several options, in their order."""
    return lambda verb: reduce(
        lambda decorated, option: option(decorated), reversed([*options]), verb
    )


goal = option_of_field(SEARCH[0])


def data_option(verb: Verb) -> Verb:
    """Give a verb the data folder to read from, as its first argument."""

    @click.pass_obj
    @wraps(verb)
    def with_folder(folder: DataFolder, /, *arguments: Any, **given: Any) -> None:
        verb(folder.existing(), *arguments, **given)

    return with_folder


threads = click.option(
    "--threads",
    type=click.IntRange(1, 1024),
    default=processors,
    help="Most threads to use. The default is one for each processor.",
)
output = click.option("--output", type=FILE, help="File to write. The default is standard output.")
as_json = click.option(
    "--json", "as_json", is_flag=True, help="Print a JSON object in place of text."
)


class Added(NamedTuple):
    """Options that a plugin adds to a verb of the core, and the dataclass of their values."""

    kind: Callable[..., Any]
    options: tuple[Callable[[Verb], Verb], ...]


def plugin_options(name: str) -> Callable[[Verb], Verb]:
    """Give a verb the options that plugins add to it, as a list `added` of records."""

    def decorate(verb: Verb) -> Verb:
        plugins: list[Added] = [*hooks.plugin_objects("options", name)]

        @wraps(verb)
        def with_added(*arguments: Any, **given: Any) -> None:
            verb(*arguments, added=[_record(each.kind, given) for each in plugins], **given)

        return combined_options(option for each in plugins for option in each.options)(with_added)

    return decorate


def options_as_record(
    kind: Callable[..., Any], parameter: str, *options: Callable[[Verb], Verb]
) -> Callable[[Verb], Verb]:
    """Give a verb the values of these options as one record;
    they are named like the fields of its dataclass.
    """

    def decorate(verb: Verb) -> Verb:
        @wraps(verb)
        def with_record(*arguments: Any, **given: Any) -> None:
            verb(*arguments, **{parameter: _record(kind, given)}, **given)

        return combined_options(options)(with_record)

    return decorate


def _record(kind: Callable[..., Any], given: dict[str, Any]) -> Any:
    """Take the values of a dataclass's fields out of those given."""
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    return kind(**{name: given.pop(name) for name in names if name in given})
