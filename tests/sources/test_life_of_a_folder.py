"""service/sources/folder.py: whatever happens to the files of a folder in any order,
answers are right or errors.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from puzzlebase.db.errors import DamagedTable, MissingTable
from puzzlebase.paths import table_path
from puzzlebase.service.answers import catalog, lookups
from puzzlebase.service.sources.sources import Sources
from tests.fixtures import build_table

STATES = {"sliding-2x2": ("3021", 5), "sliding-2x3": ("203514", 12)}
"""A state of each puzzle, and its distance."""
NAMES = st.sampled_from(sorted(STATES))


class Life(RuleBasedStateMachine):
    """Tables are put, replaced, damaged and removed, and the same program is asked all the time."""

    contents: ClassVar[dict[str, bytes]] = {}

    def __init__(self) -> None:
        super().__init__()
        self.place = TemporaryDirectory()
        self.tables = Sources(Path(self.place.name))
        self.sound = dict[str, bool]()

    def teardown(self) -> None:
        self.place.cleanup()

    def put(self, name: str, content: bytes) -> None:
        path = table_path(self.tables.folder.data, name)
        copy = path.with_suffix(".copy")
        copy.write_bytes(content)
        copy.replace(path)

    @rule(name=NAMES)
    def build(self, name: str) -> None:
        self.put(name, self.contents[name])
        self.sound[name] = True

    @rule(name=NAMES, share=st.floats(0, 0.9))
    def cut(self, name: str, share: float) -> None:
        content = self.contents[name]
        self.put(name, content[: int(share * len(content))])
        self.sound[name] = False

    @rule(name=NAMES)
    def confuse(self, name: str) -> None:
        """The table of another puzzle has this one's name."""
        self.put(name, next(content for other, content in self.contents.items() if other != name))
        self.sound[name] = False

    @rule(name=NAMES)
    def remove(self, name: str) -> None:
        table_path(self.tables.folder.data, name).unlink(missing_ok=True)
        self.sound.pop(name, None)

    @invariant()
    def answers_are_right_or_errors(self) -> None:
        for name, (state, distance) in STATES.items():
            if self.sound.get(name):
                assert lookups.lookup(self.tables.table(name), state)["distance"] == distance
            else:
                with pytest.raises(DamagedTable if name in self.sound else MissingTable):
                    self.tables.table(name)

    @invariant()
    def readiness_names_what_is_damaged(self) -> None:
        damaged = {each["table"] for each in catalog.readiness(self.tables)["damaged"]}
        assert damaged == {name for name, sound in self.sound.items() if not sound}


@pytest.mark.slow(3)
def test_the_life_of_a_folder(tmp_path: Path) -> None:
    Life.contents |= {name: build_table(tmp_path, name).read_bytes() for name in STATES}
    few = settings(max_examples=3, stateful_step_count=12, deadline=None)
    run_state_machine_as_test(Life, settings=few)
