"""The hard levels of Boxoban in figures: par, states, lost states, best first moves."""
