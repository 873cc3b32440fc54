"""Which authored files there are, and how their names end (spec section 1)."""

from __future__ import annotations

from dataclasses import dataclass

FOLDER = ".schemas"
"""Where a project keeps the schemas for editors, in its root."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of authored file; `name` is that of its schema, `taskset` for `taskset/v1`."""

    name: str
    title: str
    description: str

    @property
    def patterns(self) -> list[str]:
        """The names of its files, as editors match them."""
        return [f"*.{self.name}.yaml", f"*.{self.name}.yml"]

    @property
    def file(self) -> str:
        """The name of its schema file."""
        return f"{self.name}.v1.json"

    @property
    def schema_path(self) -> str:
        """Its schema file as settings in the project root name it."""
        return f"./{FOLDER}/{self.file}"


KINDS = (
    Kind("taskset", "Fleet TaskSet", "Tasks of an agent evaluation, and what they share"),
    Kind("tasks", "Fleet Tasks", "Tasks that a TaskSet includes"),
    Kind("environment", "Fleet Environment", "An Environment that agents work in"),
    Kind("verifier", "Fleet Verifier", "A Verifier that stands alone"),
)


def associations() -> dict[str, list[str]]:
    """Return which files each schema is for: the value of `yaml.schemas` in settings."""
    return {kind.schema_path: kind.patterns for kind in KINDS}
