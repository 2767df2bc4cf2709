"""Attacks on a running service of this machine, each bounded in number and time; only `make attack` runs them."""

from __future__ import annotations

import os

if "ATTACK_MINUTES" not in os.environ:
    collect_ignore_glob = ["test_*.py"]
