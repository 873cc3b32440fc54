"""Names that refer to something declared elsewhere: how a wrong one is told."""

from __future__ import annotations

from collections.abc import Collection

from fleet_contracts.diagnostics.model import Edit
from fleet_contracts.pointer import Pointer
from fleet_contracts.scope import Scope
from fleet_contracts.suggest import closest

_MOST_SHOWN = 8
_MOST_COMPARED = 200


def unknown_name(
    scope: Scope,
    code: str,
    name: str,
    known: Collection[str],
    at: Pointer,
    *,
    message: str,
    help: str,
    fix: Edit | None = None,
) -> None:
    """Report a name at `at` that is none of those known.

    `message` holds `{}` where the name goes; `help` and `fix` are the advice where none is
    similar.
    """
    names = sorted(set(known))
    expected = f"only {_listed(names)}" if names else "which has none"
    guess = closest(name, names) if len(names) <= _MOST_COMPARED else None
    scope.report(
        code,
        f"{message.format(repr(name))}, {expected}",
        at,
        help=f"did you mean {guess!r}?" if guess else help,
        fix=Edit(name, guess) if guess else fix,
    )


def _listed(names: list[str]) -> str:
    """Return names for reading: `'a'`, `'a' and 'b'`, `'a', 'b' and 7 more`."""
    shown = [repr(name) for name in names[:_MOST_SHOWN]]
    more = len(names) - len(shown)
    last = f"{more} more" if more else shown.pop()
    return f"{', '.join(shown)} and {last}" if shown else last
