"""Content that is kept while it is compared."""

from __future__ import annotations

from pathlib import Path

import pytest
from diff_kit import blob

from fleet_contracts.diff.kept import Kept
from fleet_contracts.store import BIG_OBJECT, Ref, Root


@pytest.mark.parametrize("limit", [0, 10, 1 << 20])
def test_objects_are_read_as_they_were_put(tmp_path: Path, limit: int) -> None:
    kept = Kept(tmp_path, memory_limit=limit)
    objects = [bytes([number]) * number for number in range(20)]
    refs = [kept.put(each) for each in objects]
    assert kept.put_stream([b"ab", b"c"]) == Ref(*blob(b"abc").values())
    assert [kept.put(each) for each in objects] == refs
    assert [kept.read(ref.digest) for ref in refs] == objects
    assert [kept.size(ref.digest) for ref in refs] == list(range(20))
    assert kept.read(blob(b"abc")["digest"]) == b"abc"
    assert (tmp_path / "spool").exists() is (limit < 200)
    kept.close()


def test_big_files_are_known_by_their_size(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    ref = kept.put_stream([b"a" * (BIG_OBJECT - 1), b"bc"])
    assert ref == Ref(*blob(b"a" * (BIG_OBJECT - 1) + b"bc").values())
    assert (kept.read(ref.digest), kept.size(ref.digest)) == (None, BIG_OBJECT + 1)
    document = kept.put(b"a" * BIG_OBJECT)
    assert kept.read(document.digest) == b"a" * BIG_OBJECT
    assert (kept.read("sha256:"), kept.size("sha256:")) == (None, None)


def test_the_root_is_what_is_compared(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    document = kept.put(b"{}")
    kept.add_root(Root("taskset", "v1alpha1", "small", "About it.", document))
    subject = kept.subject()
    assert (subject.kind, subject.name, subject.description, subject.document) == (
        *("taskset", "small", "About it."),
        document,
    )
