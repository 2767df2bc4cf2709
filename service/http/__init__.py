"""The answers over HTTP: the only place that knows the web."""
