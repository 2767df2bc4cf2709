"""The families of puzzles: a file or a folder for each, found by discovery."""
