"""Ways to answer about states of any puzzle without its table: patterns, deepening, frontiers."""
