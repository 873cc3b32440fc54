"""A client of the Language Server Protocol, for tests of servers on standard input and output.

`with LspClient(command, folder) as client:` starts the server and initializes it; leaving shuts
it down. A server that does not answer in time is killed, and the error shows what it wrote.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

Json = Any
Answer = Callable[[Json], Json]

ENDED = "ended"
LONGEST_MESSAGE = 64 * 1024 * 1024


class ServerFailed(AssertionError):
    """The server ended, fell silent, or wrote something that is no message of the protocol."""


class ResponseError(Exception):
    """The server answered a request with an error."""

    def __init__(self, method: str, error: Mapping[str, Json]) -> None:
        super().__init__(f"{method}: {error.get('code')} {error.get('message')}")
        self.code: int = error["code"]
        self.message: str = error["message"]


def position(text: str, needle: str, within: int = 0, *, occurrence: int = 1) -> dict[str, int]:
    """Where `needle` starts in `text`, moved by `within` characters, in UTF-16 units."""
    index = -1
    for _ in range(occurrence):
        index = text.index(needle, index + 1)
    before = text[: index + within]
    line = before.rpartition("\n")[2]
    return {"line": before.count("\n"), "character": len(line.encode("utf-16-le")) // 2}


def covered(text: str, span: Mapping[str, Mapping[str, int]]) -> str:
    """The text that a range of the protocol covers."""
    lines = text.split("\n")

    def offset(place: Mapping[str, int]) -> int:
        before = sum(len(line) + 1 for line in lines[: place["line"]])
        units = lines[place["line"]].encode("utf-16-le")[: place["character"] * 2]
        return before + len(units.decode("utf-16-le"))

    return text[offset(span["start"]) : offset(span["end"])]


class LspClient:
    """One server process and what it has said so far.

    `settings` answers `workspace/configuration` by section; `answers` answers further requests
    of the server by method. `timeout` is in seconds, for each wait.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        *,
        settings: Mapping[str, Json] | None = None,
        answers: Mapping[str, Answer] | None = None,
        capabilities: Mapping[str, Json] | None = None,
        options: Mapping[str, Json] | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float = 30.0,
    ) -> None:
        self.name = Path(command[0]).name
        self.folder = folder
        self.timeout = timeout
        self.settings: Mapping[str, Json] = settings or {}
        self.server: dict[str, Json] = {}
        self.registered: list[dict[str, Json]] = []
        self.answered: list[str] = []
        self.notifications: list[tuple[str, Json]] = []
        self.versions: dict[str, int] = {}
        self._capabilities = dict(capabilities or {})
        self._options = dict(options or {})
        self._answers: dict[str, Answer] = {
            "workspace/configuration": self._configuration,
            "client/registerCapability": self._register,
            "client/unregisterCapability": lambda _: None,
            "window/workDoneProgress/create": lambda _: None,
            "window/showMessageRequest": lambda _: None,
            "workspace/workspaceFolders": lambda _: [self._workspace()],
            "workspace/applyEdit": lambda _: {"applied": False},
            **(answers or {}),
        }
        self._responses: dict[int, dict[str, Json]] = {}
        self._published: dict[str, tuple[int | None, list[Json]]] = {}
        self._last_id = 0
        self._problem: str | None = None
        self._news = threading.Condition()
        self._writing = threading.Lock()
        self._stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115, closed in `close`
        self._process = subprocess.Popen(
            list(command),
            cwd=folder,
            env=None if env is None else {**os.environ, **env},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
        )
        self._reader = threading.Thread(target=self._read, name="lsp-reader", daemon=True)
        self._reader.start()

    # Starting and ending

    def __enter__(self) -> Self:
        try:
            self.initialize()
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.kill()

    def initialize(self) -> dict[str, Json]:
        """Do the handshake; what the server can do is kept in `server`."""
        result = self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": self.folder.as_uri(),
                "workspaceFolders": [self._workspace()],
                "capabilities": self._capabilities,
                "initializationOptions": self._options,
            },
        )
        self.server = result
        self.notify("initialized", {})
        return self.server

    def close(self) -> int:
        """Shut the server down as the protocol says; return its exit code."""
        try:
            self.request("shutdown")
            self.notify("exit")
            return self._process.wait(self.timeout)
        except subprocess.TimeoutExpired:
            raise ServerFailed(self._described("did not end after `exit`")) from None
        finally:
            self.kill()

    def kill(self) -> None:
        """End the process, whatever it does, and close what belongs to it."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._reader.join()
        for pipe in (self._process.stdin, self._process.stdout, self._stderr):
            if pipe is not None:
                with contextlib.suppress(BrokenPipeError):  # what was not read cannot be flushed
                    pipe.close()

    # Talking

    def request(self, method: str, params: Json = None) -> Json:
        """Send a request and wait for its result; raises `ResponseError`, `ServerFailed`."""
        return self.result(method, self.send(method, params))

    def send(self, method: str, params: Json = None) -> int:
        """Send a request without waiting; return its id for `result`."""
        with self._news:
            self._last_id += 1
            number = self._last_id
        message: dict[str, Json] = {"jsonrpc": "2.0", "id": number, "method": method}
        self._write(message if params is None else {**message, "params": params})
        return number

    def result(self, method: str, number: int) -> Json:
        """Wait for the result of a request that `send` sent."""
        self._wait(lambda: number in self._responses, f"did not answer {method}")
        response = self._responses.pop(number)
        if "error" in response:
            raise ResponseError(method, response["error"])
        return response.get("result")

    def notify(self, method: str, params: Json = None) -> None:
        """Send a notification."""
        message: dict[str, Json] = {"jsonrpc": "2.0", "method": method}
        self._write(message if params is None else {**message, "params": params})

    # Documents

    def open(self, path: Path, text: str | None = None, *, language: str = "yaml") -> str:
        """Open a document, with the text on disk unless `text` is given; return its URI."""
        uri = path.as_uri()
        shown = path.read_text(encoding="utf-8") if text is None else text
        self._next_version(uri)
        item = {"uri": uri, "languageId": language, "version": self.versions[uri], "text": shown}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return uri

    def change(self, path: Path, *changes: str | Mapping[str, Json]) -> int:
        """Change an open document: a whole text, or `{range, text}` each; return its version."""
        uri = path.as_uri()
        self._next_version(uri)
        edits = [{"text": each} if isinstance(each, str) else dict(each) for each in changes]
        document = {"uri": uri, "version": self.versions[uri]}
        params = {"textDocument": document, "contentChanges": edits}
        self.notify("textDocument/didChange", params)
        return self.versions[uri]

    def save(self, path: Path) -> None:
        """Say that a document was saved."""
        self.notify("textDocument/didSave", {"textDocument": {"uri": path.as_uri()}})

    def shut(self, path: Path) -> None:
        """Close a document."""
        self.notify("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})

    def diagnostics(self, path: Path) -> list[dict[str, Json]]:
        """Wait for what the server publishes about a document's latest version.

        A server that tells no versions is believed: what arrives after `open` or `change` counts.
        """
        uri = path.as_uri()

        def current() -> bool:
            if uri not in self._published:
                return False
            version = self._published[uri][0]
            return version is None or version >= self.versions.get(uri, 0)

        self._wait(current, f"published no diagnostics of {path.name}")
        return self._published[uri][1]

    def at(self, method: str, path: Path, place: Mapping[str, int], **more: Json) -> Json:
        """Request something about a position, such as `textDocument/hover`."""
        params = {"textDocument": {"uri": path.as_uri()}, "position": place, **more}
        return self.request(method, params)

    def wait_for(self, method: str) -> Json:
        """Wait until the server has sent a notification; return the parameters of the latest."""
        self._wait(
            lambda: any(name == method for name, _ in self.notifications), f"never sent {method}"
        )
        return next(params for name, params in reversed(self.notifications) if name == method)

    def wait_until_asked(self, method: str) -> None:
        """Wait until the server has sent a request and was answered."""
        self._wait(lambda: method in self.answered, f"never asked for {method}")

    def _next_version(self, uri: str) -> None:
        with self._news:
            self.versions[uri] = self.versions.get(uri, 0) + 1
            self._published.pop(uri, None)

    # What the server asks

    def _workspace(self) -> dict[str, str]:
        return {"uri": self.folder.as_uri(), "name": self.folder.name}

    def _configuration(self, params: Json) -> Json:
        return [self.settings.get(item.get("section", "")) for item in params["items"]]

    def _register(self, params: Json) -> None:
        self.registered.extend(params["registrations"])

    # Bytes

    def _write(self, message: Mapping[str, Json]) -> None:
        body = json.dumps(message, ensure_ascii=False).encode()
        pipe = self._process.stdin
        assert pipe is not None
        try:
            with self._writing:
                pipe.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
                pipe.flush()
        except BrokenPipeError:
            raise ServerFailed(self._described("closed its standard input")) from None

    def _read(self) -> None:
        pipe = self._process.stdout
        assert pipe is not None
        try:
            while (message := read_message(pipe)) is not None:
                self._take(message)
            problem = ENDED
        except (ServerFailed, ValueError) as failure:
            problem = str(failure)
        with self._news:
            self._problem = problem
            self._news.notify_all()

    def _take(self, message: dict[str, Json]) -> None:
        method = message.get("method")
        if method is not None and "id" in message:
            self._respond(message["id"], method, message.get("params"))
            return
        with self._news:
            if method is None:
                self._responses[message["id"]] = message
            elif method == "textDocument/publishDiagnostics":
                params = message["params"]
                self._published[params["uri"]] = (params.get("version"), params["diagnostics"])
            else:
                self.notifications.append((method, message.get("params")))
            self._news.notify_all()

    def _respond(self, number: Json, method: str, params: Json) -> None:
        answer = self._answers.get(method)
        response: dict[str, Json] = {"jsonrpc": "2.0", "id": number}
        if answer is None:
            response["error"] = {"code": -32601, "message": f"{method} is not known here"}
        else:
            response["result"] = answer(params)
        self._write(response)
        with self._news:
            self.answered.append(method)
            self._news.notify_all()

    def _wait(self, done: Callable[[], bool], otherwise: str) -> None:
        until = time.monotonic() + self.timeout
        with self._news:
            while not done():
                if self._problem is not None:
                    raise ServerFailed(self._described(f"{self._problem}, and {otherwise}"))
                if not self._news.wait(until - time.monotonic()):
                    seconds = f"{self.timeout:g} s"
                    raise ServerFailed(self._described(f"{otherwise} within {seconds}"))

    def _described(self, what: str) -> str:
        if self._problem == ENDED:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(self.timeout)
        self._stderr.seek(0)
        said = self._stderr.read().decode(errors="replace")[-4000:]
        code = self._process.poll()
        state = "still running" if code is None else f"exit code {code}"
        return f"the server {self.name} {what} ({state}); its standard error:\n{said}"


def read_message(pipe: IO[bytes]) -> dict[str, Json] | None:
    """Read one message; none at the end of the stream."""
    length = -1
    while (line := pipe.readline()) not in (b"\r\n", b"\n"):
        if not line:
            return None
        name, _, value = line.decode("ascii", errors="replace").partition(":")
        if name.strip().lower() == "content-length":
            length = int(value)
        elif name.strip().lower() != "content-type":
            raise ServerFailed(f"wrote {line!r} where a header belongs")
    if not 0 <= length <= LONGEST_MESSAGE:
        raise ServerFailed("sent a message without a usable length")
    body = pipe.read(length)
    if len(body) < length:
        return None
    message = json.loads(body)
    if not isinstance(message, dict):
        raise ServerFailed("sent a message that is no object")
    return message
