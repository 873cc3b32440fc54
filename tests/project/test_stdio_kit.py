"""What the tests' client says of servers that end, fall silent or talk nonsense."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from stdio_kit import LspClient, ResponseError, ServerFailed, covered, position

ECHO = """
import json, sys
print("a word on standard error", file=sys.stderr, flush=True)
def send(**message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\\r\\n\\r\\n" % len(body) + body)
    sys.stdout.buffer.flush()
def published(uri, **more):
    send(method="textDocument/publishDiagnostics", params={"uri": uri, **more})
while line := sys.stdin.buffer.readline():
    sys.stdin.buffer.readline()
    message = json.loads(sys.stdin.buffer.read(int(line.split()[1])))
    method, params = message.get("method"), message.get("params")
    if method == "initialized":
        send(id="ask", method="workspace/configuration", params={"items": [{"section": "a"}]})
    elif method == "textDocument/didChange":
        uri = params["textDocument"]["uri"]
        published(uri, version=1, diagnostics=[{"message": "of an older text"}])
        published(uri, version=2, diagnostics=[{"message": "of this text"}])
    elif method == "fail":
        send(id=message["id"], error={"code": -32000, "message": "no luck"})
    elif method == "end":
        sys.exit(3)
    elif method == "nonsense":
        print("hello")
        sys.stdout.flush()
    elif method == "exit":
        sys.exit(0)
    elif "method" not in message:
        send(method="heard", params=message["result"])
    elif "id" in message and method != "silence":
        send(id=message["id"], result=params)
"""


def client(folder: Path, **more: Any) -> LspClient:
    return LspClient([sys.executable, "-c", ECHO], folder, settings={"a": 1}, **more)


def test_requests_are_answered_in_both_directions(tmp_path: Path) -> None:
    with client(tmp_path) as started:
        assert started.wait_for("heard") == [1]
        started.wait_until_asked("workspace/configuration")
        assert started.request("anything", ["é", "\U0001f600"]) == ["é", "\U0001f600"]
        with pytest.raises(ResponseError, match="fail: -32000 no luck"):
            started.request("fail")


def test_diagnostics_are_those_of_the_latest_version(tmp_path: Path) -> None:
    with client(tmp_path) as started:
        path = tmp_path / "a.yaml"
        started.open(path, "a: 1")
        assert started.change(path, "a: 2") == 2
        assert started.diagnostics(path) == [{"message": "of this text"}]


@pytest.mark.parametrize(
    ("method", "said"),
    [
        ("end", "exit code 3"),
        ("nonsense", "wrote b'hello"),
        ("silence", "did not answer silence within 1 s"),
    ],
)
def test_a_server_that_fails_is_described(tmp_path: Path, method: str, said: str) -> None:
    started = client(tmp_path)
    try:
        started.initialize()
        started.timeout = 1
        with pytest.raises(ServerFailed, match=said) as failure:
            started.request(method)
        assert "a word on standard error" in str(failure.value)
    finally:
        started.kill()


def test_positions_count_utf_16_units() -> None:
    text = "a: 1\nb: \U0001f600 x\n"
    start = position(text, "x")
    assert start == {"line": 1, "character": 6}
    assert position(text, ":", occurrence=2) == {"line": 1, "character": 1}
    assert covered(text, {"start": start, "end": {"line": 1, "character": 7}}) == "x"
