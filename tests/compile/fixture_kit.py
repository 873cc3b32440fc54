"""Runs the command line on a copy of a fixture and reads what it left, without the package."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

import rfc8785

from fleet_contracts.cli.main import fleet

CHECKOUT = Path(__file__).resolve().parents[2]
OK = CHECKOUT / "fixtures" / "compile" / "ok"
ERR = CHECKOUT / "fixtures" / "compile" / "err"
VERIFY = CHECKOUT / "fixtures" / "verify"
EXAMPLES = CHECKOUT / "examples"
PACK_TYPE = "application/vnd.fleet.pack.v1"
SECONDS = re.compile(r"\b[0-9]+\.[0-9]{2} s$", re.MULTILINE)
ROOTS = ("*.taskset.yaml", "*.environment.yaml")

Document = dict[str, Any]


class Run(NamedTuple):
    """What a command printed on stdout and returned."""

    stdout: str
    code: int


def folders(parent: Path) -> list[Path]:
    """Return the cases in a folder by name."""
    return sorted(path for path in parent.iterdir() if path.is_dir())


def copied(case: Path, to: Path) -> Path:
    """Copy the input of a case, or the examples, out of the checkout and return the copy."""
    folder = to.resolve() / "project"
    shutil.copytree(case if case == EXAMPLES else case / "input", folder, symlinks=True)
    return folder


def run(command: str, folder: Path, case: Path, *options: str) -> Run:
    """Run `fleet compile` or `fleet check` in a copy of a case, on every root at its top.

    A case may have a file `options`, one argument a line. The folder is called `/project` in
    what is returned, and every duration is 0.00 s.
    """
    extra = case / "options"
    lines = extra.read_text("utf-8").splitlines() if extra.exists() else []
    patterns = [f"*/{each}" for each in ROOTS] if case == EXAMPLES else ROOTS
    found = [path for each in patterns for path in sorted(folder.glob(each))]
    roots = [str(path.relative_to(folder)) for path in found]
    arguments = [command, *roots, "--project", ".", *lines, *options]
    out = io.StringIO()
    with chdir(folder), redirect_stdout(out), redirect_stderr(io.StringIO()):
        code = fleet.main(arguments, prog_name="fleet", standalone_mode=False)
    text = out.getvalue().replace(str(folder.parent), "")
    return Run(SECONDS.sub("0.00 s", text), int(code))


def documents(store: Path) -> dict[str, Document]:
    """Return every Fleet document of a store by its digest, which must be right."""
    found = {}
    for digest, data in _objects(store):
        assert digest == "sha256:" + hashlib.sha256(data).hexdigest()
        document = _document(data)
        if document is not None:
            assert rfc8785.dumps(document) == data, f"{digest} is not canonical"
            found[digest] = document
    return dict(sorted(found.items()))


def _objects(store: Path) -> Iterator[tuple[str, bytes]]:
    for root in json.loads((store / "index.json").read_bytes())["manifests"]:
        for layer in json.loads(_blob(store, root["digest"]))["layers"]:
            data = _blob(store, layer["digest"])
            if layer["mediaType"] != PACK_TYPE:
                yield layer["digest"], data
                continue
            table, rest = data.split(b"\n", 1)
            for digest, size in json.loads(table):
                yield digest, rest[:size]
                rest = rest[size:]
            assert not rest


def _blob(store: Path, digest: str) -> bytes:
    return (store / "blobs" / "sha256" / digest.removeprefix("sha256:")).read_bytes()


def _document(data: bytes) -> Document | None:
    try:
        value = json.loads(data)
    except ValueError:
        return None
    is_document = isinstance(value, dict) and str(value.get("schema", "")).startswith("fleet.")
    return value if is_document else None


def pretty(value: Any) -> str:
    """Return JSON text whose diff can be read."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def writes_golden() -> bool:
    """Tell whether expected files are to be rewritten instead of compared."""
    return os.environ.get("FLEET_GOLDEN") == "write"


def golden(path: Path, text: str) -> None:
    """Compare a text with an expected file, or write the file."""
    if writes_golden():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8", newline="\n")
        return
    assert text == path.read_bytes().decode(), f"{path.relative_to(CHECKOUT)}: run `make golden`"
