"""Failures that are not diagnostics: wrong usage, unreachable files, our own bugs.

What is wrong with an authored document is a `Diagnostic`, a value. What is raised
is one of these three, and only the command line turns them into an exit code
(spec section 9).
"""

from __future__ import annotations


class FleetError(Exception):
    """Base of everything this package raises on purpose.

    `help` says what to do about it, in one sentence, or is empty.
    """

    def __init__(self, message: str, *, help: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.help = help


class UsageError(FleetError):
    """The call itself is wrong: a missing PATH, options that exclude each other. Exit 2."""


class UnresolvedError(FleetError):
    """Something outside the documents is missing or cannot be read or written. Exit 4."""


class InternalError(FleetError):
    """A promise of this package does not hold. Exit 70, with how to report it."""
