"""Whom a Verifier tree grades (spec section 6)."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import UNSET, UnsetType

from fleet_contracts.diagnostics.model import Related
from fleet_contracts.models import authoring as a
from fleet_contracts.pointer import Pointer
from fleet_contracts.rules.names import unknown_name
from fleet_contracts.scope import Scope

DEFAULT_SEATS = frozenset({"agent"})


def subject_differs(
    scope: Scope,
    root: a.EvaluatorLeaf | a.Composite,
    root_at: Pointer,
    subject: a.AttemptSubject | a.SeatSubject | UnsetType,
    at: Pointer,
) -> None:
    """Report the subject of a node at `at` that is not that of its tree's root (FLT4024)."""
    if subject is UNSET or _seat(subject) == _seat(root.subject):
        return
    related_at = root_at if root.subject is UNSET else (*root_at, "subject")
    scope.report(
        "FLT4024",
        f"this node grades {_words(subject)}, but its tree grades {_words(root.subject)}",
        (*at, "subject"),
        help="remove `subject`: a child grades what its parent grades",
        related=(Related("the root of the tree", scope.origin(related_at).place(related_at)),),
    )


def unknown_seat(
    scope: Scope, root: a.EvaluatorLeaf | a.Composite, at: Pointer, seats: Collection[str]
) -> None:
    """Report a tree that grades a seat which the roster lacks (FLT4025)."""
    subject = root.subject
    if isinstance(subject, a.SeatSubject) and subject.seat not in seats:
        unknown_name(
            scope,
            "FLT4025",
            subject.seat,
            seats,
            (*at, "subject", "seat"),
            message="no seat {} in the roster",
            help="add it to `roster`",
        )


def _seat(subject: a.AttemptSubject | a.SeatSubject | UnsetType) -> str | None:
    return subject.seat if isinstance(subject, a.SeatSubject) else None


def _words(subject: a.AttemptSubject | a.SeatSubject | UnsetType) -> str:
    seat = _seat(subject)
    return "the attempt" if seat is None else f"seat {seat!r}"
