"""Tests lie in folders named for what they test.

`naive/` has slow reference implementations that import nothing of ours,
`proofs/` what takes minutes.
"""
