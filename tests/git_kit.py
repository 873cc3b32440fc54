"""Git repositories for tests, untouched by what is configured where they run."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

SETTINGS = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
}


@dataclass(frozen=True, slots=True)
class Git:
    """A repository and its working tree."""

    top: Path

    @classmethod
    def begin(cls, top: Path) -> Git:
        """Make a repository without a commit."""
        top.mkdir(parents=True, exist_ok=True)
        made = cls(top)
        made.run("init", "--quiet", "--initial-branch=main")
        return made

    def run(self, *words: str, data: bytes = b"") -> str:
        """Run git and return what it printed."""
        kept = {name: text for name, text in os.environ.items() if not name.startswith("GIT_")}
        done = subprocess.run(
            ["git", *words],
            cwd=self.top,
            env={**kept, **SETTINGS},
            input=data,
            capture_output=True,
            check=True,
        )
        return done.stdout.decode().strip()

    def commit(self, message: str = "x") -> str:
        """Commit all there is and return the commit; equal ones of a second are one."""
        self.run("add", "--all")
        self.run("commit", "--quiet", "--allow-empty", f"--message={message}")
        return self.run("rev-parse", "HEAD")

    def write(self, path: str, text: str) -> Path:
        """Write a file and return its path."""
        file = self.top / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
        return file
