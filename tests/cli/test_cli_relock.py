"""`fleet lock`: adding, moving and dropping pins (spec section 5)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli_kit import ARTIFACT, IMAGE, OTHER_IMAGE, Outcome, command, environment, taskset, tree
from jsonschema import Draft202012Validator

from fleet_contracts.cli.building import compile_files
from fleet_contracts.schemas import SCHEMA_FOLDER

CATALOG = "catalog: builtins/v1\nbuiltins:\n"


def catalog(folder: Path, *refs: str, image: str = IMAGE, tools: str = "[bash]") -> Path:
    """Write a catalogue of builtins that are all alike."""
    path = folder / "catalog.yml"
    entry = f"{{image_ref: '{image}', native_tools: {tools}}}"
    listed = "".join(f"  {ref}: {entry}\n" for ref in refs)
    path.write_text(CATALOG + listed if refs else f"{CATALOG.rstrip()} {{}}\n")
    return path


def use(folder: Path, *refs: str) -> None:
    """Let one TaskSet a builtin use it, and nothing else use any."""
    for old in folder.glob("*.taskset.yaml"):
        old.unlink()
    for ref in refs:
        name, _, version = ref.partition("@")
        taskset(folder / f"{name}-{version}.taskset.yaml", environment=f"builtin: {ref}")


def lock(folder: Path, *words: str, code: int = 0) -> Outcome:
    """Run `fleet lock` with the catalogue of the folder."""
    outcome = command(folder, "lock", "--catalog", "catalog.yml", *words)
    assert outcome.code == code, outcome
    return outcome


def pins(folder: Path) -> dict[str, Any]:
    """Return the entries of a lock by reference."""
    document = json.loads((folder / "fleet.lock").read_bytes())
    assert document["schema"] == "fleet.lock.v2"
    return {entry["ref"]: entry for entry in document["builtins"]}


def image(folder: Path, ref: str) -> str:
    value = pins(folder)[ref]["image"]["value"]
    assert isinstance(value, str)
    return value


def stale(folder: Path, *words: str) -> str:
    """Run `fleet lock --check`, which finds the lock stale and writes nothing."""
    before = tree(folder)
    outcome = lock(folder, "--check", *words, code=3)
    assert tree(folder) == before
    assert "error[FLT5006]: " in outcome.out
    assert "(not written)" in outcome.err
    return outcome.out


def test_it_adds_what_any_root_of_the_project_misses(tmp_path: Path) -> None:
    catalog(tmp_path, "a@v1", "b@v1", "c@v1", "d@v1", "e@v1", "f@v1")
    use(tmp_path, "a@v1")
    taskset(tmp_path / "deep" / "er" / "any.yaml", environment="builtin: b@v1")
    (tmp_path / "alone.json").write_text('{"authoring": "environment/v1", "builtin": "c@v1"}')
    (tmp_path / "flow.yml").write_text("{builtin: f@v1, authoring: environment/v1}\n")
    (tmp_path / "tool.environment.yaml").write_text("authoring: environment/v1\nbuiltin: d@v1\n")
    taskset(
        tmp_path / "rows.taskset.yaml",
        head="environments: {shell: {file: tool.environment.yaml}}\n"
        "dataset:\n  - rows: rows.jsonl\n    key: r/${index}\n    task:\n"
        "      environment: {builtin: '${row.b}@v1'}\n      prompt: p\n      verifiers:\n"
        "        - {id: a, type: evaluator, evaluator: {kind: builtin.v1,"
        " builtin_id: answer-equals, params: {expected: '1'}},"
        " decision: {kind: threshold, at_least: 1}}\n",
    )
    (tmp_path / "rows.jsonl").write_text('{"b": "e"}\n')
    for outside in (".hidden", "node_modules"):
        taskset(tmp_path / outside / "x.taskset.yaml", key="WRONG")
    other = taskset(tmp_path / "other" / "x.taskset.yaml", key="WRONG").parent
    (other / "fleet.lock").write_text('{"schema": "fleet.lock.v2", "builtins": []}')
    (tmp_path / "other.yaml").write_text("authoring: {of: [another, kind\n")
    (tmp_path / "text.yaml").write_text("about: |\n  authoring: taskset/v1\n")
    catalog_ = (tmp_path / "catalog.yml").read_text() + f"  terminal@v1: {{image_ref: '{IMAGE}'}}\n"
    (tmp_path / "catalog.yml").write_text(catalog_)
    said = lock(tmp_path)
    refs = ["a@v1", "b@v1", "c@v1", "d@v1", "e@v1", "f@v1", "terminal@v1"]
    assert list(pins(tmp_path)) == refs
    assert said.out == "".join(f"added    {ref}\n" for ref in refs)
    assert said.err.startswith("--- /dev/null\n+++ fleet.lock\n")
    again = lock(tmp_path)
    assert (again.out, again.err) == ("fleet.lock is up to date\n", "")


def test_where_no_builtin_is_used_there_is_no_lock(tmp_path: Path) -> None:
    catalog(tmp_path)
    environment(tmp_path / "a.environment.yaml")
    for words in ([], ["--check"], ["--prune"], ["--upgrade"]):
        assert lock(tmp_path, *words).out == "no builtin is used: no fleet.lock\n"
        assert not (tmp_path / "fleet.lock").exists()


def test_a_compile_of_each_root_then_finds_nothing_to_add(tmp_path: Path) -> None:
    for name in ("a", "b"):
        taskset(tmp_path / name / "same.taskset.yaml")
    taskset(tmp_path / "c.taskset.yaml", environment="builtin: python@v1")
    assert command(tmp_path, "lock", "--project", ".").code == 0
    for file in ("a/same.taskset.yaml", "b/same.taskset.yaml", "c.taskset.yaml"):
        assert command(tmp_path, "check", "--locked", "--frozen", file).code == 2
        assert command(tmp_path, "check", "--locked", file).code == 0


def test_what_it_writes_is_what_compiles_write(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    files = [taskset(tmp_path / "a.taskset.yaml")]
    files.append(taskset(tmp_path / "b.taskset.yaml", environment="builtin: python@v1"))
    for file in files:
        assert command(tmp_path, "compile", file).code == 0
    compiled = (tmp_path / "fleet.lock").read_bytes()
    (tmp_path / "fleet.lock").unlink()
    assert command(tmp_path, "lock").code == 0
    assert (tmp_path / "fleet.lock").read_bytes() == compiled


def test_pins_stay_until_they_are_upgraded(tmp_path: Path) -> None:
    catalog(tmp_path, "a@v1", "b@v1", "c@v1")
    use(tmp_path, "a@v1", "b@v1", "c@v1")
    lock(tmp_path)
    catalog(tmp_path, "a@v1", "b@v1", image=OTHER_IMAGE)
    kept = lock(tmp_path)
    assert kept.out.count("note[FLT5010]") == 2
    assert "`fleet lock --catalog catalog.yml --upgrade a@v1` moves it" in kept.out
    assert kept.out.endswith("fleet.lock is up to date\n")
    lock(tmp_path, "--check")
    assert "a@v1, b@v1 would be moved" in stale(tmp_path, "--upgrade")
    told = stale(tmp_path, "--upgrade", "b@v1")
    assert "b@v1 would be moved" in told
    assert "run `fleet lock --upgrade b@v1 --catalog catalog.yml` and commit" in told
    assert lock(tmp_path, "--upgrade", "b@v1").out.endswith("moved    b@v1\n")
    assert [image(tmp_path, f"{name}@v1") for name in "abc"] == [IMAGE, OTHER_IMAGE, IMAGE]
    assert lock(tmp_path, "--upgrade").out.endswith("moved    a@v1\n")
    assert [image(tmp_path, f"{name}@v1") for name in "abc"] == [OTHER_IMAGE, OTHER_IMAGE, IMAGE]
    assert lock(tmp_path, "--upgrade", "a@v1", "b@v1").out == "fleet.lock is up to date\n"


@pytest.mark.parametrize(
    ("entry", "what"),
    [
        (f"image_ref: '{OTHER_IMAGE}', native_tools: [bash]", "another image"),
        (f"image_ref: '{IMAGE}', native_tools: [bash, sh]", "other native tools"),
        (
            f"image_ref: '{IMAGE}', native_tools: [bash],"
            " endpoints: [{name: web, protocol: http, port: 80}]",
            "other endpoints",
        ),
    ],
)
def test_whatever_differs_is_noted_and_moved(tmp_path: Path, entry: str, what: str) -> None:
    path = catalog(tmp_path, "a@v1")
    use(tmp_path, "a@v1")
    lock(tmp_path)
    path.write_text(f"{CATALOG}  a@v1: {{{entry}}}\n")
    assert f"a@v1 is locked to {IMAGE}, the catalogue has {what}" in lock(tmp_path).out
    assert lock(tmp_path, "--upgrade").out == "moved    a@v1\n"


def test_an_upgrade_with_which_the_project_does_not_compile_is_refused(tmp_path: Path) -> None:
    catalog(tmp_path, "a@v1", tools="[bash, sh]")
    use(tmp_path, "a@v1")
    file = tmp_path / "a-v1.taskset.yaml"
    file.write_text(file.read_text().replace("    prompt:", "    tools: [sh]\n    prompt:"))
    lock(tmp_path)
    before = tree(tmp_path)
    catalog(tmp_path, "a@v1")
    assert "FLT4070" in lock(tmp_path, "--upgrade", code=1).out
    before["catalog.yml"] = (tmp_path / "catalog.yml").read_bytes()
    assert tree(tmp_path) == before
    lock(tmp_path)


def test_pins_that_nothing_uses_stay_until_they_are_pruned(tmp_path: Path) -> None:
    catalog(tmp_path, "a@v1", "b@v1", "c@v1")
    use(tmp_path, "a@v1", "b@v1")
    lock(tmp_path)
    use(tmp_path, "b@v1", "c@v1")
    assert lock(tmp_path).out == "added    c@v1\n"
    assert lock(tmp_path, "--check").out == "fleet.lock is up to date\n"
    assert "a@v1 would be dropped" in stale(tmp_path, "--prune")
    assert lock(tmp_path, "--prune").out == "dropped  a@v1\n"
    assert list(pins(tmp_path)) == ["b@v1", "c@v1"]


def test_everything_at_once(tmp_path: Path) -> None:
    catalog(tmp_path, "a@v1", "b@v1")
    use(tmp_path, "a@v1", "b@v1")
    lock(tmp_path)
    catalog(tmp_path, "a@v1", "b@v1", "c@v1", image=OTHER_IMAGE)
    use(tmp_path, "b@v1", "c@v1")
    told = stale(tmp_path, "--prune", "--upgrade")
    assert "c@v1 would be added; b@v1 would be moved; a@v1 would be dropped" in told
    said = lock(tmp_path, "--prune", "--upgrade").out
    assert said == "added    c@v1\nmoved    b@v1\ndropped  a@v1\n"


def test_an_empty_lock_stays_to_mark_the_root(tmp_path: Path) -> None:
    catalog(tmp_path, "a@v1")
    use(tmp_path, "a@v1")
    lock(tmp_path)
    use(tmp_path)
    lock(tmp_path, "--prune")
    assert (tmp_path / "fleet.lock").read_text() == (
        '{\n  "schema": "fleet.lock.v2",\n  "builtins": []\n}\n'
    )
    assert lock(tmp_path, "--check", "--prune").out == "fleet.lock is up to date\n"


def test_a_first_generation_lock_becomes_the_second_with_the_same_images(tmp_path: Path) -> None:
    catalog(tmp_path, "a@v1", "b@v1", "unused@v1")
    use(tmp_path, "a@v1", "b@v1")
    digest = "sha256:" + "0" * 64
    entries = [
        {"ref": ref, "catalog_entry": digest, "image": {"kind": "image_id", "value": value}}
        for ref, value in [("a@v1", IMAGE), ("old@v1", OTHER_IMAGE), ("unused@v1", OTHER_IMAGE)]
    ]
    text = json.dumps({"schema": "fleet.lock.v1", "builtins": entries})
    (tmp_path / "fleet.lock").write_text(text)
    words = ["check", "--format", "json", "--catalog", "catalog.yml", "a-v1.taskset.yaml"]
    before = command(tmp_path, *words).report["roots"]
    assert before
    told = stale(tmp_path)
    assert "it would become a fleet.lock.v2; b@v1 would be added" in told
    assert "(not written)" in lock(tmp_path, "--check", code=3).err
    assert lock(tmp_path).out == "added    b@v1\n"
    found = pins(tmp_path)
    assert list(found) == ["a@v1", "b@v1", "old@v1", "unused@v1"]
    assert found["a@v1"]["native_tools"] == ["bash"]
    assert found["unused@v1"]["native_tools"] == []
    assert found["old@v1"]["image"]["value"] == OTHER_IMAGE
    assert command(tmp_path, *words).report["roots"] == before
    assert command(tmp_path, *words, "--locked").code == 0


def test_a_first_generation_lock_is_rewritten_even_where_no_pin_changes(tmp_path: Path) -> None:
    catalog(tmp_path)
    (tmp_path / "fleet.lock").write_text('{"schema": "fleet.lock.v1", "builtins": []}')
    assert "it would become a fleet.lock.v2" in stale(tmp_path)
    assert lock(tmp_path).out == "fleet.lock is written anew, with the same pins\n"
    assert pins(tmp_path) == {}


@pytest.mark.parametrize("change", ["minified", "carriage returns", "no last line feed"])
def test_text_that_is_not_canonical_is_put_in_order(tmp_path: Path, change: str) -> None:
    catalog(tmp_path, "a@v1")
    use(tmp_path, "a@v1")
    lock(tmp_path)
    good = (tmp_path / "fleet.lock").read_bytes()
    bad = {
        "minified": json.dumps(json.loads(good)).encode(),
        "carriage returns": good.replace(b"\n", b"\r\n"),
        "no last line feed": good[:-1],
    }[change]
    (tmp_path / "fleet.lock").write_bytes(bad)
    assert "its text would be put in order" in stale(tmp_path)
    lock(tmp_path)
    assert (tmp_path / "fleet.lock").read_bytes() == good


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"schema": "fleet.lock.v3", "builtins": []}', "FLT5003"),
        ("<<<<<<< a\n=======\n>>>>>>> b\n", "FLT5002"),
        ('{"schema": "fleet.lock.v2", "builtins": [], "builtins": []}', "FLT1020"),
        ('{"schema": "fleet.lock.v2"}', "FLT5001"),
    ],
)
def test_a_refused_lock_is_not_mended(tmp_path: Path, text: str, code: str) -> None:
    catalog(tmp_path, "a@v1")
    use(tmp_path, "a@v1")
    (tmp_path / "fleet.lock").write_text(text)
    before = tree(tmp_path)
    for words in ([], ["--check"], ["--upgrade"], ["--prune"]):
        assert f"error[{code}]" in lock(tmp_path, *words, code=1).out
    assert tree(tmp_path) == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty, expected a lock"),
        (" \n\n", "the file is empty, expected a lock"),
        ("[]", "found an empty list, expected the map of a lock"),
        ("null", "found `null`, expected the map of a lock"),
        ('"fleet.lock.v2"', 'found "fleet.lock.v2", expected the map of a lock'),
    ],
)
def test_what_is_no_lock_is_told_as_such(tmp_path: Path, text: str, message: str) -> None:
    catalog(tmp_path, "a@v1")
    use(tmp_path, "a@v1")
    (tmp_path / "fleet.lock").write_text(text)
    out = lock(tmp_path, code=1).out
    assert f"error[FLT5001]: {message}" in out
    assert "restore it from version control, or delete it" in out
    assert out.endswith("1 error\n")
    (tmp_path / "fleet.lock").unlink()
    lock(tmp_path)


def test_an_error_anywhere_stops_it(tmp_path: Path) -> None:
    catalog(tmp_path, "a@v1")
    use(tmp_path, "a@v1")
    taskset(tmp_path / "wrong.taskset.yaml", key="UPPER", environment="builtin: a@v1")
    before = tree(tmp_path)
    for words in ([], ["--prune"], ["--check"]):
        outcome = lock(tmp_path, *words, code=1)
        assert "FLT4001" in outcome.out
        assert "FLT5006" not in outcome.out
    taskset(
        tmp_path / "wrong.taskset.yaml", prompt="{file: nowhere.md}", environment="builtin: a@v1"
    )
    assert "FLT3001" in lock(tmp_path, code=4).out
    (tmp_path / "wrong.taskset.yaml").write_text("authoring: taskset/v1\ntasks: [\n")
    lock(tmp_path, code=1)
    before["wrong.taskset.yaml"] = (tmp_path / "wrong.taskset.yaml").read_bytes()
    assert tree(tmp_path) == before


def test_what_has_nothing_to_do_with_pins_does_not_stop_it(tmp_path: Path) -> None:
    catalog(tmp_path, "a@v1")
    head = f"defaults: {{seed_mounts: [{{artifact: '{ARTIFACT}', path: /data}}]}}\n"
    for name in ("one", "two"):  # of one name, with an Artifact that is nowhere
        taskset(tmp_path / name / "x.taskset.yaml", environment="builtin: a@v1", head=head)
    file = tmp_path / "one" / "x.taskset.yaml"
    file.write_text(f"name: x\n{file.read_text()}")  # and with a warning
    assert lock(tmp_path).out == "added    a@v1\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a@v1"], "error: found 'a@v1', which needs --upgrade before it"),
        (["evals"], "a lock is that of a whole project"),
        (["--upgrade", "gone@v1"], "gone@v1 is not in the catalogue"),
        (["--upgrade", "gnoe@v1"], "did you mean 'gone@v1'?"),
        (["--upgrade", "zzzzzz"], "locked builtins: a@v1, gone@v1"),
        (["--upgrade", "free@v1"], "free@v1 is not locked, and no root uses it"),
        (["--project", "nowhere"], "nowhere"),
    ],
)
def test_wrong_words(tmp_path: Path, words: list[str], message: str) -> None:
    catalog(tmp_path, "a@v1", "gone@v1")
    use(tmp_path, "a@v1", "gone@v1")
    lock(tmp_path)
    catalog(tmp_path, "a@v1", "free@v1")
    before = tree(tmp_path)
    outcome = lock(tmp_path, *words, code=2)
    assert message in outcome.err
    assert tree(tmp_path) == before


def test_a_builtin_that_is_added_may_be_named(tmp_path: Path) -> None:
    catalog(tmp_path, "a@v1")
    use(tmp_path, "a@v1")
    assert lock(tmp_path, "--upgrade", "a@v1").out == "added    a@v1\n"


def test_it_is_found_from_a_folder_inside_the_project(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    taskset(tmp_path / "a.taskset.yaml")
    inside = tmp_path / "deep" / "er"
    inside.mkdir(parents=True)
    assert command(inside, "lock").code == 0
    assert (tmp_path / "fleet.lock").exists()
    elsewhere = tmp_path / "elsewhere"
    taskset(elsewhere / "b.taskset.yaml", environment="builtin: python@v1")
    assert command(tmp_path, "lock", "--project", "elsewhere").out == "added    python@v1\n"
    assert (elsewhere / "fleet.lock").exists()


def test_its_report_as_json(tmp_path: Path) -> None:
    catalog(tmp_path, "a@v1", "b@v1")
    use(tmp_path, "a@v1", "b@v1")
    lock(tmp_path)
    catalog(tmp_path, "a@v1", image=OTHER_IMAGE)
    use(tmp_path, "a@v1")
    outcome = lock(tmp_path, "--upgrade", "--prune", "--format", "json")
    schema = json.loads((SCHEMA_FOLDER / "report" / "report.v1.json").read_bytes())
    Draft202012Validator(schema).validate(outcome.report)
    assert outcome.err == ""
    assert outcome.report["roots"] == []
    assert outcome.report["lock"] == {
        "path": "fleet.lock",
        "added": [],
        "kept": ["a@v1"],
        "moved": ["a@v1"],
        "dropped": ["b@v1"],
        "written": True,
    }
    for form in ("github", "sarif", "junit"):
        lock(tmp_path, "--check", "--format", form)
        use(tmp_path, "a@v1", "b@v1")
        assert "FLT3011" in lock(tmp_path, "--check", "--format", form, code=1).out
        use(tmp_path, "a@v1")


def test_variables_for_compiles_do_not_stop_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalog(tmp_path, "a@v1")
    use(tmp_path, "a@v1")
    for name in ("FLEET_LOCKED", "FLEET_FROZEN"):
        monkeypatch.setenv(name, "1")
    assert lock(tmp_path).out == "added    a@v1\n"


def test_a_lock_that_changes_meanwhile_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catalog(tmp_path, "a@v1", "b@v1")
    use(tmp_path, "a@v1")
    other = '{"schema": "fleet.lock.v2", "builtins": []}'

    def meanwhile(*arguments: Any) -> Any:
        (tmp_path / "fleet.lock").write_text(other)
        return compile_files(*arguments)

    monkeypatch.setattr("fleet_contracts.cli.lock.compile_files", meanwhile)
    outcome = lock(tmp_path, code=4)
    assert "was changed meanwhile, so it was left as it is" in outcome.err
    assert (tmp_path / "fleet.lock").read_text() == other
    assert outcome.out == ""


def test_a_lock_that_cannot_be_written(tmp_path: Path) -> None:
    catalog(tmp_path, "a@v1")
    use(tmp_path, "a@v1")
    (tmp_path / ".fleet.lock.new").mkdir()
    outcome = lock(tmp_path, code=4)
    assert "cannot write" in outcome.err
    assert not (tmp_path / "fleet.lock").exists()
