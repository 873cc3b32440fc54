"""The two files in which VS Code keeps what a folder needs, added to and never taken from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from fleet_contracts.editor import jsonc
from fleet_contracts.editor.jsonc import Edit, JsoncProblem, Node
from fleet_contracts.editor.kinds import associations

SETTINGS = ".vscode/settings.json"
EXTENSIONS = ".vscode/extensions.json"
EXTENSION = "redhat.vscode-yaml"
SCHEMAS = "yaml.schemas"

_RECOMMENDATIONS = "recommendations"
_UNWANTED = "unwantedRecommendations"


@dataclass(slots=True)
class Merged:
    """A file's new text, and what was left as it was although it differs."""

    text: str
    notes: list[str] = field(default_factory=list)


def settings() -> dict[str, Any]:
    """Return the settings that associate authored files with their schemas."""
    return {SCHEMAS: associations()}


def merge_settings(text: str) -> Merged:
    """Return settings with our associations; raises `JsoncProblem`.

    An association of a schema of ours is brought up to date as long as it holds nothing but
    patterns of ours; with others in it, and with other schemas, nothing is changed.
    """
    root = _root(text)
    known = root.members.get(SCHEMAS)
    if known is None:
        return Merged(_with_edits(text, jsonc.put_member(text, root, SCHEMAS, associations())))
    if not isinstance(known.value, dict):
        raise JsoncProblem(f"expected a map in `{SCHEMAS}`", text, known.start)
    merged = Merged(text, list(_rivals(known)))
    for path, patterns in associations().items():
        _associate(merged, path, patterns)
    return merged


def merge_extensions(text: str) -> Merged:
    """Return recommendations with the YAML extension; raises `JsoncProblem`."""
    root = _root(text)
    if EXTENSION in _lowered(root, _UNWANTED):
        return Merged(text, [f"`{EXTENSION}` is in `{_UNWANTED}`; it was not recommended"])
    if EXTENSION in _lowered(root, _RECOMMENDATIONS):
        return Merged(text)
    known = root.members.get(_RECOMMENDATIONS)
    if known is None:
        edits = jsonc.put_member(text, root, _RECOMMENDATIONS, [EXTENSION])
    elif isinstance(known.value, list):
        edits = jsonc.put_item(text, known, EXTENSION)
    else:
        raise JsoncProblem(f"expected a list in `{_RECOMMENDATIONS}`", text, known.start)
    return Merged(_with_edits(text, edits))


def _root(text: str) -> Node:
    root = jsonc.parse(text)
    if not isinstance(root.value, dict):
        raise JsoncProblem("expected a map", text, root.start)
    return root


def _with_edits(text: str, edits: list[Edit]) -> str:
    return jsonc.apply(text, edits)


def _lowered(root: Node, key: str) -> set[str]:
    node = root.members.get(key)
    return {str(item.value).lower() for item in node.items} if node else set()


def _associate(merged: Merged, path: str, patterns: list[str]) -> None:
    """Add one association, or bring it up to date."""
    text = merged.text
    schemas = jsonc.parse(text).members[SCHEMAS]
    known = schemas.members.get(path) or schemas.members.get(path.removeprefix("./"))
    if known is None:
        merged.text = _with_edits(text, jsonc.put_member(text, schemas, path, patterns))
        return
    written = _patterns(known)
    if set(patterns) <= set(written):
        return
    if set(written) <= set(patterns):
        merged.text = _with_edits(text, jsonc.replace(text, known, patterns))
        return
    missing = ", ".join(f"`{each}`" for each in patterns if each not in written)
    merged.notes.append(f"`{path}` is associated with other files; {missing} was not added to it")


def _rivals(schemas: Node) -> Iterator[str]:
    """Yield a note for each other schema that is associated with files of ours."""
    ours = associations()
    names = ours.keys() | {path.removeprefix("./") for path in ours}
    wanted = {pattern for patterns in ours.values() for pattern in patterns}
    for path, node in schemas.members.items():
        if path not in names and (shared := wanted & set(_patterns(node))):
            yield f"`{path}` is associated with `{min(shared)}` too; it was left as it is"


def _patterns(node: Node) -> list[str]:
    """Return the file patterns of an association: a list, or only one."""
    return [str(each) for each in node.value] if isinstance(node.value, list) else [str(node.value)]
