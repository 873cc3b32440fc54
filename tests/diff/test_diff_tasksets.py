"""TaskSets Task by Task: what came, went, moved and changed, and what that costs."""

from __future__ import annotations

from pathlib import Path

import pytest
from diff_kit import (
    IMAGE,
    LEAF,
    NOWHERE,
    OTHER_IMAGE,
    Shelf,
    blob,
    environment,
    task,
)

from fleet_contracts.canonical import canonical_bytes
from fleet_contracts.diagnostics.text import TextStyle
from fleet_contracts.diff.difference import difference
from fleet_contracts.diff.documents import of_digest, of_task
from fleet_contracts.diff.text import render_text
from fleet_contracts.errors import UnresolvedError, UsageError
from fleet_contracts.models.since import NEWEST
from fleet_contracts.pointer import format_pointer
from fleet_contracts.store import Store, StoreError

TEXT = b"Be strict.\nBe fair.\n"
OTHER_TEXT = b"Be strict.\nBe kind.\n"


def judged(rubric: bytes) -> dict[str, object]:
    evaluator = {"kind": "judge.v1", "rubric": blob(rubric), "model_slot": "judge"}
    return task(verifiers=[{**LEAF, "evaluator": evaluator}])


def test_equal_tasksets_do_not_differ(shelf: Shelf) -> None:
    found = shelf.of_tasks({"one": task()}, {"one": task()})
    assert not found.differs
    assert found.consequence is None
    assert (found.tasks, found.unchanged) == ((), 1)


@pytest.mark.parametrize(
    ("fields", "consequence"),
    [
        ({"prompt": "Why?"}, "rerun"),
        ({"environment": {**NOWHERE, "digest": "sha256:" + "9" * 64}}, "rerun"),
        ({"seed_mounts": [{**NOWHERE, "path": "/data"}]}, "rerun"),
        ({"captures": [{"id": "a", "kind": "file.v1", "path": "a"}]}, "rerun"),
        ({"roster": [{"seat": "a", "role": "a"}]}, "rerun"),
        ({"completion": {"mode": "max_turns", "max_turns": 3}}, "rerun"),
        ({"tools": []}, "rerun"),
        ({"verifiers": [{**LEAF, "id": "other"}]}, "regrade"),
        ({"metadata": {"topic": "numbers"}}, "reuse"),
        ({"schema": "fleet.task.v1alpha2"}, "reuse"),
        ({"metadata": {"a": "b"}, "verifiers": [LEAF, {**LEAF, "id": "two"}]}, "regrade"),
        ({"metadata": {"a": "b"}, "prompt": "Why?"}, "rerun"),
    ],
)
def test_a_task_costs_what_its_most_expensive_field_costs(
    shelf: Shelf, fields: dict[str, object], consequence: str
) -> None:
    change = shelf.of_task(task(), task(**fields))
    assert (change.kind, change.consequence) == ("changed", consequence)
    assert {each.change.pointer[0] for each in change.changes} == fields.keys()


def test_a_text_prompt_is_one_message_beside_a_list(shelf: Shelf) -> None:
    system = {"role": "system", "text": "Be brief."}
    user = {"role": "user", "text": "What is 6 times 7?"}
    new = task(prompt=[system, user], schema="fleet.task.v1alpha4")
    for old, other, kind in ((task(), new, "added"), (new, task(), "removed")):
        first, *rest = sorted(each.change for each in shelf.of_task(old, other).changes)
        assert (format_pointer(first.pointer), first.kind) == ("/prompt/0", kind)
        assert system in (first.old, first.new)
        assert [format_pointer(each.pointer) for each in rest] == ["/schema"]


def test_tasks_that_came_and_went_have_no_consequence(shelf: Shelf) -> None:
    found = shelf.of_tasks(
        {"a": task(), "b": task(prompt="b")}, {"a": task(), "c": task(prompt="c")}
    )
    assert [(each.key, each.kind, each.consequence) for each in found.tasks] == [
        ("b", "removed", None),
        ("c", "added", None),
    ]
    assert (found.count("added"), found.count("removed"), found.unchanged) == (1, 1, 1)
    assert found.consequence is None
    assert found.differs


def test_a_new_key_for_the_same_content_is_a_renaming(shelf: Shelf) -> None:
    found = shelf.of_tasks({"a": task()}, {"b": task()})
    (change,) = found.tasks
    assert (change.key, change.kind, change.old_key, change.consequence) == (
        *("b", "renamed", "a"),
        "reuse",
    )
    assert change.old == change.new


def test_equal_tasks_are_renamed_in_the_order_of_their_keys(shelf: Shelf) -> None:
    found = shelf.of_tasks({"a": task(), "b": task(), "c": task()}, {"x": task(), "y": task()})
    assert [(each.key, each.kind, each.old_key) for each in found.tasks] == [
        ("c", "removed", None),
        ("x", "renamed", "a"),
        ("y", "renamed", "b"),
    ]


def test_two_tasks_that_change_places_have_changed(shelf: Shelf) -> None:
    one, two = task(prompt="1"), task(prompt="2")
    found = shelf.of_tasks({"a": one, "b": two}, {"a": two, "b": one})
    assert [(each.key, each.kind, each.consequence) for each in found.tasks] == [
        ("a", "changed", "rerun"),
        ("b", "changed", "rerun"),
    ]


def test_an_added_task_that_equals_an_old_one_can_use_its_attempts(shelf: Shelf) -> None:
    found = shelf.of_tasks({"a": task()}, {"a": task(), "b": task()})
    (change,) = found.tasks
    assert (change.key, change.kind, change.old_key, change.consequence) == (
        *("b", "added", "a"),
        "reuse",
    )


def test_a_side_that_is_not_there_has_no_tasks(shelf: Shelf) -> None:
    subject = shelf.taskset({"a": task()})
    came, went = difference(None, subject), difference(subject, None)
    assert [each.kind for each in came.tasks] == ["added"]
    assert [each.kind for each in went.tasks] == ["removed"]
    assert came.differs
    assert (went.new_tasks, went.unchanged) == (0, 0)


def test_pages_are_read_like_a_list(shelf: Shelf) -> None:
    many = {f"t/{number:04}": task(prompt=str(number)) for number in range(1100)}
    few = dict(list(many.items())[:900])
    found = difference(shelf.taskset(many), shelf.taskset({**few, "t/0000": task()}))
    assert (found.old_tasks, found.new_tasks) == (1100, 900)
    assert (found.count("changed"), found.count("removed"), found.unchanged) == (1, 200, 899)
    assert [format_pointer(each.change.pointer) for each in found.changes] == ["/schema"]
    assert found.changes[0].consequence == "reuse"


def test_names_and_descriptions_are_presentation(shelf: Shelf) -> None:
    old = shelf.taskset({"a": task()}, description="Old.")
    new = shelf.taskset({"a": task()}, name="big", description="New.", floor="v1alpha4")
    for with_names, wanted in (
        (True, {"/name", "/description", "/task_generation"}),
        (False, {"/description", "/task_generation"}),
    ):
        found = difference(old, new, with_names=with_names)
        assert {format_pointer(each.change.pointer) for each in found.changes} == wanted
        assert found.consequence == "reuse"
        assert not found.tasks
    bare = difference(old, shelf.taskset({"a": task()}))
    assert [(each.change.kind, each.change.old) for each in bare.changes] == [("removed", "Old.")]
    assert bare.differs


def test_the_fields_of_an_environment_stand_below_the_reference(shelf: Shelf) -> None:
    documents = [canonical_bytes(environment(user=user)) for user in ("root", "agent")]
    old, new = (task(environment=blob(each)) for each in documents)
    change = shelf.of_task(old, new, *documents)
    ((found, means),) = change.changes
    assert (format_pointer(found.pointer), found.old, found.new, means) == (
        *("/environment/user", "root", "agent"),
        "rerun",
    )


def test_the_files_of_an_artifact_stand_below_the_mount(shelf: Shelf) -> None:
    documents = [
        canonical_bytes(
            {
                "schema": "fleet.artifact.v1alpha1",
                "entries": {"a/b.txt": {"type": "file", **blob(text)}, "c": {"type": "dir"}},
            }
        )
        for text in (TEXT, OTHER_TEXT)
    ]
    old, new = (task(seed_mounts=[{**blob(each), "path": "/data"}]) for each in documents)
    change = shelf.of_task(old, new, *documents, TEXT, OTHER_TEXT)
    ((found, _),) = change.changes
    assert format_pointer(found.pointer) == "/seed_mounts/~1data/entries/a~1b.txt"
    assert found.lines == ("@@ -1,2 +1,2 @@", " Be strict.", "-Be fair.", "+Be kind.")


def test_text_by_reference_has_a_line_diff(shelf: Shelf) -> None:
    change = shelf.of_task(judged(TEXT), judged(OTHER_TEXT), TEXT, OTHER_TEXT)
    ((found, means),) = change.changes
    assert (format_pointer(found.pointer), means) == (
        "/verifiers/answer/evaluator/rubric",
        "regrade",
    )
    assert (found.old, found.new) == (blob(TEXT), blob(OTHER_TEXT))
    assert found.lines[-2:] == ("-Be fair.", "+Be kind.")


@pytest.mark.parametrize("objects", [(), (b"\xff\x00", b"\xff\x01"), (b"a" * (1 << 20), b"b")])
def test_other_objects_are_told_by_their_digests(shelf: Shelf, objects: tuple[bytes, ...]) -> None:
    one, other = objects or (TEXT, OTHER_TEXT)
    change = shelf.of_task(judged(one), judged(other), *objects)
    ((found, _),) = change.changes
    assert (found.old, found.new, found.lines) == (blob(one), blob(other), ())


def test_documents_of_each_kind_are_compared(shelf: Shelf) -> None:
    image = {"kind": "image_id", "value": OTHER_IMAGE}
    found = difference(
        shelf.other("environment", environment()),
        shelf.other("environment", environment(image=image)),
    )
    ((change, means),) = found.changes
    assert (format_pointer(change.pointer), change.old, change.new) == (
        *("/image/value", IMAGE),
        OTHER_IMAGE,
    )
    assert means == found.consequence == "rerun"
    artifacts = [
        shelf.other("artifact", {"schema": "fleet.artifact.v1alpha1", "entries": entries})
        for entries in ({"a": {"type": "dir"}}, {"b": {"type": "dir"}})
    ]
    assert difference(*artifacts).consequence == "rerun"


def test_a_task_is_found_by_key_and_by_digest(shelf: Shelf) -> None:
    old, new = shelf.taskset({"a": task()}), shelf.taskset({"a": task(prompt="Why?")})
    one = of_task(old, "a")
    found = difference(
        one, of_digest(Store.open(new.store.directory), of_task(new, "a").document.digest)
    )
    assert [format_pointer(each.change.pointer) for each in found.changes] == ["/prompt"]
    assert found.consequence == "rerun"
    assert of_digest(Store.open(old.store.directory), old.document.digest).document == old.document


def test_what_cannot_be_compared_is_refused(shelf: Shelf) -> None:
    taskset = shelf.taskset({"a": judged(TEXT)}, TEXT)
    other = shelf.other("environment", environment())
    with pytest.raises(UsageError, match="a TaskSet cannot be compared with an Environment"):
        difference(taskset, other)
    with pytest.raises(UsageError, match="no Task 'b'"):
        of_task(taskset, "b")
    with pytest.raises(UsageError, match="only a TaskSet has Tasks"):
        of_task(other, "b")
    with pytest.raises(UsageError, match="is no document that can be compared"):
        of_digest(Store.open(taskset.store.directory), blob(TEXT)["digest"])
    with pytest.raises(UsageError, match="is no document that can be compared"):
        of_digest(Store.open(taskset.store.directory), str(NOWHERE["digest"]))


@pytest.mark.parametrize("document", [task(prompt=1), task(more="x"), environment()])
def test_documents_that_break_their_schema_are_refused(
    shelf: Shelf, document: dict[str, object]
) -> None:
    with pytest.raises(StoreError, match="not what it should be"):
        shelf.of_tasks({"a": document}, {"a": task()})


def test_documents_of_a_newer_generation_are_refused(shelf: Shelf) -> None:
    newer = task(schema=f"fleet.task.v1alpha{NEWEST + 1}")
    with pytest.raises(UnresolvedError, match="which this release does not know"):
        shelf.of_tasks({"a": newer}, {"a": task()})


def test_a_missing_task_is_missed(shelf: Shelf, tmp_path: Path) -> None:
    old, new = shelf.taskset({"a": task()}), shelf.taskset({"a": task(prompt="x")})
    for path in (tmp_path / "store1" / "blobs" / "sha256").iterdir():
        if path.read_bytes().startswith(b"[["):
            path.unlink()
    with pytest.raises(StoreError, match="lacks the blob"):
        difference(old, new)


def test_tasks_that_changed_alike_are_told_once(shelf: Shelf) -> None:
    old = {f"t/{number:02}": task(prompt=str(number)) for number in range(12)}
    new = {key: {**each, "metadata": {"a": "b"}} for key, each in old.items()}
    new["t/00"] = task(prompt="other")
    found = difference(shelf.taskset(old), shelf.taskset({**new, "zero": task(prompt="\x1b[0m")}))
    lines = list(render_text(found, ("a", "b\n"), TextStyle(colours=False, shown=str)))
    named = ", ".join(f"t/{number:02}" for number in range(1, 11))
    assert [line for line in lines if line.startswith(("rerun", "reuse", "added"))] == [
        "rerun    t/00",
        f"reuse    11 Tasks alike: {named} and 1 more",
        "added    zero",
    ]
    assert lines[-1] == "13 Tasks: 1 to rerun, 11 to reuse, 1 added"
    assert all(line.isprintable() for line in lines)
