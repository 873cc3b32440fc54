"""Every format of a report, colours, and `--strict`, through the command line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from subprocess import PIPE
from typing import Any
from urllib.parse import unquote

import pytest
from cli_kit import (
    DECIDING,
    ESCAPE,
    Outcome,
    command,
    environment,
    on_terminal,
    process,
    start,
    taskset,
    tree,
)
from jsonschema import Draft202012Validator

from fleet_contracts import __version__
from fleet_contracts.cli.report import FORMATS
from fleet_contracts.schemas import SCHEMA_FOLDER
from formats_kit import annotation, path_of, suites, valid_sarif

REPORT = json.loads((SCHEMA_FOLDER / "report" / "report.v1.json").read_bytes())
WORDS = {"error": "error", "warning": "warning", "notice": "note"}


@pytest.fixture(autouse=True)
def _no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing that is set where the tests run decide on colours or on warnings."""
    for name in DECIDING:
        monkeypatch.delenv(name, raising=False)


def warned(path: Path) -> Path:
    """Write an Environment that compiles with a warning: its version key is not the first."""
    environment(path)
    path.write_text(f"name: e\n{path.read_text()}", encoding="utf-8")
    return path


def many_errors(folder: Path, count: int = 60) -> Path:
    tasks = "".join(f"  KEY{index}: {{prompt: 'é 键 😀', x: 1}}\n" for index in range(count))
    path = folder / "many.taskset.yaml"
    path.write_text(f"authoring: taskset/v1\ntasks:\n{tasks}", encoding="utf-8")
    return path


def checked(folder: Path, form: str, *words: object) -> Outcome:
    return command(folder, "check", "--format", form, *words)


def severities(folder: Path, form: str, *words: object) -> list[str]:
    """Return the severities that a format tells, in its order, once it is seen to be valid."""
    out = checked(folder, form, *words).out
    if form == "json":
        Draft202012Validator(REPORT).validate(json.loads(out))
        return [item["severity"] for item in json.loads(out)["diagnostics"]]
    if form == "sarif":
        return [result["level"] for result in valid_sarif(json.loads(out))["results"]]
    if form == "junit":
        texts = [
            part.text or "" for suite in suites(out).values() for case in suite for part in case
        ]
        return [text.partition("[FLT")[0].rpartition(" ")[2] for text in texts]
    if form == "github":
        lines = [line for line in out.splitlines() if line.startswith("::")]
        return [WORDS[annotation(line).command] for line in lines]
    words_of_text = [line.partition("[FLT")[0].split(" ") for line in out.splitlines()]
    return [words[1] for words in words_of_text if len(words) == 2 and words[0].endswith(":")]


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_tells_the_same(tmp_path: Path, form: str) -> None:
    files = (
        taskset(tmp_path / "a.taskset.yaml", key="UPPER"),
        warned(tmp_path / "b.environment.yaml"),
        taskset(tmp_path / "c.taskset.yaml", builtin="answer-equal"),
    )
    expected = severities(tmp_path, "json", *files)
    assert expected == ["error", "warning", "error"]
    assert severities(tmp_path, form, *files) == expected
    outcome = checked(tmp_path, form, *files)
    assert (outcome.code, outcome.err) == (1, "")


@pytest.mark.parametrize("form", FORMATS)
def test_clean_runs(tmp_path: Path, form: str) -> None:
    file = taskset(tmp_path / "a.taskset.yaml")
    assert severities(tmp_path, form, file) == []
    outcome = checked(tmp_path, form, file)
    assert outcome.code == 0
    assert ("+++ fleet.lock" in outcome.err) is (form == "text")
    roots = [line for line in outcome.out.splitlines() if line.startswith("TaskSet  a  ")]
    assert len(roots) == (form in ("text", "github"))


def documents(folder: Path, *words: object) -> tuple[dict[str, Any], list[str], str]:
    """Return what sarif, github and junit print."""
    log = valid_sarif(json.loads(checked(folder, "sarif", *words).out))
    return (
        log,
        checked(folder, "github", *words).out.splitlines(),
        checked(folder, "junit", *words).out,
    )


def test_files_are_named_from_the_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    path = taskset(tmp_path / "sub folder" / "deep" / "a.taskset.yaml", key="UPPER")
    (path.parent / "fleet.lock").write_text('{"schema": "fleet.lock.v2", "builtins": []}')
    name = "sub folder/deep/a.taskset.yaml"
    for folder in (tmp_path, path.parent):
        run, lines, junit = documents(folder, path)
        (result,) = run["results"]
        assert path_of(result["locations"][0]) == name
        assert annotation(lines[0]).properties["file"] == name
        assert list(suites(junit)) == [name]


def test_files_are_named_from_the_project_without_a_repository(tmp_path: Path) -> None:
    project = tmp_path / "project"
    path = taskset(project / "sub" / "a.taskset.yaml", key="UPPER")
    catalog = tmp_path / "catalog.yaml"
    catalog.write_text("nothing: 1\n", encoding="utf-8")
    run, lines, junit = documents(tmp_path, path, "--project", project)
    assert path_of(run["results"][0]["locations"][0]) == "sub/a.taskset.yaml"
    assert annotation(lines[0]).properties["file"] == "sub/a.taskset.yaml"
    assert list(suites(junit)) == ["sub/a.taskset.yaml"]
    run, lines, junit = documents(tmp_path, path, "--project", project, "--catalog", catalog)
    where = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert unquote(where["uri"]) == f"file://{catalog.resolve()}"
    assert annotation(lines[0]).properties["file"] == str(catalog.resolve())
    assert list(suites(junit)) == ["sub/a.taskset.yaml", str(catalog.resolve())]


def test_sarif_explains_its_rules(tmp_path: Path) -> None:
    outcome = checked(tmp_path, "sarif", taskset(tmp_path / "a.taskset.yaml", key="UPPER"))
    run = valid_sarif(outcome.report)
    driver = run["tool"]["driver"]
    assert driver["version"] == driver["semanticVersion"] == __version__
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 1}]
    (rule,) = driver["rules"]
    assert rule["id"] == "FLT4001"
    assert "How to fix it" in rule["help"]["markdown"]
    assert rule["fullDescription"]["text"] != rule["shortDescription"]["text"]


@pytest.mark.parametrize("form", FORMATS)
def test_max_errors_is_for_people(tmp_path: Path, form: str) -> None:
    file = many_errors(tmp_path)
    total = len(severities(tmp_path, "json", file))
    assert total >= 60
    capped = {"text", "github"}
    shown = severities(tmp_path, form, file, "--max-errors", 7)
    assert len(shown) == (7 if form in capped else total)
    assert len(severities(tmp_path, form, file, "--max-errors", 0)) == total
    out = checked(tmp_path, form, file, "--max-errors", 7).out
    said = f"({total - 7} not shown; --max-errors 0 shows all)"
    assert (said in out.splitlines()[-1]) is (form in capped)


@pytest.mark.parametrize("form", FORMATS)
def test_reader_that_goes_away(tmp_path: Path, form: str) -> None:
    words = ("check", many_errors(tmp_path, 600), "--max-errors", "0", "--format", form)
    started = start(tmp_path, *words, stdout=PIPE, stderr=PIPE)
    assert started.stdout is not None
    assert started.stderr is not None
    started.stdout.read(10)
    started.stdout.close()
    with started.stderr:
        said = started.stderr.read()
    assert (started.wait(timeout=60), said) == (141, b"")


@pytest.mark.parametrize("form", ["sarif", "junit", "github"])
@pytest.mark.parametrize("encoding", ["latin-1", "ascii", "utf-8"])
def test_narrow_encodings(tmp_path: Path, form: str, encoding: str) -> None:
    file = many_errors(tmp_path, 1).rename(tmp_path / "é键😀.taskset.yaml")
    started = start(
        tmp_path,
        *("check", file, "--format", form),
        env={"PYTHONIOENCODING": encoding},
        stdout=PIPE,
        stderr=PIPE,
    )
    out, err = started.communicate(timeout=60)
    assert (started.returncode, err) == (1, b"")
    if form == "sarif":
        run = valid_sarif(json.loads(out.decode(encoding)))
        assert path_of(run["results"][0]["locations"][0]) == file.name
    elif form == "junit":
        assert list(suites(out.decode(encoding))) == [file.name]
    else:
        first = out.decode(encoding).splitlines()[0]
        assert (annotation(first).properties["file"] == file.name) is (encoding == "utf-8")


def test_strict(tmp_path: Path) -> None:
    file = warned(tmp_path / "a.environment.yaml")
    before = tree(tmp_path)
    outcome = command(tmp_path, "compile", "--strict", file)
    assert outcome.code == 1
    assert outcome.out.splitlines()[-1] == "1 warning; warnings fail because of --strict"
    assert tree(tmp_path) == before
    assert command(tmp_path, "check", "--strict", file).code == 1
    kind = command(tmp_path, "compile", "--strict", "--format", "json", file)
    assert (kind.code, kind.report["roots"]) == (1, [])
    loose = command(tmp_path, "compile", file)
    assert loose.code == 0
    assert "--strict" not in loose.out
    assert tree(tmp_path) != before


def test_strict_leaves_the_lock_alone(tmp_path: Path) -> None:
    path = taskset(tmp_path / "a.taskset.yaml")
    path.write_text(f"name: a\n{path.read_text()}", encoding="utf-8")
    before = tree(tmp_path)
    outcome = command(tmp_path, "compile", "--strict", path)
    assert (outcome.code, outcome.err) == (1, "")
    assert tree(tmp_path) == before


def test_strict_with_nothing_to_fail(tmp_path: Path) -> None:
    outcome = command(tmp_path, "check", "--strict", environment(tmp_path / "a.environment.yaml"))
    assert outcome.code == 0
    assert "--strict" not in outcome.out


def test_strict_warnings_come_before_what_is_missing(tmp_path: Path) -> None:
    path = taskset(tmp_path / "a.taskset.yaml", prompt="{file: nowhere.md}")
    path.write_text(f"name: a\n{path.read_text()}", encoding="utf-8")
    assert command(tmp_path, "check", path).code == 4
    assert command(tmp_path, "check", "--strict", path).code == 1


def test_suppressed_warnings_do_not_fail(tmp_path: Path) -> None:
    file = environment(tmp_path / "a.environment.yaml")
    text = file.read_text().replace("v1\n", "v1 # fleet: ignore FLT2004 kept for the eye\n", 1)
    file.write_text(f"name: e\n{text}", encoding="utf-8")
    for form in FORMATS:
        assert severities(tmp_path, form, "--strict", file) == []
        assert checked(tmp_path, form, "--strict", file).code == 0
    assert command(tmp_path, "compile", "--strict", file).code == 0


def test_strict_by_a_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = warned(tmp_path / "a.environment.yaml")
    for value, code in (("", 0), ("0", 0), ("1", 1), ("true", 1)):
        monkeypatch.setenv("FLEET_STRICT", value)
        outcome = command(tmp_path, "check", file)
        assert outcome.code == code
        assert ("warnings fail because of FLEET_STRICT" in outcome.out) is (code == 1)
    assert "because of --strict" in command(tmp_path, "check", "--strict", file).out
    monkeypatch.setenv("FLEET_STRICT", "perhaps")
    assert command(tmp_path, "check", file).code == 2
    assert "FLEET_STRICT" in command(tmp_path, "check", "--help").out


def test_strict_in_junit_and_github(tmp_path: Path) -> None:
    file = warned(tmp_path / "a.environment.yaml")
    loose, strict = (
        suites(checked(tmp_path, "junit", file, *words).out)["a.environment.yaml"]
        for words in ((), ("--strict",))
    )
    assert (loose.attrib["failures"], strict.attrib["failures"]) == ("0", "1")
    last = checked(tmp_path, "github", "--strict", file).out.splitlines()[-1]
    assert last == "1 warning; warnings fail because of --strict"


@pytest.mark.parametrize(
    ("choice", "variables", "on_a_terminal", "in_a_pipe"),
    [
        ("auto", {}, True, False),
        ("auto", {"NO_COLOR": "1"}, False, False),
        ("auto", {"NO_COLOR": ""}, True, False),
        ("auto", {"TERM": "dumb"}, False, False),
        ("auto", {"FORCE_COLOR": "1"}, True, True),
        ("auto", {"FORCE_COLOR": "3", "TERM": "dumb"}, True, True),
        ("auto", {"FORCE_COLOR": "0"}, True, False),
        ("auto", {"FORCE_COLOR": ""}, True, False),
        ("auto", {"CLICOLOR_FORCE": "1"}, True, True),
        ("auto", {"CLICOLOR_FORCE": "0"}, True, False),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1", "CLICOLOR_FORCE": "1"}, False, False),
        ("always", {"NO_COLOR": "1", "TERM": "dumb"}, True, True),
        ("never", {"FORCE_COLOR": "1", "CLICOLOR_FORCE": "1"}, False, False),
    ],
)
def test_colours(
    tmp_path: Path,
    choice: str,
    variables: dict[str, str],
    on_a_terminal: bool,
    in_a_pipe: bool,
) -> None:
    words = ("check", "--color", choice, taskset(tmp_path / "a.taskset.yaml", key="UPPER"))
    seen = on_terminal(tmp_path, *words, stdout=True, env=variables)
    piped = process(tmp_path, *words, env=variables)
    assert (ESCAPE in seen.out, ESCAPE in piped.out) == (on_a_terminal, in_a_pipe)
    assert (seen.code, piped.code) == (1, 1)


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "text"])
def test_colours_are_for_text_alone(tmp_path: Path, form: str) -> None:
    file = taskset(tmp_path / "a.taskset.yaml", key="UPPER")
    assert ESCAPE not in checked(tmp_path, form, file, "--color", "always").out


def test_a_document_cannot_give_commands(tmp_path: Path) -> None:
    evil = tmp_path / "a\n::set-output name=x::y.taskset.yaml"
    text = taskset(tmp_path / "b.taskset.yaml").read_text()
    evil.write_text(text.replace("  one:", '  "\\n::add-mask::x\\r\\n%0A::error::":'))
    lines = checked(tmp_path, "github", evil).out.splitlines()
    commands = [annotation(line).command for line in lines if "::" in line]
    assert set(commands) == {"error"}
    assert lines[-1] == f"{len(commands)} errors"


def test_fixtures_in_every_format(tmp_path: Path) -> None:
    """All that is known to be wrong with documents, in formats that have a schema."""
    fixtures = Path(__file__).parents[2] / "fixtures" / "compile" / "err"
    folders = sorted(fixtures.iterdir())
    assert len(folders) > 100
    for case in folders:
        folder = tmp_path / case.name
        shutil.copytree(case / "input", folder, symlinks=True)
        options = case / "options"
        words = options.read_text("utf-8").splitlines() if options.exists() else []
        roots = sorted([*folder.glob("*.taskset.yaml"), *folder.glob("*.environment.yaml")])
        names = [path.name for path in roots]
        words = [*names, "--project", ".", *words]
        expected = severities(folder, "json", *words)
        assert severities(folder, "sarif", *words) == expected
        assert sorted(severities(folder, "junit", *words)) == sorted(expected)
