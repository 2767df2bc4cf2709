"""`python -m puzzlebase` is the program too."""

from puzzlebase.command_line.main import main

main()
