"""puzzlebase/command_line/: every verb as a user types it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from puzzlebase.command_line.verbs import VERBS
from puzzlebase.puzzles import find
from tests.commands import Done, command
from tests.serving import COMMAND
from tests.waiting import PATIENCE

NOVICE = "RBBBBBBBBBBBBRRRRRRRR"
ROOT = Path(__file__).parent.parent


def run(
    data: Path, *words: str, status: int = 0, given: str = "", folder: Path | None = None
) -> Done:
    done = command(data, *words, given=given, folder=folder)
    assert done.status == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


def program(data: Path, words: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """The same in a process of its own, started by a shell."""
    shell = ["sh", "-c", f"'{COMMAND}' --data '{data}' {words}"]
    return subprocess.run(
        shell, capture_output=True, text=True, timeout=PATIENCE, check=False, input=given
    )


def answer(data: Path, *words: str, status: int = 0) -> Any:
    return json.loads(run(data, *words, "--json", status=status).stdout)


@pytest.mark.slow
def test_a_process_of_its_own_does_the_same(data: Path) -> None:
    for words, status in ((f"lookup novice {NOVICE} x", 1), ("info panex-3 --goal x", 2)):
        done, here = program(data, words), run(data, *words.split(), status=status)
        assert (done.returncode, done.stdout, done.stderr) == here
    done = program(data, "lookup novice -", given=f"{NOVICE}\nx\n")
    assert (done.returncode, done.stdout, done.stderr) == run(
        data, "lookup", "novice", NOVICE, "x", status=1
    )


def test_help_loads_nothing_that_computes_or_stores() -> None:
    text = """
import sys
heavy = "numpy numba duckdb rich psutil".split()
heavy += "puzzlebase.builder puzzlebase.service.sources.source".split()
sys.modules.update(dict.fromkeys(heavy))  # an import of one raises ImportError
from puzzlebase.command_line.main import program
for words in ([], *([verb] for verb in program.list_commands(None))):
    program.main([*words, "--help"], standalone_mode=False)
assert not any(map(sys.modules.get, heavy))
"""
    done = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    assert done.stdout.count("Usage:") > len(VERBS)


@pytest.mark.needs("sql")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "may"), [(["lookup", "novice", NOVICE], set()), (["sql", "SELECT 1"], {"pyarrow"})]
)
def test_verbs_load_only_what_they_need(data: Path, words: list[str], may: set[str]) -> None:
    text = """
import sys
from puzzlebase.command_line.main import program
program.main(sys.argv[1:], standalone_mode=False)
print(*{"pyarrow", "flask", "granian", "pydantic"} & sys.modules.keys())
"""
    done = subprocess.run(
        [sys.executable, "-c", text, *words],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
        env=os.environ | {"PUZZLEBASE_DATA": str(data)},
    )
    assert set(done.stdout.splitlines()[-1].split()) == may


@pytest.mark.needs("panex")
def test_pictures(data: Path, tmp_path: Path) -> None:
    drawn = run(data, "picture", "novice", NOVICE).stdout
    assert drawn.startswith("<svg")
    run(data, "picture", "novice", NOVICE, "--output", str(tmp_path / "novice.svg"))
    assert (tmp_path / "novice.svg").read_text("utf-8") == drawn.rstrip("\n")
    assert (
        "silver"
        in run(data, "picture", "panex-3", "abc||ABC", "--style", "bronze", status=2).stderr
    )


def test_a_dry_run_only_says_what_is_needed(tmp_path: Path) -> None:
    needed = answer(tmp_path / "data", "build", "novice", "--dry-run")
    assert needed["kind"] == "table"
    assert needed["memory"] > needed["disk"] > 0
    shown = run(tmp_path, "build", "novice", "--dry-run").stdout
    assert re.search(
        r"B of memory beside the program's \d+ MB .* of disk .*, and about \d s$", shown
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.needs("panex")
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            "build panex-20 --depth 5",
            "--depth does not go with the oracle of panex-20; leave it out",
        ),
        (
            "build novice --depth 3 --force",
            "--force does not go with layers, which are found as far as memory goes",
        ),
        ("build novice --depth 3 --dry-run", "--dry-run goes with tables alone"),
        ("verify panex-8 --layers", "--layers does not go with the oracle of panex-8"),
    ],
)
def test_options_that_exclude_each_other_are_refused_before_anything_is_done(
    tmp_path: Path, words: str, says: str
) -> None:
    refused = run(tmp_path / "data", *words.split(), status=2)
    assert says in " ".join(refused.stderr.split())
    assert refused.stdout == ""
    assert not list(tmp_path.iterdir())


@pytest.mark.needs("panex", "sql")
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["lookup", "novice", "\udcff" * 21], "unknown letter"),
        (["lookup", "x" * 5000, "x"], "there is no puzzle 'xxx"),
        (
            ["grade", "novice", NOVICE, "--hints", "few"],
            "'few' is not a list of numbers such as 1,3",
        ),
        (["sql", "SELECT 5", "--seconds", "inf"], "inf is not in the range"),
        (["sql", "SELECT 1", "--csv", "--json"], "give only one of "),
        (["lokup"], "did you mean 'lookup'? puzzlebase --help lists them"),
        (["info", "Panex10"], "did you mean 'panex-10'?"),
        (["info", "panex-3", "--goal", "center"], "did you mean 'centre'"),
    ],
)
def test_wrong_use_has_status_2_and_says_why(data: Path, words: list[str], says: str) -> None:
    done = run(data, *words, status=2)
    assert says in done.stderr
    assert done.stdout == ""


def test_errors_of_the_system_have_status_1(data: Path, tmp_path: Path) -> None:
    assert "/dev/null" in run(Path("/dev/null"), "build", "novice", status=1).stderr
    missing = str(tmp_path / "missing" / "x.svg")
    assert missing in run(data, "picture", "novice", NOVICE, "--output", missing, status=1).stderr
    assert run(data, "random", "novice", "--seed", "\udcff").stdout
    assert "distance 5" in run(data, "lookup", "novice", "\udcff", NOVICE, status=1).stdout


@pytest.mark.needs("sql")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "closed"),
    [
        ("lookup novice -", "<&-"),
        ("sql 'FROM puzzles'", ">&-"),
        ("list", "<&- >&- 2>&-"),
    ],
)
def test_standard_streams_may_be_closed(data: Path, words: str, closed: str) -> None:
    done = program(data, f"{words} {closed}")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.needs("sql")
@pytest.mark.slow
def test_a_reader_may_close_the_pipe_early(data: Path) -> None:
    command = [str(COMMAND), "--data", str(data), "sql", "FROM states('novice')", "--csv"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 128 + signal.SIGPIPE


@pytest.mark.needs("release")
@pytest.mark.parametrize(
    "words", ["release FOLDER", "picture novice BBBBBBBBBBBBRRRRRRRRR --output FOLDER"]
)
def test_what_cannot_be_written_has_a_remedy(data: Path, tmp_path: Path, words: str) -> None:
    (tmp_path / "file").touch()
    below = tmp_path / "file" / "below"
    done = run(data, *words.replace("FOLDER", str(below)).split(), status=1)
    assert (
        f"'{below}' cannot be used: Not a directory\n  name a folder that is there or can be made"
        in done.stderr
    )


@pytest.mark.needs("sql")
@pytest.mark.slow
def test_sql_of_a_file_and_of_standard_input(data: Path, tmp_path: Path) -> None:
    query = (
        "SELECT distance, count(*) AS states FROM states('novice') GROUP BY 1 ORDER BY 1 LIMIT 3"
    )
    counted = [
        {"distance": 0, "states": 1},
        {"distance": 1, "states": 5},
        {"distance": 2, "states": 25},
    ]
    script = tmp_path / "two.sql"
    script.write_text(f"SELECT 1 AS first; {query}; SET VARIABLE x = 3;", "utf-8")
    assert answer(data, "sql", str(script)) == counted
    words = ["first", "1", "distance", "states", "0", "1", "1", "5", "2", "25"]
    assert run(data, "sql", given=script.read_text("utf-8")).stdout.split() == words


# The data folder.


def test_data_before_or_after_the_verb(data: Path) -> None:
    before = run(data, "lookup", "novice", NOVICE).stdout
    assert "(table)" in before
    for words in (
        ["lookup", "--data", str(data), "novice", NOVICE],
        ["lookup", "novice", "--data", str(data), NOVICE],
        ["lookup", "novice", NOVICE, "--data", str(data)],
    ):
        assert bare(*words).stdout == before
    assert bare("lookup", "novice", NOVICE, f"--data={data}").stdout == before


def bare(*words: str, folder: Path | None = None, status: int = 0) -> Done:
    """No folder is named here."""
    done = command(None, *words, folder=folder)
    assert done.status == status, done.stdout + done.stderr
    return done


def test_the_folder_that_data_lie_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The option, the environment, ./data, and one of the user's own, in this order."""

    def printed(*words: str) -> str:
        return (
            bare("info", "novice", *words, folder=tmp_path)
            .stdout.splitlines()[-1]
            .removeprefix("  data folder  ")
        )

    named, home = tmp_path / "named", tmp_path / "home"
    monkeypatch.delenv("PUZZLEBASE_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(home))
    assert printed() == f"{home / 'puzzlebase'} (your data folder, not there yet)"
    (tmp_path / "data").mkdir()
    assert printed() == "data (the current folder)"
    monkeypatch.setenv("PUZZLEBASE_DATA", str(named))
    named.mkdir()
    assert printed() == f"{named} (PUZZLEBASE_DATA)"
    assert printed("--data", str(tmp_path)) == f"{tmp_path} (--data)"


def test_the_folder_of_what_processes_share(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`build` fills it; the option comes before the environment."""
    data, shared = tmp_path / "data", tmp_path / "shared"
    monkeypatch.setenv("PUZZLEBASE_CACHE", str(tmp_path / "other"))
    built = run(data, "--cache", str(shared), "build", "novice")
    assert built.stderr.count("Traceback") == 0
    assert [path.name for path in data.iterdir()] == ["novice.duckdb"]
    (file,) = shared.glob("novice-*.distances")
    size = file.stat().st_size
    assert 97_020 / 6 < size < 97_020


@pytest.mark.needs("sql")
def test_a_folder_that_was_named_and_is_not_there_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = tmp_path / "dota"
    for words in (
        ["list"],
        ["lookup", "novice", NOVICE],
        ["sql", "SELECT 1"],
        ["info", "novice"],
        ["serve"],
    ):
        refused = run(missing, *words, status=2)
        assert (
            refused.stderr.splitlines()[0]
            == f"puzzlebase: there is no folder {str(missing)!r}, which --data names"
        )
        assert f"puzzlebase --data {missing} build PUZZLE" in refused.stderr
    monkeypatch.setenv("PUZZLEBASE_DATA", str(missing))
    assert "which PUZZLEBASE_DATA names" in bare("list", status=2).stderr


@pytest.mark.needs("panguru")
def test_a_search_for_want_of_a_table_says_so_once(data: Path, tmp_path: Path) -> None:
    searched = run(tmp_path, "lookup", "panguru-4", find("panguru-4").goal().start, folder=tmp_path)
    assert searched.stderr.splitlines() == [
        f"puzzlebase: there is no table of panguru-4 yet in {tmp_path}, so this is a search",
        f"  build it: puzzlebase build panguru-4 --data {tmp_path}",
    ]
    (tmp_path / "data").mkdir()
    searched = bare("lookup", "panguru-4", find("panguru-4").goal().start, folder=tmp_path)
    assert searched.stderr.splitlines()[1] == "  build it: puzzlebase build panguru-4"
    refused = "lookup panguru-4 xx", "solve novice RRRRRRRRRRRRRRRRRRRRR"
    for words in (*refused, "random novice --difficulty easy"):
        assert "a search" not in run(tmp_path, *words.split(), status=2).stderr
    assert run(data, "lookup", "novice", NOVICE).stderr == ""
    hint = run(
        tmp_path, "histogram", "novice", "--goal", "solved", status=2, folder=tmp_path
    ).stderr
    assert f"build it: puzzlebase build novice --data {tmp_path}" in hint


@pytest.mark.needs("panex", "sql")
def test_the_command_in_a_hint_names_the_folder_in_use(tmp_path: Path) -> None:
    """The command does what is missing, from here as it stands."""
    place = tmp_path / "with space"
    place.mkdir()
    missing = run(place, "sql", "SELECT count(*) FROM states('panex-2')", status=2, folder=tmp_path)
    assert missing.stderr.splitlines() == [
        "puzzlebase: there is no table of panex-2 yet",
        (
            f"  build it: puzzlebase build panex-2 --data '{place}'; SELECT puzzle FROM puzzles "
            "lists those that are there"
        ),
    ]


def test_a_search_ends_after_its_seconds_and_says_how_to_go_on(tmp_path: Path) -> None:
    puzzle = find("turnstile")
    far = puzzle.text(4_567_891_234, puzzle.goal())
    ended = run(tmp_path, "solve", "turnstile", far, "--max-seconds", "0.001")
    assert "at least" in ended.stdout
    assert (
        ended.stderr.splitlines()[-1]
        == "the search ended after 0.001 s; --max-seconds 0.01 lets it take longer"
    )
    assert "seconds. [default: 30.0;" in " ".join(run(tmp_path, "solve", "--help").stdout.split())


# Completion.


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("loo", ["lookup"]),
        ("lookup novice --max-st", ["--max-states"]),
    ],
)
def test_completion(words: str, completed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    line = f"puzzlebase {words}"
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
    monkeypatch.setenv("_PUZZLEBASE_COMPLETE", "bash_complete")
    assert [found.split(",")[1] for found in bare().stdout.split()] == completed


@pytest.mark.needs("cluster")
def test_a_cluster_is_for_tables_and_needs_its_address(tmp_path: Path) -> None:
    alone = run(tmp_path, "build", "novice", "--cluster-workers", "2", status=2)
    assert "goes with --cluster ADDRESS" in alone.stderr
    layers = run(tmp_path, "build", "novice", "--cluster", "local", "--depth", "3", status=2)
    assert "--cluster builds whole tables, and this is none of novice" in layers.stderr
    assert not [*tmp_path.iterdir()]


@pytest.mark.needs("cluster")
def test_ray_is_loaded_for_a_build_on_a_cluster_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message has the command that installs it."""
    monkeypatch.setitem(sys.modules, "ray", None)
    run(tmp_path, "build", "novice", "--dry-run")
    refused = run(tmp_path, "build", "novice", "--dry-run", "--cluster", "local", status=2)
    assert (
        "--cluster needs Ray, which is not installed: pip install 'puzzlebase[cluster]'"
        in refused.stderr
    )
