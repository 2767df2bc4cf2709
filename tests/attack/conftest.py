"""Attacks on a running service; only `make attack` runs them, since they take minutes and both processors."""

from __future__ import annotations

import os

if "ATTACK_MINUTES" not in os.environ:
    collect_ignore_glob = ["test_*.py"]
