"""What is wrong with one value by itself: its type, its choice, its form, its range."""

from __future__ import annotations

import re
from typing import Any, TypeAlias

from fleet_contracts.diagnostics.model import Edit
from fleet_contracts.diagnostics.notation import Remedy
from fleet_contracts.suggest import closest
from fleet_contracts.validate import forms
from fleet_contracts.validate.forms import Finding
from fleet_contracts.validate.glued import glued_text
from fleet_contracts.validate.shapes import Shape, branches, follow, is_union, kind_of, kinds
from fleet_contracts.validate.short_forms import as_map
from fleet_contracts.validate.words import listed, shown, tick, wanted

Conversion: TypeAlias = tuple[str | Remedy, Edit | None]
"""How to make a value one of another type, and the edit that does if there is only one."""

_NUMBERS = frozenset({"integer", "number"})
_WORDS = {
    **dict.fromkeys(("true", "yes", "on", "y"), "true"),
    **dict.fromkeys(("false", "no", "off", "n"), "false"),
}
_DIGITS = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")

_LONGEST_BITS = 256
_LONGEST_SHORT = 120
_MOST = 2**53 - 1

# Their forms have codes of their own, for text that is too long as well.
_FORMS = frozenset({"Decimal", "Size", "ImageReference"})


def wrong_kind(shape: Shape, value: Any, *, optional: bool = False) -> Finding | None:
    """Return what is wrong with the JSON type of a value: FLT2012, FLT2017 or FLT2023.

    `optional` says that the value's key may be left out.
    """
    found = kind_of(value)
    accepted = kinds(shape)
    if found in accepted:
        return None
    expected = wanted(shape)
    if value is None:
        remedy = Remedy("no-null-or-key" if optional else "no-null")
        return Finding("FLT2017", f"expected {expected}, found `null`", remedy)
    if found in _NUMBERS and follow(shape).title == "Size":
        return forms.not_a_size(str(value))
    message = f"expected {expected}, found {shown(value)}"
    help, fix = _conversion(shape, value, accepted)
    return Finding("FLT2012", message, help, fix)


def wrong_scalar(shape: Shape, value: Any) -> Finding | None:
    """Return what is wrong with a string, number or word that is of an accepted type."""
    if "const" in shape.schema or "enum" in shape.schema:
        return _wrong_choice(shape, value)
    if isinstance(value, str):
        return _wrong_text(shape, value)
    if kind_of(value) in _NUMBERS:
        return _wrong_number(shape, value)
    return None


def _conversion(shape: Shape, value: Any, accepted: frozenset[str]) -> Conversion:
    """Return how a value of another type is most likely made the one that is wanted."""
    short_for = as_map(shape, value) if "object" in accepted else None
    if short_for is not None and len(short_for) <= _LONGEST_SHORT:
        return Remedy("as-short-form", short_for), Edit(_spelled(value), short_for, bare=True)
    if isinstance(value, str):
        return _from_text(shape, value, accepted)
    if isinstance(value, dict):
        return Remedy("as-list") if accepted == {"array"} else "", None
    if isinstance(value, list):
        return Remedy("as-map") if accepted == {"object"} else "", None
    if not _takes_text(shape, value):
        return "", None
    text = f'"{_spelled(value)}"'
    return Remedy("as-text", text), Edit(_spelled(value), text, bare=True)


def _takes_text(shape: Shape, value: Any) -> bool:
    """Tell whether a number, `true` or `false` would be right if it were quoted."""
    if isinstance(value, int) and value.bit_length() > _LONGEST_BITS:
        return False
    shape = follow(shape)
    if is_union(shape):
        return any(_takes_text(each, value) for each in branches(shape))
    return "string" in kinds(shape) and wrong_scalar(shape, _spelled(value)) is None


def _spelled(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _from_text(shape: Shape, text: str, accepted: frozenset[str]) -> Conversion:
    glued = glued_text(text) if "object" in accepted else None
    if glued and glued.name in keys_of(shape):
        return glued.help, glued.edit
    if accepted & _NUMBERS and _DIGITS.fullmatch(text):
        return Remedy("as-number", text), Edit(text, text, bare=True)
    if "boolean" in accepted and text.lower() in _WORDS:
        word = _WORDS[text.lower()]
        return Remedy("as-word", word), Edit(text, word, bare=True)
    if "array" in accepted and _item_kinds(shape) & {"string"}:
        return Remedy("into-list"), None
    return "", None


def keys_of(shape: Shape) -> set[str]:
    """Return the keys that a map of this shape may have."""
    shape = follow(shape)
    return {name for each in [shape, *branches(shape)] for name in each.properties}


def _item_kinds(shape: Shape) -> frozenset[str]:
    shape = follow(shape)
    for each in branches(shape) if is_union(shape) else [shape]:
        items = each.schema.get("items")
        if isinstance(items, dict):
            return kinds(each.part(items))
    return frozenset()


def _wrong_choice(shape: Shape, value: Any) -> Finding | None:
    choices = shape.schema.get("enum", [shape.schema.get("const")])
    if value in choices:
        return None
    words = [each for each in choices if isinstance(each, str)]
    guess = closest(value, words) if isinstance(value, str) else None
    return Finding(
        "FLT2013",
        f"expected {wanted(shape)}, found {shown(value)}",
        f"did you mean {tick(guess)}?" if guess else "",
        Edit(value, guess) if guess else None,
    )


def _wrong_text(shape: Shape, text: str) -> Finding | None:
    schema = shape.schema
    least, most = schema.get("minLength", 0), schema.get("maxLength", len(text))
    in_form = "pattern" not in schema or re.search(schema["pattern"], text) is not None
    if least <= len(text) <= most:
        return None if in_form else forms.malformed(shape, text)
    if shape.title in _FORMS:
        return forms.malformed(shape, text)
    if len(text) > most:
        message = f"expected at most {most} characters, found {len(text)}"
        return Finding("FLT2015", message, "shorten it")
    noun = wanted(shape).replace("a string", "some text")
    expected = f"at least {least} characters" if least > 1 else noun
    return Finding("FLT2015", f"expected {expected}, found {shown(text)}", "write some text")


def _wrong_number(shape: Shape, value: Any) -> Finding | None:
    least, most = shape.schema.get("minimum"), shape.schema.get("maximum")
    if (least is None or value >= least) and (most is None or value <= most):
        return None
    noun = "a whole number" if "number" not in kinds(shape) else "a number"
    if most is None or (most == _MOST and value < most):
        limits = f"of at least {least}"
    else:
        limits = f"of at most {most}" if least is None else f"from {least} to {most}"
    return Finding("FLT2015", f"expected {noun} {limits}, found {shown(value)}")


def wrong_count(shape: Shape, value: dict[str, Any] | list[Any]) -> Finding | None:
    """Return what is wrong with the number of items of a list, or of entries of a map."""
    kind = "Items" if isinstance(value, list) else "Properties"
    one, several = ("item", "items") if isinstance(value, list) else ("entry", "entries")
    least, most = shape.schema.get(f"min{kind}", 0), shape.schema.get(f"max{kind}", len(value))
    if len(value) < least:
        limit, advice = f"at least {least}", f"add an {one}" if least == 1 else f"add {several}"
        noun = one if least == 1 else several
    elif len(value) > most:
        limit, advice, noun = f"at most {most}", "remove some", one if most == 1 else several
    else:
        return None
    found = len(value) or shown(value)
    return Finding("FLT2015", f"expected {limit} {noun}, found {found}", advice)


def repeated(items: list[Any]) -> list[tuple[int, int]]:
    """Return the index of each item that stands again, with that of the first one."""
    first: dict[Any, int] = {}
    found = []
    for index, item in enumerate(items):
        earlier = first.setdefault(_comparable(item), index)
        if earlier != index:
            found.append((index, earlier))
    return found


def _comparable(value: Any) -> Any:
    """Return something hashable that is equal where two JSON values are."""
    if isinstance(value, dict):
        return frozenset((key, _comparable(item)) for key, item in value.items())
    if isinstance(value, list):
        return tuple(_comparable(item) for item in value)
    return (isinstance(value, bool), value)


def choices_of(shape: Shape) -> str:
    """Return the values that a shape allows, for reading; empty when it lists none."""
    schema = follow(shape).schema
    if "const" in schema or "enum" in schema:
        return listed(schema.get("enum", [schema.get("const")]))
    return ""
