"""Strings of a special form: what is wrong with one, and how it is written right."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from fleet_contracts import decimal_text
from fleet_contracts.diagnostics.model import Edit
from fleet_contracts.diagnostics.notation import Remedy
from fleet_contracts.validate.shapes import Shape
from fleet_contracts.validate.words import clip, sentence, shown, tick

_LONGEST_SHOWN = 80  # a digest is 71 characters long


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with one value, before it is known where the value stands."""

    code: str
    message: str
    help: str | Remedy = ""
    fix: Edit | None = None


class Repair(NamedTuple):
    """How a value is written right; `new` if there is one way only."""

    help: str
    new: str | None = None


def _write(new: str) -> Repair:
    return Repair(f"write `{new}`" if len(new) <= _LONGEST_SHOWN else f"write {tick(new)}", new)


def malformed(shape: Shape, text: str) -> Finding:
    """Return what is wrong with a string that does not have the form of its definition."""
    special = _SPECIAL.get(shape.title)
    if special is not None:
        return special(text)
    message = f"expected {_form(shape)}, found {shown(text)}"
    if text.endswith("\n"):
        return Finding("FLT2014", message, Remedy("no-line-break"))
    repairs = _REPAIRS.get(shape.title)
    repair = (repairs(text) if repairs else None) or Repair("")
    return Finding("FLT2014", message, repair.help, _edit(text, repair.new))


def _edit(old: str, new: str | None) -> Edit | None:
    return None if new is None else Edit(old, new)


_UNTITLED = {
    r"^[a-z0-9][a-z0-9._-]{0,63}$(?!\n)": (
        "a name of lower-case letters, digits, `.`, `_` and `-`, at most 64 characters"
    ),
    r"^(?:/(?:[^~\n\r]|~[01])*)?$(?!\n)": "a JSON Pointer, empty or starting with `/`",
}


def _form(shape: Shape) -> str:
    if shape.title and "description" in shape.schema:
        return sentence(shape)
    pattern = str(shape.schema.get("pattern", ""))
    readable = pattern.removesuffix(r"(?!\n)")
    return _UNTITLED.get(pattern, f"text of the form {tick(readable)}")


# Decimals

_HEX = re.compile(r"([+-]?)(0x[0-9a-fA-F]{1,60}|0o[0-7]{1,60})")
_NUMBER = re.compile(r"[+-]?(?=\.?[0-9])[0-9]*\.?[0-9]*(?:[eE][+-]?[0-9]{1,5})?")
_PERCENT = re.compile(r"([+-]?[0-9]*\.?[0-9]+)\s*%")
_EXPONENT = re.compile(r"[+-]?[0-9._]+[eE][+-]?[0-9_]+")


def exact_decimal(text: str) -> str | None:
    """Return the plain spelling of a number in another one, None where there is none.

    >>> exact_decimal("1e-3"), exact_decimal(".5"), exact_decimal("0x10"), exact_decimal("50%")
    ('0.001', '0.5', '16', '0.5')
    >>> exact_decimal("1e400") is None, exact_decimal("1/2") is None
    (True, True)
    """
    text = re.sub(r"(?<=[0-9])_(?=[0-9])", "", text.strip())
    other = _HEX.fullmatch(text)
    percent = _PERCENT.fullmatch(text)
    if percent:
        number = Decimal(f"{percent[1]}e-2")
    elif other:
        number = Decimal(int(other[2], 0)).copy_sign(-1 if other[1] == "-" else 1)
    elif _NUMBER.fullmatch(text):
        number = Decimal(text)
    else:
        return None
    try:
        return decimal_text.normalise(number)
    except decimal_text.DecimalError:
        return None


def not_a_decimal(text: str, *, unquoted: bool = False) -> Finding:
    """Return what is wrong with a number that is not spelled as a plain decimal."""
    if not unquoted and decimal_text.AUTHORED.fullmatch(text):
        most = decimal_text.MAX_LENGTH
        message = f"expected a decimal of at most {most} characters, found {len(text)}"
        return Finding("FLT2021", message, "round it to fewer digits")
    found = tick(text) if unquoted else shown(text)
    form = " without exponent" if _EXPONENT.fullmatch(text) else ""
    plain = exact_decimal(text)
    help = "write digits with an optional fraction, e.g. `0.5` or `-2`"
    return Finding(
        "FLT2020",
        f"expected a plain decimal{form}, found {found}",
        f"write `{plain}`" if plain is not None else help,
        _edit(text, plain),
    )


# Sizes

_SIZE = re.compile(r"([0-9][0-9_]*(?:\.[0-9]+)?)\s*([A-Za-z]*)")


def not_a_size(text: str) -> Finding:
    """Return what is wrong with text, or the text of a number, that is not a size."""
    found = shown(text)
    message = f"expected a whole number of bytes or a number with a unit, found {found}"
    return Finding("FLT2023", message, _size_help(text.strip()))


def _size_help(text: str) -> str | Remedy:
    match = _SIZE.fullmatch(text)
    if match is None:
        return "write e.g. `512MiB`, `2GB` or `1048576`"
    number, unit = match[1].replace("_", ""), match[2].lower()
    letter = unit[:1].upper() if unit[:1] in "kmgt" else ""
    if unit in ("", "b", "byte", "bytes") and "." not in number:
        return f"write `{number}B`" if unit else Remedy("as-size", number)
    thousand = f"{number}{letter.replace('K', 'k')}B"
    if letter and unit[1:] in ("b", "i", "ib"):
        return f"write `{number}{letter}iB`" if "i" in unit else f"write `{thousand}`"
    if letter and len(unit) == 1:
        return f"write `{number}{letter}iB` (powers of 1024) or `{thousand}` (powers of 1000)"
    return f"write it in whole bytes or with a unit, e.g. `{number}GiB`"


# Images

_HEXADECIMAL = re.compile(r"[0-9a-fA-F]*")
_REPOSITORY = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9._:/-]*")
_PINNED = "`repository@sha256:<64 hex>` or `sha256:<64 hex>`"


def not_pinned(text: str) -> Finding:
    """Return what is wrong with an image reference that is not pinned by digest alone."""
    head, at_digest, digits = text.rpartition("sha256:")
    repository = head.removesuffix("@")
    if not at_digest and len(text) == 64 and _HEXADECIMAL.fullmatch(text):
        message = f"expected {_PINNED}, found 64 hexadecimal digits alone"
        new = f"sha256:{text.lower()}"
        return Finding("FLT2022", message, f"write `{new}`", Edit(text, new))
    if not at_digest:
        return _without_digest(text)
    if not _HEXADECIMAL.fullmatch(digits) or len(digits) != 64:
        count = f"{len(digits)} characters"
        message = f"expected 64 hexadecimal digits after `sha256:`, found {count}: {shown(text)}"
        return Finding("FLT2022", message, "copy the digest whole")
    if digits != digits.lower():
        message = f"expected lower-case hexadecimal digits after `sha256:`, found {shown(digits)}"
        new = f"{head}sha256:{digits.lower()}"
        return Finding("FLT2022", message, f"write `{new}`", Edit(text, new))
    tag = _tag(repository)
    if tag:
        message = f"expected a digest alone, found the tag {tick(tag)} beside it: a tag can move"
        new = f"{repository.removesuffix(f':{tag}')}@sha256:{digits}"
        return Finding("FLT2022", message, f"leave the tag out: `{new}`", Edit(text, new))
    return Finding("FLT2022", f"expected {_PINNED}, found {shown(text)}")


def _without_digest(text: str) -> Finding:
    name = re.sub(r"^[a-z+-]+://", "", text)
    if not _REPOSITORY.fullmatch(name):
        return Finding("FLT2022", f"expected {_PINNED}, found {shown(text)}")
    tag = _tag(name)
    if tag:
        message = f"expected an image pinned by its digest, found the tag {tick(name)}: it can move"
    else:
        message = f"expected an image pinned by its digest, found {shown(text)}"
    look_up = name if tag else f"{name}:latest"
    bare = name.removesuffix(f":{tag}") if tag else name
    return Finding(
        "FLT2022",
        message,
        f"`docker buildx imagetools inspect {clip(look_up)}` or "
        f"`skopeo inspect docker://{clip(look_up)}` prints the digest; "
        f"write `{clip(bare)}@sha256:<64 hex>`",
    )


def _tag(repository: str) -> str:
    return repository.rpartition("/")[2].partition(":")[2]


_SPECIAL: dict[str, Callable[[str], Finding]] = {
    "Decimal": not_a_decimal,
    "Size": not_a_size,
    "ImageReference": not_pinned,
}


# One-line repairs of the other forms; None where there is no single one


def _identifier(text: str) -> Repair | None:
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")
    return Repair(f"write e.g. {tick(plain)}") if plain and len(plain) <= 64 else None


def _variable(text: str) -> Repair | None:
    plain = re.sub(r"[^A-Za-z0-9_]+", "_", text.strip())
    return Repair(f"write e.g. {tick(plain)}") if re.match(r"[A-Za-z]", plain) else None


def _builtin(text: str) -> Repair | None:
    name, at, version = text.lower().partition("@")
    if not re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,63}", name):
        return None
    if not at:
        return Repair(f"add a version, e.g. `{name}@v1`")
    number = re.fullmatch(r"v?0*([1-9][0-9]{0,8})(?:\.0)*", version)
    return _write(f"{name}@v{number[1]}") if number else Repair(f"write e.g. `{name}@v1`")


def _digest(text: str) -> Repair | None:
    digits = text.lower().removeprefix("sha256:")
    if re.fullmatch(r"[0-9a-f]{64}", digits):
        return _write(f"sha256:{digits}")
    if _HEXADECIMAL.fullmatch(digits) and digits:
        return Repair(f"it has {len(digits)} of 64 digits: copy it whole")
    return None


def _platform(text: str) -> Repair | None:
    machines = {"x86_64": "amd64", "aarch64": "arm64", "x64": "amd64"}
    system, slash, machine = text.strip().lower().rpartition("/")
    machine = machines.get(machine, machine)
    if not re.fullmatch(r"[a-z0-9_]+", machine):
        return None
    if not slash and machine in ("linux", "windows", "darwin"):
        return Repair(f"add the architecture, e.g. `{machine}/amd64`")
    return Repair(f"write e.g. `{system or 'linux'}/{machine}`")


def _host_port(text: str) -> Repair | None:
    scheme, found, rest = text.rpartition("://")
    host = rest.partition("/")[0]
    if re.fullmatch(r"[A-Za-z0-9.*-]+:[0-9]{1,5}", host):
        return _write(host)
    if not re.fullmatch(r"[A-Za-z0-9.*-]+", host):
        return None
    port = "80" if found and scheme == "http" else "443"
    return Repair(f"add the port, e.g. {tick(f'{host}:{port}')}")


def _absolute(text: str) -> Repair | None:
    if "\0" in text or not text:
        return None
    new = "/" + text.removeprefix("./").removeprefix("~/")
    return Repair(f"start it with a slash: {tick(new)}", new)


_REPAIRS: dict[str, Callable[[str], Repair | None]] = {
    "Identifier": _identifier,
    "ToolName": _identifier,
    "EnvironmentVariable": _variable,
    "BuiltinReference": _builtin,
    "Digest": _digest,
    "Platform": _platform,
    "HostPort": _host_port,
    "AbsolutePath": _absolute,
}
