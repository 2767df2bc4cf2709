"""Offline: a puzzle and a goal -> a table, verified before it is published."""

from builder.build import BuildError, build
from builder.certificate import VerificationError
from builder.preflight import Estimate, Shortage, describe, estimate
from builder.progress import Reporter
from builder.threads import default_threads
from builder.verify import verify, verify_sample

__all__ = [
    "BuildError",
    "Estimate",
    "Reporter",
    "Shortage",
    "VerificationError",
    "build",
    "default_threads",
    "describe",
    "estimate",
    "verify",
    "verify_sample",
]
