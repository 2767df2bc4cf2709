"""Offline: a puzzle and a goal -> a table or layers, all verified."""

from puzzlebase.builder.certificate import VerificationError as VerificationError
from puzzlebase.builder.errors import CONTINUES as CONTINUES
from puzzlebase.builder.errors import BuildError as BuildError
from puzzlebase.builder.job import Job as Job
from puzzlebase.builder.layers import LayersJob as LayersJob
from puzzlebase.builder.preflight import Shortage as Shortage
from puzzlebase.builder.progress import Reporter as Reporter
from puzzlebase.builder.table import TableJob as TableJob
