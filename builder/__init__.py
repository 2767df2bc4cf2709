"""Offline: a puzzle and a goal -> a table, layers or the tables of patterns, all verified."""

from puzzlebase.builder.certificate import VerificationError
from puzzlebase.builder.job import Job
from puzzlebase.builder.layers import LayersJob
from puzzlebase.builder.patterns import PatternsJob
from puzzlebase.builder.preflight import Estimate, Shortage
from puzzlebase.builder.progress import Reporter
from puzzlebase.builder.publishing import CONTINUES, BuildError
from puzzlebase.builder.table import TableJob

__all__ = [
    "CONTINUES",
    "BuildError",
    "Estimate",
    "Job",
    "LayersJob",
    "PatternsJob",
    "Reporter",
    "Shortage",
    "TableJob",
    "VerificationError",
]
