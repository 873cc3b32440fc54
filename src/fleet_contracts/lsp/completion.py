"""Completion of names that a schema cannot know: what this project declares."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

from fleet_contracts.lsp.locate import locate
from fleet_contracts.lsp.names import World, declared_at
from fleet_contracts.reading.core_schema import NUMBER_START, WORDS
from fleet_contracts.source import Position, Span

_PLAIN = re.compile(r"[A-Za-z0-9_./][A-Za-z0-9_./-]*")


class Offer(NamedTuple):
    """A name, where it is declared, and what to write in place of which characters."""

    name: str
    declared_in: str
    new: str
    span: Span


def completions(world: World, path: Path, position: Position, before: str) -> list[Offer]:
    """Return the names that may stand at a position; `before` is the character before it."""
    kept = world.trees.of(path)
    hit = locate(kept.tree.root, position) if kept else None
    if hit is None or hit.on == "key":
        return []
    here = Span(position, position) if hit.on == "space" else hit.node.span
    gap = " " if hit.on == "space" and before == ":" else ""
    return [
        Offer(
            each.name, f"{each.path.name}:{each.span.start.line}", gap + _written(each.name), here
        )
        for each in declared_at(world, path, hit.node)
    ]


def _written(name: str) -> str:
    """Return a name as a YAML scalar that stays a string."""
    is_word = name[:1] in NUMBER_START or name in WORDS
    return name if _PLAIN.fullmatch(name) and not is_word else json.dumps(name, ensure_ascii=False)
