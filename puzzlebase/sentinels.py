"""The numbers in place of a distance or an index.
Each says why there is none, and kernels may name them.
"""

NO_STATE = -1
"""An index: of no state and no vertex, as after an illegal move."""
NOT_FOLLOWED = -4
"""The index of a legal state outside the space: it was not found, or its moves lead too far to tell
if the goal can be reached from it.
"""

UNREACHED = -1
"""A distance: the goal cannot be reached."""
UNKNOWN = -2
"""A distance that is not known; the move that leads there is not optimal."""
UNDECIDED = -3
"""A distance that is not known; the move that leads there may be optimal."""
UNVISITED = (1 << 32) - 1
"""A distance in four bytes: the search in progress,
or a finished one, did not come to the vertex.
"""
