"""Ways to answer about states of any puzzle without its table: deepening, frontiers."""
