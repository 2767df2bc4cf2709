"""Formats of levels, a file each. It is named by the ending of files that it reads; `game` makes a level's game."""
