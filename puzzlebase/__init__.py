"""Puzzlebase: exact distances and best moves of puzzles.

The folders `puzzles`, `builder`, `db` and `service` lie beside this one and are linked into it, so that everything
that is installed has one name in front, and no package of another's can be mistaken for ours.
"""
