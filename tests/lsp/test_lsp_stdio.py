"""`fleet lsp` as editors start it; most tests share one server, each in a project of its own."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsp_kit import INCLUDED, TASKS, FleetClient, applied, told

from stdio_kit import covered, position

COMPOSITE = """\
authoring: taskset/v1
environments:
  shell: {builtin: terminal@v1}
tasks:
  one:
    prompt: How many?
    environment: shell
    verifiers:
      - id: top
        type: composite
        children:
          - id: only
            node:
              id: answer
              type: evaluator
              evaluator: {kind: builtin.v1, builtin_id: answer-equals, params: {expected: "2"}}
              decision: {kind: threshold, at_least: 1}
        aggregation: {kind: min}
        decision: {kind: threshold, at_least: 1}
"""
VERIFIER = """\
authoring: verifier/v1
node:
  id: answer
  type: evaluator
  evaluator: {kind: builtin.v1, builtin_id: answer-equals, params: {expected: "2"}}
  decision: {kind: threshold, at_least: 1}
"""
ENVIRONMENT = "authoring: environment/v1\nimage_ref: sha256:" + "1" * 64 + "\n"
ROOT = TASKS.replace("environments:", "include: ['*.tasks.yaml']\nenvironments:")
CHANGED = "workspace/didChangeWatchedFiles"


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FleetClient]:
    folder = tmp_path_factory.mktemp("workspace").resolve()
    with FleetClient(folder) as client:
        yield client


@pytest.fixture
def folder(editor: FleetClient) -> Path:
    """A project of its own inside the workspace."""
    return Path(tempfile.mkdtemp(dir=editor.folder))


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_it_says_what_it_can_do(editor: FleetClient) -> None:
    able = editor.server["capabilities"]
    assert able["textDocumentSync"]["openClose"]
    assert able["textDocumentSync"]["change"] == 1
    assert able["positionEncoding"] == "utf-16"
    assert able["definitionProvider"]
    assert able["codeActionProvider"]["codeActionKinds"] == ["quickfix", "source.fixAll.fleet"]
    assert editor.server["serverInfo"]["name"] == "fleet"


def test_mistakes_come_and_go_with_edits(editor: FleetClient, folder: Path) -> None:
    path = write(folder / "a.taskset.yaml", TASKS)
    editor.open(path)
    assert editor.diagnostics(path) == []
    wrong = TASKS.replace("environment: shell", "environment: shel")
    editor.change(path, wrong)
    (found,) = editor.diagnostics(path)
    assert (found["code"], found["severity"], found["source"]) == ("FLT3010", 1, "fleet")
    assert covered(wrong, found["range"]) == "shel"
    assert found["message"].startswith("no Environment 'shel' in `environments`, only 'shell'\n")
    assert found["data"] == {"fix": {"old": "shel", "new": "shell"}}
    editor.change(path, TASKS)
    assert editor.diagnostics(path) == []


def test_only_the_last_of_many_edits_counts(editor: FleetClient, folder: Path) -> None:
    path = folder / "a.taskset.yaml"
    editor.open(path, TASKS)
    for number in range(30):
        editor.change(path, TASKS.replace("shell\n", f"shel{number}\n"))
    assert "'shel29'" in editor.diagnostics(path)[0]["message"]


@pytest.mark.parametrize(
    ("offered", "chosen", "codec", "size"),
    [
        (["utf-8", "utf-16"], "utf-8", "utf-8", 1),
        (["ebcdic", "utf-32"], "utf-32", "utf-32-le", 4),
    ],
)
def test_client_and_server_agree_on_the_units_of_columns(
    tmp_path: Path, offered: list[str], chosen: str, codec: str, size: int
) -> None:
    path = tmp_path.resolve() / "a.taskset.yaml"
    before = 'environments: {"ok": {builtin: 😀é}, '
    text = f'authoring: taskset/v1\n{before}"é😀": {{builtin: x}}}}\ntasks: {{}}\n'
    able = {
        "general": {"positionEncodings": offered},
        "textDocument": {"definition": {"linkSupport": True}},
    }
    with FleetClient(path.parent, capabilities=able) as own:
        assert own.server["capabilities"]["positionEncoding"] == chosen
        own.open(path, text)
        spans = [each["range"] for each in own.diagnostics(path)]
        own.change(path, TASKS.replace("How many?", "😀"))
        place = position(TASKS, "environment: shell", 15)
        (link,) = own.at("textDocument/definition", path, place)
        assert covered(TASKS, link["originSelectionRange"]) == "shell"
        assert covered(TASKS, link["targetSelectionRange"]) == "shell"
    start = len(before.encode(codec)) // size
    end = start + len('"é😀"'.encode(codec)) // size
    assert {"start": {"line": 1, "character": start}, "end": {"line": 1, "character": end}} in spans


def test_what_the_editor_cannot_take_is_not_sent(tmp_path: Path) -> None:
    path = tmp_path.resolve() / "a.taskset.yaml"
    wrong = TASKS.replace("environment: shell", "environment: shel")
    with FleetClient(path.parent, capabilities={}) as own:
        own.open(path, wrong)
        (found,) = own.diagnostics(path)
        assert set(found) == {"range", "message", "severity", "code", "source"}
        (fix, _) = own.actions(path, wrong, "shel\n")
        (edits,) = fix["edit"].values()
        assert [each["newText"] for each in edits[path.as_uri()]] == ["shell"]
        assert own.registered == []


def test_a_fix_is_offered_and_mends_the_text(editor: FleetClient, folder: Path) -> None:
    path = folder / "a.taskset.yaml"
    wrong = TASKS.replace("environment: shell", 'environment: "shel"')
    editor.open(path, wrong)
    editor.diagnostics(path)
    assert editor.actions(path, wrong, "prompt", "quickfix") == []
    (fix,) = editor.actions(path, wrong, 'shel"', "quickfix")
    assert (fix["title"], fix["isPreferred"]) == ('Replace by "shell"', True)
    assert [each["code"] for each in fix["diagnostics"]] == ["FLT3010"]
    (change,) = fix["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": path.as_uri(), "version": 1}
    mended = applied(wrong, fix)
    assert mended == TASKS.replace("environment: shell", 'environment: "shell"')
    editor.change(path, mended)
    assert editor.diagnostics(path) == []


def test_one_action_applies_every_fix(editor: FleetClient, folder: Path) -> None:
    path = folder / "a.taskset.yaml"
    second = TASKS[TASKS.index("  one:") :].replace("one:", "two:")
    right = TASKS + second
    wrong = right.replace("environment: shell", "environment: shel")
    editor.open(path, wrong)
    editor.diagnostics(path)
    (action,) = editor.actions(path, wrong, "authoring", "source")
    assert action["kind"] == "source.fixAll.fleet"
    assert applied(wrong, action) == right


def test_a_fix_that_an_edit_has_overtaken_is_not_offered(editor: FleetClient, folder: Path) -> None:
    path = folder / "a.taskset.yaml"
    wrong = TASKS.replace("environment: shell", "environment: shel")
    editor.open(path, wrong)
    editor.diagnostics(path)
    editor.change(path, "# moved\n" + wrong)
    assert editor.actions(path, wrong, "shel\n", "quickfix") == []
    assert [each["range"]["start"]["line"] for each in editor.diagnostics(path)] == [7]


def test_a_warning_is_suppressed_by_an_action(editor: FleetClient, folder: Path) -> None:
    path = folder / "a.taskset.yaml"
    editor.open(path, COMPOSITE)
    (found,) = editor.diagnostics(path)
    assert (found["code"], found["severity"]) == ("FLT4082", 2)
    place = COMPOSITE.split("\n")[found["range"]["start"]["line"]].strip()
    (action,) = editor.actions(path, COMPOSITE, place.removeprefix("- "), "quickfix")
    assert action["title"] == "Ignore FLT4082 here"
    quiet = applied(COMPOSITE, action)
    assert f"{place}  # fleet: ignore FLT4082\n" in quiet
    editor.change(path, quiet)
    assert editor.diagnostics(path) == []
    unused = TASKS.replace("one:", "one: # fleet: ignore FLT4082")
    editor.change(path, unused)
    (found,) = editor.diagnostics(path)
    assert (found["code"], found["severity"], found["tags"]) == ("FLT1060", 2, [1])
    (action,) = editor.actions(path, unused, "# fleet", "quickfix")
    assert (action["title"], applied(unused, action)) == ("Remove it", TASKS)


def test_definition_symbols_completion_and_hover(editor: FleetClient, folder: Path) -> None:
    path = folder / "a.taskset.yaml"
    wrong = COMPOSITE.replace("environment: shell", "environment: shel")
    editor.open(path, wrong)
    editor.diagnostics(path)
    place = position(wrong, "environment: shel", 15)
    (offer,) = editor.at("textDocument/completion", path, place)
    assert (offer["label"], offer["textEdit"]["newText"]) == ("shell", "shell")
    assert covered(wrong, offer["textEdit"]["range"]) == "shel"
    hover = editor.at("textDocument/hover", path, place)
    assert hover["contents"]["value"].startswith("**FLT3010 unknown-environment**")
    assert covered(wrong, hover["range"]) == "shel"
    assert editor.at("textDocument/hover", path, {"line": 0, "character": 0}) is None
    editor.change(path, COMPOSITE)
    (target,) = editor.at("textDocument/definition", path, place)
    assert target["uri"] == path.as_uri()
    assert covered(COMPOSITE, target["range"]) == "shell"
    params = {"textDocument": {"uri": path.as_uri()}}
    shell, task = editor.request("textDocument/documentSymbol", params)
    assert (shell["name"], task["name"]) == ("shell", "one")
    (top,) = task["children"]
    assert [top["name"], *(each["name"] for each in top["children"])] == ["top", "answer"]


def test_mistakes_in_other_files_are_shown_there_until_they_are_mended(
    editor: FleetClient, folder: Path
) -> None:
    root = write(folder / "a.taskset.yaml", ROOT)
    wrong = INCLUDED.replace("environment: shell", "environment: shel")
    other = write(folder / "b.tasks.yaml", wrong)
    editor.open(root)
    assert editor.diagnostics(root) == []
    (found,) = editor.published(other, "FLT3010")
    assert [each["message"] for each in found["relatedInformation"]] == ["included here"]
    assert found["relatedInformation"][0]["location"]["uri"] == root.as_uri()
    write(other, INCLUDED)
    editor.notify(CHANGED, {"changes": [{"uri": other.as_uri(), "type": 2}]})
    editor.published(other)
    write(other, wrong)
    editor.save(root)
    editor.published(other, "FLT3010")
    editor.shut(root)
    editor.published(other)


def test_a_file_of_tasks_is_checked_by_the_roots_that_include_it(
    editor: FleetClient, folder: Path
) -> None:
    root = write(folder / "a.taskset.yaml", ROOT)
    other = write(folder / "b.tasks.yaml", INCLUDED)
    editor.open(other)
    assert editor.diagnostics(other) == []
    text = INCLUDED.replace("two:", "one:").replace("environment: shell", "environment: shel")
    editor.change(other, text)
    assert [each["code"] for each in editor.diagnostics(other)] == ["FLT3020"]
    editor.change(other, text.replace("one:", "three:"))
    assert [each["code"] for each in editor.diagnostics(other)] == ["FLT3010"]
    place = position(INCLUDED, "environment: shell", 15)
    editor.change(other, INCLUDED)
    (target,) = editor.at("textDocument/definition", other, place)
    assert (target["uri"], target["range"]["start"]) == (root.as_uri(), {"line": 3, "character": 2})


def test_files_that_no_root_includes_are_checked_alone(editor: FleetClient, folder: Path) -> None:
    tasks, verifier = folder / "b.tasks.yaml", folder / "c.verifier.yaml"
    editor.open(tasks, INCLUDED.replace("answer-equals", "answer-equal"))
    assert [each["code"] for each in editor.diagnostics(tasks)] == ["FLT2013"]
    editor.open(verifier, VERIFIER.replace("  decision", "  decisions"))
    assert "FLT2010" in [each["code"] for each in editor.diagnostics(verifier)]
    editor.change(verifier, VERIFIER)
    assert editor.diagnostics(verifier) == []


def test_unsaved_text_of_one_file_counts_for_others(editor: FleetClient, folder: Path) -> None:
    root = folder / "a.taskset.yaml"
    own = write(folder / "own.environment.yaml", ENVIRONMENT)
    text = TASKS.replace("{builtin: terminal@v1}", "{file: own.environment.yaml}")
    editor.open(root, text.replace("    environment", "    tools: [bash]\n    environment"))
    assert [each["code"] for each in editor.diagnostics(root)] == ["FLT4070"]
    editor.open(own, ENVIRONMENT + "native_tools: [bash]\n")
    editor.published(root)
    editor.shut(own)
    editor.published(root, "FLT4070")


def test_a_closed_text_leaves_nothing_behind(editor: FleetClient, folder: Path) -> None:
    path = folder / "a.taskset.yaml"
    editor.open(path, "authoring: taskset/v1\n")
    assert [each["code"] for each in editor.diagnostics(path)] == ["FLT3022"]
    editor.shut(path)
    editor.published(path)


def test_files_may_be_deleted_while_they_are_open(editor: FleetClient, folder: Path) -> None:
    root = write(folder / "a.taskset.yaml", ROOT)
    other = write(folder / "b.tasks.yaml", INCLUDED)
    editor.open(root)
    editor.published(root)
    other.unlink()
    root.unlink()
    editor.notify(CHANGED, {"changes": [{"uri": other.as_uri(), "type": 3}]})
    editor.published(root, "FLT3021")


def test_a_file_on_disk_that_is_not_utf8(editor: FleetClient, folder: Path) -> None:
    root = write(folder / "a.taskset.yaml", ROOT)
    other = folder / "b.tasks.yaml"
    other.write_bytes("authoring: tasks/v1\n# é\n".encode("latin-1"))
    editor.open(root)
    (found,) = editor.published(other, "FLT1001")
    assert found["range"]["start"] == {"line": 1, "character": 2}


def test_texts_that_no_file_can_hold(editor: FleetClient, folder: Path) -> None:
    path = folder / "a.taskset.yaml"
    editor.open(path, TASKS.replace("How many?", "How\u2028many? 😀"))
    assert told(editor.diagnostics(path)) == [("FLT1003", 5, 15)]
    editor.change(path, TASKS.replace("\n", "\r\n").replace("    environment: shell\r\n", ""))
    assert told(editor.diagnostics(path)) == [("FLT4003", 4, 2)]
    editor.change(path, "")
    assert [each["code"] for each in editor.diagnostics(path)] == ["FLT1013"]
    editor.change(path, "\ufeff" + TASKS)
    assert editor.diagnostics(path) == []


class Address:
    """What an editor calls a text that is no file of this machine."""

    def __init__(self, uri: str) -> None:
        self.name = uri
        self.uri = uri

    def as_uri(self) -> str:
        return self.uri


@pytest.mark.parametrize(
    "uri", ["untitled:Untitled-1", "file:///c%3A/no/such%20folder/a.taskset.yaml"]
)
def test_texts_without_a_file_are_checked(editor: FleetClient, uri: str) -> None:
    path: Path = Address(uri)  # type: ignore[assignment]
    editor.open(path, TASKS.replace("environment: shell", "environment: shel"))
    assert told(editor.diagnostics(path)) == [("FLT3010", 6, 17)]
    editor.shut(path)
    editor.published(path)


@pytest.mark.parametrize(
    "uri",
    [
        "git:/a.taskset.yaml?HEAD",
        "file://server/share/a.taskset.yaml",
        "file:///a%00.taskset.yaml",
        f"file:///{'a' * 1000}/a.taskset.yaml",
        "no uri",
        "",
    ],
)
def test_what_is_not_for_us_is_left_alone(editor: FleetClient, folder: Path, uri: str) -> None:
    foreign: Path = Address(uri)  # type: ignore[assignment]
    editor.open(foreign, "authoring: taskset/v1\n")
    playbook = folder / "playbook.yaml"
    editor.open(playbook, "- hosts: all\n")
    later = folder / "a.taskset.yaml"
    editor.open(later, TASKS)
    assert editor.diagnostics(later) == []
    assert not editor.was_told_of(foreign)
    assert not editor.was_told_of(playbook)
    place = {"line": 0, "character": 0}
    assert editor.at("textDocument/definition", foreign, place) in (None, [])
    assert editor.at("textDocument/completion", foreign, place) == []
    assert editor.at("textDocument/hover", foreign, place) is None
    params = {"textDocument": {"uri": uri}}
    assert editor.request("textDocument/documentSymbol", params) == []
    assert editor.actions(foreign, "x", "x") == []


def test_nonsense_does_not_end_it(editor: FleetClient, folder: Path) -> None:
    path = folder / "a.taskset.yaml"
    editor.notify("no/such/notification", {"a": 1})
    editor.notify("textDocument/didOpen", {"textDocument": 3})
    editor.notify("textDocument/didChange", {"textDocument": {"uri": "x"}})
    editor.notify("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})
    editor.open(path, TASKS)
    assert editor.diagnostics(path) == []
