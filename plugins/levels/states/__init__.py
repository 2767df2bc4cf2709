"""The states of a game given by rules: found from the start,
numbered by their keys, with one-way moves.
"""
