"""The program: finds the verb, runs it, and turns errors into words and an exit status."""

from __future__ import annotations

import errno
import os
import re
import signal
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from puzzlebase import hooks
from puzzlebase.command_line.verbs import VERBS
from puzzlebase.paths import CACHE, NOWHERE, DataFolder, NoDataFolder
from puzzlebase.service.answers import ANSWERS

_FAILED = 1
_WRONG_USE = 2

_UNUSABLE = {
    errno.EADDRINUSE: "take another --port, or end the program that listens there",
    errno.EADDRNOTAVAIL: "name an address of this machine with --host",
}


def main() -> None:
    """Run the command line; the exit status is 0, 1 for a failed check, 2 for wrong use."""
    _open_streams()
    try:
        program.main(prog_name="puzzlebase", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(_WRONG_USE)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(128 + signal.SIGINT)
    except UnicodeError as error:
        click.echo(f"puzzlebase: the text is not valid Unicode: {error}", err=True)
        sys.exit(_WRONG_USE)
    except OSError as error:
        _say_unusable(error)
        sys.exit(_FAILED)
    except (MemoryError, RuntimeError, ImportError) as error:
        from puzzlebase.errors import is_out_of_memory

        if not is_out_of_memory(error):
            raise
        click.echo(
            f"puzzlebase: memory ran out: {error}\n  free some, or raise the limit of the process",
            err=True,
        )
        sys.exit(_FAILED)
    except Exception as error:  # noqa: BLE001 -- those that no user can mend are raised again
        sys.exit(_status_of(error))


def _say_unusable(error: OSError) -> None:
    """Print the error of a file or an address that cannot be used, with its remedy."""
    from puzzlebase.command_line.printing import print_note
    from puzzlebase.errors import unwritable_remedy

    what = f"{str(error.filename)!r} cannot be used: {error.strerror}" if error.filename else error
    print_note(f"puzzlebase: {what}")
    if remedy := _UNUSABLE.get(error.errno or 0) or unwritable_remedy(error, "").removesuffix(
        ", then "
    ):
        print_note(f"  {remedy}", 2)


def _status_of(error: Exception) -> int:
    """Print an error that users can mend,
    and return its exit status; raise any other error again.
    """
    from puzzlebase.command_line.printing import complain
    from puzzlebase.db.errors import MissingTable, TableError
    from puzzlebase.db.sql.errors import QueryError
    from puzzlebase.puzzles.contract.errors import PuzzleError
    from puzzlebase.service.error_status import InvalidRequest

    wrong_use = PuzzleError, MissingTable, InvalidRequest, QueryError, NoDataFolder
    builder: Any = sys.modules.get("puzzlebase.builder")  # which not every verb loads
    failed = (
        (TableError, builder.BuildError, builder.VerificationError) if builder else (TableError,)
    )
    if not isinstance(error, (*wrong_use, *failed)):
        raise error
    complain(error)
    return _WRONG_USE if isinstance(error, wrong_use) else _FAILED


def _open_streams() -> None:
    """Open the standard streams that the caller closed,
    as `<&-` does. They give nothing to read and drop output.

    An encoding other than UTF-8 writes a question mark for a character that it lacks.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))
        elif mode == "w" and stream.encoding.lower() != "utf-8":
            stream.reconfigure(errors="replace")


class _Program(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names of the verbs."""
        return sorted(_references())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """A verb, imported now; None for an unknown name."""
        ours = VERBS.get(cmd_name)
        verb = hooks.load_attribute(ours) if ours else hooks.find("verbs", cmd_name)
        if verb and not isinstance(verb, click.Command):
            from puzzlebase.command_line.answer_verbs import command_of

            verb = command_of(verb)
        if verb and _EVERYWHERE[0] not in verb.params:
            verb.params += _EVERYWHERE
        found: click.Command | None = verb
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The verb of the arguments; raises UsageError for an unknown one,
        and suggests similar names.
        """
        if args and not ctx.resilient_parsing and self.get_command(ctx, args[0]) is None:
            from puzzlebase.errors import did_you_mean

            meant = did_you_mean(args[0], self.list_commands(ctx))
            ctx.fail(f"there is no verb {args[0]!r}. {meant}puzzlebase --help lists them.")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the first words about each verb;
        a verb is imported only if its source does not show them.
        """
        rows = []
        for name, reference in sorted(_references().items()):
            ends = "[,:.]" if reference in ANSWERS.values() else "[.]"
            line = _about(reference) or (
                (verb := self.get_command(ctx, name)) and verb.get_short_help_str()
            )
            if line:
                rows.append((name, re.split(ends, line)[0] + "."))
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a verb. If its reader, such as head, closes the pipe,
        end as programs do; click would exit with 1.
        """
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(128 + signal.SIGPIPE)


def _references() -> dict[str, str]:
    """The reference to each verb, by name."""
    return {**hooks.plugin_references("verbs"), **VERBS}


def _about(reference: str) -> str:
    """The first line of a verb's docstring, read from its source."""
    module, _, name = reference.partition(":")
    found = find_spec(module)
    source = Path(found.origin).read_text("utf-8") if found and found.origin else ""
    line = re.search(rf'(?ms)^def {name}\(.*?"""(.*?)("""|$)', source)
    return line[1] if line else ""


def _choose_data(context: click.Context, _parameter: click.Parameter, data: str | None) -> None:
    if data is not None:
        context.obj = _looked_beside(DataFolder.choose(data))


def _looked_beside(data: DataFolder) -> DataFolder:
    from puzzlebase.puzzles.discovery import discover_beside

    discover_beside(Path(data.place))
    return data


def _choose_cache(context: click.Context, _parameter: click.Parameter, cache: Path | None) -> None:
    if cache is not None and not context.resilient_parsing:
        os.environ[CACHE] = str(cache)  # which processes that this one starts have too


def _choose_puzzles(
    _context: click.Context, _parameter: click.Parameter, folders: tuple[Path, ...]
) -> None:
    if folders:
        from puzzlebase.puzzles.discovery import discover_definitions

        discover_definitions(*folders)


def _choose_rules(
    context: click.Context, _parameter: click.Parameter, files: tuple[Path, ...]
) -> None:
    if files and not context.resilient_parsing:
        from puzzlebase.puzzles.discovery import RULES, forget

        former = [os.environ[RULES]] if os.environ.get(RULES) else []
        os.environ[RULES] = os.pathsep.join([*former, *(str(file.absolute()) for file in files)])
        forget()


def _everywhere(name: str, callback: Callable[..., None], text: str, **more: Any) -> click.Option:
    return click.Option([name], expose_value=False, callback=callback, help=text, **more)


_FOLDER = click.Path(file_okay=False, path_type=Path)
# Options that stand before or after the verb.
_EVERYWHERE: list[click.Parameter] = [
    _everywhere(
        "--data",
        _choose_data,
        "Folder of the tables, or the address of published ones for verbs that ask about one "
        "puzzle. The default is "
        "PUZZLEBASE_DATA, else ./data if it exists, else a folder of your own.",
        type=click.Path(file_okay=False),
        is_eager=True,  # definitions of puzzles may lie beside the tables
    ),
    _everywhere(
        "--puzzles",
        _choose_puzzles,
        "Folder of puzzle definitions. May be repeated. The default is PUZZLEBASE_PUZZLES, else "
        "./puzzles.d if it "
        "exists, else puzzles.d in the folder of the tables.",
        type=click.Path(file_okay=False, exists=True, path_type=Path),
        multiple=True,
        is_eager=True,
    ),
    _everywhere(
        "--rules",
        _choose_rules,
        "Python file whose FAMILY has more puzzles; it is executed. May be repeated. Adds to "
        "PUZZLEBASE_RULES.",
        type=click.Path(dir_okay=False, exists=True, path_type=Path),
        multiple=True,
        is_eager=True,
    ),
    _everywhere(
        "--cache",
        _choose_cache,
        "Folder of files that processes share and can make again: unpacked distances, "
        "and numberings of states. The default is PUZZLEBASE_CACHE, else cache in the "
        f"folder of the tables; {NOWHERE} turns it off.",
        type=_FOLDER,
    ),
]


@click.group(cls=_Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="puzzlebase", help="Show the version.")
@click.pass_context
def program(context: click.Context) -> None:
    """Exact distances and best moves of puzzles.

    The options below may stand before or after the verb.
    """
    context.obj = context.obj or _looked_beside(DataFolder.choose())


program.params += _EVERYWHERE
