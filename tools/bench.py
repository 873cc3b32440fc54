"""`make bench`: how fast and how large, always beside a peer in the same run.

Every figure is a median; what is compared runs in turns, so that a slow moment of the
machine meets both sides. Ratios are what counts; seconds are for the record.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from _ruamel_yaml import CParser  # type: ignore[import-not-found]  # a C extension, no stubs
from ruamel.yaml.events import StreamEndEvent

from fleet_contracts import schemas
from fleet_contracts.compiler import Compiler
from fleet_contracts.project import Project
from fleet_contracts.store.hashing import HashSink
from tools import bench_lsp, bench_mistakes, bench_verify
from tools.bench_data import write_rows, write_taskset

BIN = Path(sys.executable).parent
FLEET = str(BIN / "fleet")
SMALL, LARGE, ROWS = 1_000, 10_000, 100_000


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table: what was measured, the ratio or size, and its target.

    The target is the most that the value may be, with `at_least` the least.
    """

    name: str
    value: float
    unit: str
    target: float | None
    detail: str
    at_least: bool = False

    def line(self) -> str:
        """Return the line."""
        verdict = ""
        if self.target is not None:
            is_met = self.value >= self.target if self.at_least else self.value <= self.target
            verdict = f"target {self.target:g}  {'ok' if is_met else 'MISSED'}"
        return f"{self.name:<52} {self.value:>8.3f} {self.unit:<3} {verdict:<20} {self.detail}"


@dataclass(frozen=True, slots=True)
class Run:
    """One process: wall-clock seconds and the most memory it held, in MB (10^6 bytes)."""

    seconds: float
    megabytes: float


def run(command: Sequence[str], cwd: Path) -> Run:
    """Run a process and wait for it; raises when it fails."""
    started = time.perf_counter()
    with subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - started
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed with {process.returncode}")
    scale = 1 if sys.platform == "darwin" else 1024
    return Run(seconds, usage.ru_maxrss * scale / 1e6)


def in_turns(times: int, *actions: Callable[[], Any]) -> list[list[Any]]:
    """Run actions one after the other, again and again; return what each returned."""
    results: list[list[Any]] = [[] for _ in actions]
    for _ in range(times):
        for kept, action in zip(results, actions, strict=True):
            kept.append(action())
    return results


def bundled(folder: Path) -> Path:
    """Write the TaskSet schema as one file, for a validator that reads only files."""
    taskset = json.loads(json.dumps(schemas.load(schemas.AUTHORED["taskset/v1"])))
    definitions = schemas.load("authoring/definitions.json")["$defs"]
    taskset["$defs"] = {**definitions, **taskset.get("$defs", {})}
    taskset.pop("$id")
    text = json.dumps(taskset).replace("definitions.json#", "#")
    path = folder / "taskset.schema.json"
    path.write_text(text, encoding="utf-8")
    return path


def whole_process(tasks: int, times: int, target: float) -> list[Figure]:
    """Compare `fleet compile` with a process that only validates the same file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = write_taskset(folder, tasks)
        schema = bundled(folder)
        stores = iter(range(1_000_000))

        def compile_it() -> Run:
            return run([FLEET, "compile", path.name, "-o", f"store-{next(stores)}"], folder)

        def validate_it() -> Run:
            checker = str(BIN / "check-jsonschema")
            return run([checker, "--schemafile", schema.name, path.name], folder)

        ours, theirs = in_turns(times, compile_it, validate_it)
        mine, other = seconds_of(ours), seconds_of(theirs)
        detail = f"{mine:.2f} s against {other:.2f} s"
        figures = [
            Figure(f"compile / check-jsonschema, {tasks:,} Tasks", mine / other, "", target, detail)
        ]
        most = max(each.megabytes for each in ours)
        their_most = max(each.megabytes for each in theirs)
        limit = 200.0 if tasks == LARGE else None
        figures.append(
            Figure(
                f"peak memory, {tasks:,} Tasks", most, "MB", limit, f"the peer {their_most:.0f} MB"
            )
        )
        return figures


def seconds_of(runs: Sequence[Run]) -> float:
    """Return the median of the seconds."""
    return statistics.median(each.seconds for each in runs)


def core(times: int) -> list[Figure]:
    """Compare the compiler inside one process with a bare pass over the parser's events."""
    medians = {}
    figures = []
    for tasks in (SMALL, LARGE):
        with tempfile.TemporaryDirectory() as name:
            path = write_taskset(Path(name), tasks).resolve()
            compile_once(path)
            events, compiled = in_turns(
                times if tasks == SMALL else max(3, times // 3),
                partial(timed, partial(pass_events, path)),
                partial(timed, partial(compile_once, path)),
            )
        bare, full = statistics.median(events), statistics.median(compiled)
        medians[tasks] = full
        detail = f"{full:.3f} s against {bare:.3f} s"
        figures.append(Figure(f"core / bare events, {tasks:,} Tasks", full / bare, "", 2.0, detail))
    growth = medians[LARGE] / medians[SMALL]
    figures.append(Figure("growth of the core for 10 times the Tasks", growth, "", 10.5, ""))
    return figures


def compile_once(path: Path) -> None:
    """Compile a file as `fleet check` does, without the process around it."""
    compiler = Compiler(Project(path.parent), HashSink())
    if compiler.compile(path) is None:
        raise SystemExit(f"the benchmark's file does not compile: {list(compiler.bag)[:3]}")


def pass_events(path: Path) -> None:
    """Read a file's events and do nothing with them."""
    next_event = CParser(path.read_bytes().decode()).get_event
    while type(next_event()) is not StreamEndEvent:
        pass


def timed(action: Callable[[], None]) -> float:
    """Return the seconds that an action takes."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def dataset_rows() -> list[Figure]:
    """Compile 100,000 rows of a data file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = write_rows(folder, ROWS)
        result = run([FLEET, "compile", path.name], folder)
    return [
        Figure(f"peak memory, {ROWS:,} rows", result.megabytes, "MB", 150.0, ""),
        Figure(f"seconds, {ROWS:,} rows", result.seconds, "s", None, ""),
    ]


def start_up(times: int) -> list[Figure]:
    """Compare `fleet --version` with importing click."""
    here = Path.cwd()
    ours, theirs = in_turns(
        times,
        lambda: run([FLEET, "--version"], here),
        lambda: run([sys.executable, "-c", "import click"], here),
    )
    mine, other = seconds_of(ours), seconds_of(theirs)
    detail = f"{mine * 1000:.0f} ms against {other * 1000:.0f} ms"
    return [Figure("fleet --version / import click", mine / other, "", 1.3, detail)]


def mistakes(tasks: int, times: int) -> list[Figure]:
    """Compare the check of a file with one mistake with that of the same file without it."""
    return [
        Figure(
            f"check with {name} / without, {tasks:,}",
            seconds / clean,
            "",
            2.0,
            f"{seconds:.2f} s against {clean:.2f} s",
        )
        for name, (seconds, clean) in bench_mistakes.measure(tasks, times).items()
    ]


def answers(times: int) -> list[Figure]:
    """Measure how long `fleet lsp` takes to answer after an edit."""
    return [
        Figure(
            f"fleet lsp after an edit, {kind}, {bench_lsp.TASKS} Tasks",
            wait.median,
            "ms",
            100.0,
            f"95 of 100 below {wait.p95:.0f} ms",
        )
        for kind, wait in bench_lsp.measure(times).items()
    ]


def verifying(megabytes: int, times: int) -> list[Figure]:
    """Compare `fleet verify` with a process that hashes the same files and does nothing else."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store = bench_verify.write_large(folder, megabytes)
        size = bench_verify.size(store)
        ours, theirs = in_turns(
            times,
            lambda: run([FLEET, "verify", str(store)], folder),
            lambda: run([sys.executable, "-c", bench_verify.BARE, str(store)], folder),
        )
        mine, other = (size / 1e9 / seconds_of(each) for each in (ours, theirs))
        most = max(each.megabytes for each in ours)
        large = Figure(
            f"fleet verify / bare hashlib, {megabytes:,} MB",
            mine / other,
            "",
            0.8,
            f"{mine:.2f} GB/s against {other:.2f} GB/s, peak memory {most:.0f} MB",
            at_least=True,
        )
        path = write_taskset(folder, LARGE)
        run([FLEET, "compile", path.name], folder)
        small = run([FLEET, "verify"], folder)
        detail = f"peak memory {small.megabytes:.0f} MB"
        return [
            large,
            Figure(f"seconds of fleet verify, {LARGE:,} Tasks", small.seconds, "s", None, detail),
        ]


def main() -> None:
    """Measure everything and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer runs, no 10,000 Tasks beside")
    quick = parser.parse_args().quick
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores")
    gc.disable()
    steps: list[Callable[[], list[Figure]]] = [
        lambda: start_up(5 if quick else 21),
        lambda: whole_process(SMALL, 3 if quick else 7, 0.15),
        lambda: mistakes(SMALL if quick else LARGE, 3),
        lambda: answers(7 if quick else 21),
        lambda: verifying(*((512, 3) if quick else (1024, 5))),
        dataset_rows,
    ]
    if not quick:
        steps.append(lambda: whole_process(LARGE, 3, 0.12))
    # Last, as a process begins with the memory peak of the one that starts it.
    steps.append(lambda: core(5 if quick else 15))
    for step in steps:
        for figure in step():
            print(figure.line(), flush=True)


if __name__ == "__main__":
    main()
