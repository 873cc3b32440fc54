"""What is allowed in a Verifier, but can hardly be meant: verdicts that are always the same."""

from __future__ import annotations

import pytest
from doubts_kit import (
    AT_LEAST,
    CODE,
    INPUTS,
    SUM,
    TOP,
    builtin,
    codes,
    constant,
    decision,
    joined,
    measured,
    right,
    task,
)
from rules_kit import CODE_LEAF, LEAF, doubts, told

PARAMS = f"{TOP}/evaluator/params"
DEPEND = "use an evaluator whose score depends on the attempt"


# Thresholds (FLT4080, FLT4081)


@pytest.mark.parametrize(
    ("node", "score", "threshold", "help"),
    [
        (right("0"), "at least 0", "0", "write an `at_least` above 0"),
        (CODE_LEAF + decision("-1"), "at least 0", "-1", "write an `at_least` above 0"),
        (constant("1"), "always 1", "1", DEPEND),
        (constant("0.50", "0.25"), "always 0.5", "0.25", DEPEND),
        (
            measured("type: decimal, bounds: {minimum: 0.5}", "mean", "0.5"),
            "at least 0.5",
            "0.5",
            "write an `at_least` above 0.5",
        ),
        (
            measured("type: integer, bounds: {minimum: 2}", "sum", "2"),
            "at least 2",
            "2",
            "write an `at_least` above 2",
        ),
        (measured("type: boolean", "count", "0"), "at least 0", "0", "write an `at_least` above 0"),
        (
            constant("7", "5", "metrics: [{name: m, type: integer}]\n"
                     "objective: {metric: m, reducer: last}\n"),
            "always 7",
            "5",
            DEPEND,
        ),
    ],
)  # fmt: skip
def test_a_leaf_that_never_fails(node: str, score: str, threshold: str, help: str) -> None:
    message = f"leaf 'v0' can never fail: its score is {score}, and it passes from {threshold} on"
    assert told(doubts(task(node))) == [("FLT4080", AT_LEAST, message, help)]


@pytest.mark.parametrize(
    ("node", "score", "threshold", "help"),
    [
        (right("80"), "at most 1", "80", "write an `at_least` of at most 1"),
        (
            CODE_LEAF + decision("1.000000000000000001"),
            "at most 1",
            "1.000000000000000001",
            "write an `at_least` of at most 1",
        ),
        (constant("0.999"), "always 0.999", "1", DEPEND),
        (
            measured("type: decimal, bounds: {maximum: 5}", "last", "5.5"),
            "at most 5",
            "5.5",
            "write an `at_least` of at most 5",
        ),
        (
            measured("type: integer, bounds: {maximum: -3}", "sum", "0"),
            "at most -3",
            "0",
            "write an `at_least` of at most -3",
        ),
        (
            measured("type: boolean", "mean", "2"),
            "at most 1",
            "2",
            "write an `at_least` of at most 1",
        ),
    ],
)
def test_a_leaf_that_never_passes(node: str, score: str, threshold: str, help: str) -> None:
    message = (
        f"leaf 'v0' can never pass: its score is {score}, and it passes only from {threshold} on"
    )
    assert told(doubts(task(node))) == [("FLT4081", AT_LEAST, message, help)]


@pytest.mark.parametrize(
    "node",
    [
        right(),
        right("0.000000000000000001"),
        CODE_LEAF + decision("0.5"),
        measured("type: decimal", "mean", "0"),
        measured("type: decimal, bounds: {minimum: 0}", "mean", "1000"),
        measured("type: decimal, bounds: {minimum: 0, maximum: 100}", "max", "100"),
        measured("type: decimal, bounds: {minimum: -1, maximum: 1}", "sum", "-5"),
        measured("type: decimal, bounds: {maximum: 1}", "sum", "5"),
        measured("type: boolean", "sum", "3"),
        measured("type: category, categories: [red]", "count", "3"),
        constant("0.5", "1", "metrics: [{name: m, type: boolean}]\n"
                 "objective: {metric: m, reducer: last}\n"),
    ],
)  # fmt: skip
def test_leaves_that_may_do_both(node: str) -> None:
    assert doubts(task(node)) == []


def test_a_sum_that_cannot_reach_its_threshold() -> None:
    node = joined(SUM, right(), constant("0.5"), at_least="0.9", weights="0.7 0.3")
    assert told(doubts(task(node))) == [
        (
            "FLT4081",
            AT_LEAST,
            "composite 'v0' can never pass: its score is at most 0.85, "
            "and it passes only from 0.9 on",
            "write an `at_least` of at most 0.85",
        )
    ]
    assert doubts(task(node.replace("0.9}", "0.85}"))) == []


def test_a_sum_that_cannot_stay_below_its_threshold() -> None:
    node = joined(SUM, right(), constant("1"), at_least="0.3", weights="0.7 0.3")
    assert told(doubts(task(node))) == [
        (
            "FLT4080",
            AT_LEAST,
            "composite 'v0' can never fail: its score is at least 0.3, and it passes from 0.3 on",
            "write an `at_least` above 0.3",
        )
    ]
    assert doubts(task(node.replace("0.3}", "0.300000000000000001}"))) == []


def test_sums_are_exact() -> None:
    inner = joined(SUM, right(), constant("0.1"), weights="0.1 0.9")
    node = joined(SUM, inner, constant("0.3"), weights="0.1 0.9", at_least="0.279")
    assert codes(task(node)) == ["FLT4080"]
    assert codes(task(node.replace("0.279", "0.289"))) == []
    assert codes(task(node.replace("0.279", "0.289000000000000001"))) == ["FLT4081"]


@pytest.mark.parametrize(
    ("at_least", "expected"), [("0.4", []), ("0.5", []), ("0.51", ["FLT4081"]), ("0", ["FLT4080"])]
)
def test_a_min_of_a_constant(at_least: str, expected: list[str]) -> None:
    node = joined("{kind: min}", right(), constant("0.5"), at_least=at_least)
    assert codes(task(node)) == expected


@pytest.mark.parametrize("kind", [SUM, "{kind: min}"])
def test_decisions_that_nobody_reads(kind: str) -> None:
    weights = "0.5 0.5" if kind == SUM else ""
    for child in (right("0"), right("2"), joined("{kind: min}", right(), right(), at_least="0")):
        assert doubts(task(joined(kind, child, right(), weights=weights))) == []


@pytest.mark.parametrize("kind", ["{kind: all_of}", CODE])
def test_decisions_that_a_parent_reads_are_told_once(kind: str) -> None:
    node = joined(kind, right("2"), right())
    inner = f"{TOP}/children/0/node/decision/at_least"
    assert [each[:2] for each in told(doubts(task(node)))] == [("FLT4081", inner)]
    outer = joined(SUM, node, right(), weights="0.9 0.1", at_least="0.8")
    assert codes(task(outer)) == ["FLT4081"]


def test_a_verdict_without_a_score_is_one_where_the_parent_says_zero() -> None:
    """An `at_least` of 0 asks that there is a score at all."""
    assert codes(task(joined("{kind: all_of}", right("0"), right()))) == ["FLT4080"]
    zero = "{kind: all_of, on_child_error: zero}"
    assert doubts(task(joined(zero, right("0"), right()))) == []
    assert codes(task(joined(zero, constant("1"), right()))) == ["FLT4080"]
    assert doubts(task(joined(zero, constant("1", rest=INPUTS), right()))) == []


def test_a_sum_that_always_has_a_score() -> None:
    node = joined(SUM, right(), constant("1"), at_least="0.5", weights="0.5 0.5")
    lenient = node.replace("weighted_sum}", "weighted_sum, on_child_error: zero}")
    zero = "{kind: all_of, on_child_error: zero}"
    assert codes(task(joined(zero, lenient, right()))) == ["FLT4080"]
    assert doubts(task(joined(zero, node, right()))) == []


def test_a_lost_child_counts_nothing_where_its_parent_says_zero() -> None:
    bounded = measured("type: decimal, bounds: {minimum: 0.5, maximum: 1}", "last", "1")
    node = joined(SUM, bounded, right(), weights="0.8 0.2", at_least="0.4")
    assert codes(task(node)) == ["FLT4080"]
    zero = node.replace("weighted_sum}", "weighted_sum, on_child_error: zero}")
    assert doubts(task(zero)) == []


def test_nothing_is_doubted_where_something_is_wrong() -> None:
    sums = [
        joined(SUM, right(), constant("1"), weights="0.7 0.7", at_least="0.3"),
        joined(SUM, right(), constant("1"), at_least="0"),
        joined("{kind: min}", right(), constant("2"), at_least="0"),
        joined("{kind: all_of}", right(), right(), at_least="0"),
    ]
    leaves = [
        measured("type: decimal, bounds: {minimum: 5, maximum: 1}", "last", "7"),
        measured("type: boolean", "last", "0").replace("metric: m", "metric: n"),
        LEAF,
        constant("1.0000000000000000001"),
    ]
    for node in sums + leaves:
        assert [code for code in codes(task(node)) if code in ("FLT4080", "FLT4081")] == []


# Params of builtins (FLT4080, FLT4081)


@pytest.mark.parametrize(
    "pattern",
    [".*", "[0-9]*", "^", "$", "^a?", "(a|)", "x?$", r"\A(?:b*)*", "(?:a{0,3}|b)", "(?P<n>.*)$"],
)
def test_a_pattern_that_every_answer_matches(pattern: str) -> None:
    expected = (
        "FLT4080",
        f"{PARAMS}/pattern",
        "leaf 'v0' can never fail: every answer, even an empty one, "
        f"matches pattern {pattern!r}",
        "write a pattern that needs at least one character, e.g. with `+` for `*`",
    )  # fmt: skip
    node = builtin("answer-matches", f"{{pattern: '{pattern}'}}")
    assert told(doubts(task(node))) == [expected]


@pytest.mark.parametrize(
    "pattern",
    [".+", "^$", "^.*$", "^[0-9]*$", r"\b", r"\^", "[*]", "[$^]", r"[\]^]", r"\$", "a|b", "(a*)b"],
)
def test_patterns_that_some_answers_do_not_match(pattern: str) -> None:
    assert doubts(task(builtin("answer-matches", f"{{pattern: '{pattern}'}}"))) == []


def test_text_that_may_not_be_there_may_fail_a_pattern() -> None:
    assert doubts(task(builtin("file-matches", "{path: a, pattern: '.*'}"))) == []
    node = builtin("answer-matches", "{pattern: '.*', input: s}", rest=INPUTS)
    assert doubts(task(node)) == []


@pytest.mark.parametrize("name", ["answer-matches", "file-matches"])
@pytest.mark.parametrize("pattern", [r"^42$\n", "42$ ", r"a\\\\$\t\n"])
def test_a_pattern_that_goes_on_after_the_end(name: str, pattern: str) -> None:
    path = "path: a, " if name == "file-matches" else ""
    (item,) = doubts(task(builtin(name, f'{{{path}pattern: "{pattern}"}}')))
    assert (item.code, item.place.pointer[-1]) == ("FLT4081", "pattern")
    assert item.message.startswith("leaf 'v0' can never pass: no text matches pattern '")
    assert item.help == "end the pattern with `$`; in a block scalar, write `|-` for `|`"
    assert item.fix is not None
    assert item.fix.edit.new == item.fix.edit.old.rstrip()


@pytest.mark.parametrize("pattern", ["a^b", "$a", "(?:a$b|x^)", "x(?:a$b){2}", "a$b "])
def test_other_patterns_that_no_text_matches(pattern: str) -> None:
    assert told(doubts(task(builtin("answer-matches", f"{{pattern: '{pattern}'}}")))) == [
        (
            "FLT4081",
            f"{PARAMS}/pattern",
            f"leaf 'v0' can never pass: no text matches pattern {pattern!r}, "
            "which goes on after `$` or begins before `^`",
            "write `^` at the start of the pattern, and `$` at its end",
        )
    ]


@pytest.mark.parametrize(
    "pattern",
    [r"42\n", r"a|b$\n", r"\\$ ", "^42$", "(a$) |b", "a$b?", "a?^b", "^$", r"(?:a$b)*c", "^^a$$"],
)
def test_patterns_that_some_text_matches(pattern: str) -> None:
    assert doubts(task(builtin("file-matches", f'{{path: a, pattern: "{pattern}"}}'))) == []


@pytest.mark.parametrize("expected", [r"42\n", " 42", r"\t", "x" * 70 + " "])
def test_an_answer_that_is_trimmed_away(expected: str) -> None:
    (item,) = doubts(task(builtin("answer-equals", f'{{expected: "{expected}"}}')))
    assert (item.code, item.place.pointer[-2:]) == ("FLT4081", ("params", "expected"))
    assert item.message.startswith(
        "leaf 'v0' can never pass: answers are compared without white space around them, found '"
    )
    assert item.help == "remove the white space around it; in a block scalar, write `|-` for `|`"
    assert item.fix is not None
    assert item.fix.edit.new == item.fix.edit.old.strip()
    assert len(item.message) < 150


def test_answers_that_can_be_given() -> None:
    for expected in ("", "a b", r"a\nb", r"\v"):
        assert doubts(task(builtin("answer-equals", f'{{expected: "{expected}"}}'))) == []
    node = builtin("answer-equals", r'{expected: "42\n", input: s}', rest=INPUTS)
    assert doubts(task(node)) == []


def test_a_tolerance_below_nothing() -> None:
    params = f"{PARAMS}/tolerance"
    assert told(doubts(task(builtin("answer-close", "{expected: 1, tolerance: -0.10}")))) == [
        (
            "FLT4081",
            params,
            "leaf 'v0' can never pass: no difference is at most -0.1",
            "write 0.1, or 0 for the exact number",
        )
    ]
    for tolerance in ("0", "-0", "0.1", "1000000"):
        params = f"{{expected: 1, tolerance: {tolerance}}}"
        assert doubts(task(builtin("answer-close", params))) == []


def test_a_wrong_param_is_told_where_it_is_and_not_above() -> None:
    child = builtin("answer-equals", r'{expected: "42\n"}')
    for kind, weights in ((SUM, "0.6 0.4"), ("{kind: min}", ""), ("{kind: all_of}", "")):
        (item,) = doubts(task(joined(kind, child, right(), weights=weights)))
        assert item.place.pointer[:5] == ("verifiers", 0, "children", 0, "node")
