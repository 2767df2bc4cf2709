"""Tests lie in folders named for what they test.

`naive/` has slow twins that import nothing of ours, `proofs/` what takes minutes.
"""
