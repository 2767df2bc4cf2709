"""Offline: a puzzle and a goal -> a table, layers or an oracle's data, verified before they are published."""

from builder.certificate import VerificationError
from builder.job import Job
from builder.layers import LayersJob
from builder.oracle import OracleJob
from builder.preflight import Estimate, Shortage
from builder.progress import Reporter
from builder.publishing import CONTINUES, BuildError
from builder.table import TableJob
from builder.threads import default_threads

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
