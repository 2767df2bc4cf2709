"""Limits of a request, of a process and of the service. /v1 states those that callers meet."""

from __future__ import annotations

# One request.

MAX_QUERY = 1 << 14  # characters of the fields in an address
MAX_BODY = 1 << 20  # bytes of a body
BODY_SECONDS = 10.0  # time in which a whole body has to arrive

# One process.

MAX_BODIES = 1 << 27  # bytes of the bodies of all requests that are not answered yet
MAX_ANSWERS = 1 << 27  # bytes of all large answers that are not read yet
REQUESTS_SHARE = 1 / 16  # of a worker's memory: for bodies, and the same again for answers
READ_SECONDS = 10.0  # time for a client to read a large answer, and one second more for each
READ_RATE = 100_000  # bytes of it
REFUSED_SECONDS = 2.0  # time for a client to take the answer to a request that was refused unread
UNREAD_SECONDS = 30  # time after which a connection is closed if its client takes nothing of what was sent
MAX_WAITING = 1024  # requests that a thread works on, or that wait for one
MAX_CONNECTIONS = 4096  # open at once, if the system allows twice as many files
IDLE_SECONDS = 30  # time after which a connection is closed if it sends no header of a request
MAX_HEADER = 1 << 15  # bytes of a request's header, and of answers not read yet: granian's default is 400 kB
MAX_UNACCEPTED = 4096  # connections that the kernel keeps until the process accepts them
MAX_FILES = 1 << 16  # open files, connections among them, if the system allows so many

# The service.

SILENT_SECONDS = 10  # time after which a process is replaced if its event loop does not turn; 0.6 s is the longest seen
START_SECONDS = 60  # the same for a process that starts: it has imports and kernels to load first
LAST_SECONDS = 1.0  # time without a request after which a connection does not hold up a stop of the service
STOP_SECONDS = 5  # the most time that requests have when the service stops
