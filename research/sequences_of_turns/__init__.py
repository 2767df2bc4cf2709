"""The lower bound of the wheels' God's numbers by counting sequences of turns,
as in the answer of 2016.
"""
