"""The test vectors in `fixtures/identity` are what this compiler makes, and Node agrees with them.

`FLEET_GOLDEN=write` rewrites what follows from their input.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from identity_kit import KeepingSink
from vectors_kit import CASES, FOLDER, golden, read, vector

from elsewhere_kit import recomputed, run_check
from fleet_contracts import canonical, decimal_text
from fleet_contracts.compiler import ANY, Compiler
from fleet_contracts.models.since import NEWEST
from fleet_contracts.pages import INLINE_TASKS, Entry, split_pages
from fleet_contracts.project import Project
from fleet_contracts.store import Ref

SAME = {
    "layout": 1,
    "unicode": 2,
    "decimals": 1,
    "defaults": 2,
    "sets": 2,
    "aliases": 1,
    "rows": 1,
    "line-endings": 3,
    "verifier": 3,
    "free-form": 1,
    "environment": 1,
    **{f"generation-{number:02}": 1 for number in range(1, NEWEST + 1)},
}
"""How many digests the files of each case have among them."""

DECIMAL = """\
authoring: verifier/v1
node:
  id: close
  type: evaluator
  evaluator: {kind: builtin.v1, builtin_id: answer-close, params: {tolerance: 0, expected: %s}}
  decision: {kind: threshold, at_least: 1}
"""


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_a_case_is_what_the_compiler_makes(case: Path, tmp_path: Path) -> None:
    found = vector(case, tmp_path)
    golden(case / "expected.json", found)
    assert len(found["roots"]) == SAME[case.name]


def test_the_cases_are_complete() -> None:
    assert {case.name for case in CASES} == set(SAME)
    for case in CASES:
        assert {path.name for path in case.iterdir()} == {"README.md", "expected.json", "input"}
    text = (FOLDER / "README.md").read_text("utf-8")
    assert [name for name in SAME if f"`{name.partition('-0')[0]}" not in text] == []


@pytest.mark.parametrize("number", range(1, NEWEST + 1))
def test_there_is_a_case_for_every_generation(number: int) -> None:
    expected = read(f"cases/generation-{number:02}/expected.json")
    schemas = [json.loads(each["canonical"])["schema"] for each in expected["documents"]]
    assert f"fleet.task.v1alpha{number}" in schemas


def test_a_node_has_one_digest_in_all_roots_of_its_case() -> None:
    expected = read("cases/verifier/expected.json")
    roots = {each["files"][0]: each["nodes"] for each in expected["roots"]}
    alone, leaf = roots["alone.verifier.yaml"], roots["leaf.verifier.yaml"]
    tasks = roots["in-tasks.taskset.yaml"]
    assert tasks["tree"] == {
        pointer.replace("/node", "/verifiers/0", 1): digest for pointer, digest in alone.items()
    }
    assert tasks["leaf"]["/verifiers/0"] == leaf["/node"] == tasks["newest"]["/verifiers/0"]
    assert leaf["/node"] == alone["/node/children/1/node"]


def test_canonical_bytes() -> None:
    found = read("canonical.json")
    for each in found["good"]:
        data = canonical.canonical_bytes(json.loads(each["json"]))
        each.update(canonical=data.decode(), digest=canonical.digest(data))
    golden(FOLDER / "canonical.json", found)
    for each in found["refused"]:
        value = json.loads(each["json"], parse_float=Decimal)
        with pytest.raises(canonical.CanonicalError) as caught:
            canonical.canonical_bytes(value)
        assert caught.value.kind == each["why"]


def test_decimals(tmp_path: Path) -> None:
    found = read("decimals.json")
    for each in found["authored"]:
        each["canonical"] = compiled_decimal(tmp_path, each["text"])
        assert compiled_decimal(tmp_path, f'"{each["text"]}"') == each["canonical"]
    for each in found["rows"]:
        each["canonical"] = decimal_text.normalise(json.loads(each["text"], parse_float=Decimal))
    golden(FOLDER / "decimals.json", found)
    for text in found["refused"]:
        assert compiled_decimal(tmp_path, text) is None, text
        assert compiled_decimal(tmp_path, f'"{text}"') is None, text


def compiled_decimal(folder: Path, text: str) -> str | None:
    """Return what a scalar in the place of a decimal becomes; None if it is refused."""
    path = folder / "one.verifier.yaml"
    path.write_text(DECIMAL % text, "utf-8")
    sink = KeepingSink()
    root = Compiler(Project(folder.resolve()), sink, accepts=ANY).compile(path.resolve())
    if root is None:
        return None
    evaluator = json.loads(sink.objects[root.digest])["node"]["evaluator"]
    expected: str = evaluator["params"]["expected"]
    return expected


def test_pages() -> None:
    found = read("pages.json")
    for each in found:
        keys = sorted(f"{each['prefix']}{index}" for index in range(each["count"]))
        entries = [Entry(key, Ref("", 0)) for key in keys]
        pages = split_pages(entries) if len(keys) > INLINE_TASKS else ()
        each["pages"] = [[page[0].key, page[-1].key, len(page)] for page in pages]
    golden(FOLDER / "pages.json", found)


@pytest.mark.node
def test_node_agrees_with_every_vector() -> None:
    (found,) = recomputed("vectors", FOLDER)
    canonical_count = sum(map(len, read("canonical.json").values()))
    decimal_count = sum(map(len, read("decimals.json").values()))
    assert found == {
        "cases": len(CASES),
        "canonical": canonical_count,
        "decimals": decimal_count,
        "pages": len(read("pages.json")),
    }


def change(name: str, edit: Callable[[Any], object]) -> Callable[[Path], None]:
    """Return what changes one file of the vectors."""

    def damage(folder: Path) -> None:
        value = json.loads((folder / name).read_bytes())
        edit(value)
        (folder / name).write_text(json.dumps(value), "utf-8")

    return damage


CASE = "cases/verifier/expected.json"


@pytest.mark.node
@pytest.mark.parametrize(
    "damage",
    [
        change("canonical.json", lambda value: value["good"][5].update(canonical="[0]")),
        change("canonical.json", lambda value: value["refused"][0].update(json="[5]")),
        change("decimals.json", lambda value: value["authored"][5].update(canonical="0.30")),
        change("decimals.json", lambda value: value["rows"][2].update(canonical="0.01")),
        change("decimals.json", lambda value: value["refused"].append("0.5")),
        change("pages.json", lambda value: value[1]["pages"].pop()),
        change(CASE, lambda value: value["roots"][0]["nodes"].update({"/node": "sha256:0"})),
        change(CASE, lambda value: value["documents"][0].update(size=1)),
        change(CASE, lambda value: value["documents"].pop()),
        change(CASE, lambda value: value["blobs"][0].update(text="other")),
    ],
)
def test_node_notices(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    folder = tmp_path / "identity"
    shutil.copytree(FOLDER, folder)
    damage(folder)
    assert run_check("vectors", folder).returncode == 1
