"""Runs well-known programs plainly and under the probe: ``tests/programs/run.py [NAME ...]``.

The output and the exit code have to be the same, and nothing of level error may be told.  Warnings
are listed, for somebody to read.  Programs that are not installed are skipped, each by its name.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TABLE = Path(__file__).with_name("programs.toml")
LIMIT_S = 300

Program = dict[str, Any]


def missing(program: Program, python: str) -> str:
    """What is not there that *program* needs; empty where all is."""
    for command in program.get("needs", ()):
        if shutil.which(command) is None:
            return str(command)
    for module in program.get("modules", ()):
        asked = [python, "-c", f"import {module}"]
        if subprocess.run(asked, check=False, capture_output=True).returncode:
            return f"Python's {module}"
    if program.get("user") and os.geteuid() == 0:
        return "a user other than root"
    return ""


def play(command: list[str], folder: Path, python: str) -> tuple[int, bytes, bytes, float]:
    """Exit code, output, errors and seconds of *command* in *folder*, which is made."""
    folder.mkdir()
    begin = time.monotonic()
    try:
        done = subprocess.run(
            command, cwd=folder, env={**os.environ, "PYTHON": python}, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=LIMIT_S, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as late:
        return 124, late.stdout or b"", f"not over after {LIMIT_S} s".encode(), LIMIT_S
    return done.returncode, done.stdout, done.stderr, time.monotonic() - begin


def told(result: Path) -> Iterator[tuple[str, str]]:
    """Level and message of each finding that counts."""
    if not result.exists():
        yield "error", "no result was written"
        return
    for finding in json.loads(result.read_text()).get("findings", ()):
        if finding["level"] in ("error", "warning"):
            yield finding["level"], f"{finding['message']} [{finding['rule']}]"


def judge(program: Program, python: str, folder: Path) -> bool:
    """Runs *program* both ways and says what came of it; whether that is right."""
    script = ["bash", "-c", program["run"]]
    plain = play(script, folder / "plain", python)
    result = folder / "result.json"
    probe = [
        sys.executable, "-m", "lockorder", "run", "-q", "--format", "json",
        "--output", str(result), "-o", str(folder / "traces"), "--", *script,
    ]  # fmt: skip
    probed = play(probe, folder / "probed", python)
    findings = list(told(result))
    errors = [text for level, text in findings if level == "error"]
    warnings = [text for level, text in findings if level == "warning"]
    same = plain[:2] == probed[:2]
    word = "same" if same else "DIFFERS"
    times = f"{plain[3]:.1f} s, {probed[3]:.1f} s with the analysis"
    print(f"{program['name']}: {word}, {len(errors)} errors, {len(warnings)} warnings ({times})")
    if not same:
        print(f"  plain: exit {plain[0]}, {plain[1][-200:]!r}")
        print(f"  probed: exit {probed[0]}, {probed[1][-200:]!r} {probed[2][-300:]!r}")
    for text in (*errors, *warnings):
        print(f"  {text}")
    return same and not errors


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="only programs whose names have one of these")
    parser.add_argument("--python", default=os.environ.get("PROGRAMS_PYTHON", sys.executable))
    options = parser.parse_args()
    programs: list[Program] = tomllib.loads(TABLE.read_text())["program"]
    wanted = [
        p
        for p in programs
        if not options.names or any(n.lower() in p["name"].lower() for n in options.names)
    ]
    skipped: list[str] = []
    right = ran = 0
    for program in wanted:
        lacks = missing(program, options.python)
        if lacks:
            skipped.append(f"{program['name']} ({lacks} is not there)")
            continue
        with tempfile.TemporaryDirectory() as folder:
            ran += 1
            right += judge(program, options.python, Path(folder))
        sys.stdout.flush()
    for line in skipped:
        print(f"skipped: {line}")
    print(f"{right} of {ran} as they are without the probe; {len(skipped)} skipped")
    return 0 if right == ran else 1


if __name__ == "__main__":
    sys.exit(main())
