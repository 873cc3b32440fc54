"""Which object stands in which layer, and what a pack looks like."""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
from store_kit import environment, fake_ref, ref

from fleet_contracts.store import BIG_OBJECT, HashSink, Ref, Root, StoreError, TaskPack, Transaction
from fleet_contracts.store.packs import cut_common, frame, lay_out, read_table

MIB = 1 << 20


def taskset(packs: list[TaskPack], common: list[Ref] | None = None) -> Root:
    return Root("taskset", "v1alpha2", "x", None, ref(b"document"), packs, common or [])


def test_the_frame_byte_for_byte() -> None:
    refs = [ref(b"one"), ref(b""), ref(b"three")]
    assert frame(refs) == (
        b'[["sha256:7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed",3],'
        b'["sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",0],'
        b'["sha256:8b5b9db0c13db24256c829aa364aa90c6d2eba318b9232a4ab9313b954d3555f",5]]\n'
    )


def test_a_table_is_read_without_its_objects() -> None:
    refs = [ref(b"one"), ref(b"three")]
    file = BytesIO(frame(refs) + b"onethree")
    found = read_table(file, len(file.getvalue()), "pack")
    assert found == (refs, len(frame(refs)))
    assert file.tell() == len(frame(refs))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"[]\n",
        b"not json\n",
        b"\xff\n",
        frame([ref(b"one")]) + b"one and more",
        frame([ref(b"one")]).replace(b",", b", ") + b"one",
        frame([ref(b"one")])[:-1],
        frame([Ref("sha256:" + "A" * 64, 3)]) + b"one",
        frame([Ref("sha512:" + "a" * 64, 3)]) + b"one",
        frame([fake_ref(1, size=-3), fake_ref(2, size=6)]) + b"one",
    ],
)
def test_what_is_no_table(data: bytes) -> None:
    with pytest.raises(StoreError, match="the pack NAME does not begin") as caught:
        read_table(BytesIO(data), len(data), "NAME")
    assert caught.value.code == "FLT6001"


def test_a_common_pack_ends_after_a_multiple_of_512() -> None:
    refs = [fake_ref(n) for n in (1, 511, 512, 513, 1023, 1024, 1025)]
    assert list(cut_common(refs)) == [tuple(refs[:3]), tuple(refs[3:6]), tuple(refs[6:])]
    assert list(cut_common([fake_ref(0)])) == [(fake_ref(0),)]
    assert list(cut_common([])) == []


def test_a_common_pack_ends_at_1000_objects() -> None:
    refs = [fake_ref(1, n) for n in range(2001)]
    assert [len(pack) for pack in cut_common(refs)] == [1000, 1000, 1]
    assert [len(pack) for pack in cut_common(refs[:1000])] == [1000]


def test_a_common_pack_ends_before_64_mib() -> None:
    half = [fake_ref(1, n, size=MIB // 2) for n in range(129)]
    assert [len(pack) for pack in cut_common(half)] == [128, 1]
    assert [len(pack) for pack in cut_common([fake_ref(1, 0), *half])] == [128, 2]


def test_one_more_object_changes_packs_up_to_the_next_cut_only() -> None:
    refs = sorted(ref(b"%d" % number) for number in range(3000))
    new = ref(b"new")
    before = list(cut_common(refs))
    after = list(cut_common(sorted([*refs, new])))
    cut = next(item for item in refs if item > new and int(item.digest[7:15], 16) % 512 == 0)
    assert {pack for pack in before if pack[-1] < new or pack[0] > cut} <= set(after)
    assert 0 < len(set(before) - set(after)) < len(before)


def test_layers_stand_in_the_order_of_the_manifest() -> None:
    page, task, other = ref(b"page"), ref(b"task"), ref(b"other")
    big_task, big_blob = fake_ref(9, size=BIG_OBJECT), fake_ref(3, size=5 * MIB)
    blobs = [fake_ref(7), fake_ref(5)]
    root = taskset(
        [TaskPack(page, [task, big_task, other, task]), TaskPack(None, [task])],
        [blobs[0], big_blob, blobs[1], blobs[0], ref(b"document"), big_blob],
    )
    layout = lay_out(root)
    assert layout.big == (big_blob, big_task)
    assert layout.packs == ((page, task, other), (task,), (blobs[1], blobs[0]))


def test_a_pack_of_big_tasks_only_is_no_pack() -> None:
    assert lay_out(taskset([TaskPack(None, [fake_ref(1, size=MIB)])])).packs == ()


def test_1_mib_is_the_first_big_size() -> None:
    small, big = fake_ref(1, size=MIB - 1), fake_ref(2, size=MIB)
    layout = lay_out(taskset([TaskPack(None, [small, big])]))
    assert (layout.packs, layout.big) == (((small,),), (big,))


def test_300_layers_are_possible_and_301_are_not(tmp_path: Path) -> None:
    big = [fake_ref(n, size=MIB) for n in range(300)]
    root = environment("many", b"document", common=big[:299])
    assert len(lay_out(root).big) == 299
    HashSink().add_root(root)
    too_many = environment("many", b"document", common=big)
    for sink in (HashSink(), Transaction.begin(tmp_path)):
        with pytest.raises(StoreError, match="'many' needs 301 layers, at most 300") as caught:
            sink.add_root(too_many)
        assert caught.value.code == "FLT6003"
        assert caught.value.help


def test_task_packs_have_no_limit_of_their_own() -> None:
    tasks = [fake_ref(0, n, size=MIB - 1) for n in range(1500)]
    assert lay_out(taskset([TaskPack(None, tasks)])).packs == (tuple(tasks),)


def test_the_same_objects_in_any_order_are_the_same_packs() -> None:
    refs = [ref(b"%d" % number) for number in range(2000)]
    forward, backward = (lay_out(taskset([], order)) for order in (refs, refs[::-1]))
    assert forward == backward
    assert all(one < two for pack in forward.packs for one, two in pairwise(pack))
