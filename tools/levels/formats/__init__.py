"""Formats of levels, a file each, named by the ending of the files that it reads: `rules` makes a level's rules."""
