"""A long text with a syntax error: the grammar reads little of it and says the same."""

from __future__ import annotations

import random
from collections.abc import Iterator
from unittest import mock

import pytest

from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.reading import focus
from fleet_contracts.reading.focus import first_problem
from fleet_contracts.reading.parsers import ways
from fleet_contracts.reading.yaml import read_yaml
from fleet_contracts.reading.yaml12.cursor import SyntaxProblem
from fleet_contracts.reading.yaml12.stream import StreamParser
from fleet_contracts.source import Source

HEAD = "# head\nauthoring: taskset/v1\nlists:\n- 1\n- b: 2\n  c: 3\ntasks:\n  # the Tasks\n"
ENTRY = """\
  group/task-{0}:
    prompt: |
      Say {0}.

      And why.
    "quoted": "a
      b"
    flow: {{a: [1, {{b: c}}], d: 'e'}}
    list:
      - id: x
        at: &anchor {0}
      - *anchor
"""
TEXT = HEAD + "".join(ENTRY.format(index) for index in range(120))
PIECES = ["\t", ":", "[", "]", "{", "}", "'", '"', "#", "&", "*", "!", "|", ">", "-", "?", "\n"]
PIECES += [" ", ",", "%", "@", "`", "\n    ", "\n  x", "\n- ", "\r"]


def mutated(seed: int) -> str:
    chance = random.Random(seed)
    at = chance.randrange(len(TEXT) // 3, len(TEXT))
    end = at + chance.choice([0, 0, 1, 1, 2, 3])
    return TEXT[:at] + chance.choice([*PIECES, ""]) + TEXT[end:]


def whole_problem(text: str) -> SyntaxProblem | None:
    try:
        for _ in StreamParser(text, None).events():
            pass
    except SyntaxProblem as problem:
        return problem
    return None


def seen(problem: SyntaxProblem | None) -> object:
    return problem and (problem.index, problem.code, problem.message, problem.context)


@pytest.fixture(autouse=True)
def every_text_is_long() -> Iterator[None]:
    with mock.patch.object(focus, "SHORT", 0):
        yield


@pytest.mark.parametrize("part", range(4))
def test_the_problem_is_that_of_the_whole_text(part: int) -> None:
    found = 0
    for seed in range(part * 150, part * 150 + 150):
        text = mutated(seed)
        others = list(ways(text))[:-1]
        problem = first_problem(text, others[-1].open(None)) if others else None
        if problem is not None:
            found += 1
            assert seen(problem) == seen(whole_problem(text)), f"seed {seed}"
    assert found > 20


def test_little_is_read_by_the_grammar() -> None:
    text = TEXT + "  last: [\n  next: 1\n"
    read = []
    parser = StreamParser

    def noted(given: str, on_lone: None) -> StreamParser:
        read.append(len(given))
        return parser(given, on_lone)

    with mock.patch.object(focus, "StreamParser", noted):
        bag = Bag()
        assert read_yaml(Source("a.yaml", text), bag) is None
    assert [item.code for item in bag] == ["FLT1010"]
    assert read
    assert max(read) < len(text) // 20


def events_taken(text: str) -> int:
    """Return how many events the grammar gives while it looks for the problem."""
    taken = 0
    events = StreamParser.events

    def counted(parser: StreamParser) -> Iterator[object]:
        nonlocal taken
        for event in events(parser):
            taken += 1
            yield event

    *_, last, _ = ways(text)
    with mock.patch.object(StreamParser, "events", counted):
        first_problem(text, last.open(None))
    return taken


def test_what_stands_behind_the_problem_is_not_read() -> None:
    assert events_taken(TEXT + "  last: ]\n" + TEXT) < 60


def test_the_grammar_stops_soon_where_only_libyaml_sees_a_problem() -> None:
    allowed = "  last: {k\n   : v}\n"  # libyaml wants a key and its colon on one line
    assert not whole_problem(TEXT + allowed)
    assert events_taken(TEXT + allowed + TEXT.replace("tasks:", "others:", 1)) < 60


def test_what_stands_before_the_problem_is_told_too() -> None:
    bag = Bag()
    text = TEXT.replace("    list:", "    a: 1\n    a: 2\n    list:", 1) + "  x: ]\n"
    assert read_yaml(Source("a.yaml", text), bag) is None
    assert [item.code for item in bag] == ["FLT1020", "FLT1010"]
    places = [item.place.span.start.line for item in bag if item.place.span]
    assert places == sorted(places)


def test_a_short_text_is_read_whole() -> None:
    with mock.patch.object(focus, "SHORT", 10**9):
        text = TEXT + "  last: [\n"
        assert first_problem(text, next(iter(ways(text))).open(None)) is None
