"""Limits of an answer. Those of searches are in sources/budget.py,
those of bodies in http/limits.py.
"""

MAX_BATCH = 10_000  # states of a batch, moves of a game, moves of one page of a solution
MAX_OFFSET = 10**40  # moves of a solution that may be skipped: no oracle knows a longer one
MAX_STATE = 4096  # characters of a state, a move or a goal
MAX_SECONDS = 10**9  # of a search, if a request states its own limit
MAX_NAME = 200  # characters of a seed or a style
MAX_SOLUTIONS = 1_000  # solutions that one answer lists
MAX_SCRAMBLE = 10_000  # moves of the longest scramble that an answer gives
MAX_STARS = 10  # stars that a game can be worth
# pieces that the moves of a board change, all together; eight times as many may be compared
MAX_MOTIONS = 1 << 16
ANSWER_SECONDS = (
    30.0  # time for an answer from a table or an oracle; searches have a budget instead
)
