"""Guards of sockets, bodies, unread answers, parents and logs under the server."""
