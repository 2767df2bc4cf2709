"""The declaration of an answer: a function, whose parameters are the fields of a request.

The signature has their types, defaults and limits, and the docstring a sentence about each. HTTP
makes the address and its specification of it, the command line the verb with its options, and
`make docs` the methods for Python and the tables of the documents.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from inspect import cleandoc, signature
from keyword import iskeyword
from types import NoneType, SimpleNamespace, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Generic,
    Literal,
    NamedTuple,
    ParamSpec,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from puzzlebase.service.answers.limits import MAX_BATCH, MAX_NAME, MAX_SECONDS, MAX_STATE
from puzzlebase.service.exact_json import LARGEST_NUMBER, to_json

if TYPE_CHECKING:
    ListOf = Sequence
else:
    ListOf = list  # as JSON has it; functions take any sequence

P = ParamSpec("P")
T = TypeVar("T")
Lines = Callable[[Any], Iterable[str]]
Subject = Literal["state", "table", "puzzle", "folder", "service"]
"""The first arguments of the function.

They are a source of distances; an open table; a puzzle and its goal; the tables of a folder; or
HTTP's `Responder`, and then the function may give a response of Flask.
"""


class Within(NamedTuple):
    """The limits of a number, of the characters of a text,
    or of the entries of a list; and the reader of its text.
    """

    low: int = 0
    high: int = LARGEST_NUMBER
    read: Callable[[str], Any] | None = (
        None  # raises ValueError; of a list it reads what somebody types
    )
    here: int | None = (
        None  # the largest number where no network is between, and the default in Python
    )


Name = Annotated[str, Within(high=MAX_NAME)]
Word = Annotated[str, Within(high=MAX_STATE)]


def _parameter_of(name: str) -> str:
    """The parameter of a field's name, `from_` of from."""
    return f"{name}_" if iskeyword(name) else name


class Field(NamedTuple):
    """A field of a request."""

    name: str
    kind: Any  # its type, or that of its entries
    limits: Within | None  # of its value, or of each entry
    listed: Within | None  # of a list
    optional: bool  # if it may be null
    default: Any  # `Parameter.empty` if it is required
    sentence: str

    @property
    def parameter(self) -> str:
        """The name of its parameter in Python."""
        return _parameter_of(self.name)

    @property
    def read(self) -> Callable[[str], Any] | None:
        """The reader of what somebody types."""
        limits = self.listed or self.limits
        return limits and limits.read

    @property
    def default_here(self) -> Any:
        """The default in Python."""
        return (self.limits and self.limits.here) or self.default


def _fields_of(function: Callable[..., Any], given: Iterable[str] = ()) -> dict[str, Field]:
    """The fields that a function's parameters are, except those that are given otherwise."""
    described = cleandoc(function.__doc__ or "").partition("Args:\n")[2]
    sentences = dict(re.findall(r"(?m)^    (\w+): (.+(?:\n {5,}.+)*)", described))
    parameters, found = signature(function).parameters, {}
    hints = _types(function, [name for name in parameters if name not in given])
    for own, parameter in parameters.items():
        if own in hints:
            name, hint = own.removesuffix("_"), hints[own]
            kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
            kind, limits = _limited(Union[tuple(each for each in kinds if each is not NoneType)])  # noqa: UP007
            listed = None
            if get_origin(kind) is list:
                listed = limits or Within(high=MAX_BATCH, read=str.split)
                kind, limits = _limited(*get_args(kind))
            else:
                limits = limits or Within(high=MAX_STATE if kind is str else LARGEST_NUMBER)
            sentence = " ".join(sentences.get(own, "").split())
            found[name] = Field(
                name, kind, limits, listed, NoneType in kinds, parameter.default, sentence
            )
    return found


def _types(function: Callable[..., Any], names: Iterable[str]) -> dict[str, Any]:
    """The types of some parameters, or of `return`.
    Those of others, such as the subject, need not be imported.
    """
    annotations = SimpleNamespace(
        __annotations__={name: function.__annotations__[name] for name in names}
    )
    return get_type_hints(annotations, function.__globals__, include_extras=True)


def _limited(kind: Any) -> tuple[Any, Within | None]:
    """A type and its limits."""
    return (
        (kind.__origin__, kind.__metadata__[0]) if get_origin(kind) is Annotated else (kind, None)
    )


def _search(
    goal: str | None = None,
    max_states: int | None = None,
    max_seconds: Annotated[float, Within(high=MAX_SECONDS)] | None = None,
) -> None:
    """The common fields.

    Args:
        goal: the goal's name, by default the first; or a state, where the puzzle allows any as its
            goal
        max_states: number of states that a search may expand
        max_seconds: seconds that a search may take
    """


SEARCH = tuple(_fields_of(_search).values())
COMMON = {"state": SEARCH, "table": SEARCH[:1], "puzzle": SEARCH[:1]}
"""By subject, the fields of a request that each face meets itself."""
_DRAWN = (304, 404, 422)
_FOUND = (*_DRAWN, 409, 500, 503)
_STATUSES = {"state": _FOUND, "table": _FOUND, "puzzle": _DRAWN}


@dataclass(frozen=True, kw_only=True, eq=False)
class AnswerRecord(Generic[P, T]):
    """An answer. It is called like its function, whose first line describes it."""

    make: Callable[P, T]
    name: str  # of the verb, the method and the operation
    subject: Subject
    title: str
    path: str
    methods: tuple[str, ...] = ("GET",)
    # beside 200 and those that every address may answer with; 304 is GET's alone
    statuses: tuple[int, ...] = ()
    # other statuses whose answer is of the same type, each with its meaning
    also: tuple[tuple[int, str], ...] = ()
    media: str = "application/json"
    type: Any = None  # of the JSON, if the function gives a response of Flask
    printed: Lines = lambda answer: [to_json(answer).decode()]  # what people read in a terminal
    notes: Lines = lambda _: ()  # and there on standard error
    without_search: tuple[str, ...] = ()  # fields that no search can meet
    # if an equal request has an equal answer
    repeatable: Callable[[Mapping[str, Any]], bool] = lambda _: True

    def __call__(self, *given: P.args, **named: P.kwargs) -> T:
        """The answer."""
        parameters: Any = {_parameter_of(name): value for name, value in named.items()}
        return self.make(*given, **parameters)

    def may_search(self, values: Mapping[str, Any]) -> bool:
        """True if a search can meet these values of fields."""
        return all(values[name] is None for name in self.without_search)

    @property
    def sentence(self) -> str:
        """The description: the first paragraph of the docstring, as one line."""
        paragraph = cleandoc(self.make.__doc__ or "").partition("\n\n")[0]
        return " ".join(paragraph.split())

    @cached_property
    def fields(self) -> dict[str, Field]:
        """The fields of a request, by name, without the common ones."""
        of_subject = [*signature(self.make).parameters][: 2 if self.subject == "puzzle" else 1]
        return _fields_of(self.make, [*of_subject, *re.findall(r"{(\w+)}", self.path)])

    def operation(self, method: str) -> str:
        """The name of the operation in /openapi.json."""
        return f"{self.name}_posted" if method == "POST" and "GET" in self.methods else self.name

    @property
    def answer(self) -> Any:
        """The type of its JSON; of a document, text."""
        return self.type or (
            _types(self.make, ["return"])["return"] if self.media == "application/json" else str
        )


def answer(
    subject: Subject, title: str, *, name: str = "", path: str = "", **more: Any
) -> Callable[[Callable[P, T]], AnswerRecord[P, T]]:
    """Declare that a function makes an answer: by default of its name,
    at the address of a puzzle with that name.
    """

    def declare(make: Callable[P, T]) -> AnswerRecord[P, T]:
        known = name or make.__name__
        place = path or f"/v1/puzzles/{{name}}/{known}"
        facts = {"statuses": _STATUSES.get(subject, ()), **more}
        return AnswerRecord(
            make=make, name=known, subject=subject, title=title, path=place, **facts
        )

    return declare


def answer_of_attributes(record: object, kind: Callable[..., T]) -> T:
    """Make an answer of the attributes of a record that it has fields for."""
    return kind(**{name: getattr(record, name) for name in kind.__annotations__})
