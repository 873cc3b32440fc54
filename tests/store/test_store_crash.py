"""Whatever happens to a writer, the store holds the old state or the new one."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import threading
from pathlib import Path
from unittest import mock

import pytest

from fleet_contracts.store.disk import LOCK_NAME, locked, make_folder
from fleet_contracts.store.layout import is_store


@pytest.mark.parametrize(
    ("way", "at_least"), [("sweep", 100), ("random", 60), ("race", 10), ("gc", 10)]
)
def test_writers_that_are_killed_or_meet(tmp_path: Path, way: str, at_least: int) -> None:
    script = Path(__file__).with_name("store_crash.py")
    done = subprocess.run(
        [sys.executable, "-W", "error", str(script), way, str(tmp_path)],
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert int(done.stdout) >= at_least


def test_a_folder_that_another_writer_made_and_removed_is_no_failure(tmp_path: Path) -> None:
    with mock.patch.object(Path, "mkdir", side_effect=FileExistsError):
        make_folder(tmp_path / "gone")


def test_a_file_where_a_folder_belongs_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "dangling").symlink_to("nowhere")
    for name in ("file", "dangling"):
        with pytest.raises(FileExistsError):
            make_folder(tmp_path / name)


def test_a_store_being_made_is_known_by_its_lock_even_if_a_listing_lacks_it(
    tmp_path: Path,
) -> None:
    (tmp_path / LOCK_NAME).touch()
    (tmp_path / "blobs").mkdir()
    with mock.patch.object(os, "listdir", return_value=["blobs"]):
        assert not is_store(tmp_path)


def test_a_lock_on_a_file_that_is_gone_is_no_lock(tmp_path: Path) -> None:
    path = tmp_path / LOCK_NAME
    entered = threading.Event()

    def wait_for_lock() -> None:
        with locked(tmp_path):
            entered.set()

    waiting = threading.Thread(target=wait_for_lock)
    with path.open("wb") as old:
        fcntl.flock(old, fcntl.LOCK_EX)
        waiting.start()
        assert not entered.wait(0.1)
        path.unlink()
        with path.open("wb") as new:
            fcntl.flock(new, fcntl.LOCK_EX)
            fcntl.flock(old, fcntl.LOCK_UN)
            assert not entered.wait(0.2)
        waiting.join(10)
    assert entered.is_set()
