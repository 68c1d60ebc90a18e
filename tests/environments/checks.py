"""What is asked of lockorder in one environment: checks.py JOB.json, which names all that it needs.

It is started inside of the environment, with nothing but the standard library, so that what is
mounted there for one command is there for all of them.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

CHECK_S, OTHER_S = 3600, 300  # seconds that a command may take
RULES = {"run": "lock-order-cycle", "hang": "deadlock"}


class Checks:
    """One environment: *job* has command, variables, programs, trees, and a folder for results."""

    def __init__(self, job: Mapping[str, Any]) -> None:
        self.job = job
        self.folder = Path(job["results"])
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "traces").mkdir(parents=True)
        # Results and precompiled headers of an earlier run would hide what this one does.
        self.variables = {**job["variables"], "XDG_CACHE_HOME": str(self.folder / "cache")}
        self.problems: list[str] = []

    def all(self) -> dict[str, Any]:
        """Every check in turn."""
        version = self.run("version", ["--version"])
        found: dict[str, Any] = {"version": version.stdout.strip()}
        self.expect("version", version, 0)
        demo = self.run("demo", ["demo"])
        self.expect("demo", demo, 0)
        found["demo"] = demo.returncode
        if self.job["program"]:
            found["run"] = self.recorded(self.job["program"])
            found["hang"] = self.hung(self.job["program"])
        found["trees"] = {tree["name"]: self.tree(tree) for tree in self.job["trees"]}
        shutil.rmtree(self.folder / "cache", ignore_errors=True)
        return {**found, "problems": self.problems}

    def recorded(self, program: str) -> int:
        """A lock-order cycle that the probe sees."""
        traces = str(self.folder / "traces" / "run")
        options = ["run", "--format", "json", "--error-exitcode", "7", "-o", traces]
        done = self.run("run", [*options, "--", program, "turns"])
        self.expect("run", done, 7)
        self.expect_rule("run", done)
        return done.returncode

    def hung(self, program: str) -> int:
        """A deadlock that is looked at from outside."""
        with subprocess.Popen([program, "hang"], stdout=subprocess.PIPE) as stuck:
            try:
                assert stuck.stdout is not None
                stuck.stdout.readline()
                end = time.monotonic() + 30
                while True:  # "ready" comes a moment before the two wait
                    done = self.run("hang", ["hang", "--format", "json", "--pid", str(stuck.pid)])
                    if done.returncode == 1 or time.monotonic() > end:
                        break
                    time.sleep(0.2)
            finally:
                stuck.kill()
        self.expect("hang", done, 1)
        self.expect_rule("hang", done)
        return done.returncode

    def tree(self, tree: Mapping[str, Any]) -> dict[str, Any]:
        """`check` on one tree: its exit code, findings, and what was seen of the sources."""
        began = time.monotonic()
        name = tree["name"]
        done = self.run(
            name, ["check", "--format", "json", *tree["paths"]], Path(tree["folder"]), CHECK_S
        )
        row: dict[str, Any] = {"exit": done.returncode, "seconds": time.monotonic() - began}
        try:
            document = json.loads(done.stdout)
        except ValueError:
            self.problems.append(f"{name}: no report: {done.stderr.strip()[-500:]}")
            return row
        findings = document.get("findings", [])
        text = json.dumps(findings, indent=1, ensure_ascii=False)
        (self.folder / f"{name}.findings.json").write_text(text, encoding="utf-8")
        (self.folder / f"{name}.json").write_text(done.stdout, encoding="utf-8")
        coverage = document.get("coverage", {})
        files = coverage.get("files", [])
        for what in ("calls", "locks"):
            there = sum(file.get(what, 0) for file in files)
            seen = sum(file.get(f"{what}_seen", 0) for file in files)
            row[f"{what}_seen"] = 100.0 * seen / there if there else 100.0
        row["files"] = len(files)
        row["findings"] = len(findings)
        row["headers"] = {
            each["source"]: len(each["headers"]) for each in coverage.get("headers", [])
        }
        return row

    def run(
        self, name: str, arguments: Sequence[str], folder: Path | None = None, limit: int = OTHER_S
    ) -> subprocess.CompletedProcess[str]:
        """lockorder with *arguments*; what it says is kept, and a traceback is a problem."""
        command = [self.job["command"], *arguments]
        try:
            done = subprocess.run(
                command, cwd=folder or self.folder, env=self.variables, capture_output=True,
                text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=limit, check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            done = subprocess.CompletedProcess(command, -1, "", f"{error}")
        said = f"exit {done.returncode}\n{done.stdout}\n--- errors\n{done.stderr}"
        (self.folder / f"{name}.log").write_text(said, encoding="utf-8")
        if "Traceback" in done.stdout + done.stderr:
            self.problems.append(f"{name}: a traceback: {done.stderr.strip()[-500:]}")
        return done

    def expect(self, name: str, done: subprocess.CompletedProcess[str], code: int) -> None:
        """Another exit code than *code* is a problem."""
        if done.returncode != code:
            said = (done.stderr.strip() or done.stdout.strip())[-300:]
            self.problems.append(f"{name}: exit {done.returncode} instead of {code}: {said}")

    def expect_rule(self, name: str, done: subprocess.CompletedProcess[str]) -> None:
        """Without the finding that the program is made for, there is a problem."""
        try:
            rules = {each["rule"] for each in json.loads(done.stdout).get("findings", [])}
        except ValueError:
            rules = set()
        if RULES[name] not in rules:
            self.problems.append(f"{name}: no {RULES[name]} but {sorted(rules)}")


if __name__ == "__main__":
    job_file = Path(sys.argv[1])
    job = json.loads(job_file.read_text(encoding="utf-8"))
    result = Checks(job).all()
    Path(job["answer"]).write_text(json.dumps(result, indent=1), encoding="utf-8")
