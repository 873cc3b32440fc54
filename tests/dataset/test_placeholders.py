from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fleet_contracts.diagnostics.model import Edit
from fleet_contracts.placeholder_look_alikes import look_alikes
from fleet_contracts.placeholder_syntax import parse_placeholders
from fleet_contracts.placeholders import Placeholder, TemplateError
from fleet_contracts.reading.numbers import NumberText


def only(text: str) -> Placeholder:
    (part,) = parse_placeholders(text)
    assert isinstance(part, Placeholder)
    assert part.source == text
    return part


def filled(text: str, row: dict[str, Any], index: int = 0) -> str:
    parts = parse_placeholders(text)
    return "".join(part if isinstance(part, str) else part.text(row, index) for part in parts)


def refused(text: str) -> TemplateError:
    with pytest.raises(TemplateError) as caught:
        parse_placeholders(text)
    return caught.value


def unfilled(text: str, row: dict[str, Any]) -> TemplateError:
    with pytest.raises(TemplateError) as caught:
        only(text).text(row, 0)
    return caught.value


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("${index}", ()),
        ("${row.a}", ("a",)),
        ("${row.a.b.c}", ("a", "b", "c")),
        ("${ row.a }", ("a",)),
        ("${ index\t}", ()),
        ("${row.two words}", ("two words",)),
        ("${row.a. b}", ("a", " b")),
        ("${row.ä😂'\"{$:[0]}", ("ä😂'\"{$:[0]",)),
        ("${row.0}", ("0",)),
        ("${row.row}", ("row",)),
        ("${row.index}", ("index",)),
    ],
)
def test_names(text: str, path: tuple[str, ...]) -> None:
    assert only(text).path == path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("nothing", "nothing"),
        ("a ${row.x} b ${row.x}${index}", "a 1 b 10"),
        ("costs $5, $ 5, $$, $", "costs $5, $ 5, $$, $"),
        ("{row.x} $ {row.x}", "{row.x} $ {row.x}"),
        ("$${row.x}", "${row.x}"),
        ("$${", "${"),
        ("$$${row.x}", "$${row.x}"),
        ("$${row.x}${row.x}$${", "${row.x}1${"),
        ("${row.x}}", "1}"),
        ("${row.x}{${row.x}", "1{1"),
        ("$${HOME} ${row.x}", "${HOME} 1"),
    ],
)
def test_text_and_escapes(text: str, expected: str) -> None:
    assert filled(text, {"x": "1"}) == expected


def test_the_result_is_not_read_again() -> None:
    assert filled("${row.x}!", {"x": "${row.y} $${index}"}) == "${row.y} $${index}!"


@given(st.text(alphabet="$${}ab|'", max_size=12))
def test_doubling_every_opening_makes_any_text_literal(text: str) -> None:
    assert filled(text.replace("${", "$${"), {}) == text


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("s", "s"),
        ("", ""),
        (NumberText("1.50"), "1.50"),
        (NumberText("-0.0"), "-0.0"),
        (NumberText("1E+2"), "1E+2"),
        (True, "true"),
        (False, "false"),
    ],
)
def test_values_inside_text(value: Any, expected: str) -> None:
    assert filled("[${row.x}]", {"x": value}) == f"[{expected}]"
    assert only("${row.x}").text({"x": value}, 0) == expected


@pytest.mark.parametrize(("value", "kind"), [(None, "null"), ([], "a list"), ({"b": "c"}, "a map")])
def test_values_that_cannot_stand_inside_text(value: Any, kind: str) -> None:
    problem = unfilled("${row.a.x}", {"a": {"x": value}})
    assert problem.code == "FLT3033"
    assert f"`row.a.x` is {kind}" in problem.message


def test_nested_fields() -> None:
    assert filled("${row.a.b}", {"a": {"b": "deep"}, "a.b": "no"}) == "deep"


@pytest.mark.parametrize(
    ("text", "row", "message", "help"),
    [
        ("${row.answr}", {"answer": "1"}, "no field 'answr', found 'answer'", "mean `answer`?"),
        ("${row.x}", {}, "no field 'x', found none", "every row has"),
        ("${row.a.x}", {"a": {"y": "1"}}, "`row.a` has no field 'x', found 'y'", "every row"),
        ("${row.a.x}", {"a": [{"x": "1"}]}, "`row.a` is a list, expected a map", "every row"),
        ("${row.a.0}", {"a": ["x"]}, "`row.a` is a list, expected a map", "every row"),
        ("${row.a.x}", {"a": "text"}, "`row.a` is a string", "every row"),
        ("${row.a.x}", {"a": None}, "`row.a` is null", "every row"),
        ("${row.a.x}", {"a": NumberText("1")}, "`row.a` is a number", "every row"),
        ("${row.top.k}", {"top.k": "1"}, "no field 'top'", "name with a dot"),
    ],
)
def test_missing_fields(text: str, row: dict[str, Any], message: str, help: str) -> None:
    problem = unfilled(text, row)
    assert problem.code == "FLT3031"
    assert message in problem.message
    assert help in problem.help


def test_many_fields_are_not_all_listed() -> None:
    problem = unfilled("${row.nothing}", {f"field{number}": "" for number in range(9)})
    assert problem.message.endswith("'field5', …")


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("${row.x | capture:'#### (-?[0-9.,]+)$'}", "a\nb\n#### 1,000", "1,000"),
        ("${row.x|capture:'(a)'}", "banana", "a"),
        ("${ row.x  |  capture : '(a)' }", "banana", "a"),
        ("${row.x | capture:'it''s (.)'}", "it's x", "x"),
        ("${row.x | capture:'''(.)'''}", "'x'", "x"),
        ("${row.x | capture:'[}] ([|])'}", "} |", "|"),
        ("${row.x | capture:'(?:a|b)(?P<name>c)'}", "abc", "c"),
        ("${row.x | capture:'(b*)'}", "abb", ""),
        ("${row.x | capture:'^([0-9]+)'}", NumberText("12.50"), "12"),
        ("${row.x | capture:'([.][0-9]+)$'}", NumberText("12.50"), ".50"),
    ],
)
def test_capture(text: str, value: Any, expected: str) -> None:
    assert only(text).value({"x": value}, 0) == expected


def test_capture_of_the_index() -> None:
    assert only("${index | capture:'(.)$'}").value({}, 123) == "3"


def test_end_of_text_is_not_before_a_final_line_feed() -> None:
    problem = unfilled("${row.x | capture:'(a)$'}", {"x": "a\n"})
    assert problem.code == "FLT3032"


def test_a_group_that_takes_no_part_is_no_match() -> None:
    assert unfilled("${row.x | capture:'a(b)?'}", {"x": "a"}).code == "FLT3032"


def test_no_match_shows_the_end_of_the_text() -> None:
    problem = unfilled("${row.x | capture:'#### (.)'}", {"x": "y" * 500 + " the end"})
    assert problem.code == "FLT3032"
    assert "the end'" in problem.message
    assert len(problem.message) < 200


@pytest.mark.parametrize("value", [True, None, ["a"], {"a": "a"}])
def test_capture_needs_text(value: Any) -> None:
    assert unfilled("${row.x | capture:'(.)'}", {"x": value}).code == "FLT3033"


@pytest.mark.parametrize(
    ("text", "message", "help"),
    [
        ("${", "'${' is not closed", "$${"),
        ("a ${row.x", "'${row.x' is not closed", "close it"),
        ("a ${row.x | capture:'(a)'", "is not closed", "close it"),
        ("${}", "without a name", "${index}"),
        ("${ }", "without a name", "${index}"),
        ("${row}", "empty field name in 'row'", "${row.field}"),
        ("${row.}", "empty field name", "${row.field}"),
        ("${row. }", "empty field name", "${row.field}"),
        ("${row..x}", "empty field name", "${row.field}"),
        ("${row.x.}", "empty field name", "${row.field}"),
        ("${index.x}", "'index.x'", "write `${index}`"),
        ("${indx}", "'indx'", "did you mean `index`?"),
        ("${rows.x}", "'rows.x'", "did you mean `row`?"),
        ("${Row.x}", "'Row.x'", "did you mean `row`?"),
        ("${question}", "'question'", "write `${row.question}`"),
        ("${HOME}", "'HOME'", "`$${` for a plain `${`"),
        ("${env.HOME}", "'env.HOME'", "`$${` for a plain `${`"),
        ("${row.x | }", "no transform", ""),
        ("${row.x | upper}", "the transform 'upper'", ""),
        ("${row.x | captur:'(a)'}", "the transform 'captur'", "did you mean `capture`?"),
        ("${row.x | capture}", "after `capture`", ""),
        ("${row.x | capture:}", "after `capture`", ""),
        ('${row.x | capture:"(a)"}', "after `capture`", ""),
        ("${row.x | capture:'(a)}", "no closing quote", "double each quote"),
        ("${row.x | capture:'it's (a)'}", "expected '}'", ""),
        ("${row.x | capture:'(a)' | capture:'(b)'}", "expected '}'", ""),
        ("${row.x | capture:'a'}", "0 groups, expected exactly 1", "parentheses"),
        ("${row.x | capture:''}", "0 groups, expected exactly 1", "parentheses"),
        ("${row.x | capture:'(a)(b)'}", "2 groups, expected exactly 1", "(?:…)"),
    ],
)
def test_bad_placeholders(text: str, message: str, help: str) -> None:
    problem = refused(text)
    assert problem.code == "FLT3030"
    assert message in problem.message
    assert help in problem.help


@pytest.mark.parametrize("pattern", ["(a", "(?=a)(b)", "(a)\\1", "(\\p{L})", "(?i)(a)"])
def test_patterns_outside_the_dialect(pattern: str) -> None:
    problem = refused(f"${{row.x | capture:'{pattern}'}}")
    assert problem.code == "FLT4011"
    assert "pattern" in problem.message


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    for written in (text, f"${{{text}", f"${{row.a | capture:'{text}"):
        try:
            parts = parse_placeholders(written)
        except TemplateError:
            continue
        sources = (
            part.replace("${", "$${") if isinstance(part, str) else part.source for part in parts
        )
        assert "".join(sources) == written


@pytest.mark.parametrize(
    ("text", "part", "new"),
    [
        ("a ${rows.x} b", "${rows.x}", "${row.x}"),
        ("${ indx }!", "${ indx }", "${ index }"),
        ("${indx | capture:'(1)'}", "${indx | capture:'(1)'}", "${index | capture:'(1)'}"),
        ("${row['x']}", "${row['x']}", "${row.x}"),
        (
            "${row.captur | captur:'(a)'}",
            "${row.captur | captur:'(a)'}",
            "${row.captur | capture:'(a)'}",
        ),
        ("${Row}", "${Row}", None),
        ("${index} ${question} ${other}", "${question}", None),
        ("$${x} ${x} ${x", "${x}", None),
        ("one ${row.x two\nthree", "${row.x", None),
        ("${row.x | capture:'(a)} two", "${row.x | capture:'(a)}", None),
        ("${row.x | capture:'it's (a)'} two", "${row.x | capture:'it's (a)'}", None),
        ("${row.x | capture:'a } b'} two", "${row.x | capture:'a } b'}", None),
        ("${row.x | capture:'(?=a)(b)'} two", "${row.x | capture:'(?=a)(b)'}", None),
        ("${", "${", None),
    ],
)
def test_a_problem_knows_its_part_of_the_text(text: str, part: str, new: str | None) -> None:
    problem = refused(text)
    assert problem.part is not None
    assert text[slice(*problem.part)] == part
    assert problem.fix == (Edit(part, new) if new else None)


def test_many_quotes_are_looked_at_once() -> None:
    problem = refused("${row.x | capture:'" + "'" * 50_001)
    assert problem.part == (0, 7)


@pytest.mark.parametrize(
    ("text", "row", "new"),
    [
        ("${row.qestion}", {"question": ""}, "${row.question}"),
        ("${ row.a.qestion }", {"a": {"question": ""}}, "${ row.a.question }"),
        ("${row.qestion.a}", {"question": {"a": ""}}, "${row.question.a}"),
        ("${row.row}", {"rows": ""}, "${row.rows}"),
        ("${row.x | capture:'(x)'}", {"X": ""}, "${row.X | capture:'(x)'}"),
        ("${row.question}", {"question: 1": ""}, None),  # would need quotes
        ("${row.other}", {"question": ""}, None),
    ],
)
def test_a_misspelled_field_has_its_edit(text: str, row: dict[str, Any], new: str | None) -> None:
    assert unfilled(text, row).fix == (Edit(text, new) if new else None)


def test_a_field_that_cannot_be_named_is_not_proposed() -> None:
    assert "did you mean" not in unfilled("${row.topk}", {"top.k": ""}).help


def test_placeholders_know_their_part_of_the_text() -> None:
    text = "a $${x} ${row.x}${row.x} ${index}"
    parts = [part for part in parse_placeholders(text) if isinstance(part, Placeholder)]
    assert [part.part for part in parts] == [(8, 16), (16, 24), (25, 33)]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("{row.a}", ["${row.a}"]),
        ("{{row.a}} and {{ row.b.c }}", ["${row.a}", "${row.b.c}"]),
        ("$row.a, $(row.b) and %(row.c)s", ["${row.a}", "${row.b}", "${row.c}"]),
        ("<row.a> {index} {{index}}", ["${row.a}", "${index}", "${index}"]),
        ("${row.a} $${row.a} {a} {{a}} $a index arrow.a {row} US$row.a", []),
    ],
)
def test_what_looks_like_a_placeholder(text: str, meant: list[str]) -> None:
    assert [each.meant for each in look_alikes(text)] == meant
    assert [text[each.part.start : each.part.end] for each in look_alikes(text)] == [
        each.text for each in look_alikes(text)
    ]
