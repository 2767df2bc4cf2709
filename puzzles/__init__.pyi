from puzzlebase.plugins.definitions.makers import *
from puzzlebase.puzzles.exports import *
