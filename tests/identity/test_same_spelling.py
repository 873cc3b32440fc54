"""One digest for one meaning, however the document is spelled (spec section 2)."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from identity_base import FILES, Dec, base
from identity_kit import (
    ARTIFACTS,
    ORDERED_FIELDS,
    SET_FIELDS,
    Content,
    RefusedError,
    Workshop,
    at,
    in_free_form,
    nodes,
    one_task,
    text_of,
)
from yaml_text import Writer, decimal_spellings, size_spellings

QUOTING = {
    "plain": ("plain", "double"),
    "single": ("single", "double"),
    "double": ("double",),
    "literal": ("literal", "single", "double"),
    "folded": ("folded", "literal", "double"),
}


def same(content: Content, expected: Content) -> None:
    """Assert that two compiles have the same digests, Task by Task."""
    assert content.tasks == expected.tasks
    assert content.digest == expected.digest
    assert content.closure == expected.closure


def sets_of(document: dict[str, Any]) -> list[tuple[str | int, ...]]:
    return [
        pointer
        for pointer, value in nodes(document)
        if isinstance(value, list)
        and len(value) > 1
        and pointer[-1] in SET_FIELDS
        and not in_free_form(pointer)
    ]


@pytest.mark.parametrize("layout", ["block", "flow"])
@pytest.mark.parametrize("quoting", QUOTING)
def test_a_style_of_writing_is_no_content(
    workshop: Workshop, expected: Content, quoting: str, layout: str
) -> None:
    writer = Writer(Random(1), quoting=QUOTING[quoting], layout=(layout,))
    same(workshop.compile(writer.document(base(ARTIFACTS))), expected)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
def test_no_mixture_of_styles_is_content(workshop: Workshop, expected: Content, seed: int) -> None:
    random = Random(seed)
    document = base(ARTIFACTS)
    for pointer in sets_of(document):
        random.shuffle(at(document, pointer))
    writer = Writer(
        random,
        quoting=("plain", "single", "double", "literal", "folded"),
        layout=random.choice([("block",), ("flow",), ("block", "flow"), ("block", "flow")]),
        comments=random.random() < 0.5,
        shuffle_keys=True,
        respell=True,
        aliases=random.random() < 0.5,
    )
    text = writer.document(document)
    if random.random() < 0.3:
        text = text.replace("\n", "\r\n")
    if random.random() < 0.3:
        text = "\ufeff" + text
    same(workshop.compile(text), expected)


def test_comments_are_no_content(workshop: Workshop, expected: Content) -> None:
    text = Writer(Random(2), comments=True).document(base(ARTIFACTS))
    assert text.count("#") > 50
    same(workshop.compile(text), expected)


def test_anchors_are_no_content(workshop: Workshop, expected: Content) -> None:
    text = Writer(Random(3), aliases=True).document(base(ARTIFACTS))
    assert text.count(" *n") > 50
    same(workshop.compile(text), expected)


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_line_endings_are_no_content(workshop: Workshop, expected: Content, newline: str) -> None:
    text = Writer(Random(4), quoting=QUOTING["literal"], comments=True).document(base(ARTIFACTS))
    assert "|" in text
    same(workshop.compile(text.replace("\n", newline)), expected)


def test_a_byte_order_mark_is_no_content(workshop: Workshop, expected: Content) -> None:
    text = Writer(Random(5)).document(base(ARTIFACTS))
    same(workshop.compile(b"\xef\xbb\xbf" + text.encode()), expected)


@pytest.mark.parametrize("indent", [None, 1, 4])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_json_is_yaml(
    workshop: Workshop, expected: Content, indent: int | None, ascii_only: bool
) -> None:
    document = base(ARTIFACTS)
    # YAML has no surrogate pairs, so what is beyond U+FFFF is written as it is.
    text = json.dumps(document, indent=indent, ensure_ascii=False)
    if ascii_only:
        text = "".join(
            each if ord(each) < 128 or ord(each) > 0xFFFF else f"\\u{ord(each):04x}"
            for each in text
        )
    same(workshop.compile(text), expected)


def test_a_json_file_is_a_root_too(workshop: Workshop, expected: Content) -> None:
    folder = workshop.project({"identity.taskset.json": json.dumps(base(ARTIFACTS))})
    same(workshop.compile_file(folder / "identity.taskset.json", folder), expected)


SETS = sets_of(base(ARTIFACTS))


def test_every_set_of_the_spec_is_shuffled() -> None:
    assert {pointer[-1] for pointer in SETS} == set(SET_FIELDS)


@pytest.mark.parametrize("pointer", SETS, ids=text_of)
def test_the_order_of_a_set_is_no_content(
    workshop: Workshop, expected: Content, pointer: tuple[str | int, ...]
) -> None:
    document = base(ARTIFACTS)
    at(document, pointer).reverse()
    same(workshop.compile(document), expected)


LISTS = [
    pointer
    for pointer, value in nodes(base(ARTIFACTS))
    if isinstance(value, list) and len(value) > 1 and pointer not in SETS
]


def test_every_ordered_list_of_the_spec_is_reversed() -> None:
    assert {pointer[-1] for pointer in LISTS} == {*ORDERED_FIELDS, "scale"}


@pytest.mark.parametrize("pointer", LISTS, ids=text_of)
def test_the_order_of_any_other_list_is_content(
    workshop: Workshop, expected: Content, pointer: tuple[str | int, ...]
) -> None:
    document = base(ARTIFACTS)
    items = at(document, pointer)
    items.append(items.pop(0))
    if items == at(base(ARTIFACTS), pointer):
        items.reverse()
    content = workshop.compile(document)
    assert changed(content, expected) == {pointer[1]}


def changed(content: Content, expected: Content) -> set[str]:
    """Return the keys of the Tasks that differ."""
    assert content.tasks.keys() == expected.tasks.keys()
    return {key for key, data in content.tasks.items() if data != expected.tasks[key]}


DECIMALS = [p for p, value in nodes(base(ARTIFACTS)) if isinstance(value, Dec)]


@pytest.mark.parametrize("pointer", DECIMALS, ids=text_of)
def test_a_decimal_has_one_value(
    workshop: Workshop, expected: Content, pointer: tuple[str | int, ...]
) -> None:
    document = base(ARTIFACTS)
    value = at(document, pointer)
    at(document, pointer[:-1])[pointer[-1]] = "@here@"
    text = json.dumps(document)
    for spelling in decimal_spellings(value):
        same(workshop.compile(text.replace('"@here@"', spelling)), expected)


@pytest.mark.parametrize("spelling", ["3e-1", ".3", "0x1", "3.", "+0.3", "00.3", "0_3"])
@pytest.mark.parametrize("quote", ["", '"'])
def test_other_spellings_of_a_decimal_are_refused(
    workshop: Workshop, spelling: str, quote: str
) -> None:
    text = json.dumps(base(ARTIFACTS)).replace('"-0.5"', quote + spelling + quote)
    with pytest.raises(RefusedError):
        workshop.compile(text)


@pytest.mark.parametrize(
    "pointer",
    [
        ("environments", "desk", "resources", "memory_bytes"),
        ("environments", "desk", "resources", "disk_bytes"),
        ("tasks", "a/forest", "captures", 0, "limits", "max_bytes"),
        ("tasks", "a/forest", "captures", 1, "limits", "max_bytes"),
        ("tasks", "a/forest", "captures", 2, "limits", "max_bytes"),
    ],
    ids=text_of,
)
def test_a_size_has_one_value(
    workshop: Workshop, expected: Content, pointer: tuple[str | int, ...]
) -> None:
    document = base(ARTIFACTS)
    spellings = size_spellings(at(document, pointer))
    assert len(spellings) > 3
    at(document, pointer[:-1])[pointer[-1]] = "@here@"
    # In block style, where a unit needs no quotes.
    text = Writer(Random(6), quoting=("double",)).document(document)
    for spelling in spellings:
        same(workshop.compile(text.replace('"@here@"', spelling)), expected)


def test_an_integer_has_one_value(workshop: Workshop, expected: Content) -> None:
    text = json.dumps(base(ARTIFACTS))
    for old, new in (('"max_turns": 30', '"max_turns": 30.0'), ('"port": 8080', '"port": 8080.0')):
        assert old in text
        same(workshop.compile(text.replace(old, new)), expected)


def test_a_prompt_file_equals_the_same_text(workshop: Workshop, expected: Content) -> None:
    document = base(ARTIFACTS)
    messages = document["tasks"]["a/forest"]["prompt"]
    messages[1] = {"role": "user", "text": FILES["prompts/question.md"]}
    document["tasks"]["b/builtins"]["prompt"] = FILES["prompts/größe.md"]
    same(workshop.compile(document), expected)


@pytest.mark.parametrize(
    "message", [{"file": "prompts/größe.md"}, {"text": FILES["prompts/größe.md"]}]
)
def test_one_user_message_is_a_string(
    workshop: Workshop, expected: Content, message: dict[str, str]
) -> None:
    document = base(ARTIFACTS)
    document["tasks"]["b/builtins"]["prompt"] = [{"role": "user", **message}]
    same(workshop.compile(document), expected)


def test_one_system_message_is_no_string(workshop: Workshop) -> None:
    document = base(ARTIFACTS)
    verifiers = document["tasks"]["plain"]["verifiers"]
    task = {"environment": {"image_ref": "sha256:" + "0" * 64}, "verifiers": verifiers}
    digests = {
        workshop.compile(one_task({**task, "prompt": prompt})).digest
        for prompt in ("x", [{"role": "system", "text": "x"}], [{"role": "user", "text": "x"}])
    }
    assert len(digests) == 2


def test_text_is_never_normalised(workshop: Workshop, expected: Content) -> None:
    text = json.dumps(base(ARTIFACTS), ensure_ascii=False)
    content = workshop.compile(text.replace("ü\\nö", "a\u0308"))
    assert content.digest != workshop.compile(text.replace("ü\\nö", "\u00e4")).digest


def test_names_of_files_are_no_content(workshop: Workshop, expected: Content) -> None:
    names = {name: f"renamed/{index}.bin" for index, name in enumerate(FILES)}
    text = json.dumps(base(ARTIFACTS), ensure_ascii=False)
    for old, new in names.items():
        text = text.replace(f'"file": "{old}"', f'"file": "./renamed/../{new}"')
    same(workshop.compile(text, {new: FILES[old] for old, new in names.items()}), expected)
