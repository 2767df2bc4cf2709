"""Formats of levels, a file each, named after the ending of the files that it reads; `game` makes a level's game."""
