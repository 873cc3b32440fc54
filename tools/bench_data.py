"""Authored files of any size for the benchmark, the same bytes every time."""

from __future__ import annotations

import json
from pathlib import Path

HEAD = """\
authoring: taskset/v1
name: bench
environments:
  shell:
    builtin: terminal@v1
defaults:
  environment: shell
tasks:
"""

TASK = """\
  group-{group:03d}/task-{index:05d}:
    prompt: |
      Question {index}: a warehouse holds {a} crates of {b} bottles each, and a truck takes
      {c} bottles at a time. Look into the folder /data/{index}, then work out how many times
      the truck has to leave before the warehouse is empty.
      Write the number of trips alone on the last line of answer.txt, and explain yourself
      in the lines above it.
    verifiers:
      - id: overall
        type: composite
        children:
          - id: answer
            weight: 0.75
            node:
              id: answer-{index}
              type: evaluator
              evaluator:
                kind: builtin.v1
                builtin_id: answer-equals
                params:
                  expected: "{answer}"
              evidence:
                inputs:
                  - name: submission
                    select: {{source: submission}}
                    expose: {{as: ctx}}
              target_access: {{mode: none}}
              decision: {{kind: threshold, at_least: 1}}
          - id: written
            weight: 0.25
            node:
              id: written-{index}
              type: evaluator
              evaluator:
                kind: builtin.v1
                builtin_id: file-matches
                params: {{path: answer.txt, pattern: "[0-9]+"}}
              decision: {{kind: threshold, at_least: 1}}
        aggregation: {{kind: weighted_sum, on_child_error: zero}}
        decision: {{kind: threshold, at_least: 0.75}}
    completion: {{mode: max_turns, max_turns: {turns}}}
    metadata:
      source: generated
      index: "{index}"
"""

ROWS_TASKSET = """\
authoring: taskset/v1
name: rows
environments:
  shell: {builtin: terminal@v1}
dataset:
  - rows: rows.jsonl
    key: row/${index}
    task:
      environment: shell
      prompt: ${row.question}
      verifiers:
        - id: answer
          type: evaluator
          evaluator:
            kind: builtin.v1
            builtin_id: answer-equals
            params: {expected: "${row.answer | capture:'#### (-?[0-9.,]+)$'}"}
          decision: {kind: threshold, at_least: 1}
"""


def write_taskset(folder: Path, tasks: int) -> Path:
    """Write a TaskSet of Tasks with three Verifier nodes each, about 1.5 kB a Task."""
    path = folder / "bench.taskset.yaml"
    with path.open("w", encoding="utf-8") as file:
        file.write(HEAD)
        for index in range(tasks):
            crates, bottles, load = 3 + index % 97, 6 + index % 31, 11 + index % 17
            file.write(
                TASK.format(
                    group=index // 100,
                    index=index,
                    a=crates,
                    b=bottles,
                    c=load,
                    answer=-(-crates * bottles // load),
                    turns=10 + index % 40,
                )
            )
    return path


def write_rows(folder: Path, rows: int) -> Path:
    """Write a TaskSet that makes one Task of each row of a JSON lines file beside it."""
    with (folder / "rows.jsonl").open("w", encoding="utf-8") as file:
        for index in range(rows):
            question = (
                f"Number {index}: a baker makes {index % 89} loaves before noon and twice as many"
                " after it, and gives a dozen away. How many loaves are left to sell?"
            )
            answer = 3 * (index % 89) - 12
            worked = f"Three times {index % 89} less twelve.\n#### {answer:,}"
            file.write(json.dumps({"question": question, "answer": worked}) + "\n")
    path = folder / "rows.taskset.yaml"
    path.write_text(ROWS_TASKSET, encoding="utf-8")
    return path
