"""The contract between puzzles and the rest:
the records that every puzzle fills in, and the errors that it raises.
"""
