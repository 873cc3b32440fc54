"""How long `fleet check` takes for a file with one mistake, against the same file without it."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tools.bench_data import write_taskset


def broken(old: str, new: str) -> Callable[[str], str]:
    """Return a change of one place near the middle of a text."""

    def change(text: str) -> str:
        at = text.index(old, len(text) // 2)
        return text[:at] + new + text[at + len(old) :]

    return change


MISTAKES: dict[str, Callable[[str], str]] = {
    "an unknown key": broken("on_child_error: zero", "on_child_eror: zero"),
    "an unknown builtin": broken("answer-equals", "answer-equal"),
    "weights of 1.05": broken("weight: 0.25", "weight: 0.3"),
    "a duplicate key": broken("    metadata:\n", "    metadata: {}\n    metadata:\n"),
    "a syntax error": broken("    metadata:\n", "    metadata: ]\n"),
}
"""Of each stage: shape, a builtin's name, meaning, reading, syntax."""


def measure(tasks: int, times: int) -> dict[str, tuple[float, float]]:
    """Return for each mistake the CPU seconds with it, and those of the file without one."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = write_taskset(folder, tasks)
        text = path.read_text("utf-8")
        files = {path: 0}
        for number, change in enumerate(MISTAKES.values()):
            file = folder / f"mistake-{number}.taskset.yaml"
            file.write_text(change(text), "utf-8")
            files[file] = 1
        seconds: dict[Path, list[float]] = {file: [] for file in files}
        for _ in range(times):
            for file, expected in files.items():
                seconds[file].append(_check(file, expected))
    clean, *others = (statistics.median(each) for each in seconds.values())
    return {name: (each, clean) for name, each in zip(MISTAKES, others, strict=True)}


def _check(file: Path, expected: int) -> float:
    """Return the CPU seconds of a check of a file; raises when it ends otherwise."""
    command = [sys.executable, "-m", "fleet_contracts", "check", file.name]
    with subprocess.Popen(
        command, cwd=file.parent, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != expected:
        raise SystemExit(f"{file.name} ended with {process.returncode}, not {expected}")
    return usage.ru_utime + usage.ru_stime
