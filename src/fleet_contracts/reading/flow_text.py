"""Text in brackets as YAML 1.2 means it: `[example.com:443, a?b]`.

libyaml reads plain text in brackets by the rules of YAML 1.1, where a ':' or '?' in it
is an error or, worse, the start of a key. So it is given a text of the same length in
which those that YAML 1.2 takes for text are replaced by characters that the file does
not use, and each scalar is mapped back afterwards. Nothing moves, so positions stay
exact. Outside brackets the replacement changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# What must stay as it is (a tag, a directive, a name and its next character), or a ':'
# or '?' that is text by YAML 1.2.2 section 7.3.3. Behind a quote or bracket a ':' ends a
# key even if no white space follows it. Each branch starts with the character it is
# about, so that a search skips all others; what stands before it is looked at afterwards.
_TEXT = re.compile(
    r"!(?<![^\s,\[{]!)\S*|%(?<=^%).*|&[0-9A-Za-z_-]+[:?]|\*[0-9A-Za-z_-]+[:?]"
    r"|:(?<![\"'\]}]:)(?=[^\s,\[\]{}])"
    r"|\?(?=[^\s,\[\]{}])|\?(?<=[^\s,\[\]{}\"']\?)",
    re.MULTILINE,
)

# A '?' that starts something in brackets: text to YAML 1.2, a key to libyaml. Behind a
# '?', an anchor or a tag, the same holds for a ':'; elsewhere libyaml notices it.
_MISREAD_QUESTION = re.compile(r"\?(?<=[\s\[{,]\?)(?=[^\s,\[\]{}])")
_MISREAD_COLON = re.compile(r":(?<=\s:)(?=[^\s,\[\]{}])")

_PRIVATE_USE = range(0xE000, 0xE800)


@dataclass(frozen=True, slots=True)
class FlowText:
    """A text with characters in place of ':' and '?', and the way back."""

    text: str
    colon: str
    question: str

    def restore(self, value: str) -> str:
        """Return a scalar's value as the original text has it."""
        return value.replace(self.colon, ":").replace(self.question, "?")


def flow_text(text: str) -> FlowText | None:
    """Return a text that libyaml reads by YAML 1.2, or None if there is no difference."""
    unused = _unused_characters(text)
    colon, question = next(unused, ""), next(unused, "")
    if not question:
        return None
    marks = {":": colon, "?": question}
    replaced = _TEXT.sub(lambda match: marks.get(match[0], match[0]), text)
    return None if replaced == text else FlowText(replaced, colon, question)


def may_be_misread(text: str) -> bool:
    """Tell whether libyaml could take text for a key and not notice."""
    if "?" in text and _MISREAD_QUESTION.search(text):
        return True
    has_cause = "?" in text or "&" in text or "!" in text
    return has_cause and bool(_MISREAD_COLON.search(text))


def _unused_characters(text: str) -> Iterator[str]:
    """Yield private use characters that a text holds neither raw nor as an escape."""
    digits = text.lower()
    for code in _PRIVATE_USE:
        if chr(code) not in text and f"{code:x}" not in digits:
            yield chr(code)
