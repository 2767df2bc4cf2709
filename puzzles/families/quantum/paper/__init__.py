"""The experiments of Ian Adams, The Quantum 8-Puzzle (2009), once more, beside the new construction.

The paper gives averages over a number of boards that it does not tell, and leaves open what docs/quantum.md lists. Its
searches choose among moves by one measure and never go back; its position solver gathers one tile after another.
"""
