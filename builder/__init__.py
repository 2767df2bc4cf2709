"""Offline: a puzzle and a goal -> a table, verified before it is published."""

from builder.build import build
from builder.certificate import VerificationError
from builder.layers import build_layers, layers_needed, verify_layers
from builder.oracle import build_oracle, certify_oracle, verify_oracle
from builder.preflight import Estimate, Shortage, describe, estimate, estimate_oracle, spare_memory
from builder.progress import Reporter
from builder.publishing import BuildError
from builder.threads import default_threads
from builder.verify import verify, verify_sample

__all__ = [
    "BuildError",
    "Estimate",
    "Reporter",
    "Shortage",
    "VerificationError",
    "build",
    "build_layers",
    "build_oracle",
    "certify_oracle",
    "default_threads",
    "describe",
    "estimate",
    "estimate_oracle",
    "layers_needed",
    "spare_memory",
    "verify",
    "verify_layers",
    "verify_oracle",
    "verify_sample",
]
