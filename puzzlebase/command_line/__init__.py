"""The command line: the same answers as over HTTP,
as text (service/answers/text.py) or, with --json, for programs.
"""
