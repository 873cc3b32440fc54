"""`fleet init` starts a project that compiles at once, and touches nothing that is there."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from cli_kit import command, process, tree

from fleet_contracts import __version__, schemas, validate
from fleet_contracts.diagnostics.model import Bag
from fleet_contracts.errors import UnresolvedError
from fleet_contracts.reading.decode import decode
from fleet_contracts.reading.yaml import read_yaml
from fleet_contracts.scaffold import KINDS, registry_name, write_new

PROJECT = {".gitignore", ".gitattributes", ".github/workflows/fleet.yml", ".schemas/catalog.json"}


def init(folder: Path, *words: object, code: int = 0) -> str:
    outcome = command(folder, "init", *words)
    assert outcome.code == code, outcome.err
    return outcome.out + outcome.err


def files(folder: Path) -> set[str]:
    return {name for name, data in tree(folder).items() if data is not None}


def authored(folder: Path) -> Path:
    (path,) = folder.glob("*.*.yaml")
    return path


@pytest.mark.parametrize("kind", ["taskset", "environment"])
def test_a_root_compiles_at_once_and_without_a_word(tmp_path: Path, kind: str) -> None:
    init(tmp_path, kind, "trial")
    path = authored(tmp_path / "trial")
    for verb in ("check", "compile"):
        outcome = command(tmp_path, verb, "--format", "json", path)
        assert outcome.code == 0
        assert outcome.report["diagnostics"] == []
    assert (tmp_path / "trial" / ".fleet" / "index.json").is_file()


@pytest.mark.parametrize("kind", KINDS)
def test_every_authored_file_has_the_shape_of_its_kind(tmp_path: Path, kind: str) -> None:
    init(tmp_path, kind, "trial")
    path, bag = authored(tmp_path / "trial"), Bag()
    source = decode(path.read_bytes(), path.name, bag)
    assert source is not None
    document = read_yaml(source, bag)
    assert document is not None
    assert not bag.items
    assert validate.is_valid(schemas.AUTHORED[f"{kind}/v1"], document.value)
    for named in re.findall(r"\{file: ([^}]+)\}", _without_comments(path)):
        assert (path.parent / named).is_file()


def _without_comments(path: Path) -> str:
    lines = path.read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith("#"))


@pytest.mark.parametrize("kind", KINDS)
def test_it_has_what_belongs_to_a_project(tmp_path: Path, kind: str) -> None:
    init(tmp_path, kind, "trial")
    found = files(tmp_path / "trial")
    assert found >= {*PROJECT, f".schemas/{kind}.v1.json", f"trial.{kind}.yaml"}
    for name in found - {name for name in found if name.startswith(".schemas/")}:
        text = (tmp_path / "trial" / name).read_text(encoding="utf-8")
        assert not re.search(r"@[A-Z]+@|NAME\b(?!\.md|@)", text), name
        assert text.endswith("\n")


def test_the_workflow_installs_this_release_and_checks_everything(tmp_path: Path) -> None:
    init(tmp_path)
    text = (tmp_path / ".github/workflows/fleet.yml").read_text(encoding="utf-8")
    assert f"fleet-contracts=={__version__}\n" in text
    assert "fleet check --strict --locked --format github .\n" in text


@pytest.mark.parametrize("inner", ["", "a", "a/b/c"])
@pytest.mark.parametrize("is_git", [True, False])
def test_the_modeline_leads_to_the_schema(tmp_path: Path, inner: str, is_git: bool) -> None:
    if is_git:
        subprocess.run(["git", "init", "-q", tmp_path], check=True)
    folder = tmp_path / inner if inner else tmp_path
    init(tmp_path, "taskset", folder)
    first = authored(folder).read_text(encoding="utf-8").splitlines()[0]
    found = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", first)
    assert found
    assert (folder / found[1]).is_file()
    root = tmp_path if is_git else folder
    assert files(root) >= PROJECT
    assert command(tmp_path, "check", authored(folder)).code == 0


def test_git_keeps_the_lock_and_prompts_and_leaves_the_store(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    init(tmp_path, "taskset", "evals")
    assert command(tmp_path, "compile", authored(tmp_path / "evals")).code == 0
    listing = ["git", "ls-files", "--others", "--exclude-standard"]
    seen = _git(tmp_path, *listing[1:]).split()
    assert "fleet.lock" in seen
    assert not [name for name in seen if name.startswith(".fleet")]
    asked = ["fleet.lock", "evals/prompts/release-notes.md", ".schemas/taskset.v1.json"]
    endings = _git(tmp_path, "check-attr", "eol", *asked).splitlines()
    assert [line.rpartition(": ")[2] for line in endings] == ["lf"] * 3


def _git(folder: Path, *words: str) -> str:
    return subprocess.run(
        ["git", "-C", folder, *words], check=True, capture_output=True, text=True
    ).stdout


def test_the_same_again_changes_nothing(tmp_path: Path) -> None:
    init(tmp_path, "verifier")
    before = tree(tmp_path)
    said = init(tmp_path, "verifier")
    assert tree(tmp_path) == before
    assert "new " not in said


def test_several_kinds_share_a_project(tmp_path: Path) -> None:
    for kind in KINDS:
        said = init(tmp_path, kind)
    assert "unchanged  .gitignore" in said
    assert len([name for name in files(tmp_path) if name.endswith(".yaml")]) == 3


def test_a_file_that_is_there_is_left_and_nothing_is_written(tmp_path: Path) -> None:
    init(tmp_path, "taskset", "trial")
    (tmp_path / "trial/prompts/release-notes.md").write_text("mine\n", encoding="utf-8")
    (tmp_path / "trial/trial.taskset.yaml").unlink()
    before = tree(tmp_path)
    said = init(tmp_path, "taskset", "trial", code=1)
    assert "error: trial/prompts/release-notes.md is there, with other content" in said
    assert "= help: name another folder" in said
    assert tree(tmp_path) == before


def test_files_of_the_project_that_are_there_are_left_with_a_note(tmp_path: Path) -> None:
    mine = {".gitignore": "*.log\n", ".github/workflows/fleet.yml": "name: mine\n"}
    for name, text in mine.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    said = init(tmp_path)
    assert "note: .gitignore is there; add to it `.fleet/`" in said
    assert "note: .github/workflows/fleet.yml is there, with other content" in said
    assert {name: (tmp_path / name).read_text(encoding="utf-8") for name in mine} == mine
    (tmp_path / ".gitignore").write_text("*.log\n.fleet/\n.fleet-verifiers/\n", encoding="utf-8")
    assert "unchanged  .gitignore" in init(tmp_path)


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("Évals 2 (new)", "evals-2-new"),
        ("_.x", "x"),
        ("日本", "evals"),
        ("a" * 80, "a" * 64),
        ("A.B_c-d", "a.b_c-d"),
        ("@VERSION@", "version"),
    ],
)
def test_a_name_is_made_of_the_name_of_the_folder(tmp_path: Path, folder: str, name: str) -> None:
    assert registry_name(folder) == name
    said = init(tmp_path, "taskset", folder)
    assert f"{name}.taskset.yaml" in said
    outcome = command(tmp_path, "compile", "--format", "json", authored(tmp_path / folder))
    assert outcome.code == 0
    assert [root["name"] for root in outcome.report["roots"]] == [name]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tasket"], "did you mean 'taskset'?"),
        (["evals", "taskset"], "name the kind first, then DIR"),
        (["a", "b", "c"], "expected a kind and a folder, found 3 words"),
        (["verifier", "file"], "file is no folder"),
        (["file"], "file is no folder"),
    ],
)
def test_words_that_are_no_kind_and_folder_are_refused(
    tmp_path: Path, words: list[str], message: str
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert message in init(tmp_path, *words, code=2)
    assert files(tmp_path) == {"file"}


def test_what_was_made_is_removed_when_something_fails(tmp_path: Path) -> None:
    (tmp_path / "c").write_bytes(b"there")
    wanted = {tmp_path / "a" / "b" / "x": b"1", tmp_path / "y": b"2", tmp_path / "c": b"3"}
    with pytest.raises(UnresolvedError, match="cannot write"):
        write_new(wanted)
    assert tree(tmp_path) == {"c": b"there"}
    with pytest.raises(UnresolvedError, match="cannot write"):
        write_new({tmp_path / "a" / "x": b"1", tmp_path / "c" / "z": b"2"})
    assert tree(tmp_path) == {"c": b"there"}


def test_it_works_in_a_process_of_its_own(tmp_path: Path) -> None:
    outcome = process(tmp_path, "init", "taskset", "my evals")
    assert outcome.code == 0
    assert outcome.out.endswith("next: fleet compile 'my evals/my-evals.taskset.yaml'\n")
    shutil.rmtree(tmp_path / "my evals")
    assert tree(tmp_path) == {}
