"""Programs that prove one result; not installed."""
