"""The states of a game that is given by rules: found from the start, numbered by their keys, with one-way moves."""
