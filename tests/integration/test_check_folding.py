"""What one step under a lock leads to is one finding; what two steps lead to is two."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SOURCE = """
#include <future>
#include <mutex>
#include <thread>
std::mutex table;
void settle(std::thread &t, std::future<int> &f) { f.get(); t.join(); }
void close(std::thread &t, std::future<int> &f)
{
    std::lock_guard<std::mutex> guard(table);
    settle(t, f);
%s
}
"""


def _findings(folder: Path, more: str) -> list[dict[str, str]]:
    source = folder / "steps.cpp"
    source.write_text(SOURCE % more)
    done = subprocess.run(
        [sys.executable, "-m", "lockorder", "check", "--format", "json", str(source)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    found: list[dict[str, str]] = json.loads(done.stdout)["findings"]
    return [f for f in found if f["rule"] == "blocking-under-lock"]


def test_calls_behind_one_step_are_one_finding(tmp_path: Path) -> None:
    findings = _findings(tmp_path, "")
    assert len(findings) == 1
    for call in ("std::thread::join", "std::future::get"):
        assert call in findings[0]["message"]


def test_two_steps_are_two_findings(tmp_path: Path) -> None:
    assert len(_findings(tmp_path, "    f.wait();")) == 2
