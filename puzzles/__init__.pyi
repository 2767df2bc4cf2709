from puzzlebase.plugins.definitions.letter_puzzles import letter_puzzle as letter_puzzle
from puzzlebase.plugins.definitions.rules_puzzles import rules_puzzle as rules_puzzle
from puzzlebase.plugins.definitions.text_squares import text_squares as text_squares
from puzzlebase.puzzles.exports import *
