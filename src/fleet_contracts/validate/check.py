"""Fast accept, rich reject: whether a document has the shape of its schema, and why not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fleet_contracts import schemas
from fleet_contracts.diagnostics.model import Bag, Fix, Place
from fleet_contracts.diagnostics.notation import Notations, said
from fleet_contracts.errors import InternalError
from fleet_contracts.pointer import Pointer, format_pointer
from fleet_contracts.reading.numbers import NumberText
from fleet_contracts.validate.forms import not_a_decimal
from fleet_contracts.validate.shapes import shape_at, start
from fleet_contracts.validate.walk import Walker


def is_valid(reference: str, value: Any) -> bool:
    """Tell whether plain data has the shape of `FILE` or `FILE#/$defs/NAME`.

    Numbers may be int, `Decimal` or, as in JSON files, `NumberText`.
    """
    accepts = schemas.validator(reference).is_valid
    try:
        return accepts(value)
    except ValueError:  # it has met a `NumberText`
        return accepts(plain_numbers(value))


def plain_numbers(value: Any) -> Any:
    """Return a copy of plain data with every `NumberText` as the exact number it stands for."""
    if isinstance(value, NumberText):
        return value.to_number()
    if isinstance(value, dict):
        return {key: plain_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain_numbers(item) for item in value]
    return value


def explain(
    reference: str, value: Any, base: Place, bag: Bag, notations: Notations | None = None
) -> None:
    """Add one diagnostic for each mistake in a document that is not valid.

    `base` is the place of the document's top; `notations` are of what is not written in YAML,
    by places in the file. Raises `InternalError` when no mistake is
    found although the fast validator has refused the document.
    """
    value = plain_numbers(value)
    before = len(bag)
    Walker(base, bag, notations).walk(start(reference), value)
    if len(bag) > before:
        return
    error = next(schemas.validator(reference).iter_errors(value), None)
    if error is not None:
        where = format_pointer(tuple(error.instance_path)) or "the top"
        raise InternalError(
            f"the validators of {reference} disagree about {where} of {base.file}",
            help="report it with the part of the document that is named",
        )


def odd_decimals(
    reference: str, value: Any, odd_numbers: Mapping[Pointer, str], base: Place, bag: Bag
) -> None:
    """Add FLT2020 for each unquoted number at a decimal position that is spelled oddly.

    `odd_numbers` are the source texts of those in the document (see `Document`); at other
    positions such spellings are fine (spec section 2).
    """
    top = start(reference)
    for pointer, text in odd_numbers.items():
        shape = shape_at(top, value, pointer)
        if shape is None or shape.title != "Decimal":
            continue
        found = not_a_decimal(text, unquoted=True)
        place = Place(base.file, base.pointer + pointer, "value", base.span)
        fix = Fix(place, found.fix) if found.fix else None
        bag.add(found.code, found.message, place, help=said(found.help), fix=fix)
