"""The hooks of plugins: of those in the folder plugins/,
and of those and the families that others install.

A plugin that raises is left out, with a warning in one line. Entry points are read only for a name
that is not ours, or to list all: reading them takes longer than listing a folder.
"""

from __future__ import annotations

import logging
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

# Groups of entry points, each of a Family or a Plugin.
FAMILIES, PLUGINS = "puzzlebase.families", "puzzlebase.tools"
_OURS = ("puzzlebase.plugins", "puzzlebase.puzzles.families")  # the packages of plugins
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plugin:
    """The record PLUGIN of a plugin: by hook and name,
    texts "module:attribute", each imported when first needed.

    docs/plugins.md has the contract of each hook: arguments, results and errors.
    """

    needs: tuple[str, ...] = ()  # plugins of ours: where one is not there, this one is left out
    # by name: a command of click, or an answer
    verbs: Mapping[str, str] = field(default_factory=dict)
    # by path: an answer, or a Blueprint of pages
    addresses: Mapping[str, str] = field(default_factory=dict)
    queries: Mapping[str, str] = field(default_factory=dict)  # by name: "package:file" of NAME.sql
    # by a verb of the core: `Added` options
    options: Mapping[str, str] = field(default_factory=dict)
    # by a definition's ending: text -> `Definition`
    readers: Mapping[str, str] = field(default_factory=dict)
    # by a name of `puzzlebase.puzzles`: makes puzzles
    makers: Mapping[str, str] = field(default_factory=dict)
    # by a drawing's ending: text, `Definition` -> `Draw`
    drawings: Mapping[str, str] = field(default_factory=dict)
    # by an ending in folders of puzzles: path -> `PuzzleFile`
    files: Mapping[str, str] = field(default_factory=dict)
    # by an engine's kind: engine, `Opening` -> source or None
    sources: Mapping[str, str] = field(default_factory=dict)
    # by an engine's kind: makes a `GraphSearch.shortest`
    searches: Mapping[str, str] = field(default_factory=dict)
    # by the scheme of an address: address -> `Sources`
    folders: Mapping[str, str] = field(default_factory=dict)
    # by name: a function of an opened puzzle and arguments, which is a method of it
    methods: Mapping[str, str] = field(default_factory=dict)
    # by any name: a maker of what is told of each request
    before: Mapping[str, str] = field(default_factory=dict)


def find(hook: str, name: str) -> Any | None:
    """The object that a plugin gives under a name, ours before others; None if none can be used."""
    return next(plugin_objects(hook, name), None)


def plugin_references(hook: str) -> dict[str, str]:
    """The reference to each object that plugins give,
    by name. Ours override others of the same name.
    """
    plugins = (*reversed(_others().values()), *_ours().values())
    return {
        name: reference for plugin in plugins for name, reference in getattr(plugin, hook).items()
    }


def plugin_objects(hook: str, name: str | None = None) -> Iterator[Any]:
    """All objects that plugins give, or all under one name,
    without those that raise; ours before others.
    """
    for plugins in (_ours, _others):
        for owner, plugin in plugins().items():
            for each, reference in getattr(plugin, hook).items():
                if (
                    name in (None, each)
                    and (found := load_or_warn(owner, partial(load_attribute, reference)))
                    is not None
                ):
                    yield found


def entry_points(group: str) -> Iterator[tuple[str, str, Callable[[], Any]]]:
    """The name of each entry point of a group, its value, and its loader."""
    from importlib.metadata import entry_points as installed  # noqa: PLC0415 -- few calls need it

    for each in sorted(installed(group=group)):
        yield each.name, each.value, each.load


def load_or_warn(name: str, load: Callable[[], T]) -> T | None:
    """The loaded object; None, and a warning in one line, if a plugin raises."""
    try:
        return load()
    except MemoryError:
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 -- whatever somebody's file does
        _warn(name, f"{type(error).__name__}: {error}".partition("\n")[0])
        return None


def missing_plugin(error: BaseException) -> str | None:
    """The name of our plugin whose folder an import did not find; None for another error."""
    package, _, plugin = (getattr(error, "name", None) or "").rpartition(".")
    return plugin if isinstance(error, ModuleNotFoundError) and package in _OURS else None


@cache
def _ours() -> dict[str, Plugin]:
    folder = Path(__file__).with_name("plugins")
    names = sorted(module.name for module in pkgutil.iter_modules([str(folder)]) if module.ispkg)
    plugins = _plugins(
        (name, partial(load_attribute, f"{_OURS[0]}.{name}:PLUGIN")) for name in names
    )
    return {name: plugin for name, plugin in plugins.items() if plugins.keys() >= {*plugin.needs}}


@cache
def _others() -> dict[str, Plugin]:
    return _plugins((f"{name} ({value})", load) for name, value, load in entry_points(PLUGINS))


def _plugins(loaders: Iterable[tuple[str, Callable[[], Any]]]) -> dict[str, Plugin]:
    plugins = {}
    for name, load in loaders:
        loaded = load_or_warn(name, load)
        if isinstance(loaded, Plugin):
            plugins[name] = loaded
        elif loaded is not None:
            _warn(name, f"TypeError: {loaded!r} is no Plugin")
    return plugins


def load_attribute(reference: str) -> Any:
    """The object that a text "module:attribute" names."""
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)


@cache
def _warn(name: str, reason: str) -> None:
    logging.getLogger(__name__).warning("the plugin %s cannot be used: %s", name, reason)
