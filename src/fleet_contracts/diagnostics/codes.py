"""The one table of diagnostic codes.

A code is `FLT` and four digits; the first digit is the stage that finds it. Codes
are never reused and never change their meaning. Numbers leave gaps so that related
codes can stand together.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

Severity: TypeAlias = Literal["error", "warning", "note"]


class Code(NamedTuple):
    """One row of the table."""

    id: str
    name: str
    severity: Severity
    summary: str
    since: str


def _rows(since: str, *rows: tuple[str, str, Severity, str]) -> tuple[Code, ...]:
    return tuple(Code(*row, since) for row in rows)


TABLE: tuple[Code, ...] = _rows(
    "0.1.0",
    # 1xxx reading: bytes to plain data
    ("FLT1001", "not-utf8", "error", "The file is not UTF-8."),
    ("FLT1002", "utf16", "error", "The file is UTF-16 or UTF-32."),
    ("FLT1003", "control-character", "error", "A raw control, bidi or line separator character."),
    ("FLT1004", "too-large", "error", "The file is larger than the input limit."),
    ("FLT1005", "lone-surrogate", "error", "An escape names half of a surrogate pair."),
    ("FLT1010", "yaml-syntax", "error", "The YAML cannot be parsed."),
    ("FLT1011", "tab-indentation", "error", "A tab is used as indentation."),
    ("FLT1012", "several-documents", "error", "The file holds more than one YAML document."),
    ("FLT1013", "empty-document", "error", "The file holds no document."),
    ("FLT1014", "yaml-directive", "error", "A directive other than `%YAML 1.2` or `%TAG`."),
    ("FLT1020", "duplicate-key", "error", "A map has the same key twice."),
    ("FLT1021", "non-string-key", "error", "A map key is not a string."),
    ("FLT1022", "merge-key", "error", "The YAML 1.1 merge key `<<` is used."),
    ("FLT1023", "colliding-key", "error", "Two keys differ only by Unicode form or letter case."),
    ("FLT1030", "custom-tag", "error", "A tag outside the YAML core schema."),
    ("FLT1031", "tag-mismatch", "error", "A value does not have the form its tag asks for."),
    ("FLT1032", "leading-zero", "error", "A number starts with a zero."),
    ("FLT1033", "not-finite", "error", "NaN or infinity."),
    ("FLT1034", "number-range", "error", "A number too large or too small to be kept exactly."),
    (
        "FLT1035",
        "read-differently",
        "warning",
        "A plain scalar that tools for YAML 1.1 read differently.",
    ),
    ("FLT1040", "too-deep", "error", "Nesting is deeper than the limit."),
    ("FLT1041", "alias-expansion", "error", "Aliases expand to too many nodes."),
    ("FLT1042", "alias-cycle", "error", "An alias stands inside what it names."),
    ("FLT1043", "unknown-alias", "error", "An alias names no anchor."),
    ("FLT1050", "json-syntax", "error", "The JSON cannot be parsed."),
    ("FLT1051", "csv-syntax", "error", "The CSV cannot be parsed."),
    ("FLT1060", "unused-suppression", "warning", "A suppression that suppresses nothing."),
    ("FLT1061", "bad-suppression", "warning", "A suppression that cannot be obeyed."),
    # 2xxx shape: plain data to typed documents
    ("FLT2001", "missing-version", "error", "The document does not say what it is."),
    (
        "FLT2002",
        "unknown-version",
        "error",
        "The document names a version this release cannot read.",
    ),
    ("FLT2003", "wrong-document", "error", "The document is of another kind than is needed here."),
    ("FLT2004", "version-not-first", "warning", "The version key is not the first key."),
    ("FLT2005", "not-migratable", "error", "A file that `fleet migrate` cannot edit safely."),
    ("FLT2010", "unknown-key", "error", "A key that does not belong here."),
    ("FLT2011", "missing-key", "error", "A required key is missing."),
    ("FLT2012", "wrong-type", "error", "A value of another type."),
    ("FLT2013", "unknown-value", "error", "A value that is not one of those allowed."),
    ("FLT2014", "bad-pattern", "error", "A string that does not have the form it needs."),
    ("FLT2015", "out-of-range", "error", "A number or length outside its limits."),
    ("FLT2016", "wrong-shape", "error", "Keys that do not go together, or none of those needed."),
    ("FLT2017", "null-value", "error", "A null where only a value makes sense."),
    ("FLT2018", "rows-not-explained", "note", "More rows with mistakes than are explained."),
    ("FLT2020", "not-a-decimal", "error", "A number that is not spelled as a plain decimal."),
    ("FLT2021", "decimal-too-long", "error", "A decimal with too many digits."),
    ("FLT2022", "image-tag", "error", "An image reference that is not pinned by digest alone."),
    ("FLT2023", "bad-size", "error", "A size that is not a whole number of bytes."),
    # 3xxx reference: files, environments, datasets
    ("FLT3001", "missing-file", "error", "A file does not exist or cannot be read."),
    ("FLT3002", "outside-project", "error", "A path leaves the project root."),
    ("FLT3003", "bad-path", "error", "A path that cannot be used on every machine."),
    ("FLT3004", "not-text", "error", "A prompt file is not UTF-8 text without a byte order mark."),
    ("FLT3005", "carriage-return", "warning", "A prompt file holds carriage returns."),
    ("FLT3010", "unknown-environment", "error", "No Environment has this local name."),
    ("FLT3011", "unknown-builtin", "error", "The catalogue has no such builtin Environment."),
    ("FLT3012", "bad-catalogue", "error", "The catalogue cannot be used."),
    ("FLT3020", "duplicate-task", "error", "A Task key is defined twice."),
    ("FLT3021", "include-nothing", "error", "An include matches no file."),
    ("FLT3022", "no-tasks", "error", "A TaskSet without any Task."),
    ("FLT3030", "bad-placeholder", "error", "A placeholder that cannot be read."),
    ("FLT3031", "missing-field", "error", "A row lacks a field that the template uses."),
    ("FLT3032", "capture-no-match", "error", "A capture pattern does not match the row's text."),
    ("FLT3033", "not-insertable", "error", "A value that cannot stand inside a string."),
    ("FLT3034", "bad-rows", "error", "The rows are not a list of maps."),
    ("FLT3035", "no-placeholder", "warning", "Plain text that looks like a placeholder."),
    ("FLT3040", "missing-artifact", "error", "An Artifact is not in the store."),
    ("FLT3041", "not-an-artifact", "error", "A digest in the store that is no Artifact."),
    # 4xxx meaning: rules
    ("FLT4001", "bad-task-key", "error", "A Task key that breaks the rules for keys."),
    ("FLT4002", "key-is-directory", "error", "A Task key is also a directory of another."),
    ("FLT4003", "incomplete-task", "error", "A Task lacks a required field."),
    ("FLT4005", "bad-name", "error", "A name that cannot be a registry name."),
    ("FLT4006", "name-taken", "error", "Two roots have the same name."),
    ("FLT4010", "duplicate-member", "error", "A set holds the same member twice."),
    ("FLT4011", "bad-regex", "error", "A pattern outside the shared dialect."),
    ("FLT4012", "float-in-content", "error", "A fractional number in a free-form value."),
    ("FLT4013", "big-integer", "error", "An integer beyond 2^53-1 in a free-form value."),
    ("FLT4014", "not-json-text", "error", "A string that should hold JSON does not."),
    ("FLT4020", "duplicate-edge", "error", "Two sibling edges have the same id."),
    ("FLT4021", "duplicate-verifier", "error", "Two top-level Verifiers have the same id."),
    ("FLT4022", "too-many-levels", "error", "A Verifier tree with more than 32 levels."),
    ("FLT4023", "too-many-nodes", "error", "A Verifier tree with more than 1,000 nodes."),
    ("FLT4024", "subject-differs", "error", "A child grades another subject than its parent."),
    ("FLT4025", "unknown-seat", "error", "No seat of the roster has this name."),
    ("FLT4030", "missing-weight", "error", "An edge of a weighted_sum has no weight."),
    ("FLT4031", "weight-forbidden", "error", "A weight where the aggregation takes none."),
    ("FLT4032", "weights-sum", "error", "The weights do not add up to exactly 1."),
    ("FLT4033", "weight-not-positive", "error", "A weight that is not greater than 0."),
    ("FLT4034", "all-of-threshold", "error", "An all_of whose threshold is not exactly 1."),
    ("FLT4040", "missing-decision", "error", "A scored node without a decision."),
    ("FLT4041", "decision-forbidden", "error", "A measurement-only leaf with a decision."),
    ("FLT4042", "measurement-inside", "error", "A measurement-only leaf inside a composite."),
    ("FLT4050", "unknown-metric", "error", "The objective names no declared metric."),
    (
        "FLT4051",
        "bad-bounds",
        "error",
        "Bounds whose minimum is above their maximum, or not whole.",
    ),
    ("FLT4052", "category-reducer", "error", "A category metric with a reducer other than count."),
    ("FLT4053", "not-unit-score", "error", "A score inside a composite that may leave [0, 1]."),
    ("FLT4054", "category-verdict", "error", "A builtin evaluator with a category metric."),
    ("FLT4055", "several-metrics", "error", "A builtin evaluator with more than one metric."),
    ("FLT4056", "score-range", "error", "A constant score without a metric outside [0, 1]."),
    ("FLT4060", "unknown-capture", "error", "Evidence selects a capture that is not declared."),
    ("FLT4061", "unknown-mount", "error", "Evidence selects a seed mount that is not declared."),
    (
        "FLT4062",
        "unknown-input",
        "error",
        "An evaluator reads an evidence input that is not declared.",
    ),
    ("FLT4063", "unknown-endpoint", "error", "A binding names no endpoint of the Environment."),
    ("FLT4064", "bindings-forbidden", "error", "Bindings beside `mode: none`."),
    ("FLT4070", "unknown-tool", "error", "The Environment has no such native tool."),
    ("FLT4071", "builtin-restated", "error", "Endpoints or native tools beside a builtin."),
    ("FLT4072", "removed-in-mount", "error", "An Artifact with removed paths as a seed mount."),
    ("FLT4080", "never-fails", "warning", "A Verifier that every attempt passes."),
    ("FLT4081", "never-passes", "warning", "A Verifier that no attempt can pass."),
    ("FLT4082", "single-child", "warning", "A composite with one child."),
    ("FLT4083", "unread-metric", "warning", "A metric that nothing reads."),
    (
        "FLT4084",
        "agent-writable-evidence",
        "warning",
        "A program grades by a path that the agent can write.",
    ),
    (
        "FLT4085",
        "gate-does-not-gate",
        "warning",
        "A gate inside a weighted_sum, which it cannot stop.",
    ),
    # 5xxx lock
    ("FLT5001", "lock-malformed", "error", "fleet.lock cannot be read."),
    ("FLT5002", "lock-conflict", "error", "fleet.lock holds conflict markers."),
    ("FLT5003", "lock-generation", "error", "fleet.lock is of an unknown generation."),
    ("FLT5004", "lock-not-current", "error", "A fleet.lock.v1 lacks a builtin that is used."),
    ("FLT5005", "builtin-not-locked", "error", "A builtin is not locked, and --frozen is set."),
    ("FLT5006", "lock-out-of-date", "error", "fleet.lock would have to change, and may not."),
    ("FLT5010", "pin-differs", "note", "A locked pin differs from the catalogue and is kept."),
    # 6xxx store
    ("FLT6001", "store-corrupt", "error", "The store holds something that cannot be true."),
    ("FLT6002", "store-newer", "error", "The store's layout is of an unknown version."),
    ("FLT6003", "too-many-layers", "error", "A root needs more than 300 layers."),
    (
        "FLT6004",
        "store-name-taken",
        "error",
        "The store has a root of another kind with this name.",
    ),
    ("FLT6010", "blob-missing", "error", "A blob that a root needs is not in the store."),
    ("FLT6011", "blob-corrupt", "error", "A blob does not have the bytes that its name promises."),
    ("FLT6012", "blob-unreferenced", "note", "A blob that no root reaches."),
    ("FLT6013", "foreign-file", "warning", "A file in the store that is no part of one."),
    ("FLT6014", "content-invalid", "error", "A document in the store breaks the rules of content."),
    (
        "FLT6015",
        "content-newer",
        "error",
        "A document in the store is of a generation that is not known.",
    ),
    ("FLT6016", "layout-mismatch", "error", "A root is not laid out as its documents ask."),
)

CODES: dict[str, Code] = {row.id: row for row in TABLE}
