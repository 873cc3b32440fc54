"""`fleet completion` prints scripts that complete the command lines of our programs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cli_kit import command, process

from fleet_contracts.cli.completion import PROGRAMS, SHELLS, script
from fleet_contracts.cli.main import COMMANDS

FLEET = Path(sys.executable).with_name("fleet")


def completed(line: str, *, shell: str = "bash", folder: Path) -> list[str]:
    """Return what `fleet` offers for the last word of a line, as it tells a shell."""
    words = line.split(" ")
    asked = {"COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1), "NO_COLOR": "1"}
    if shell == "fish":
        asked["COMP_CWORD"] = words[-1]
    outcome = process(folder, env={"_FLEET_COMPLETE": f"{shell}_complete", **asked})
    assert (outcome.code, outcome.err) == (0, "")
    return outcome.out.splitlines()


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"{program} is not installed")


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_registers_each_program(tmp_path: Path, shell: str) -> None:
    outcome = command(tmp_path, "completion", shell)
    assert outcome.code == 0
    assert outcome.out.strip() == script(shell).strip()
    for program, variable in PROGRAMS.items():
        assert f"{variable}={shell}_complete" in outcome.out
        assert program in outcome.out


def test_without_a_name_the_shell_of_the_user_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", "/usr/bin/zsh")
    assert command(tmp_path, "completion").out.strip() == script("zsh").strip()
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    outcome = command(tmp_path, "completion")
    assert outcome.code == 2
    assert "SHELL is '/bin/tcsh'" in outcome.err
    monkeypatch.delenv("SHELL")
    assert "SHELL is not set" in command(tmp_path, "completion").err


def test_commands_are_completed_without_importing_them(tmp_path: Path) -> None:
    assert completed("fleet ", folder=tmp_path) == [f"plain,{name}" for name in COMMANDS]
    program = (
        "import sys\n"
        "from click.shell_completion import BashComplete\n"
        "from fleet_contracts.cli.main import fleet\n"
        "found = BashComplete(fleet, {}, 'fleet', '_FLEET_COMPLETE').get_completions([], 'co')\n"
        "print([item.value for item in found])\n"
        "print([name for name in sys.modules if name.startswith('fleet_contracts.compiler')])\n"
    )
    outcome = process(tmp_path, program=("-c", program))
    assert outcome.out.splitlines() == ["['compile', 'compile-verifier', 'completion']", "[]"]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("fleet comp", ["plain,compile", "plain,compile-verifier", "plain,completion"]),
        ("fleet compile ", ["file,"]),
        ("fleet check some/", ["file,some/"]),
        ("fleet completion ", ["plain,bash", "plain,zsh", "plain,fish"]),
        ("fleet init ", ["dir,", "plain,taskset", "plain,environment", "plain,verifier"]),
        ("fleet init ev", ["dir,ev"]),
        ("fleet init verifier ta", ["dir,ta"]),
        ("fleet editor ", ["plain,setup"]),
        ("fleet editor setup ", ["dir,"]),
        ("fleet editor setup --v", ["plain,--vscode"]),
    ],
)
def test_words_are_completed(tmp_path: Path, line: str, offered: list[str]) -> None:
    assert completed(line, folder=tmp_path) == offered


def test_zsh_and_fish_are_told_what_a_command_does(tmp_path: Path) -> None:
    help = COMMANDS["init"].help
    assert completed("fleet ini", shell="zsh", folder=tmp_path) == ["plain", "init", help]
    assert completed("fleet ini", shell="fish", folder=tmp_path) == [f"plain,init\t{help}"]


@needs("bash")
@pytest.mark.skipif(not FLEET.exists(), reason="fleet is not installed beside this Python")
@pytest.mark.parametrize("program", ["fleet", "flt"])
def test_bash_completes_a_line(tmp_path: Path, program: str) -> None:
    driver = f"""
    source /dev/stdin <<< "$SCRIPT"
    complete -p {program}
    COMP_WORDS=({program} editor setup --vs); COMP_CWORD=3
    _{program}_completion {program}
    printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    path = f"{FLEET.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "--norc", "-c", driver],
        env={**os.environ, "SCRIPT": script("bash"), "PATH": path},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    registered, reply = done.stdout.splitlines()
    assert registered.endswith(f"-F _{program}_completion {program}")
    assert reply == "--vscode"
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("shell", "words"),
    [
        pytest.param("bash", ["-n"], marks=needs("bash")),
        pytest.param("zsh", ["-n"], marks=needs("zsh")),
        pytest.param("fish", ["--no-config", "--no-execute"], marks=needs("fish")),
    ],
)
def test_a_shell_reads_its_script(tmp_path: Path, shell: str, words: list[str]) -> None:
    path = tmp_path / "script"
    path.write_text(script(shell), encoding="utf-8")
    done = subprocess.run([shell, *words, path], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
