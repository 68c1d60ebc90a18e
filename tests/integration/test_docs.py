"""What the documentation says of the command line, against the command line."""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from lockorder.cli import parser

TOP = Path(__file__).parent.parent.parent
CI = TOP / "docs" / "ci"

_check = parser().parse_args(["check"])
#: The pages about CI tell of these.
needs_options = pytest.mark.skipif(
    not (hasattr(_check, "also") and hasattr(_check, "changed_since")),
    reason="check has no --also, --changed-since yet",
)


def verbs() -> dict[str, argparse.ArgumentParser]:
    (action,) = (a for a in parser()._actions if isinstance(a, argparse._SubParsersAction))
    return dict(action.choices)


def unknown(line: str) -> list[str]:
    """What of a command line, as documentation writes it, the program does not know."""
    first = re.split(r" #| \|\| | && | \| (?=\w)", line)[0]  # of what a shell would run
    words = re.sub(r"[\[\]]", " ", first).split()
    assert words[0] == "lockorder"
    if len(words) == 1 or words[1] == "--help":
        return []
    verb = verbs().get(words[1])
    if verb is None:
        return [words[1]]
    ours = words[2 : words.index("--")] if "--" in words else words[2:]
    known = {o for a in verb._actions for o in a.option_strings}
    options = (w.partition("=")[0] for w in ours if w.startswith("-"))
    return [f"{words[1]} {o}" for o in options if o not in known]


def commands(text: str) -> list[str]:
    """Command lines in *text*: indented, in a fence, or between backticks."""
    whole = re.findall(r"^(?:    )?(lockorder .*?)$", text, re.M)
    return whole + re.findall(r"`(lockorder [^`]+)`", text)


def test_what_is_unknown() -> None:
    assert unknown("lockorder check -p build [--format json] PATH...  # --no-such") == []
    assert unknown("lockorder check --no-such --cache") == ["check --no-such", "check --cache"]
    assert unknown("lockorder run -o DIR -- program --its-own") == []
    assert unknown("lockorder chekc") == ["chekc"]


def test_the_readme_shows_what_there_is() -> None:
    text = (TOP / "README.md").read_text()
    use = text.split("\n## Use\n")[1].split("\n## ")[0]
    lines = [line.strip() for line in use.splitlines() if line.startswith("    lockorder ")]
    assert len(lines) > 8
    assert [u for line in lines for u in unknown(line)] == []
    missing = set(verbs()) - {line.split()[1] for line in lines} - {"compare"}
    assert missing <= {"demo"}, "a verb that the README does not show"


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=needs_options if page.parent == CI else (), id=page.name)
        for page in (TOP / "README.md", *sorted((TOP / "docs").glob("*.md")), CI / "README.md")
        if page.name != "next.md"
    ],
)
def test_commands_in_running_text(page: Path) -> None:
    text = page.read_text().replace("\\\n", " ")
    assert [u for line in commands(text) for u in unknown(line)] == []


def test_the_page_of_commands_is_current() -> None:
    done = subprocess.run(
        [sys.executable, TOP / "docs" / "write_commands.py"],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert done.stdout == (TOP / "docs" / "commands.md").read_text(), "run `make docs`"


def test_help_is_what_the_page_says() -> None:
    page = (TOP / "docs" / "commands.md").read_text()
    for verb in ("", *verbs()):
        done = subprocess.run(
            [sys.executable, "-m", "lockorder", *verb.split(), "--help"],
            env={**os.environ, "COLUMNS": "100"}, capture_output=True, text=True,
            timeout=60, check=True,
        )  # fmt: skip
        assert f"```\n{done.stdout.rstrip()}\n```" in page


# -- files for CI systems ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("schema", "file"),
    [
        ("github-actions", TOP / "action.yml"),
        ("github-workflows", CI / "github.yml"),
        ("gitlab-ci", CI / "gitlab-ci.yml"),
    ],
    ids=["action", "workflow", "gitlab"],
)
def test_the_schema_of_its_system(schema: str, file: Path) -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}"]
    if schema == "gitlab-ci":
        command += ["--data-transform", "gitlab-ci"]
    done = subprocess.run(
        [*command, file], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_workflow_uses_inputs_and_outputs_that_there_are() -> None:
    action: dict[str, Any] = yaml.safe_load((TOP / "action.yml").read_text())
    text = (CI / "github.yml").read_text()
    steps = yaml.safe_load(text)["jobs"]["lockorder"]["steps"]
    (step,) = (s for s in steps if s.get("id") == "lockorder")
    assert set(step["with"]) <= set(action["inputs"])
    assert set(re.findall(r"steps\.lockorder\.outputs\.([\w-]+)", text)) <= set(action["outputs"])
    named = re.findall(r"`([a-z]+(?:-[a-z]+)*): ", (CI / "README.md").read_text())
    assert {"upload-sarif", "changed-since", "fail-on"} <= set(named)


@pytest.mark.parametrize("base", ["", "0123abc"])
def test_the_gitlab_job_runs(tmp_path: Path, base: str) -> None:
    job = yaml.safe_load((CI / "gitlab-ci.yml").read_text())["lockorder"]
    fake = tmp_path / "lockorder"
    fake.write_text(f"#!{sys.executable}\nimport json, sys\nprint(json.dumps(sys.argv[1:]))\n")
    fake.chmod(0o755)
    shell = shutil.which("sh")
    assert shell is not None
    environment = {"PATH": str(tmp_path), "CI_MERGE_REQUEST_DIFF_BASE_SHA": base}
    done = subprocess.run(
        [shell, "-c", "\n".join(job["script"])], env=environment, capture_output=True, timeout=60,
        check=True,
    )  # fmt: skip
    given = json.loads(done.stdout)
    also = ["--also", "sarif=lockorder.sarif", "--also", "json=lockorder.json"]
    since = ["--changed-since", base] if base else []
    assert given == ["check", *since, *also, "src", "include"]
    assert {"lockorder.sarif", "lockorder.json"} == set(job["artifacts"]["paths"])


@needs_options
def test_what_the_examples_run_is_known() -> None:
    job = yaml.safe_load((CI / "gitlab-ci.yml").read_text())["lockorder"]
    hooks = yaml.safe_load((TOP / ".pre-commit-hooks.yaml").read_text())
    script = re.sub(r"\$\{\w+:\+(.*?)\}", r"\1", job["script"][0])
    lines = [script, *(h["entry"] for h in hooks)]
    assert [u for line in lines for u in unknown(line)] == []


def test_the_container_gets_what_a_build_needs() -> None:
    text = (CI / "Containerfile").read_text()
    copied = re.findall(r"^COPY (?!--)(.+) \S+$", text, re.M)
    for name in " ".join(copied).split():
        assert (TOP / name).exists(), name
    project = (TOP / "pyproject.toml").read_text()
    for name in ("README.md", "LICENSE", "csrc", "fixtures/cpp/miniature"):
        assert f'"{name}"' in project
        assert name in " ".join(copied)
