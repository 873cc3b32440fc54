"""That no code of a diagnostic is ever reused: `fixtures/codes.json` remembers all of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from fleet_contracts.diagnostics.codes import Code


def check_history(path: Path, table: Sequence[Code], *, write: bool) -> list[str]:
    """Return what is wrong with the codes that there ever were; with `write` add new ones.

    The file is `{code: name}`. Nothing in it is ever changed or removed.
    """
    known: dict[str, str] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    names = {row.id: row.name for row in table}
    problems = [
        f"{code} {known[code]} is gone from the table"
        for code in sorted(known)
        if code not in names
    ]
    problems += [
        f"{code} was called {known[code]}, and is never called {name}"
        for code, name in names.items()
        if known.get(code, name) != name
    ]
    problems += [
        f"{code} stands twice in the table"
        for code, n in Counter(r.id for r in table).items()
        if n > 1
    ]
    new = {code: name for code, name in names.items() if code not in known}
    if write and new:
        path.write_text(
            json.dumps({**known, **new}, indent=2, sort_keys=True) + "\n", encoding="utf-8"
        )
    elif new:
        problems.append(f"{path.name} lacks {', '.join(new)}; run `make golden`")
    return problems
