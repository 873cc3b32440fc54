"""Plain data as YAML, in one of the many ways a person could write it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from random import Random
from typing import Any

from identity_base import Dec, Size

_PLAIN = re.compile(r"[A-Za-z/_](?:[\w ./@+-]|:(?=[\w/]))*(?<! )", re.ASCII)
_WORDS = frozenset({"true", "false", "null"})
_UNITS = (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10), ("GB", 10**9), ("kB", 1000), ("B", 1))


@dataclass(slots=True)
class Writer:
    """Writes plain data; everything that is left open is drawn from `random`.

    `quoting` is tried in its order as far as the text allows, or in any order when keys
    are shuffled; `layout` holds `block`, `flow` or both.
    """

    random: Random
    quoting: tuple[str, ...] = ("plain", "double")
    layout: tuple[str, ...] = ("block",)
    comments: bool = False
    shuffle_keys: bool = False
    respell: bool = False
    aliases: bool = False
    _names: dict[str, str] = field(default_factory=dict)

    def document(self, value: Any) -> str:
        """Return a whole document."""
        lines = ["# a comment" if self.comments else "---", *self._block(value, 0, "")]
        return "\n".join(lines) + "\n"

    def _block(self, value: Any, indent: int, lead: str) -> list[str]:
        """Return the lines of a node whose first line starts with `lead`, e.g. `key:`."""
        alias = self._alias(value)
        if alias.startswith("*"):
            return [self._remark(_joined(lead, alias))]
        if not isinstance(value, dict | list) or not value or self._in_flow(value):
            return self._short(value, indent, _joined(lead, alias))
        head = [self._remark(_joined(lead, alias))] if lead else []
        pad = " " * indent
        for key, item in self._pairs(value):
            mark = "-" if isinstance(value, list) else f"{self._key(key)}:"
            head += self._block(item, indent + 2, f"{pad}{mark}")
            if self.comments and self.random.random() < 0.1:
                head.append(f"{pad}# between: [the {{lines")
        self._named(value, alias)
        return head

    def _short(self, value: Any, indent: int, lead: str) -> list[str]:
        if type(value) is str:
            style = next(s for s in self._order(self.quoting) if s in _styles(value, flow=False))
            if style in ("literal", "folded"):
                return _blocked(value, style, indent, lead)
            return [self._remark(_joined(lead, _quoted(value, style)))]
        text = self._flow(value)
        return [self._remark(_joined(lead, text))]

    def _flow(self, value: Any) -> str:
        if isinstance(value, dict):
            pairs = [f"{self._key(key)}: {self._flow(item)}" for key, item in self._pairs(value)]
            return f"{{{', '.join(pairs)}}}"
        if isinstance(value, list):
            return f"[{', '.join(self._flow(item) for item in value)}]"
        if isinstance(value, Dec):
            return self.random.choice(decimal_spellings(value)) if self.respell else f'"{value}"'
        if isinstance(value, Size):
            return self.random.choice(size_spellings(value)) if self.respell else str(int(value))
        if isinstance(value, str):
            order = self._order(self.quoting)
            styles = _styles(value, flow=True)
            return _quoted(value, next(s for s in (*order, "double") if s in styles))
        return json.dumps(value)

    def _pairs(self, value: dict[str, Any] | list[Any]) -> list[tuple[str, Any]]:
        pairs = list(value.items()) if isinstance(value, dict) else [("", item) for item in value]
        if self.shuffle_keys and isinstance(value, dict):
            self.random.shuffle(pairs)
        return pairs

    def _key(self, key: str) -> str:
        order = (*self._order(self.quoting), "double")
        return _quoted(key, next(s for s in order if s in _styles(key, flow=True)))

    def _in_flow(self, value: Any) -> bool:
        """Draw the style of a container; large ones are blocks, or all would be flow."""
        if len(self.layout) == 1:
            return self.layout[0] == "flow"
        return len(json.dumps(value)) < 600 and self.random.choice(self.layout) == "flow"

    def _order(self, choices: tuple[str, ...]) -> list[str]:
        if not self.shuffle_keys:
            return [*choices, "double"]
        return [*self.random.sample(choices, len(choices)), "double"]

    def _remark(self, line: str) -> str:
        if self.comments and self.random.random() < 0.2:
            return f"{line}   # 'remark': {{ \" &x *y !z | >"
        return line

    def _alias(self, value: Any) -> str:
        """Return `*name` for a value written before, `&name` for a new one, or nothing."""
        if not self.aliases or isinstance(value, bool | int | Dec | None):
            return ""
        text = json.dumps(value, sort_keys=True)
        if text in self._names:
            return f"*{self._names[text]}"
        if isinstance(value, dict | list) and value and "block" in self.layout:
            return f"&n{self.random.randrange(10**12)}"
        self._names[text] = f"n{self.random.randrange(10**12)}"
        return f"&{self._names[text]}"

    def _named(self, value: Any, anchor: str) -> None:
        if anchor:
            self._names[json.dumps(value, sort_keys=True)] = anchor[1:]


def decimal_spellings(text: str) -> list[str]:
    """Return ways to write a canonical decimal."""
    longer = text + "00" if "." in text else text + ".00"
    spellings = [text, longer]
    if text == "0":
        spellings += ["-0", "-0.0"]
    return [quoted for each in spellings for quoted in (each, f"'{each}'", f'"{each}"')]


def size_spellings(size: int) -> list[str]:
    """Return ways to write a number of bytes."""
    spellings = [str(int(size))]
    for unit, factor in _UNITS:
        if size % factor == 0:
            spellings += [f"{size // factor}{unit}", f'"{size // factor} {unit}"']
        elif size * 2 % factor == 0:
            spellings.append(f"{size // factor}.5{unit}")
    return spellings


def _joined(lead: str, text: str) -> str:
    return f"{lead} {text}" if lead and text else lead or text


def _styles(text: str, *, flow: bool) -> list[str]:
    """Return the styles in which a string can be written."""
    styles = ["double"]
    single_line = text.isprintable()
    if single_line:
        styles.append("single")
    if _PLAIN.fullmatch(text) and text.lower() not in _WORDS and not (flow and ":" in text):
        styles.append("plain")
    visible = all(line.isprintable() for line in text.replace("\t", " ").split("\n"))
    if not flow and text.strip("\n") and visible and text[0] not in "\n\t":
        styles.append("literal")
        if single_line and text == text.strip():
            styles.append("folded")
    return styles


def _quoted(text: str, style: str) -> str:
    if style == "plain":
        return text
    if style == "single":
        return "'" + text.replace("'", "''") + "'"
    return json.dumps(
        text,
        ensure_ascii=any(0x7F < ord(each) < 0xD800 for each in text)
        and all(ord(each) < 0xD800 for each in text),
    )


def _blocked(text: str, style: str, indent: int, lead: str) -> list[str]:
    body = text.rstrip("\n")
    newlines = len(text) - len(body)
    chomp = {0: "-", 1: ""}.get(newlines, "+")
    mark = "|" if style == "literal" else ">"
    width = max(indent, 2)
    explicit = "2" if text.startswith(" ") else ""
    pad = " " * (width if not explicit else indent)
    lines = [f"{pad}{line}" if line else "" for line in body.split("\n")]
    lines += [""] * max(newlines - 1, 0)
    return [_joined(lead, f"{mark}{explicit}{chomp}"), *lines]
