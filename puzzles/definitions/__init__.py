"""Puzzles from definition files, as ksolve, twsearch and cubing.js have them: docs/your-own-puzzle.md."""
