"""Slow proofs, each a make target of its own: whole tables, and builds that are killed."""
