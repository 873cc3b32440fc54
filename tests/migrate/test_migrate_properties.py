"""Files that nobody wrote: the migrated one is the hand-written one, and compiles like it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from migrate_kit import ID, NAMED, REST, TAGGED, digest, migrated

ENVIRONMENTS = {
    "terminal@v1": "builtin: terminal@v1",
    "python@v1": "builtin: python@v1",
    ID: f"image_ref: {ID}",
    NAMED: f"image_ref: {NAMED}",
    TAGGED: f"image_ref: {NAMED}",
}
# Ways to write one: before it, behind it, and whether a block of text becomes one line.
STYLES = (
    ("", "", False),
    ("'", "'", False),
    ('"', '"', False),
    ("&name{n} ", "", False),
    ("!!str ", "  # a comment: with {{brackets}}", False),
    ("# first\n      # second\n      ", " # third", False),
    ("|-\n      ", "\n\n    # below", True),
    (">-\n        ", "", True),
)
COMMENTS = ("", "# a comment\n", "    # environment: terminal@v1\n", "\n\n")


class Case(NamedTuple):
    """A file before, as it should be after, and one written by hand that means the same."""

    before: str
    after: str
    by_hand: str


@st.composite
def cases(draw: st.DrawFn) -> Case:
    head, by_hand = draw(st.sampled_from(COMMENTS[:2])), ["environments:\n"]
    before = after = f"{head}authoring: taskset/VERSION\ntasks:\n"
    tasks = ["tasks:\n"]
    anchors: list[tuple[int, str]] = []
    for n in range(draw(st.integers(1, 4))):
        comment = draw(st.sampled_from(COMMENTS))
        old = draw(st.sampled_from(sorted(ENVIRONMENTS)))
        new = ENVIRONMENTS[old]
        start, end, is_block = draw(st.sampled_from(STYLES))
        start, end = start.format(n=n), end.format()
        if anchors and TAGGED not in anchors[0] and draw(st.booleans()):
            first, old = anchors[0]
            new = ENVIRONMENTS[old]
            was = f"*name{first} "
            now = f"{{{new.partition(':')[0]}: *name{first}}} "
        else:
            key, _, value = new.partition(": ")
            was = f"{start}{old}{end}"
            around = start.rpartition("\n")[2].lstrip() if "#" in start else start
            lead = start[: len(start) - len(around)]
            now = (
                f"{{{key}: {value}}}{end}" if is_block else _wrapped(lead, around, key, value, end)
            )
            if start.startswith("&"):
                anchors.append((n, old))
        before += f"{comment}  task-{n}:\n    environment: {was}\n{REST}"
        after += f"{comment}  task-{n}:\n    environment: {now}\n{REST}"
        by_hand.append(f"  box-{n}: {{{new}}}\n")
        tasks.append(f"  task-{n}:\n{REST}    environment: box-{n}\n")
    texts = [
        before.replace("VERSION", "v0"),
        after.replace("VERSION", "v1"),
        "".join(["authoring: taskset/v1\n", *by_hand, *tasks]),
    ]
    if draw(st.booleans()):
        texts[:2] = [text.replace("\n", "\r\n") for text in texts[:2]]
    if draw(st.booleans()):
        texts[:2] = [f"\ufeff{text}" for text in texts[:2]]
    return Case(*texts)


def _wrapped(lead: str, start: str, key: str, value: str, end: str) -> str:
    """Return a value in brackets, which a comment behind it stays outside of."""
    inside, space, comment = end.partition(" ")
    return f"{lead}{{{key}: {start}{value}{inside}}}{space}{comment}"


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(cases())
def test_a_migrated_file_is_the_hand_written_one(tmp_path: Path, case: Case) -> None:
    outcome = migrated(tmp_path, case.before)
    assert outcome.text == case.after
    assert migrated(tmp_path, outcome.text).text == case.after, "migrating again changes nothing"
    assert digest(tmp_path, outcome.text) == digest(tmp_path, case.by_hand)
