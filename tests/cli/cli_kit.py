"""What the tests of the command line share: small projects, and ways to run `fleet`."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
import sys
from collections.abc import Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import click

from fleet_contracts.cli.exits import run
from fleet_contracts.cli.main import fleet
from fleet_contracts.store import Store

IMAGE = "sha256:" + "1" * 64
OTHER_IMAGE = "sha256:" + "2" * 64
ARTIFACT = "sha256:" + "a" * 64
ESCAPE = "\x1b"
DECIDING = (
    *("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"),
    *("FLEET_STRICT", "FLEET_LOCKED", "FLEET_FROZEN", "FLEET_OFFLINE"),
)
TASK = """\
  {key}:
    environment: {{{environment}}}
    prompt: {prompt}
    verifiers:
      - id: answer
        type: evaluator
        evaluator: {{kind: builtin.v1, builtin_id: {builtin}, params: {{expected: "2"}}}}
        decision: {{kind: threshold, at_least: 1}}
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a command ended and what it said."""

    code: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.out)
        return document

    @property
    def codes(self) -> list[str]:
        return [item["code"] for item in self.report["diagnostics"]]


def command(folder: Path, *words: object, program: click.Command = fleet) -> Outcome:
    """Run `fleet` in this process, from a working directory."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    argv = ["fleet", *map(str, words)]
    with chdir(folder), redirect_stdout(out), redirect_stderr(err):
        with mock.patch.object(sys, "argv", argv):
            try:
                run(program, "fleet")
            except SystemExit as end:
                code = end.code
        out.flush()
        err.flush()
    assert isinstance(code, int)
    said = [stream.buffer for stream in (out, err)]
    texts = [buffer.getvalue().decode() for buffer in said if isinstance(buffer, io.BytesIO)]
    assert "Traceback" not in texts[0] + texts[1]
    return Outcome(code, *texts)


def reported(folder: Path, *words: object) -> Outcome:
    """Run `fleet compile --format json`."""
    return command(folder, "compile", "--format", "json", *words)


def start(
    folder: Path,
    *words: object,
    program: Sequence[str] = ("-m", "fleet_contracts"),
    env: dict[str, str] | None = None,
    **more: Any,
) -> subprocess.Popen[bytes]:
    """Start a Python of its own, by default with `fleet`."""
    variables = {name: text for name, text in os.environ.items() if name not in DECIDING}
    return subprocess.Popen(
        [sys.executable, *program, *map(str, words)],
        cwd=folder,
        env=variables | {"TERM": "xterm"} | (env or {}),
        stdin=subprocess.DEVNULL,
        **more,
    )


def process(folder: Path, *words: object, **more: Any) -> Outcome:
    """Run a Python of its own to its end."""
    started = start(folder, *words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
    out, err = started.communicate(timeout=60)
    return Outcome(started.returncode, out.decode(), err.decode())


def everything(terminal: int) -> str:
    """Read what was written to a terminal until nobody has it open."""
    data = b""
    try:
        while chunk := os.read(terminal, 1 << 16):
            data += chunk
    except OSError:  # the other end is closed
        pass
    os.close(terminal)
    return data.decode()


def on_terminal(
    folder: Path,
    *words: object,
    stdout: bool = False,
    stderr: bool = False,
    env: dict[str, str] | None = None,
    program: tuple[str, ...] = ("-m", "fleet_contracts"),
) -> Outcome:
    """Run `fleet` with a terminal as stdout, stderr, or both of them as one."""
    ours, theirs = pty.openpty()
    started = start(
        folder,
        *words,
        program=program,
        env=env,
        stdout=theirs if stdout else subprocess.PIPE,
        stderr=theirs if stderr else subprocess.PIPE,
    )
    os.close(theirs)
    seen = everything(ours)
    out, err = started.communicate(timeout=60)
    texts = [seen if each is None else each.decode() for each in (out, err)]
    return Outcome(started.returncode, *texts)


def taskset(
    path: Path,
    *,
    key: str = "one",
    prompt: str = "How many?",
    environment: str = "builtin: terminal@v1",
    builtin: str = "answer-equals",
    head: str = "",
) -> Path:
    """Write a TaskSet of one Task; `head` is what stands between version and tasks."""
    task = TASK.format(key=key, prompt=prompt, environment=environment, builtin=builtin)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"authoring: taskset/v1\n{head}tasks:\n{task}", encoding="utf-8")
    return path


def environment(path: Path, *, image: str = IMAGE, head: str = "") -> Path:
    """Write a standalone Environment."""
    text = f"authoring: environment/v1\n{head}image_ref: {image}\n"
    path.write_text(text, encoding="utf-8")
    return path


def tree(folder: Path) -> dict[str, bytes | None]:
    """Return all that is below a folder; None stands for a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def closure(store: Store, digest: str) -> dict[str, bytes]:
    """Read a document and all that it names, and what those name; nothing may be missing."""
    found: dict[str, bytes] = {}
    waiting = [digest]
    while waiting:
        each = waiting.pop()
        if each in found:
            continue
        data = store.read(each)
        assert data is not None, each
        found[each] = data
        waiting.extend(_named(json.loads(data)))
    return found


def _named(value: Any) -> list[str]:
    if isinstance(value, list):
        return [digest for item in value for digest in _named(item)]
    if not isinstance(value, dict):
        return []
    if "digest" in value and "size" in value:
        return [value["digest"]]
    return [digest for item in value.values() for digest in _named(item)]
