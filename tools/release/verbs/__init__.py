"""The verbs: get, release and split."""
