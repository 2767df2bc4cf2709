"""Offline: a puzzle and a goal -> a table, verified before it is published."""

from builder.build import BuildError, build
from builder.certificate import VerificationError
from builder.enumerated import default_threads
from builder.progress import Reporter
from builder.verify import verify

__all__ = ["BuildError", "Reporter", "VerificationError", "build", "default_threads", "verify"]
