"""Offline: a puzzle and a goal -> a table, layers or an oracle's data, verified before they are published."""

from puzzlebase.builder.certificate import VerificationError
from puzzlebase.builder.job import Job
from puzzlebase.builder.layers import LayersJob
from puzzlebase.builder.oracle import OracleJob
from puzzlebase.builder.preflight import Estimate, Shortage
from puzzlebase.builder.progress import Reporter
from puzzlebase.builder.publishing import CONTINUES, BuildError
from puzzlebase.builder.table import TableJob
from puzzlebase.builder.threads import default_threads

__all__ = [
    "CONTINUES",
    "BuildError",
    "Estimate",
    "Job",
    "LayersJob",
    "OracleJob",
    "Reporter",
    "Shortage",
    "TableJob",
    "VerificationError",
    "default_threads",
]
