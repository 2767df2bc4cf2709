"""Gives the fixtures of the tests to those of every folder."""

pytest_plugins = ["tests.fixtures"]
