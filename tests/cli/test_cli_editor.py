"""`fleet editor setup` gives a project schemas and settings, and takes nothing from it."""

from __future__ import annotations

import fnmatch
import json
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from cli_kit import command, tree

from fleet_contracts import __version__, schemas
from fleet_contracts.editor import jsonc
from fleet_contracts.editor.kinds import KINDS, associations
from fleet_contracts.editor.schemas import editor_schema

FOLDER = ".schemas"
NAMES = [f"{FOLDER}/{kind}.v1.json" for kind in ("taskset", "tasks", "environment", "verifier")]
SETTINGS, EXTENSIONS = ".vscode/settings.json", ".vscode/extensions.json"
OURS = '"./.schemas/taskset.v1.json"'


def setup(folder: Path, *words: object, code: int = 0) -> str:
    outcome = command(folder, "editor", "setup", *words)
    assert outcome.code == code, outcome.err
    return outcome.out + outcome.err


def settings(folder: Path, text: str) -> Path:
    path = folder / SETTINGS
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    return path


def schemas_in(path: Path) -> Any:
    return jsonc.parse(path.read_text(encoding="utf-8")).value["yaml.schemas"]


def test_it_writes_schemas_and_a_catalogue_and_says_so(tmp_path: Path) -> None:
    said = setup(tmp_path)
    assert set(tree(tmp_path)) == {FOLDER, f"{FOLDER}/catalog.json", *NAMES}
    assert all(f"new        {name}" in said for name in NAMES)
    assert "JetBrains" in said


@pytest.mark.parametrize("kind", [kind.name for kind in KINDS])
def test_a_schema_is_for_editors_and_names_its_release(tmp_path: Path, kind: str) -> None:
    setup(tmp_path)
    schema = json.loads((tmp_path / FOLDER / f"{kind}.v1.json").read_text(encoding="utf-8"))
    assert schema == editor_schema(kind)
    assert schema["$comment"] == f"fleet-contracts {__version__}"
    assert "$id" not in schema
    jsonschema.Draft202012Validator.check_schema(schema)


def test_every_authored_kind_has_patterns_that_match_its_files() -> None:
    assert [f"{kind.name}/v1" for kind in KINDS] == list(schemas.AUTHORED)
    for kind in KINDS:
        for ending in ("yaml", "yml"):
            name = f"some.{kind.name}.{ending}"
            matching = [
                path
                for path, patterns in associations().items()
                if any(fnmatch.fnmatch(name, pattern) for pattern in patterns)
            ]
            assert matching == [f"./{FOLDER}/{kind.name}.v1.json"]


@pytest.mark.parametrize(
    ("words", "start"),
    [([], "./"), (["--base-url", "https://a.example/s/"], "https://a.example/s/")],
)
def test_the_catalogue_has_the_form_of_schema_stores(
    tmp_path: Path, words: list[str], start: str
) -> None:
    setup(tmp_path, *words)
    catalog = json.loads((tmp_path / FOLDER / "catalog.json").read_text(encoding="utf-8"))
    assert catalog["version"] == 1
    for entry, kind in zip(catalog["schemas"], KINDS, strict=True):
        assert entry.keys() == {"name", "description", "fileMatch", "url"}
        assert entry["fileMatch"] == kind.patterns
        assert entry["url"] == f"{start}{kind.name}.v1.json"
        assert (tmp_path / FOLDER / entry["url"].removeprefix(start)).is_file()


def test_it_writes_into_the_project_root(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    setup(tmp_path, inner)
    assert (tmp_path / FOLDER / "taskset.v1.json").is_file()
    assert list(inner.iterdir()) == []


def test_nothing_names_the_machine(tmp_path: Path) -> None:
    setup(tmp_path, "--vscode")
    texts = [data for data in tree(tmp_path).values() if data is not None]
    assert not [data for data in texts if str(tmp_path).encode() in data or b"file:" in data]


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    settings(tmp_path, '// mine\n{"a": 1, "yaml.schemas": {"b.json": "*.b"},}')
    setup(tmp_path, "--vscode")
    before = tree(tmp_path)
    times = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    said = setup(tmp_path, "--vscode")
    assert tree(tmp_path) == before
    assert {path: path.stat().st_mtime_ns for path in times} == times
    assert "new " not in said
    assert "updated " not in said


def test_an_old_schema_is_noticed_and_brought_up_to_date(tmp_path: Path) -> None:
    setup(tmp_path)
    path = tmp_path / NAMES[0]
    now = path.read_bytes()
    path.write_bytes(now.replace(__version__.encode(), b"0.0.0"))
    assert f"updated    {NAMES[0]}" in setup(tmp_path, "--check", code=1)
    assert path.read_bytes() != now
    setup(tmp_path)
    assert path.read_bytes() == now
    setup(tmp_path, "--check")


def test_print_writes_nothing(tmp_path: Path) -> None:
    assert json.loads(setup(tmp_path, "--print")) == {"yaml.schemas": associations()}
    assert tree(tmp_path) == {}
    assert "name it alone" in setup(tmp_path, "--print", "--vscode", code=2)


def test_new_settings_are_written(tmp_path: Path) -> None:
    setup(tmp_path, "--vscode")
    assert schemas_in(tmp_path / SETTINGS) == associations()
    extensions = json.loads((tmp_path / EXTENSIONS).read_text(encoding="utf-8"))
    assert extensions == {"recommendations": ["redhat.vscode-yaml"]}


@pytest.mark.parametrize("text", ["", "// mine\n", "\ufeff", "{}", " { } ", "/* a */ {/* b */}"])
def test_settings_without_anything_in_them_are_added_to(tmp_path: Path, text: str) -> None:
    path = settings(tmp_path, text)
    setup(tmp_path, "--vscode")
    assert schemas_in(path) == associations()
    new = path.read_text(encoding="utf-8")
    assert all(word in new for word in text.replace("{", " ").replace("}", " ").split())
    assert new.startswith("\ufeff") == text.startswith("\ufeff")


def test_what_stands_in_settings_survives(tmp_path: Path) -> None:
    text = (
        '// first\r\n{\r\n\t"editor.tabSize": 2, // two\r\n\t/* mine */\r\n'
        '\t"yaml.schemas": {\r\n\t\t"https://a.example/b.json": ["*.b"], // b\r\n\t},\r\n'
        '\t"last": [1, 2,],\r\n}'
    )
    path = settings(tmp_path, text)
    path.chmod(0o640)
    setup(tmp_path, "--vscode")
    new = path.read_bytes().decode()
    head, tail = text.split(" // b\r\n")
    assert new.startswith(f'{head} // b\r\n\t\t{OURS}: [\r\n\t\t\t"*.taskset.yaml",\r\n')
    assert new.endswith(tail)
    assert new.count("\n") == new.count("\r\n")
    assert path.stat().st_mode & 0o777 == 0o640
    assert schemas_in(path) == {"https://a.example/b.json": ["*.b"], **associations()}


@pytest.mark.parametrize("known", ['"*.taskset.yaml"', '["*.taskset.yml"]', "[]"])
def test_an_association_of_ours_is_brought_up_to_date(tmp_path: Path, known: str) -> None:
    path = settings(tmp_path, f'{{"yaml.schemas": {{{OURS}: {known}}}}}')
    said = setup(tmp_path, "--vscode")
    assert schemas_in(path) == associations()
    assert "note:" not in said


def test_one_that_holds_more_is_kept(tmp_path: Path) -> None:
    mine = ["*.taskset.yaml", "evals/*.yaml", "*.taskset.yml"]
    path = settings(tmp_path, f'{{"yaml.schemas": {{{OURS}: {json.dumps(mine)}}}}}')
    said = setup(tmp_path, "--vscode")
    assert schemas_in(path)["./.schemas/taskset.v1.json"] == mine
    assert "note:" not in said


def test_one_that_somebody_changed_is_left_and_reported(tmp_path: Path) -> None:
    path = settings(tmp_path, f'{{"yaml.schemas": {{{OURS}: "evals/*.yaml"}}}}')
    said = setup(tmp_path, "--vscode")
    assert schemas_in(path)["./.schemas/taskset.v1.json"] == "evals/*.yaml"
    assert "`*.taskset.yaml`, `*.taskset.yml` was not added to it" in said


def test_one_without_a_dot_is_the_same(tmp_path: Path) -> None:
    bare = OURS.replace("./", "")
    path = settings(tmp_path, f'{{"yaml.schemas": {{{bare}: "*.taskset.yaml"}}}}')
    setup(tmp_path, "--vscode")
    assert ".schemas/taskset.v1.json" in schemas_in(path)
    assert "./.schemas/taskset.v1.json" not in schemas_in(path)


def test_another_schema_for_our_files_is_left_and_reported(tmp_path: Path) -> None:
    path = settings(tmp_path, '{"yaml.schemas": {"mine.json": ["*.x", "*.tasks.yaml"]}}')
    said = setup(tmp_path, "--vscode")
    assert schemas_in(path) == {"mine.json": ["*.x", "*.tasks.yaml"], **associations()}
    assert "`mine.json` is associated with `*.tasks.yaml` too; it was left as it is" in said


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ('{\n  "a": 1\n  "b": 2\n}', "3:3", "expected `,` or `}`"),
        ("[]", "1:1", "expected a map"),
        ('{"yaml.schemas": []}', "1:18", "expected a map in `yaml.schemas`"),
        ("# no", "1:1", "expected a value, found `#`"),
    ],
)
def test_settings_that_cannot_be_read_are_left_alone(
    tmp_path: Path, text: str, place: str, message: str
) -> None:
    settings(tmp_path, text)
    before = tree(tmp_path)
    said = setup(tmp_path, "--vscode", code=1)
    assert f"error: {SETTINGS}:{place}: {message}" in said
    assert tree(tmp_path) == before


def test_settings_that_are_not_utf8_are_left_alone(tmp_path: Path) -> None:
    path = settings(tmp_path, "{}")
    path.write_bytes('{"a": "é"}'.encode("latin-1"))
    assert "it is not UTF-8: byte 7" in setup(tmp_path, "--vscode", code=1)
    assert path.read_bytes() == '{"a": "é"}'.encode("latin-1")


@pytest.mark.parametrize(
    ("text", "new", "note"),
    [
        ('{"recommendations": ["a.b"]}', ["a.b", "redhat.vscode-yaml"], ""),
        ('{"recommendations": ["RedHat.vscode-yaml",]}', ["RedHat.vscode-yaml"], ""),
        ('{"unwantedRecommendations": ["redhat.vscode-yaml"]}', None, "it was not recommended"),
    ],
)
def test_recommendations_are_added_to(
    tmp_path: Path, text: str, new: list[str] | None, note: str
) -> None:
    settings(tmp_path, "{}")
    (tmp_path / EXTENSIONS).write_text(text, encoding="utf-8")
    said = setup(tmp_path, "--vscode")
    document = jsonc.parse((tmp_path / EXTENSIONS).read_text(encoding="utf-8")).value
    assert document.get("recommendations") == new
    assert note in said


def test_settings_behind_a_link_stay_behind_it(tmp_path: Path) -> None:
    target = tmp_path / "shared.json"
    target.write_text("{}", encoding="utf-8")
    (tmp_path / ".vscode").mkdir()
    (tmp_path / SETTINGS).symlink_to(target)
    setup(tmp_path, "--vscode")
    assert (tmp_path / SETTINGS).is_symlink()
    assert schemas_in(target) == associations()


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / FOLDER).write_text("no folder", encoding="utf-8")
    outcome = command(tmp_path, "editor", "setup")
    assert outcome.code == 4
    assert outcome.err.startswith("error: cannot ")
    assert tree(tmp_path) == {FOLDER: b"no folder"}
