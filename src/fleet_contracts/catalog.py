"""The catalogue of builtin Environments (spec section 5)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from fleet_contracts import images, validate
from fleet_contracts.diagnostics.model import Bag, Place
from fleet_contracts.errors import UnresolvedError
from fleet_contracts.lockfile import entry_digest
from fleet_contracts.models.lock import LockedBuiltin
from fleet_contracts.project import open_regular
from fleet_contracts.reading.decode import decode
from fleet_contracts.reading.yaml import read_yaml
from fleet_contracts.source import Source

CATALOG_SCHEMA = "catalog/builtins.v1.json"


def read_catalog(path: Path, bag: Bag, sources: dict[str, Source]) -> dict[str, LockedBuiltin]:
    """Return the pins that a catalogue file offers, by reference; empty when it is refused.

    Raises `UnresolvedError` when the file cannot be read.
    """
    try:
        with open_regular(path) as file:
            data = file.read()
    except OSError as error:
        raise UnresolvedError(f"cannot read the catalogue {path}: {error.strerror}") from None
    name = str(path)
    source = decode(data, name, bag)
    if source is None:
        return {}
    sources[name] = source
    document = read_yaml(source, bag)
    if document is None:
        return {}
    value = document.value
    if not validate.is_valid(CATALOG_SCHEMA, value):
        found = Bag()
        validate.explain(CATALOG_SCHEMA, value, Place(name), found)
        for item in found:
            bag.add("FLT3012", item.message, item.place, help=item.help)
        return {}
    pins = {}
    for reference, entry in value["builtins"].items():
        try:
            pins[reference] = _pin(reference, entry)
        except ValueError as error:
            place = Place(name, ("builtins", reference, "image_ref"))
            help = "write repository@sha256:<64 hex>, without a tag"
            bag.add("FLT3012", str(error), place, help=help)
    return pins


def _pin(reference: str, entry: dict[str, Any]) -> LockedBuiltin:
    image = images.parse_image(entry["image_ref"])
    endpoints = sorted(entry.get("endpoints", []), key=lambda endpoint: str(endpoint["name"]))
    pin = {
        "ref": reference,
        "image": image._asdict(),
        "endpoints": endpoints,
        "native_tools": sorted(entry.get("native_tools", [])),
    }
    return msgspec.convert({**pin, "catalog_entry": entry_digest(pin)}, LockedBuiltin)
