"""Small changes to the sources, and which of them the tests find."""
