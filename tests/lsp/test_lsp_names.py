from __future__ import annotations

from pathlib import Path

import pytest
from lsp_kit import marked, session, stretch

from fleet_contracts.lsp.completion import completions
from fleet_contracts.lsp.definitions import definitions
from fleet_contracts.lsp.session import Session

IMAGE = "sha256:" + "1" * 64
PROJECT = f"""\
authoring: taskset/v1
include: ["more/*.tasks.yaml", b.tasks.yaml]
environments:
  shell: {{builtin: terminal@v1}}
  served:
    image_ref: {IMAGE}
    endpoints: [{{name: web, protocol: http, port: 80}}, {{name: "1", protocol: tcp, port: 81}}]
  filed: {{file: own.environment.yaml}}
defaults:
  environment: shell
  captures:
    - {{id: tree, kind: file.v1, path: out.log}}
  roster:
    - {{seat: agent, role: agent}}
dataset:
  - rows: rows.csv
    key: row/${{index}}
    task: {{prompt: ok, verifiers: []}}
tasks:
  one:
    prompt: {{file: prompts/one.md}}
    environment: served
    seed_mounts: [{{artifact: x, path: /data}}]
    captures:
      - {{id: log, kind: file.v1, path: out.log}}
      - id: diff
        kind: fs-diff.v1
    roster: [{{seat: critic, role: reviewer}}]
    verifiers:
      - id: top
        type: composite
        children:
          - id: edge
            node:
              id: leaf
              type: evaluator
              subject: {{kind: seat, seat: critic}}
              evaluator: {{kind: builtin.v1, builtin_id: answer-equals, params: {{input: said}}}}
              evidence:
                inputs:
                  - {{name: said, select: {{source: capture, id: diff}}}}
                  - {{name: mount, select: {{source: seed_mount, path: /data}}}}
              target_access: {{mode: read_only, bindings: [{{name: a, endpoint: web}}]}}
              metrics: [{{name: words, type: integer}}, {{name: lines, type: integer}}]
              objective: {{metric: lines, reducer: max}}
  two:
    environment: filed
    verifiers:
      - subject: {{kind: seat, seat: agent}}
        evidence: {{inputs: [{{name: a, select: {{source: capture, id: tree}}}}]}}
        target_access: {{bindings: [{{endpoint: own}}]}}
"""
TASKS = """\
authoring: tasks/v1
tasks:
  three:
    environment: shell
    verifiers:
      - evidence: {inputs: [{select: {source: capture, id: tree}}]}
"""
ENVIRONMENT = f"""\
authoring: environment/v1
image_ref: {IMAGE}
endpoints:
  - {{name: own, protocol: tcp, port: 1}}
"""


@pytest.fixture
def opened(tmp_path: Path) -> Session:
    folder = tmp_path.resolve()
    for name in ("prompts/one.md", "more/x.tasks.yaml", "more/y.tasks.yaml", "rows.csv"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("", encoding="utf-8")
    return session(folder, a_taskset=PROJECT, b_tasks=TASKS, own_environment=ENVIRONMENT)


def gone_to(opened: Session, name: str, marked_text: str) -> list[tuple[str, int, str]]:
    """Return file, line and text of what the mark leads to."""
    text, position = marked(marked_text)
    path = opened.texts.folder / name
    opened.texts.put(path.as_uri(), 2, text)
    found = []
    for target in definitions(opened.world, path, position):
        other = target.path.read_text(encoding="utf-8")
        file = target.path.relative_to(opened.texts.folder).as_posix()
        found.append((file, target.span.start.line, stretch(other, target.span)))
    return found


@pytest.mark.parametrize(
    ("needle", "expected"),
    [
        ("environment: s§erved", ("served:", "served")),
        ("defaults:\n  environment: §shell", ("shell: {builtin", "shell")),
        ("id: diff}", ("- id: diff", "diff")),
        ("capture, id: §tree", ("{id: tree, kind", "tree")),
        ("seat: §critic}\n              eval", ("{seat: critic, role", "critic")),
        ("kind: seat, seat: §agent", ("{seat: agent, role", "agent")),
        ("metric: §lines", ("{name: lines", "lines")),
        ("endpoint: §web", ("{name: web", "web")),
        ("input: §said", ("{name: said", "said")),
        ("seed_mount, path: §/data", ("artifact: x, path: /data", "/data")),
    ],
)
def test_a_name_leads_to_what_declares_it(
    opened: Session, needle: str, expected: tuple[str, str]
) -> None:
    bare = needle.replace("§", "")
    at = needle.index("§") if "§" in needle else needle.index("diff")
    index = PROJECT.index(bare) + at
    where, name = expected
    line = PROJECT[: PROJECT.index(where)].count("\n") + 1
    text = f"{PROJECT[:index]}§{PROJECT[index:]}"
    assert gone_to(opened, "a.taskset.yaml", text) == [("a.taskset.yaml", line, name)]


@pytest.mark.parametrize(
    ("needle", "files"),
    [
        ("file: §prompts/one.md", ["prompts/one.md"]),
        ("inc§lude: [", []),
        ('["§more', ["more/x.tasks.yaml", "more/y.tasks.yaml"]),
        (", §b.tasks.yaml", ["b.tasks.yaml"]),
        ("rows: §rows.csv", ["rows.csv"]),
        ("file: own.§environment.yaml", ["own.environment.yaml"]),
    ],
)
def test_a_path_leads_to_its_files(opened: Session, needle: str, files: list[str]) -> None:
    text = PROJECT.replace(needle.replace("§", ""), needle, 1)
    assert gone_to(opened, "a.taskset.yaml", text) == [(file, 1, "") for file in files]


def test_an_endpoint_may_be_declared_in_a_file_of_its_own(opened: Session) -> None:
    text = PROJECT.replace("endpoint: own", "endpoint: §own")
    assert gone_to(opened, "a.taskset.yaml", text) == [("own.environment.yaml", 4, "own")]


def test_an_included_file_sees_environments_and_defaults_of_its_root(opened: Session) -> None:
    text = TASKS.replace("environment: ", "environment: §")
    assert gone_to(opened, "b.tasks.yaml", text) == [("a.taskset.yaml", 4, "shell")]
    text = TASKS.replace("id: tree", "id: §tree")
    assert gone_to(opened, "b.tasks.yaml", text) == [("a.taskset.yaml", 12, "tree")]


@pytest.mark.parametrize(
    "needle",
    ["environment: §nowhere", "en§vironment: shell", "id: §leaf", "prompt: §ok", "path: §out.log"],
)
def test_what_names_nothing_leads_nowhere(opened: Session, needle: str) -> None:
    bare = needle.replace("§", "")
    text = PROJECT.replace("environment: served", "environment: nowhere")
    assert gone_to(opened, "a.taskset.yaml", text.replace(bare, needle, 1)) == []


def test_a_broken_text_is_looked_at_as_it_was_when_it_was_sound(opened: Session) -> None:
    path = opened.texts.folder / "a.taskset.yaml"
    assert opened.trees.of(path) is not None
    broken = PROJECT.replace("environment: served", "environment: §served", 1) + "\n]["
    assert gone_to(opened, "a.taskset.yaml", broken) == [("a.taskset.yaml", 5, "served")]
    early = broken.replace("include: [", "include: }[")
    assert gone_to(opened, "a.taskset.yaml", early) == [("a.taskset.yaml", 5, "served")]


@pytest.mark.parametrize(
    ("line", "needle", "names"),
    [
        ("environment: served", "environment: §", ["shell", "served", "filed"]),
        ("environment: served", "environment: s§h", ["shell", "served", "filed"]),
        ("id: diff}", "id: §}", ["log", "diff"]),
        ("seat: critic}\n ", "seat: §}\n ", ["critic"]),
        ("metric: lines", "metric: §", ["words", "lines"]),
        ("endpoint: web", "endpoint: §", ["web", '"1"']),
        ("input: said", "input: §", ["said", "mount"]),
        ("kind: builtin.v1", "kind: §", []),
    ],
)
def test_names_are_completed(opened: Session, line: str, needle: str, names: list[str]) -> None:
    text, position = marked(PROJECT.replace(line, needle, 1))
    path = opened.texts.folder / "a.taskset.yaml"
    opened.texts.put(path.as_uri(), 2, text)
    offers = completions(opened.world, path, position, " ")
    assert [each.new for each in offers] == names


def test_a_completion_replaces_the_word_and_puts_a_blank_behind_the_colon(opened: Session) -> None:
    path = opened.texts.folder / "b.tasks.yaml"
    text, position = marked(TASKS.replace("environment: shell", "environment: sh§"))
    opened.texts.put(path.as_uri(), 2, text)
    first = completions(opened.world, path, position, "h")[0]
    assert stretch(text, first.span) == "sh"
    assert first.declared_in == "a.taskset.yaml:4"
    text, position = marked(TASKS.replace("environment: shell", "environment:§"))
    opened.texts.put(path.as_uri(), 3, text)
    assert completions(opened.world, path, position, ":")[0].new == " shell"
