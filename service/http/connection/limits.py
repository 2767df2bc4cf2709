"""How much a request may ask for, and how much one process holds. /v1 states what callers meet."""

from __future__ import annotations

# One request.

MAX_QUERY = 1 << 14
"""Characters of the fields in an address."""

MAX_BODY = 1 << 20
"""Bytes of a body."""

BODY_SECONDS = 10.0
"""Time in which a whole body has to come."""

# One process.

MAX_BODIES = 1 << 27
"""Bytes of the bodies of all requests that are not answered yet."""

MAX_ANSWERS = 1 << 27
"""Bytes of all large answers that are not read yet."""

REQUESTS_SHARE = 1 / 16
"""Of a worker's memory: what bodies may take, and the same again for answers."""

READ_SECONDS = 10.0
"""Time in which a client has to read a large answer, and one second more for each READ_RATE bytes of it."""

READ_RATE = 100_000

REFUSED_SECONDS = 2.0
"""Time that a client has to take the answer to a request that was refused unread; then its connection is closed."""

UNREAD_SECONDS = 30
"""Time after which a connection is closed whose client takes nothing of what was sent."""

MAX_WAITING = 1024
"""Requests that a thread works on, or that wait for one."""

MAX_CONNECTIONS = 4096
"""Open connections, where the system allows twice as many files. Each may have the server hold a head that does not end
and answers that are not read."""

IDLE_SECONDS = 30
"""Time after which a connection that sends no head of a request is closed."""

MAX_HEAD = 1 << 15
"""Bytes of a request's head, and of the answers that a connection may have waiting before its next request is read.
By default a client that never ends its head may have the server hold 400 kB of it."""

MAX_UNACCEPTED = 4096
"""Connections that the kernel keeps until the process accepts them."""

MAX_FILES = 1 << 16
"""Open files, connections among them, where the system allows so many."""

# The service.

SILENT_SECONDS = 10
"""Time after which a process is replaced whose event loop has not turned. The longest that one was seen to stand still,
with ten threads for each processor and no machine code kept, was 0.6 s."""

LAST_SECONDS = 1.0
"""Time without a request after which a connection does not hold up a stop of the service."""

STOP_SECONDS = 5
"""Time that requests have at the most when the service stops."""
