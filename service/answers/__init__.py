"""Answers, as plain objects; nothing here knows HTTP."""
