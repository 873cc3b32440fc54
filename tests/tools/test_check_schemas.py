"""What the schemas are compared with: the newest tag, else what was recorded."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tools import check_schemas

ALSO = {"type": "string", "description": "New."}


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "tag.gpgsign=false")
    subprocess.run(["git", "-C", folder, *who, *words], check=True, capture_output=True)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with our schemas, nothing recorded, no git."""
    shutil.copytree(check_schemas.ROOT / "schemas", tmp_path / "schemas")
    return tmp_path


def change(checkout: Path, path: str, **properties: Any) -> None:
    file = checkout / "schemas" / path
    schema = json.loads(file.read_text())
    for name, value in properties.items():
        schema["properties"].pop(name, None)
        if value is not None:
            schema["properties"][name] = value
    file.write_text(json.dumps(schema))


def tag(checkout: Path, name: str) -> None:
    git(checkout, "init", "-q")
    git(checkout, "add", "-A")
    git(checkout, "commit", "-q", "--allow-empty", "-m", name)
    git(checkout, "tag", name)


def check(checkout: Path, *options: str) -> int:
    return check_schemas.main(options, checkout)


def test_our_schemas_break_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert check_schemas.main([]) == 0
    assert "accept what those of" in capsys.readouterr().out


def test_without_a_tag_what_was_recorded_counts(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(checkout) == 1
    assert "schemas/authoring/taskset.v1.json is not recorded" in capsys.readouterr().out
    assert check(checkout, "--record") == 0
    assert check(checkout) == 0
    change(checkout, "authoring/taskset.v1.json", also=ALSO)
    assert check(checkout) == 0
    capsys.readouterr()
    assert check(checkout, "--record") == 0
    assert capsys.readouterr().out == "recorded schemas/authoring/taskset.v1.json\n"
    change(checkout, "authoring/taskset.v1.json", also=None)
    assert check(checkout) == 1
    assert capsys.readouterr().out == (
        "schemas/authoring/taskset.v1.json#/properties/also: the property is gone\n"
        f"compared with fixtures/schemas; {check_schemas.ADVICE}\n"
    )
    assert check(checkout, "--record") == 1
    recorded = checkout / "fixtures" / "schemas" / "authoring" / "taskset.v1.json"
    assert "also" in recorded.read_text(), "what breaks is not recorded"


def test_the_newest_tag_counts_more_than_what_was_recorded(
    checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(checkout, "authoring/taskset.v1.json", early=ALSO)
    tag(checkout, "v1")
    change(checkout, "authoring/taskset.v1.json", early=None, late=ALSO)
    tag(checkout, "v2")
    assert check(checkout) == 0
    change(checkout, "authoring/taskset.v1.json", late=None)
    assert check(checkout) == 1
    said = capsys.readouterr().out
    assert "schemas/authoring/taskset.v1.json#/properties/late: the property is gone" in said
    assert "early" not in said
    assert "compared with v2" in said


def test_content_may_not_change_at_all(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tag(checkout, "v1")
    change(checkout, "content/task.v1alpha1.json", also=ALSO)
    (checkout / "schemas" / "content" / "artifact.v1alpha1.json").unlink()
    change(checkout, "content/task.json", also=ALSO)
    assert check(checkout) == 1
    said = capsys.readouterr().out
    assert "schemas/content/task.v1alpha1.json: a schema of content changed or is gone" in said
    assert "schemas/content/artifact.v1alpha1.json: a schema of content changed" in said
    assert "content/task.json" not in said, "generations are cut out of it, and only they count"


@pytest.mark.parametrize("family", ["authoring", "lock", "report", "catalog", "runtime"])
def test_every_family_but_content_may_accept_more_and_never_less(
    checkout: Path, family: str
) -> None:
    path = f"{family}/made.v1.json"
    (checkout / "schemas" / family).mkdir(exist_ok=True)
    text = {"type": "object", "properties": {"a": ALSO}, "additionalProperties": False}
    (checkout / "schemas" / path).write_text(json.dumps(text))
    tag(checkout, "v1")
    change(checkout, path, b=ALSO)
    assert check(checkout) == 0
    change(checkout, path, a=None)
    assert check(checkout) == 1


def test_a_tag_without_schemas_is_no_baseline(checkout: Path) -> None:
    schemas = checkout / "schemas"
    schemas.rename(checkout / "elsewhere")
    tag(checkout, "v1")
    (checkout / "elsewhere").rename(schemas)
    assert check_schemas.find_baseline(checkout).is_recorded
