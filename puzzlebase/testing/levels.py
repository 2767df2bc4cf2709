"""Tests of the game of a level, and so of a level's format."""

from __future__ import annotations

from typing import Any

import numpy as np


class LevelLaws:
    """A subclass has a fixture `game`, a `LevelGame` of few states, all of which are examined."""

    def test_texts_follow_keys(self, game: Any) -> None:
        """The texts after the moves of a state read as the successors of its key, in order."""
        assert np.array_equal(game.read(game.start), game.rules.start)
        edges = set()
        texts = [game.start]
        seen = {game.start}
        for text in texts:  # which grow meanwhile
            assert " " not in text
            key = game.read(text)
            assert np.array_equal(game.read(game.write(key)), key), text
            after = {move.name: played for move, played in game.moves_of(text)}
            assert all(
                name.isascii() and name.isprintable() and not {*name} & {*", "} for name in after
            )
            assert {name: game.play(text, name) for name in after} == after
            keys = [tuple(game.read(played).tolist()) for played in after.values()]
            slots = game.rules.successors(key[None])[0]
            assert [tuple(slot) for slot in slots[: len(keys)].tolist()] == keys, text
            assert len(slots) == len(keys) or slots[len(keys), 0] == np.iinfo(slots.dtype).max, text
            edges |= {(tuple(key.tolist()), successor) for successor in keys}
            for played in after.values():
                state = game.write(game.read(played))
                if state not in seen:
                    seen.add(state)
                    texts.append(state)
        assert game.rules.reversible == ({(successor, key) for key, successor in edges} == edges)
