"""Errors that name their remedy."""

from __future__ import annotations


class ErrorWithHint(Exception):
    """An error whose `hint` names the remedy."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint
        self.add_note(hint)  # which a traceback prints below the message
