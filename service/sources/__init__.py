"""Where distances come from: tables, searches and oracles, as they lie in a folder."""
