"""Completion scripts, read by the shells they are for."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lockorder.cli import parser
from lockorder.commands.common import SHELLS
from lockorder.rules import RULES

RULE_IDS = {rule.id for rule in RULES}

#: Fills in what bash does before it calls a completion function, and shows what that answers.
BASH = """\
. ./script
[[ "$(complete -p lockorder)" == *" -F "* ]] || exit 9
function=$(complete -p lockorder | sed 's/.* -F \\([^ ]*\\) .*/\\1/')
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
"$function"
((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
"""

Complete = Callable[..., list[str]]


def script(shell: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "lockorder", "completion", shell],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout


@pytest.fixture(scope="module")
def in_bash(tmp_path_factory: pytest.TempPathFactory) -> Complete:
    """Completes the words after `lockorder` in bash; the last one is still being typed."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash here")
    folder = tmp_path_factory.mktemp("bash")
    (folder / "script").write_text(script("bash"))
    (folder / "sources" / "deep").mkdir(parents=True)
    (folder / "source.cpp").touch()

    def complete(*words: str) -> list[str]:
        done = subprocess.run(
            [bash, "--norc", "-c", BASH, "bash", "lockorder", *words],
            cwd=folder, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.splitlines()

    return complete


def verbs() -> set[str]:
    (choices,) = (a.choices for a in parser()._actions if a.dest == "verb")
    assert choices is not None
    return set(choices)


def test_bash_verbs(in_bash: Complete) -> None:
    assert set(in_bash("")) == verbs()
    assert in_bash("che") == ["check"]


def test_bash_options_of_the_verb(in_bash: Complete) -> None:
    assert in_bash("check", "--list") == ["--list-files"]
    assert in_bash("hang", "--list") == []
    assert in_bash("hang", "--snap") == ["--snapshot"]
    assert {"-p", "--select", "--output"} <= set(in_bash("check", "src", "-"))


def test_bash_formats(in_bash: Complete) -> None:
    formats = set(in_bash("check", "--format", ""))
    assert {"text", "json"} <= formats
    for name in formats:
        assert parser().parse_args(["check", "--format", name]).format == name
    assert in_bash("completion", "f") == ["fish"]
    assert in_bash("debug", "s") == ["summary"]
    assert in_bash("debug", "why", "source.") == ["source.cpp"]


@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_bash_rules(in_bash: Complete, option: str) -> None:
    assert set(in_bash("check", option, "")) == RULE_IDS
    assert set(in_bash("explain", "")) == RULE_IDS
    assert in_bash("explain", "stuck-r") == ["stuck-rank"]
    assert in_bash("analyze", option, "self") == ["self-deadlock"]
    assert in_bash("analyze", option, "stuck-rank,self-deadlock,gil") == [
        "stuck-rank,self-deadlock,gil-lock-cycle"
    ]


def test_bash_files_and_folders(in_bash: Complete) -> None:
    assert set(in_bash("check", "sou")) == {"sources", "source.cpp"}
    assert set(in_bash("check", "--no-cache", "sources", "sou")) == {"sources", "source.cpp"}
    assert in_bash("check", "-p", "sou") == ["sources"], "a folder is wanted"
    assert in_bash("check", "--output", "source.") == ["source.cpp"]
    assert in_bash("analyze", "sources/") == ["sources/deep"]


def test_bash_processes_and_commands(in_bash: Complete) -> None:
    assert str(1) in in_bash("hang", "--pid", "1")
    assert "bash" in in_bash("run", "bas")
    assert "bash" in in_bash("run", "-o", "sources", "--", "bas")
    assert "source.cpp" in in_bash("run", "--", "cat", "source.")


@pytest.mark.parametrize("shell", ["zsh", "fish", "tcsh"])
def test_other_shells_accept_their_script(shell: str, tmp_path: Path) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"no {shell} here")
    (tmp_path / "script").write_text(script(shell))
    options = ["-f", "-n"] if shell == "tcsh" else ["-n"]
    done = subprocess.run(
        [program, *options, "script"], cwd=tmp_path, capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_fish_completes(tmp_path: Path) -> None:
    fish = shutil.which("fish")
    if fish is None:
        pytest.skip("no fish here")
    (tmp_path / "script").write_text(script("fish"))

    def complete(line: str) -> set[str]:
        done = subprocess.run(
            [fish, "--no-config", "-c", f"source script; complete -C {line!r}"],
            cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True,
        )  # fmt: skip
        return {answer.partition("\t")[0] for answer in done.stdout.splitlines()}

    assert complete("lockorder ") == verbs()
    assert complete("lockorder check --list") == {"--list-files"}
    assert complete("lockorder explain stuck-r") == {"stuck-rank"}
    assert complete("lockorder check --select deadlock,self") == {"deadlock,self-deadlock"}


def test_the_rules_are_in_every_script() -> None:
    for shell in SHELLS:
        text = script(shell)
        assert all(rule in text for rule in RULE_IDS), shell
        assert "list-files" in text


def test_a_shell_that_is_not_known() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "lockorder", "completion", "cmd"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "bash" in done.stderr
