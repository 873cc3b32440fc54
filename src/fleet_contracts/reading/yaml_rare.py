"""What the YAML reader's loop does not do itself: refusals, anchors, tags, odd keys."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, Literal, NoReturn

from ruamel.yaml.events import AliasEvent, MappingStartEvent, SequenceStartEvent

from fleet_contracts.diagnostics.model import Bag, Diagnostic, Place, Related, with_span
from fleet_contracts.pointer import Pointer
from fleet_contracts.reading.aliases import Aliases, Anchor, copied_odd_numbers, too_deep
from fleet_contracts.reading.core_schema import Refusal, is_odd, quoted, resolve, shortened
from fleet_contracts.reading.decode import MOST_REFUSALS
from fleet_contracts.reading.directives import other_directives
from fleet_contracts.reading.first_keys import first_keys
from fleet_contracts.reading.look_alikes import LookAlikes
from fleet_contracts.reading.parsers import Open
from fleet_contracts.reading.positions import Positions
from fleet_contracts.reading.surrogates import lone_escapes
from fleet_contracts.reading.tags import collection_refusal, has_bracket, tagged_value
from fleet_contracts.reading.yaml_spot import COMPLEX_KEY, Spot
from fleet_contracts.source import Source, Span

# Texts kept to be recognised at once; more would only cost memory.
_MOST_REMEMBERED = 10_000

_MOST_NAMED = 4  # of several keys that stand twice

_TAG = re.compile(r"(?:&\S+\s+)?(!\S*)")
# Plain only in brackets, and only to libyaml (YAML 1.2.2 section 7.3.3).
_LONE_DASH = Refusal("FLT1010", "a '-' cannot stand alone in brackets", 'quote it: "-"')

_MERGE_KEY = Refusal(
    "FLT1022",
    "the merge key `<<` belongs to YAML 1.1 and merges nothing here",
    'write out what it would merge, or quote it if a key is meant: "<<"',
)


class StopReading(Exception):  # no error: what is wrong is in the bag
    """Reading on makes no sense."""


class Rare:
    """The state of one reading that the loop itself does not need.

    `odd` lists the oddly spelled numbers in document order (see `Document`).
    `is_folded` tells whether a quoted string or brackets inside a block collection
    stand on several lines (see `laxities`), `needs_grammar` whether something was read
    that libyaml ends elsewhere than YAML 1.2 does.
    """

    def __init__(self, source: Source, bag: Bag, positions: Positions) -> None:
        """Start with nothing read; what is refused goes into `bag`."""
        self.odd: list[tuple[Pointer, str]] = []
        self.is_folded = False
        self.needs_grammar = False
        self.look_alikes = LookAlikes(source, positions)
        self._source = source
        self._bag = bag
        self._positions = positions
        self._aliases = Aliases()
        self._repeated: dict[int, int] = {}  # offset of the key -> index in the bag
        self._documents = 0

    def document_start(self, event: Any) -> None:
        """Refuse a second document, and directives that ask for another YAML."""
        self._documents += 1
        if self._documents > 1:
            message = "a second document starts here; a file holds exactly one"
            refusal = Refusal("FLT1012", message, "move it to a file of its own")
            self._refuse(refusal, self._positions.span(event))
            raise StopReading
        start, end = event.start_mark.index, event.end_mark.index
        for offset, directive in other_directives(self._source.text, start, end):
            message = f"the directive {directive} is not `%YAML 1.2`"
            refusal = Refusal("FLT1014", message, "remove the line; the file is read as YAML 1.2")
            self._refuse(refusal, self._positions.stretch(offset, len(directive)))

    def plain_key(self, event: Any, keys: dict[str, str], spot: Spot) -> Any:
        """Return a plain scalar as a key, or an object that equals nothing."""
        text = event.value
        if text == "<<":
            self._refuse(_MERGE_KEY, self._positions.span(event), spot.pointer)
            return object()
        if text == "-" and not self._source.text.startswith(":", event.end_mark.index):
            self._refuse(_LONE_DASH, self._positions.span(event), spot.pointer)
            return object()
        if type(resolve(text)) is not str:
            return self._refuse_key(event, text, spot)
        if text != "-" and not self.look_alikes.note(event, text, spot):
            _remember(keys, text, text)
        return text

    def other_key(self, event: Any, value: Any, spot: Spot) -> Any:
        """Return the value of a tagged or anchored scalar or of an alias as a key."""
        if type(value) is not str:
            text = f"*{event.anchor}" if type(event) is AliasEvent else event.value
            return self._refuse_key(event, text, spot)
        if value in spot.container:
            self.duplicate(event, value, spot)
        return value

    def complex_key(self, event: Any, spot: Spot) -> Any:
        """Refuse a list or map as a key."""
        kind = "map" if type(event) is MappingStartEvent else "list"
        refusal = Refusal(
            "FLT1021",
            f"found a {kind} as a key, expected a string",
            "write a string; a template such as {{name}} needs quotes",
        )
        self._refuse(refusal, self._positions.first_line(event), spot.pointer)
        return COMPLEX_KEY

    def duplicate(self, event: Any, key: str, spot: Spot) -> None:
        """Refuse a key that its map already has."""
        self._repeated[event.start_mark.index] = len(self._bag)
        pointer = (*spot.pointer, key)
        refusal = Refusal(
            "FLT1020",
            f"the key {quoted(key)} stands twice in one map",
            "remove or rename one of them",
        )
        first = Related("first defined here", Place(self._source.name, pointer, "key"))
        self._refuse(refusal, self._positions.span(event), pointer, at="key", related=(first,))

    def locate_duplicates(self, open: Open) -> None:
        """Fill in where each repeated key stood first: one more pass, only if needed."""
        if not self._repeated:
            return
        runs: dict[int, list[Diagnostic]] = {}  # by the offset of the last key of each
        merged: set[int] = set()
        for offset, first in first_keys(self._source, open(None), self._repeated.keys()).items():
            diagnostic = self._bag.items[self._repeated[offset]]
            related = diagnostic.related[0]
            located = replace(related, place=with_span(related.place, first.span))
            before = first.before
            if before is not None and diagnostic.place.pointer == runs[before][-1].place.pointer:
                before = None  # the same key once more
            run = [] if before is None else runs.pop(before)
            runs[offset] = [*run, replace(diagnostic, related=(located,))]
            merged.add(self._repeated[offset])
        others = (item for number, item in enumerate(self._bag) if number not in merged)
        self._bag.items[:] = [*others, *(_one_mistake(run) for run in runs.values())]

    def look_alike(self, event: Any, spot: Spot) -> str:
        """Return a word that means something else to YAML 1.1."""
        text: str = event.value
        self.look_alikes.note(event, text, spot)
        return text

    def number(self, event: Any, numbers: dict[str, Any], spot: Spot) -> Any:
        """Return the value of a plain scalar that starts like a number."""
        text = event.value
        if text == "-":
            self._refuse(_LONE_DASH, self._positions.span(event), spot.pointer)
            return None
        value = self._resolved(event, resolve(text), spot)
        if value is None:
            return None
        is_odd_number = is_odd(text, value)
        may_differ = is_odd_number or type(value) is str
        if not (may_differ and self.look_alikes.note(event, value, spot)) and not is_odd_number:
            _remember(numbers, text, value)
        return value

    def marked_scalar(self, event: Any, spot: Spot) -> Any:
        """Return the value of a scalar that has an anchor, a tag or both."""
        text, odd_start = event.value, len(self.odd)
        self.is_folded = self.is_folded or event.start_mark.line != event.end_mark.line
        self.needs_grammar = self.needs_grammar or (text == "-" and not event.style)
        if event.ctag is not None:
            value = self._resolved(event, tagged_value(self._tag(event), text), spot)
        elif event.style:
            value = text
        else:
            value = self._resolved(event, resolve(text), spot)
            if value is not None:
                self.look_alikes.note(event, value, spot)
        self._define(event, value, odd_start, spot)
        return value

    def marked_collection(self, event: Any, value: Any, spot: Spot) -> None:
        """Check the tag of a map or list, and remember its anchor."""
        if event.ctag is not None:
            is_map = type(event) is MappingStartEvent
            refusal = collection_refusal(self._tag(event), is_map=is_map)
            if refusal:
                self._refuse_value(event, refusal, spot)
        self._define(event, value, len(self.odd), spot)

    def alias(self, event: Any, spot: Spot) -> Any:
        """Return what an alias names, or None after refusing it."""
        found = self._aliases.find(event.anchor, spot)
        if found is None:
            return None
        if isinstance(found, Refusal):
            self._refuse(found, self._positions.span(event), spot.pointer)
            return None
        self.odd += copied_odd_numbers(found, spot.pointer, self.odd)
        return found.value

    def too_deep(self, event: Any, spot: Spot) -> NoReturn:
        """Refuse a collection below the last level, and stop.

        libyaml's time grows with the square of the nesting of brackets, so nothing
        behind this is read.
        """
        self._refuse(too_deep(), self._positions.first_line(event), spot.pointer)
        raise StopReading

    def lone_surrogate(self, event: Any) -> None:
        """Refuse each half of a surrogate pair in a double-quoted scalar."""
        start, end = event.start_mark.index, event.end_mark.index
        for first, last in lone_escapes(self._source.text, start, end):
            refusal = Refusal(
                "FLT1005",
                f"the escape {self._source.text[first:last]} is half of a surrogate pair",
                "write both halves, or the character itself",
            )
            self._refuse(refusal, self._positions.stretch(first, last - first))

    def _resolved(self, event: Any, value: Any, spot: Spot) -> Any:
        """Return a resolved value after refusing it or noting its odd spelling."""
        if type(value) is Refusal:
            self._refuse_value(event, value, spot)
            return None
        if spot.key is not None and is_odd(event.value, value):
            self.odd.append((spot.pointer, event.value))
        return value

    def _tag(self, event: Any) -> str:
        tag = str(event.ctag)
        self.needs_grammar = self.needs_grammar or has_bracket(tag)
        return tag

    def _define(self, event: Any, value: Any, odd_start: int, spot: Spot) -> None:
        if event.anchor is not None:
            pointer = None if spot.key is None else spot.pointer
            self._aliases.define(event.anchor, Anchor(value, pointer, odd_start))

    def _refuse_key(self, event: Any, text: str, spot: Spot) -> object:
        found = f"`{shortened(text)}`" if text else "nothing"
        help = "write the key itself" if text[:1] == "*" else f"quote it: {quoted(text)}"
        refusal = Refusal("FLT1021", f"found {found} as a key, expected a string", help)
        self._refuse(refusal, self._positions.span(event), spot.pointer)
        return object()

    def _refuse_value(self, event: Any, refusal: Refusal, spot: Spot) -> None:
        span = self._positions.span(event)
        start = event.start_mark.index
        tag = None if event.ctag is None else _TAG.match(self._source.text, start)
        if tag:
            span = self._positions.stretch(tag.start(1), len(tag[1]))
        elif type(event) is MappingStartEvent or type(event) is SequenceStartEvent:
            span = self._positions.first_line(event)
        self._refuse(refusal, span, spot.pointer)

    def _refuse(
        self,
        refusal: Refusal,
        span: Span,
        pointer: Pointer = (),
        *,
        at: Literal["key", "value"] = "value",
        related: tuple[Related, ...] = (),
    ) -> None:
        place = Place(self._source.name, pointer, at, span)
        self._bag.add(refusal.code, refusal.message, place, help=refusal.help, related=related)
        if len(self._bag) >= MOST_REFUSALS:
            raise StopReading


def _one_mistake(run: list[Diagnostic]) -> Diagnostic:
    """Return the diagnostic of repeated keys that follow each other: the first, with all named."""
    first = run[0]
    if len(run) == 1:
        return first
    names = [quoted(str(each.place.pointer[-1])) for each in run]
    last = names[-1] if len(run) <= _MOST_NAMED else f"{len(run) - _MOST_NAMED + 1} more"
    all_names = f"{', '.join(names[:-1][: _MOST_NAMED - 1])} and {last}"
    return replace(
        first,
        message=f"the keys {all_names} stand twice in one map",
        help="a line with a key of their own may be missing before them; else remove them",
    )


def _remember(known: dict[str, Any], text: str, value: Any) -> None:
    if len(known) < _MOST_REMEMBERED:
        known[text] = value
