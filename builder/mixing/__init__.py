"""How random turns mix: the exact distribution of a state after each turn, over all states. docs/mixing.md."""

from puzzlebase.builder.mixing.job import MixingJob
from puzzlebase.builder.mixing.states import UnknownWalk

__all__ = ["MixingJob", "UnknownWalk"]
