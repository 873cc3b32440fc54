"""How long an editor waits: from an edit to the diagnostics, over standard input and output.

The server's own pause before it checks is part of it.
"""

from __future__ import annotations

import json
import math
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple

from tools.bench_data import write_taskset

TASKS = 100


class Wait(NamedTuple):
    """Milliseconds from an edit to its diagnostics: the median, and what 95 of 100 stay below."""

    median: float
    p95: float


@dataclass(frozen=True, slots=True)
class Server:
    """A running `fleet lsp` with one file open."""

    process: subprocess.Popen[bytes]
    uri: str

    def send(self, method: str, params: Any, number: int | None = None) -> None:
        """Send a request or, without a number, a notification."""
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        body = json.dumps(message if number is None else {**message, "id": number}).encode()
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def wait(self, version: int) -> int:
        """Wait for the diagnostics of a version; return how many there are."""
        assert self.process.stdout
        while True:
            message = receive(self.process.stdout)
            params = message.get("params") or {}
            if params.get("uri") == self.uri and params.get("version") == version:
                return len(params["diagnostics"])

    def edit(self, version: int, text: str) -> float:
        """Change the whole text; return the milliseconds until its diagnostics are there."""
        document = {"uri": self.uri, "version": version}
        params = {"textDocument": document, "contentChanges": [{"text": text}]}
        started = time.perf_counter()
        self.send("textDocument/didChange", params)
        self.wait(version)
        return (time.perf_counter() - started) * 1000


def receive(stream: IO[bytes]) -> dict[str, Any]:
    """Read one message; raises `SystemExit` when the server has ended."""
    length = 0
    while header := stream.readline().strip():
        name, _, value = header.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    if not length:
        raise SystemExit("the language server ended before it answered")
    message: dict[str, Any] = json.loads(stream.read(length))
    return message


def edits(text: str) -> dict[str, Callable[[int], str]]:
    """Return kinds of edits of the benchmark's file, each with its n-th text."""
    half = text.index("\n", len(text) // 2) + 1
    return {
        "sound": lambda n: text.replace("Question 50:", f"Question 50, {n}:"),
        "one mistake": lambda n: text.replace("answer-equals", f"answer-equal{n}", 1),
        "syntax error": lambda n: f"{text[:half]}      typing {n}\n{text[half:]}",
    }


def measure(times: int = 21, *, tasks: int = TASKS) -> dict[str, Wait]:
    """Return the waits after edits of each kind, in a file of some Tasks."""
    with tempfile.TemporaryDirectory() as name:
        path = write_taskset(Path(name).resolve(), tasks)
        command = [sys.executable, "-m", "fleet_contracts", "lsp", "--stdio"]
        with subprocess.Popen(
            command, cwd=name, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            server = Server(process, path.as_uri())
            text = path.read_text(encoding="utf-8")
            server.send("initialize", {"processId": None, "rootUri": None, "capabilities": {}}, 1)
            server.send("initialized", {})
            document = {"uri": server.uri, "languageId": "yaml", "version": 0, "text": text}
            server.send("textDocument/didOpen", {"textDocument": document})
            server.wait(0)
            version = 0
            found = {}
            for kind, change in edits(text).items():
                waits = []
                for number in range(times + 1):
                    version += 1
                    waits.append(server.edit(version, change(number)))
                found[kind] = wait_of(waits[1:])
            server.send("shutdown", None, 2)
            assert process.stdout
            while receive(process.stdout).get("id") != 2:
                pass
            server.send("exit", None)
            return found


def wait_of(waits: list[float]) -> Wait:
    """Return the median of some waits, and the nearest rank of their 95th percentile."""
    ordered = sorted(waits)
    return Wait(statistics.median(ordered), ordered[math.ceil(len(ordered) * 0.95) - 1])


if __name__ == "__main__":
    for kind, wait in measure().items():
        print(f"{kind:<14} median {wait.median:6.1f} ms, 95 of 100 below {wait.p95:6.1f} ms")
