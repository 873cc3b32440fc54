"""Which diagnostics comments of the authored files suppress, and which comments are no use.

`# fleet: ignore FLT4082 reason` takes warnings and notes away whose place starts on the line
that it covers. Errors stay: content that is wrong is not made right by a comment.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from fleet_contracts.diagnostics.codes import CODES, TABLE
from fleet_contracts.diagnostics.model import Diagnostic, Edit, Fix, Place
from fleet_contracts.reading.suppressions import Stretch, Suppression, find_suppressions
from fleet_contracts.source import Source
from fleet_contracts.suggest import closest

UNUSED, BAD = "FLT1060", "FLT1061"
SUPPRESSIBLE = frozenset(row.id for row in TABLE if row.severity != "error") - {UNUSED, BAD}

_EXAMPLE = "FLT4082"
_LONGEST = 40
_BY_NAME = {row.name: row.id for row in TABLE}


class Suppressed(NamedTuple):
    """A diagnostic that is not told, and the reason that its comment gives, if any."""

    diagnostic: Diagnostic
    reason: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is left to be told, with what is wrong with the comments, and what is not told."""

    kept: list[Diagnostic]
    suppressed: list[Suppressed]


def apply(
    items: Iterable[Diagnostic], sources: Mapping[str, Source], alone: Container[str] = ()
) -> Outcome:
    """Return which diagnostics, whose places are resolved, the comments of sources suppress.

    Adds FLT1061 for each code that cannot be suppressed, and FLT1060 for each comment with
    codes that suppress nothing. The latter is not told beside errors, nor in files that were
    looked at `alone`, without a root: what it is there for may not have been looked for.
    """
    found = [(name, each) for name, source in sources.items() for each in find_suppressions(source)]
    covering = {
        (name, each.line, code.text): each for name, each in found for code in _obeyed(each)
    }
    kept: list[Diagnostic] = []
    suppressed: list[Suppressed] = []
    used: set[tuple[str, int | None, str]] = set()
    for item in items:
        line = item.place.span.start.line if item.place.span else None
        key = (item.place.file, line, item.code)
        if line is None or key not in covering:
            kept.append(item)
        else:
            used.add(key)
            suppressed.append(Suppressed(item, covering[key].reason))
    tells_unused = not any(item.severity == "error" for item in kept)
    for name, each in found:
        kept += _bad(name, each)
        unused = [code for code in _obeyed(each) if (name, each.line, code.text) not in used]
        if unused and tells_unused and name not in alone:
            kept.append(_unused(name, each, unused))
    return Outcome(kept, suppressed)


def without_suppressed(
    items: Iterable[Diagnostic], sources: Mapping[str, Source], alone: Container[str] = ()
) -> list[Diagnostic]:
    """Return what `apply` keeps."""
    return apply(items, sources, alone).kept


def _obeyed(found: Suppression) -> list[Stretch]:
    return [code for code in found.codes if code.text in SUPPRESSIBLE]


def _unused(name: str, found: Suppression, unused: list[Stretch]) -> Diagnostic:
    """Return what is said of the codes of a comment that suppress nothing."""
    codes = list(dict.fromkeys(code.text for code in unused))
    message = "no line follows that this comment could cover"
    if found.line is not None:
        message = f"line {found.line} has no {' and no '.join(codes)} to suppress"
    left = [code.text for code in found.codes if code not in unused]
    if left:
        place = Place(name, span=unused[0].span)
        fix = _fix(name, found.listed, ", ".join(left))
        return Diagnostic(UNUSED, message, place, f"remove {' and '.join(codes)}", fix=fix)
    fix = _fix(name, found.removable, "")
    return Diagnostic(UNUSED, message, Place(name, span=found.span), "remove the comment", fix=fix)


def _bad(name: str, found: Suppression) -> Iterator[Diagnostic]:
    """Yield what is wrong with the codes of a comment."""
    if not found.codes:
        message = "this comment names no code that it suppresses"
        help = f"write the code, as in `# fleet: ignore {_EXAMPLE}`"
        yield Diagnostic(BAD, message, Place(name, span=found.span), help)
    for code in found.codes:
        if code.text not in SUPPRESSIBLE:
            yield _bad_code(name, code)


def _bad_code(name: str, code: Stretch) -> Diagnostic:
    place = Place(name, span=code.span)
    shown = code.text if len(code.text) <= _LONGEST else f"{code.text[:_LONGEST]}…"
    meant = _BY_NAME.get(code.text, code.text)
    row = CODES.get(meant)
    if row is not None and meant not in SUPPRESSIBLE:
        what = "an error" if row.severity == "error" else "about suppressions"
        message = f"{meant} is {what} and cannot be suppressed"
        return Diagnostic(BAD, message, place, "mend what it tells of, and remove the code here")
    message = f"found `{shown}`, expected a code such as {_EXAMPLE}"
    if row is not None:
        fix = _fix(name, code, meant)
        return Diagnostic(BAD, message, place, f"write `{meant}`", fix=fix)
    guess = closest(code.text, SUPPRESSIBLE | _BY_NAME.keys())
    guess = _BY_NAME.get(guess or "", guess)
    if guess not in SUPPRESSIBLE:
        help = "write the code that stands in brackets behind `warning`; the reason comes after it"
        return Diagnostic(BAD, message, place, help)
    fix = _fix(name, code, guess)
    return Diagnostic(BAD, message, place, f"did you mean `{guess}`?", fix=fix)


def _fix(name: str, old: Stretch, new: str) -> Fix:
    return Fix(Place(name, span=old.span), Edit(old.text, new, bare=True))
