"""Which node tools there are, and what happens to their tests where they are missing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import node_kit
from node_kit import INSTALLED, WANTED, what_is_missing

PLAIN = set("0123456789.")


def test_every_package_is_pinned() -> None:
    wanted = json.loads(WANTED.read_text(encoding="utf-8"))
    pins = {**wanted["dependencies"], **wanted["overrides"]}
    assert [name for name, version in pins.items() if not set(version) <= PLAIN] == []
    assert list(WANTED.parent.glob("*.json")) == [WANTED]


@pytest.mark.node
def test_no_other_package_is_installed() -> None:
    wanted = json.loads(WANTED.read_text(encoding="utf-8"))
    modules = INSTALLED / "node_modules"
    listed = json.loads((modules / ".package-lock.json").read_text(encoding="utf-8"))["packages"]
    installed = {
        path.removeprefix("node_modules/"): package["version"] for path, package in listed.items()
    }
    assert installed == {**wanted["dependencies"], **wanted["overrides"]}


def test_what_is_missing_names_the_target(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_kit, "INSTALLED", tmp_path)
    monkeypatch.setattr("shutil.which", lambda _: "/usr/bin/node")
    assert "run `make node`" in str(what_is_missing())
    (tmp_path / "installed.json").write_text("{}")
    assert "out of date" in str(what_is_missing())
    (tmp_path / "installed.json").write_bytes(WANTED.read_bytes())
    assert what_is_missing() is None
    monkeypatch.setattr("shutil.which", lambda _: None)
    assert "`make node`" in str(what_is_missing())
