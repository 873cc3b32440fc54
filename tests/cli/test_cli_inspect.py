"""`fleet inspect`: what is in a store, as text, data and graphs (spec section 3)."""

from __future__ import annotations

import json
import os
import shutil
import stat
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from cli_kit import command, environment, process, start, taskset, tree
from click.shell_completion import ShellComplete

from fleet_contracts import schemas, validate
from fleet_contracts.canonical import canonical_bytes, digest
from fleet_contracts.cli.main import fleet
from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.inspecting.branches import ASCII, BOXES
from fleet_contracts.reading.yaml import read_yaml
from fleet_contracts.source import Source
from fleet_contracts.store import Entry, Root, Store, Transaction, publish_artifact
from tools.bench_data import write_taskset

CHECKOUT = Path(__file__).resolve().parents[2]
FIXTURES = CHECKOUT / "fixtures" / "compile" / "ok"
GOLDEN = Path(__file__).parent / "golden" / "inspect"
SCHEMA = "report/inspection.v1.json"
CASES = {"gate": "07", "program": "08", "watch": "09", "snapshot": "10", "chat": "04"}
"""Names of roots, and the generation whose fixture they are."""

SHOWN = {
    "store": (),
    "taskset": ("watch",),
    "task-mounts": ("tasks#mount",),
    "task-messages": ("chat#one",),
    "task-metrics": ("gate#one",),
    "task-programs": ("program#one",),
    "task-captures": ("watch#one",),
    "task-seat": ("watch#seat",),
    "task-snapshot": ("snapshot#one",),
    "artifact": ("colours",),
    "environment": ("box",),
    "task.json": ("watch#composite", "--format", "json"),
    "task.yaml": ("program#one", "--format", "yaml"),
    "store.json": ("--format", "json"),
    "graph.mermaid": ("program#one", "--graph", "mermaid"),
    "graph.dot": ("program#one", "--graph", "dot"),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose store has roots of every kind and Tasks of many generations."""
    folder = tmp_path_factory.mktemp("project")
    shutil.copytree(FIXTURES / "generation-05" / "input", folder, dirs_exist_ok=True)
    (folder / "store").rename(folder / ".fleet")
    for name, number in CASES.items():
        shutil.copytree(FIXTURES / f"generation-{number}" / "input", folder / name)
        (folder / name / "tasks.taskset.yaml").rename(folder / name / f"{name}.taskset.yaml")
    environment(folder / "box.environment.yaml", head="description: A box.\nworkdir: /work\n")
    assert command(folder, "compile", ".", "--project", ".").code == 0
    return folder


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose TaskSet `bench` has 1,200 Tasks in pages."""
    folder = tmp_path_factory.mktemp("many")
    assert command(folder, "compile", write_taskset(folder, 1_200)).code == 0
    return folder


def data(folder: Path, *words: str) -> Any:
    """Return the machine form, which keeps to its schema."""
    outcome = command(folder, "inspect", "--format", "json", *words)
    assert (outcome.code, outcome.err) == (0, "")
    assert validate.is_valid(SCHEMA, outcome.report)
    return outcome.report


def refused(folder: Path, *words: str) -> tuple[int, str]:
    outcome = command(folder, "inspect", *words)
    assert outcome.out == ""
    return outcome.code, outcome.err


def unlike(digits: str) -> str:
    """Return another hex digit than the last one."""
    return "0" if digits[-1] != "0" else "1"


@pytest.mark.parametrize("name", SHOWN)
def test_what_is_shown(name: str, project: Path) -> None:
    outcome = command(project, "inspect", *SHOWN[name])
    assert (outcome.code, outcome.err) == (0, "")
    path = GOLDEN / (name if "." in name else f"{name}.txt")
    if os.environ.get("FLEET_GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(outcome.out, encoding="utf-8")
    assert outcome.out == path.read_text(encoding="utf-8")


def test_nothing_is_changed_by_looking(project: Path) -> None:
    before = tree(project)
    for words in SHOWN.values():
        command(project, "inspect", *words)
    assert tree(project) == before


def test_a_root_a_task_and_a_digest_name_the_same_thing(project: Path) -> None:
    root = data(project, "watch")
    task = next(each for each in root["tasks"] if each["key"] == "one")
    assert data(project, root["digest"]) == root
    found = data(project, "watch#one")
    assert found["digest"] == task["digest"]
    assert data(project, f"{root['digest']}#one") == found
    assert data(project, f"{root['digest'][7:19]}#one") == found
    assert data(project, task["digest"]) == found
    assert data(project, task["digest"].removeprefix("sha256:")[:12].upper()) == found
    assert found["places"] == [{"name": "watch", "taskset": root["digest"], "key": "one"}]


def test_every_object_and_carrier_can_be_looked_at(project: Path) -> None:
    store = Store.open(project / ".fleet")
    digests = {digest for root in store.roots for digest in store.closure(root)}
    digests |= {f"sha256:{path.name}" for path in (project / ".fleet/blobs/sha256").iterdir()}
    kinds = {}
    for each in sorted(digests):
        found = data(project, each)
        kinds[each] = found["kind"]
        assert found["digest"] == each
        assert command(project, "inspect", each).code == 0
        text = command(project, "inspect", each, "--format", "yaml").out
        document = read_yaml(Source("a.yaml", text), Bag())
        assert document is not None
        assert document.value == found
    wanted = {"taskset", "task", "environment", "artifact", "blob", "pack", "manifest"}
    assert set(kinds.values()) == wanted


def test_the_machine_form_has_documents_and_node_digests(project: Path) -> None:
    found = data(project, "watch#composite")
    document = found["document"]
    assert digest(canonical_bytes(document)) == found["digest"]
    top = document["verifiers"][0]
    nodes = [(node["path"], node["digest"]) for node in found["verifiers"]]
    assert nodes == [
        ("overall", digest(canonical_bytes(top))),
        ("overall/answer", digest(canonical_bytes(top["children"][0]["node"]))),
    ]
    environment = found["environment"]
    assert digest(canonical_bytes(environment["document"])) == environment["digest"]


def test_long_lists_are_cut_short_in_text_only(many: Path) -> None:
    short = command(many, "inspect", "bench").out.splitlines()
    assert short[-1] == "    └── … 1,180 more; --all"
    assert "└── Tasks: 1,200 in " in "\n".join(short)
    whole = command(many, "inspect", "bench", "--all").out.splitlines()
    assert len(whole) == len(short) - 1 + 1_180
    found = data(many, "bench")
    assert len(found["tasks"]) == found["task_count"] == 1_200
    keys = [task["key"] for task in found["tasks"]]
    assert keys == sorted(keys)
    assert whole[-1].split()[1:3] == [keys[-1], found["tasks"][-1]["digest"][:19]]


def test_long_prompts_are_cut_short_and_whole_with_all(tmp_path: Path) -> None:
    lines = [f"line {number} {'x' * 120}" for number in range(30)]
    prompt = "|\n      " + "\n      ".join(lines)
    command(tmp_path, "compile", taskset(tmp_path / "a.taskset.yaml", prompt=prompt))
    cut = command(tmp_path, "inspect", "a#one").out
    assert "… 10 more; --all" in cut
    assert lines[0] not in cut
    whole = command(tmp_path, "inspect", "a#one", "--all").out
    assert all(line in whole for line in lines)


def test_long_values_are_cut_short_and_whole_with_all(tmp_path: Path) -> None:
    words = " ".join(f"w{number}" for number in range(100))
    head = f"description: {words}\n"
    file = environment(tmp_path / "box.environment.yaml", head=f"{head}env:\n  A: {words}\n")
    assert command(tmp_path, "compile", file).code == 0
    cut = command(tmp_path, "inspect", "box").out
    assert words not in cut
    assert cut.count("…\n") == 2
    assert command(tmp_path, "inspect", "box", "--all").out.count(words) == 2


def test_a_page_and_a_task_of_it_are_found(many: Path) -> None:
    root = Store.open(many / ".fleet").roots[0]
    document = json.loads(command(many, "cat", root.document.digest).out)
    for page in document["pages"]:
        found = data(many, page["digest"])
        assert found["kind"] == "taskset_page"
        assert len(found["tasks"]) == page["count"]
        assert data(many, f"bench#{page['first']}")["digest"] == found["tasks"][0]["digest"]
        assert data(many, f"bench#{page['last']}")["digest"] == found["tasks"][-1]["digest"]


def test_a_task_of_several_tasksets_has_all_its_places(tmp_path: Path) -> None:
    files = [taskset(tmp_path / f"{name}.taskset.yaml", key=name) for name in ("a", "b")]
    assert command(tmp_path, "compile", *files).code == 0
    found = data(tmp_path, data(tmp_path, "a#a")["digest"])
    assert [(place["name"], place["key"]) for place in found["places"]] == [("a", "a"), ("b", "b")]
    assert len(data(tmp_path, "a#a")["places"]) == 1


@pytest.mark.parametrize(
    ("word", "help"),
    [
        ("wach", "did you mean watch?"),
        ("wach#one", "did you mean watch#one?"),
        ("composite", "did you mean watch#composite?"),
        ("spaceship", "name one of box, chat, colours, gate, program, snapshot, tasks, watch"),
        ("abcdef", "give at least 8 hex digits of a digest"),
        ("watch#compsite", "did you mean watch#composite?"),
        ("watch#spaceship", "`fleet inspect watch` lists its Tasks"),
        ("watch#", "`fleet inspect watch` lists its Tasks"),
        ("0" * 64, "`fleet inspect` lists the roots of the store"),
    ],
)
def test_what_is_not_there_is_told_with_what_was_meant(word: str, help: str, project: Path) -> None:
    code, said = refused(project, word)
    assert code == 4
    assert said.splitlines()[1] == f"  = help: {help}"


def test_a_mistyped_digest_is_recognised(project: Path) -> None:
    right = data(project, "watch")["digest"]
    code, said = refused(project, right[:-1] + unlike(right))
    assert code == 4
    assert f"did you mean {right}?" in said
    assert f"did you mean {right}?" in refused(project, right[:8] + unlike(right[8]) + right[9:])[1]


@pytest.mark.parametrize("word", ["sha256:abcdef0", "sha256:", "sha256:xyz", "sha256:" + "0" * 65])
def test_what_says_it_is_a_digest_and_is_none_is_wrong_usage(word: str, project: Path) -> None:
    code, said = refused(project, word)
    assert code == 2
    assert "write sha256: and 8 to 64 hex digits" in said


def test_only_a_taskset_has_tasks(project: Path) -> None:
    assert refused(project, "box#one")[0] == 2
    task = data(project, "watch#one")["digest"]
    code, said = refused(project, f"{task}#one")
    assert code == 2
    assert "only a TaskSet has Tasks" in said


def test_an_ambiguous_digest_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = tmp_path / ".fleet"
    blobs = [b"blob %d" % number for number in range(300)]
    with Transaction.begin(store) as transaction:
        entries: dict[str, Entry] = {f"f{index}": blob for index, blob in enumerate(blobs)}
        publish_artifact(transaction, "many", entries)
        transaction.commit()
    starts = Counter(digest(blob)[7:9] for blob in blobs)
    digits, count = starts.most_common(1)[0]
    near = Store.open(store).starting(digits)
    assert [ref.digest for ref in near] == sorted(ref.digest for ref in near)
    assert len(near) >= count > 1
    monkeypatch.setattr("fleet_contracts.inspecting.finding.LEAST_DIGITS", 2)
    code, said = refused(tmp_path, digits)
    assert code == 2
    assert all(ref.digest in said for ref in near[:10])
    assert "give more of its hex digits" in said


def test_the_name_of_a_root_comes_before_a_digest(tmp_path: Path) -> None:
    command(tmp_path, "compile", taskset(tmp_path / "a.taskset.yaml"))
    digits = data(tmp_path, "a")["tasks"][0]["digest"][7:15]
    command(tmp_path, "compile", environment(tmp_path / f"{digits}.environment.yaml"))
    assert data(tmp_path, digits)["kind"] == "environment"
    assert data(tmp_path, f"sha256:{digits}")["kind"] == "task"


def test_a_document_with_two_names_has_both(tmp_path: Path) -> None:
    files = [environment(tmp_path / f"{name}.environment.yaml") for name in ("a", "b")]
    assert command(tmp_path, "compile", *files).code == 0
    assert [root["name"] for root in data(tmp_path, "a")["roots"]] == ["a", "b"]
    shown = command(tmp_path, "inspect", "a").out
    assert "├── Environment a\n" in shown
    assert "└── Environment b\n" in shown or "├── Environment b\n" in shown


def test_an_artifact_lists_files_links_folders_and_what_was_removed(tmp_path: Path) -> None:
    entries: dict[str, Entry] = {
        "run\x1b[31m.sh": b"#!/bin/sh\n",
        "empty": ("dir",),
        "link": ("symlink", "run.sh"),
        **{f"file-{index:02}": b"x" for index in range(30)},
    }
    with Transaction.begin(tmp_path / ".fleet") as transaction:
        more: dict[str, Any] = {"executable": ["run\x1b[31m.sh"], "removed": ["gone"]}
        publish_artifact(transaction, "diff", entries, description="A change.", **more)
        transaction.commit()
    shown = command(tmp_path, "inspect", "diff", "--all").out
    assert "├── description: A change.\n" in shown
    assert "── entries: 31 files, 40 bytes\n" in shown
    assert "── empty/\n" in shown
    assert "── link -> run.sh\n" in shown
    assert "── run\\x1b[31m.sh  sha256:" in shown
    assert ", executable\n" in shown
    assert "└── removed: 1\n    └── gone\n" in shown
    assert "… 13 more; --all" in command(tmp_path, "inspect", "diff").out
    assert len(data(tmp_path, "diff")["document"]["entries"]) == 33


def test_bytes_that_are_no_text_are_not_shown(tmp_path: Path) -> None:
    entries: dict[str, Entry] = {"a": b"\xff\x00", "b": b"", "c": b"one\n\x1b[2Jtwo\n"}
    with Transaction.begin(tmp_path / ".fleet") as transaction:
        publish_artifact(transaction, "blobs", entries)
        transaction.commit()
    binary = command(tmp_path, "inspect", digest(b"\xff\x00"))
    assert "└── bytes: 2, not shown" in binary.out
    assert data(tmp_path, digest(b"\xff\x00"))["text"] is False
    assert "└── text: 0 bytes\n" in command(tmp_path, "inspect", digest(b"")).out
    text = command(tmp_path, "inspect", digest(b"one\n\x1b[2Jtwo\n")).out
    assert "        one\n        \\x1b[2Jtwo\n" in text


def test_a_blob_that_only_looks_like_a_document_is_a_blob(tmp_path: Path) -> None:
    likely = b'{"schema":"fleet.task.v1alpha1","prompt":7}'
    newer = b'{"schema":"fleet.task.v2"}'
    with Transaction.begin(tmp_path / ".fleet") as transaction:
        publish_artifact(transaction, "blobs", {"a": likely, "b": newer})
        transaction.commit()
    assert data(tmp_path, digest(likely))["kind"] == "blob"
    code, said = refused(tmp_path, digest(newer))
    assert code == 4
    assert "is a fleet.task.v2, which this release does not know" in said


def test_a_root_of_an_unknown_generation_is_listed_and_not_guessed_at(tmp_path: Path) -> None:
    document = b'{"schema":"fleet.taskset.v1alpha9"}'
    with Transaction.begin(tmp_path / ".fleet") as transaction:
        ref = transaction.put(document)
        transaction.add_root(Root("taskset", "v1alpha9", "future", None, ref))
        transaction.commit()
    assert "TaskSet future" in command(tmp_path, "inspect").out
    assert data(tmp_path)["roots"][0]["task_count"] is None
    assert refused(tmp_path, "future")[0] == 4
    assert refused(tmp_path, "future#one")[0] == 4


@pytest.mark.parametrize("levels", [32, 200, 3_000])
def test_a_blob_nested_without_end_is_no_mistake_of_ours(levels: int, tmp_path: Path) -> None:
    evaluator = '{"kind":"builtin.v1","builtin_id":"constant","params":{}}'
    node = f'{{"type":"evaluator","id":"a","evaluator":{evaluator}}}'
    start = (
        '{"type":"composite","id":"c","aggregation":{"kind":"min"},'
        '"decision":{"kind":"threshold","at_least":"1"},"children":[{"id":"e","node":'
    )
    node = start * (levels - 1) + node + "}]}" * (levels - 1)
    blob = f'{{"schema":"fleet.verifier.v1alpha1","node":{node}}}'.encode()
    with Transaction.begin(tmp_path / ".fleet") as transaction:
        publish_artifact(transaction, "blobs", {"a": blob})
        transaction.commit()
    for form in ("text", "json", "yaml"):
        outcome = command(tmp_path, "inspect", digest(blob), "--format", form)
        assert outcome.code in ((0,) if levels == 32 else (0, 4))
        assert outcome.code == 0 or "nested too deeply to be shown" in outcome.err
    drawn = command(tmp_path, "inspect", digest(blob), "--graph", "dot")
    assert drawn.code in ((0,) if levels == 32 else (0, 2, 4))


def put_taskset(store: Path, name: str, tasks: Any, *objects: bytes) -> None:
    content = {"schema": "fleet.taskset.v1alpha1", "task_generation": "v1alpha1", "tasks": tasks}
    with Transaction.begin(store) as transaction:
        first = transaction.put(canonical_bytes(content))
        common = [transaction.put(each) for each in objects]
        transaction.add_root(Root("taskset", "v1alpha1", name, None, first, (), common))
        transaction.commit()


def test_a_taskset_whose_tasks_are_none_is_corrupt(tmp_path: Path) -> None:
    other = b'{"schema":"fleet.environment.v1alpha1"}'
    named = {"one": {"digest": digest(other), "size": len(other)}}
    put_taskset(tmp_path / "shapeless", "a", {"one": 7})
    put_taskset(tmp_path / "missing", "a", named)
    put_taskset(tmp_path / "other", "a", named, other)
    said = {}
    for store in ("shapeless", "missing", "other"):
        code, said[store] = refused(tmp_path, "-o", store, "a#one")
        assert code == 1
        assert command(tmp_path, "inspect", "-o", store).code == (store == "shapeless")
    assert "error[FLT6001]: the TaskSet sha256:" in said["shapeless"]
    assert f"error[FLT6001]: the store lacks the Task {digest(other)} of a\n" in said["missing"]
    assert f"error[FLT6001]: {digest(other)}, a Task of a, is something else" in said["other"]
    assert command(tmp_path, "cat", "-o", "missing", "a#one").code == 1


def test_a_corrupt_store_is_told_like_a_diagnostic(project: Path, tmp_path: Path) -> None:
    shutil.copytree(project / ".fleet", tmp_path / ".fleet")
    manifest = data(project, "watch")["roots"][0]["manifest"]
    blob = tmp_path / ".fleet" / "blobs" / "sha256" / manifest[7:]
    blob.chmod(blob.stat().st_mode | stat.S_IWUSR)
    blob.write_bytes(blob.read_bytes().replace(b"2", b"3", 1))
    code, said = refused(tmp_path, "watch")
    assert code == 1
    assert said.startswith(f".fleet/blobs/sha256/{manifest[7:]}: error[FLT6001]: ")
    assert "\n  = help: " in said


@pytest.mark.parametrize("words", [("watch",), ("box",), (), ("colours",)])
def test_only_verifiers_are_drawn(words: tuple[str, ...], project: Path) -> None:
    code, said = refused(project, *words, "--graph", "dot")
    assert code == 2
    assert "name a Task as ROOT#KEY" in said


def test_a_graph_is_no_format(project: Path) -> None:
    assert refused(project, "gate#one", "--graph", "dot", "--format", "json")[0] == 2


def test_the_store_is_that_of_compile(project: Path, tmp_path: Path) -> None:
    (tmp_path / "fleet.lock").write_text("")
    below = tmp_path / "deep" / "er"
    below.mkdir(parents=True)
    code, said = refused(below)
    assert code == 4
    assert said == (
        f"error: there is no store at {tmp_path / '.fleet'}\n"
        "  = help: `fleet compile` makes one; -o DIR names another\n"
    )
    shutil.copytree(project / ".fleet", tmp_path / ".fleet")
    found = data(below)
    assert found["path"] == str(tmp_path / ".fleet")
    assert data(tmp_path, "--project", str(project))["roots"] == found["roots"]
    assert data(tmp_path, "-o", str(project / ".fleet"))["path"] == str(project / ".fleet")
    assert data(tmp_path)["path"] == ".fleet"


def test_narrow_encodings_get_ascii(project: Path) -> None:
    outcome = process(project, "inspect", "watch", env={"PYTHONIOENCODING": "ascii"})
    wide = command(project, "inspect", "watch").out
    assert outcome.out.isascii()
    for box, plain in zip(BOXES, ASCII, strict=True):
        wide = wide.replace(box, plain)
    assert outcome.out == wide


def test_a_reader_that_leaves_is_no_mistake(many: Path) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    ended = start(many, "inspect", "bench", "--all", stdout=theirs, stderr=-1)
    os.close(theirs)
    assert ended.communicate(timeout=60)[1] == b""
    assert ended.returncode == 141


def test_names_of_roots_are_completed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    shell = ShellComplete(fleet, {}, "fleet", "_FLEET_COMPLETE")
    names = [item.value for item in shell.get_completions(["inspect"], "")]
    assert names == ["box", "chat", "colours", "gate", "program", "snapshot", "tasks", "watch"]
    assert [item.value for item in shell.get_completions(["cat"], "wa")] == ["watch"]
    assert shell.get_completions(["inspect", "-o", "nowhere"], "wa") == []


def test_the_schema_is_shipped() -> None:
    assert SCHEMA in schemas.schema_paths()
