"""action.yml and its script, run as a runner would run it, without the runner."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from lockorder.cli import parser

TOP = Path(__file__).parent.parent.parent
SCRIPT = TOP / ".ci" / "action.sh"
ACTION: dict[str, Any] = yaml.safe_load((TOP / "action.yml").read_text())
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]

#: Notes how it was called, writes the reports it is asked for, and returns what it is told to.
FAKE = """\
import json, os, sys
with open(os.environ["CALLS"], "w") as calls:
    json.dump(sys.argv[1:], calls)
levels = os.environ["LEVELS"].split()
texts = {
    "json": json.dumps({"findings": [{"level": x} for x in levels]}),
    "sarif": "{}",
    "markdown": os.environ.get("SUMMARY", "## lockorder"),
}
for name, value in zip(sys.argv, sys.argv[1:]):
    kind, _, file = value.partition("=")
    if name == "--also" and "NO_REPORT" not in os.environ:
        open(file, "w").write(texts[kind])
sys.exit(int(os.environ["CODE"]))
"""
ALSO = hasattr(parser().parse_args(["check"]), "also")
CHANGED = hasattr(parser().parse_args(["check"]), "changed_since")


class Runner:
    """A step's surroundings: folders, files for outputs, the inputs' defaults."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.work = folder / "work"
        self.output, self.summary = folder / "output", folder / "summary.md"
        self.calls = folder / "calls"
        for place in (self.work, folder / "temp", folder / "bin"):
            place.mkdir()
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("GIT", "LOCKORDER"))},
            "PATH": os.pathsep.join(
                (str(folder / "bin"), str(Path(sys.executable).parent), os.environ["PATH"])
            ),
            "RUNNER_TEMP": str(folder / "temp"),
            "GITHUB_ACTION_PATH": str(TOP),
            "GITHUB_OUTPUT": str(self.output),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "GITHUB_EVENT_NAME": "push",
            "GITHUB_EVENT_PATH": str(folder / "event.json"),
            "CALLS": str(self.calls),
            "CODE": "0",
            "LEVELS": "",
        }
        (folder / "event.json").write_text("{}")
        for who in ("AUTHOR", "COMMITTER"):
            self.environment |= {f"GIT_{who}_NAME": "a", f"GIT_{who}_EMAIL": "a@example.org"}

    def fake(self) -> None:
        """Put something in the place of lockorder that only notes what it is told."""
        program = self.folder / "bin" / "lockorder"
        program.write_text(f"#!{sys.executable}\n{FAKE}")
        program.chmod(0o755)

    def check(self, *, cwd: Path | None = None, **changed: str) -> subprocess.CompletedProcess[str]:
        """The step `check`; keywords are inputs (lower case) or variables."""
        inputs = {n: i.get("default", "") for n, i in ACTION["inputs"].items()}
        inputs |= {n.replace("_", "-"): v for n, v in changed.items() if n.islower()}
        step = next(s for s in STEPS if s.get("id") == "check")
        given = {
            name: inputs[value.removeprefix("${{ inputs.").removesuffix(" }}")]
            for name, value in step["env"].items()
        }
        variables = {n: v for n, v in changed.items() if not n.islower()}
        self.output.write_text("")
        return subprocess.run(
            ["bash", str(SCRIPT), "check"], cwd=cwd or self.work,
            env={**self.environment, **given, **variables},
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip

    def outputs(self) -> dict[str, str]:
        lines = self.output.read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)

    def arguments(self) -> list[str]:
        """What lockorder was called with, less the reports that are always asked for."""
        given: list[str] = json.loads(self.calls.read_text())
        while "--also" in given:
            at = given.index("--also")
            del given[at : at + 2]
        return given

    def git(self, *arguments: str, cwd: Path | None = None) -> str:
        done = subprocess.run(
            ["git", *arguments], cwd=cwd or self.work, env=self.environment, check=True,
            capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        return done.stdout.strip()

    def commit(self, name: str) -> str:
        (self.work / name).write_text(name)
        self.git("add", "--all")
        self.git("commit", "-q", "-m", name)
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


@pytest.fixture
def faked(runner: Runner) -> Runner:
    runner.fake()
    return runner


# -- action.yml -------------------------------------------------------------------------------


def test_no_input_is_ever_part_of_a_script() -> None:
    for step in STEPS:
        assert "${{" not in step.get("run", ""), step


def test_every_input_is_used_and_none_is_made_up() -> None:
    text = (TOP / "action.yml").read_text()
    used = {part.split(" ")[0].split("\n")[0] for part in text.split("inputs.")[1:]}
    assert used == set(ACTION["inputs"])
    check = next(s for s in STEPS if s.get("id") == "check")
    script = SCRIPT.read_text()
    assert all(f"${name}" in script for name in check["env"])


def test_outputs_are_written_by_the_script(faked: Runner) -> None:
    faked.check()
    named = {
        o["value"].split("outputs.")[1].removesuffix(" }}") for o in ACTION["outputs"].values()
    }
    assert named | {"verdict"} == set(faked.outputs())


# -- what lockorder is called with ------------------------------------------------------------


def test_defaults(faked: Runner) -> None:
    done = faked.check()
    assert done.returncode == 0, done.stderr
    assert faked.arguments() == ["check", "--format", "github", "--", "."]
    asked = json.loads(faked.calls.read_text())
    assert {a.split("=")[0] for a in asked if "=" in a} == {"sarif", "markdown", "json"}


def test_every_input(faked: Runner) -> None:
    done = faked.check(
        paths="src\n\n  \ninclude\r\n", build_dir="out/my build", config="ci/lockorder.toml",
        baseline="-base line.json", changed_since="origin/main", select="a,b", ignore="c",
        annotations="false", extra_args="-j\n2\n--require-complete\n",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert faked.arguments() == [
        "check", "--format", "text", "-pout/my build", "--config=ci/lockorder.toml",
        "--baseline=-base line.json", "--select=a,b", "--ignore=c", "--changed-since=origin/main",
        "-j", "2", "--require-complete", "--", "src", "include",
    ]  # fmt: skip


def test_values_stay_values(faked: Runner) -> None:
    evil = "$(touch pwned) `touch pwned`; touch pwned #"
    faked.check(paths=f"my src\n-p\n{evil}\n'\"*", select=evil, extra_args=evil)
    assert faked.arguments() == [
        "check", "--format", "github", f"--select={evil}", evil, "--", "my src", "-p", evil, "'\"*",
    ]  # fmt: skip
    assert not list(faked.folder.rglob("pwned"))


@pytest.mark.parametrize("bad", [{"fail_on": "notes"}, {"annotations": "yes\n::warning::x"}])
def test_an_input_that_means_nothing(faked: Runner, bad: dict[str, str]) -> None:
    done = faked.check(**bad)
    assert done.returncode == 2
    assert done.stderr.startswith("::error::lockorder: ")
    assert len(done.stderr.splitlines()) == 1, "a value is no command for the runner"
    assert not faked.calls.exists()


# -- what comes of it -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "levels", "fail_on", "verdict"),
    [
        (0, "", "warning", 0),
        (0, "note", "warning", 0),
        (1, "warning", "warning", 1),
        (1, "warning note", "error", 0),
        (1, "error warning", "error", 1),
        (1, "error", "never", 0),
        (2, "error", "never", 2),
        (2, "", "error", 2),
        (130, "", "never", 130),
    ],
)
def test_verdicts(faked: Runner, code: int, levels: str, fail_on: str, verdict: int) -> None:
    done = faked.check(CODE=str(code), LEVELS=levels, fail_on=fail_on)
    assert done.returncode == 0, "the last step fails, after the reports are sent"
    serious = [x for x in levels.split() if x != "note"]
    found = faked.outputs()
    assert Path(found.pop("sarif")).read_text() == "{}"
    assert found == {
        "exit-code": str(code),
        "findings": str(len(serious)),
        "errors": str(serious.count("error")),
        "verdict": str(verdict),
    }


def test_a_crash_is_no_finding(faked: Runner) -> None:
    faked.check(CODE="1", NO_REPORT="1", fail_on="never")
    assert faked.outputs() == {"exit-code": "2", "findings": "0", "errors": "0", "verdict": "2"}


def test_the_last_step_returns_the_verdict(faked: Runner) -> None:
    for code in ("0", "1", "2"):
        command = ["bash", "-c", STEPS[-1]["run"]]
        assert subprocess.run(command, env={"VERDICT": code}, check=False).returncode == int(code)


def test_the_summary_is_added_to_what_is_there(faked: Runner) -> None:
    faked.summary.write_text("before\n")
    faked.check()
    assert faked.summary.read_text() == "before\n## lockorder"


def test_a_summary_that_github_would_refuse_is_cut(faked: Runner) -> None:
    lines = '("## ä" + "wörter\\n" * 200000)'
    program = faked.folder / "bin" / "lockorder"
    program.write_text(program.read_text().replace('"## lockorder"', lines))
    faked.check()
    text = faked.summary.read_bytes()
    assert 800_000 < len(text) < 1_000_000
    assert text.decode().endswith("wörter\n\n(cut: the SARIF file has all of it)\n")


def test_twice_in_one_job(faked: Runner) -> None:
    faked.check()
    first = faked.outputs()["sarif"]
    faked.check()
    assert faked.outputs()["sarif"] != first


# -- what a change brings ---------------------------------------------------------------------


def since(runner: Runner) -> str:
    (given,) = [a for a in runner.arguments() if a.startswith("--changed-since=")]
    return given.partition("=")[2]


@pytest.fixture
def pull_request(faked: Runner) -> tuple[Runner, str, str, str]:
    """A repository where main went on after a branch left it: where it left, main, the branch."""
    faked.git("init", "-q", "-b", "main")
    left = faked.commit("one.cpp")
    faked.git("checkout", "-q", "-b", "branch")
    head = faked.commit("two.cpp")
    faked.git("checkout", "-q", "main")
    main = faked.commit("three.cpp")
    event = {"pull_request": {"base": {"sha": main}}}
    (faked.folder / "event.json").write_text(json.dumps(event))
    faked.environment["GITHUB_EVENT_NAME"] = "pull_request"
    return faked, left, main, head


def test_auto_is_everything_for_a_push(faked: Runner) -> None:
    done = faked.check(changed_since="auto")
    assert done.returncode == 0, done.stderr
    assert faked.arguments() == ["check", "--format", "github", "--", "."]


def test_auto_on_the_merge_that_github_makes(pull_request: tuple[Runner, str, str, str]) -> None:
    runner, _, main, _ = pull_request
    runner.git("merge", "-q", "--no-ff", "-m", "merge", "branch")
    merge = runner.git("rev-parse", "HEAD")
    assert runner.check(changed_since="auto", GITHUB_SHA=merge).returncode == 0
    assert since(runner) == main


def test_auto_on_the_branch_itself(pull_request: tuple[Runner, str, str, str]) -> None:
    runner, left, _, _ = pull_request
    runner.git("checkout", "-q", "branch")
    assert runner.check(changed_since="auto", GITHUB_SHA="0" * 40).returncode == 0
    assert since(runner) == left


def test_auto_in_a_merge_group(faked: Runner) -> None:
    faked.git("init", "-q")
    base = faked.commit("one.cpp")
    faked.commit("two.cpp")
    (faked.folder / "event.json").write_text(json.dumps({"merge_group": {"base_sha": base}}))
    faked.check(changed_since="auto", GITHUB_EVENT_NAME="merge_group")
    assert since(faked) == base


def test_auto_fetches_a_base_that_a_shallow_clone_lacks(
    pull_request: tuple[Runner, str, str, str],
) -> None:
    runner, _, main, _ = pull_request
    runner.git("config", "uploadpack.allowAnySHA1InWant", "true")
    shallow = runner.folder / "shallow"
    url = f"file://{runner.work}"
    runner.git("clone", "-q", "--depth=1", "--branch=branch", url, str(shallow))
    done = runner.check(cwd=shallow, changed_since="auto", GITHUB_SHA="0" * 40)
    assert done.returncode == 0, done.stderr
    assert since(runner) == main
    runner.git("cat-file", "-e", main, cwd=shallow)


def test_auto_without_the_base_says_what_to_do(pull_request: tuple[Runner, str, str, str]) -> None:
    runner, *_ = pull_request
    event = {"pull_request": {"base": {"sha": "1" * 40}}}
    (runner.folder / "event.json").write_text(json.dumps(event))
    done = runner.check(changed_since="auto")
    assert done.returncode == 2
    assert "fetch-depth: 0" in done.stderr
    assert not runner.calls.exists()


# -- the real one -----------------------------------------------------------------------------

DEADLOCK = """\
#include <mutex>
std::mutex alpha, beta;
void forward() { std::scoped_lock a(alpha); std::scoped_lock b(beta); }
void backward() { std::scoped_lock b(beta); std::scoped_lock a(alpha); }
"""


@pytest.mark.skipif(not ALSO, reason="check has no --also yet")
def test_lockorder_itself(runner: Runner) -> None:
    place = runner.work / "my sources"
    place.mkdir()
    (place / "d.cpp").write_text(DEADLOCK)
    done = runner.check(paths="my sources")
    assert done.returncode == 0, done.stderr
    found = runner.outputs()
    assert (found["exit-code"], found["errors"], found["verdict"]) == ("1", "1", "1")
    (run,) = json.loads(Path(found["sarif"]).read_text())["runs"]
    assert [r["ruleId"] for r in run["results"]] == ["lock-order-cycle"]
    assert "lock-order-cycle" in runner.summary.read_text()
    assert "::error " in done.stdout
    assert "my sources/d.cpp" in done.stdout

    runner.check(paths="my sources", ignore="lock-order-cycle")
    assert runner.outputs()["verdict"] == "0"
    runner.check(paths="my sources\ngone.cpp", fail_on="never")
    assert runner.outputs()["verdict"] == "2"
    assert (runner.folder / "temp" / "lockorder" / "cache").is_dir()


@pytest.mark.skipif(not (ALSO and CHANGED), reason="check has no --also, --changed-since yet")
def test_lockorder_itself_on_a_pull_request(runner: Runner) -> None:
    runner.git("init", "-q")
    (runner.work / "old.cpp").write_text(DEADLOCK)
    base = runner.commit("notes.txt")
    event = {"pull_request": {"base": {"sha": base}}}
    (runner.folder / "event.json").write_text(json.dumps(event))
    runner.commit("more.txt")
    runner.check(changed_since="auto", GITHUB_EVENT_NAME="pull_request")
    assert runner.outputs()["verdict"] == "0", "the deadlock was there before"
    again = DEADLOCK.replace("alpha", "gamma").replace("beta", "delta").replace("ward", "ward2")
    (runner.work / "new.cpp").write_text(again)
    runner.commit("most.txt")
    done = runner.check(changed_since="auto", GITHUB_EVENT_NAME="pull_request")
    found = runner.outputs()
    assert (found["findings"], found["verdict"]) == ("1", "1"), done.stdout
