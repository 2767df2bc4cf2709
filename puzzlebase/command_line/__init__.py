"""The command line: the same answers as over HTTP, as text for people or, with --json, for programs.

Each verb is a file of `verbs`. The text for people is in service/answers/text.py.
"""
