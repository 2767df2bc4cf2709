"""Offline: a puzzle and a goal -> a table, layers, the tables of patterns or an oracle's data, all verified."""

from puzzlebase.builder.certificate import VerificationError
from puzzlebase.builder.job import Job
from puzzlebase.builder.layers import LayersJob
from puzzlebase.builder.oracle import OracleJob
from puzzlebase.builder.patterns import PatternsJob
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
    "PatternsJob",
    "Reporter",
    "Shortage",
    "TableJob",
    "VerificationError",
    "default_threads",
]
