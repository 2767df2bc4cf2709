"""The limits of stored files, in a file that loads no library: the command line shows them."""

ANTIPODES_KEPT = 100_000  # states farthest from the goal that the file of a table has
MOST_WRITTEN = 1 << 37  # states of a table that can be written one by one
