"""Limits of a request, of a process and of the service. /v1 states those that callers meet."""

from __future__ import annotations

# One request.

MAX_QUERY = 1 << 14  # characters of the fields in an address
MAX_BODY = 1 << 20  # bytes of a body
BODY_SECONDS = 10.0  # time in which a whole body has to arrive
# bytes of a request's header, and of answers not read yet: granian's default is 400 kB
MAX_HEADER = 1 << 15
IDLE_SECONDS = 30  # time after which a connection is closed if it sends no header of a request

# One process.

MAX_CONNECTIONS = 2048  # open at once; the kernel keeps as many more until they are accepted
MAX_WAITING = 1024  # requests that a thread works on, or that wait for one
MAX_BODIES = 64  # requests whose body is here, or is being read; others wait

# The service.

STOP_SECONDS = 5  # the most time that requests have when the service stops
