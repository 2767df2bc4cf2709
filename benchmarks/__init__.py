"""Measurements of builds, lookups and requests.
RESULTS.md holds the figures of one run of everything.
"""
