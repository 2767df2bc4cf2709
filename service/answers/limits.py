"""How much one request may ask for, and how long its answer may take. What a search may spend is in sources/budget.py.

The limits of the request itself, its body and its address, are in service/http/connection/limits.py.
"""

MAX_BATCH = 10_000  # states of a batch, moves of a game, moves of one page of a solution
MAX_OFFSET = 10**40  # moves of a solution that may be skipped: no oracle knows a longer one
MAX_STATE = 4096  # characters of a state, a move or a goal
MAX_SOLUTIONS = 1_000  # solutions that one answer lists
MAX_SCRAMBLE = 10_000  # moves of the longest scramble that an answer gives
MAX_STARS = 10  # stars that a game can be worth
MAX_MOTIONS = 1 << 16
"""Pieces that the moves of a board change, all together; for eight times as many may be asked what happens to them."""

ANSWER_SECONDS = 30.0
"""Time for an answer from a table or an oracle. Searches have a budget instead."""
