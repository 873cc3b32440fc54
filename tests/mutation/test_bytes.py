"""Twenty thousand files with damaged bytes, in CI: each is valid or refused where it is damaged."""

from __future__ import annotations

import random
import tracemalloc
from pathlib import Path

import pytest
from mutation_kit import STEP, Bench, assert_agreed, cases

MUTATIONS = 20_000 // STEP
CASES = cases()
EACH = -(-MUTATIONS // len(CASES))
MOST_MEMORY = 64 * 2**20
"""In bytes, of Python's own, while one small damaged project is checked."""

# What stands in YAML, or must not, and what readers stumble over.
PIECES = [
    b"\x00", b"\t", b"\r", b"\n", b" ", b"  ", b":", b": ", b"- ", b"-", b"#", b" #", b"?", b"&a ",
    b"*a", b"!", b"!!int ", b"!x ", b"|\n", b">-\n", b"%", b"@", b"`", b"'", b'"', b"{", b"}", b"[",
    b"]", b",", b"---\n", b"...\n", b"<<: ", b"0", b"0o7", b"1e3", b".nan", b"-.inf", b"~", b"null",
    b"yes", b"\\", b"\\u", b"\\ud800", b"${", b"${row.", b"}", b"\xff", b"\xc3", b"\xed\xa0\x80",
    b"\xe2\x80\xa8", b"\xc2\x85", b"\xe2\x80\xae", b"\xef\xbb\xbf", b"\xf0\x9f\x98\x80",
    b"[" * 200, b"{a: " * 200, b"9" * 400, b"a" * 2000,
]  # fmt: skip


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Return bytes with one to three changes somewhere."""
    changed = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        start = rng.randrange(len(changed) + 1)
        end = min(start + rng.choice([0, 0, 1, 1, 2, 8, 40]), len(changed))
        match rng.randrange(5):
            case 0:
                new = rng.randbytes(max(end - start, 1))
            case 1:
                new = b""
            case 2:
                new = bytes(changed[start:end]) * 2
            case _:
                new = rng.choice(PIECES)
        changed[start:end] = new
    return bytes(changed)


@pytest.mark.parametrize("case", CASES)
def test_damaged_bytes(case: str, tmp_path: Path) -> None:
    bench = Bench.of(CASES[case], tmp_path)
    rng = random.Random(case)
    originals = {file: file.read_bytes() for file in bench.files}
    refused = 0
    for _ in range(EACH):
        file = rng.choice(bench.files)
        data = damaged(originals[file], rng)
        items = bench.check(file, data)
        refused += any(item.severity == "error" for item in items)
        if file.suffix == ".yaml":
            assert_agreed(data)
    assert refused > EACH // 10


@pytest.mark.parametrize("piece", [b"[" * 5000, b"{a: " * 5000, b"9" * 100_000, b"&a [*a, " * 999])
def test_damage_takes_little_memory(piece: bytes, tmp_path: Path) -> None:
    bench = Bench.of(next(iter(CASES.values())), tmp_path)
    data = bench.roots[0].read_bytes()
    at = data.index(b"prompt:") + 8
    tracemalloc.start()
    try:
        items = bench.check(bench.roots[0], data[:at] + piece + data[at:])
        assert tracemalloc.get_traced_memory()[1] < MOST_MEMORY
    finally:
        tracemalloc.stop()
    assert items
