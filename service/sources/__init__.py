"""Where distances come from: a table, a search or an oracle, each from a file of the data folder or from none."""
