"""The answers over HTTP: the only folder that knows the web."""
