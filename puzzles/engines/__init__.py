"""Ways to answer about states of any puzzle without its table: frontiers, states on shortest paths."""
