"""`--offline`: proof that a command asks nothing of the network (spec section 5)."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from fleet_contracts.errors import UnresolvedError

EVENTS = frozenset(
    {
        "socket.bind",
        "socket.connect",
        "socket.getaddrinfo",
        "socket.gethostbyaddr",
        "socket.gethostbyname",
        "socket.getnameinfo",
        "socket.sendmsg",
        "socket.sendto",
    }
)
"""What Python tells of before it uses the network."""

_asked: list[str] = []
"""What asked for no network; the last one counts."""


@cache
def _listen() -> None:
    """Be told of what Python does, from now until the process ends."""
    sys.addaudithook(_audit)


@contextmanager
def without_network(by: str) -> Iterator[None]:
    """Let whatever asks for the network fail with `UnresolvedError`; empty `by` does nothing.

    `by` is what asked for this, `--offline` for instance. Sockets within the machine are allowed.
    """
    if not by:
        yield
        return
    _listen()
    _asked.append(by)
    try:
        yield
    finally:
        _asked.pop()


def _audit(event: str, arguments: tuple[object, ...]) -> None:
    if not _asked or event not in EVENTS:
        return
    if getattr(arguments[0], "family", None) == socket.AF_UNIX:
        return
    raise UnresolvedError(
        f"something asked for the network ({event}), which {_asked[-1]} forbids",
        help="run the command again without it, and report this: nothing should need a network",
    )
