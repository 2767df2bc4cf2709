"""Where distances come from: a table, a search or an oracle. The files they need lie in the data folder."""
