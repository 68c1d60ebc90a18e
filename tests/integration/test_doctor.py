"""``lockorder doctor``: what a run will not see, in programs built for it."""

from __future__ import annotations

import json
import os
import platform
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

CLEAN, FOUND, FAILED = 0, 1, 2
OTHER_MACHINE = {"x86_64": 183, "aarch64": 62}  # EM_AARCH64, EM_X86_64
Done = subprocess.CompletedProcess[str]
Found = dict[str, tuple[str, str]]
Build = Callable[..., Path]
PLAIN = "#include <pthread.h>\nstatic pthread_mutex_t m; int main(void) { pthread_mutex_lock(&m); }"


def doctor(*arguments: object, **changed: str) -> Done:
    return subprocess.run(
        [sys.executable, "-m", "lockorder", "doctor", *map(str, arguments)],
        env={**os.environ, **changed}, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


def states(*arguments: object, **changed: str) -> tuple[int, Found]:
    """Exit code; by the checks' names their states and what was found."""
    done = doctor("--format", "json", *arguments, **changed)
    assert done.returncode in (CLEAN, FOUND), done.stderr
    document = json.loads(done.stdout)
    assert (document["format"], document["version"]) == ("lockorder-doctor", 1)
    for check in document["checks"]:
        if check["state"] != "ok":  # nobody is left without knowing what to do
            assert check["means"]
            assert check["do"]
    return done.returncode, {c["name"]: (c["state"], c["found"]) for c in document["checks"]}


@pytest.fixture
def build(c_compiler: list[str], tmp_path: Path) -> Build:
    def build(source: str, *flags: str, name: str = "program") -> Path:
        made = tmp_path / name
        done = subprocess.run(
            [*c_compiler, "-O1", "-pthread", "-x", "c", "-", "-o", str(made), *flags],
            input=source, text=True, capture_output=True, check=False,
        )  # fmt: skip
        if done.returncode != 0:
            pytest.skip(f"cannot be built with {' '.join(flags)}: {done.stderr[:200]}")
        return made

    return build


def test_an_ordinary_program_is_well(build: Build) -> None:
    code, found = states("--", build(PLAIN), "its", "--arguments")
    assert code == CLEAN
    assert {state for state, _ in found.values()} == {"ok"}
    assert {"probe", "folder", "loading", "privileges", "names"} <= found.keys()


@pytest.mark.parametrize("flag", ["-static", "-static-pie"])
def test_a_static_program(build: Build, flag: str) -> None:
    code, found = states(build(PLAIN, flag))
    assert code == FOUND
    assert found["loading"] == ("problem", "linked statically")


def test_a_program_for_another_machine(build: Build) -> None:
    path = build(PLAIN)
    data = bytearray(path.read_bytes())
    data[18:20] = OTHER_MACHINE[platform.machine()].to_bytes(2, "little")
    path.write_bytes(data)
    code, found = states(path)
    assert code == FOUND
    assert found["loading"][0] == "problem"
    assert "64 bits" in found["loading"][1]


def test_a_stripped_program_is_a_note(build: Build) -> None:
    code, found = states(build(PLAIN, "-s"))
    assert (code, found["names"][0]) == (CLEAN, "note")


def test_a_program_with_its_own_free(build: Build) -> None:
    own = "void free(void *p) { (void)p; }\n"
    code, found = states(build(own + PLAIN, "-rdynamic"))
    assert (code, found["allocator"][0]) == (FOUND, "warning")
    code, found = states(build(own.replace("void free", "static void mine") + PLAIN, "-rdynamic"))
    assert "allocator" not in found


@pytest.mark.parametrize(
    ("symbol", "whose"),
    [
        ("_ZN4absl12lts_202308025Mutex4LockEv", "absl"),
        ("_ZN4absl5Mutex4LockEv", "absl"),
        ("_ZN5folly15SharedMutexImplILb0EE4lockEv", "folly"),
        ("_ZN3std3sys4sync5mutex5futex5Mutex14lock_contended17h0E", "Rust"),
        ("_ZN11parking_lot9raw_mutex8RawMutex9lock_slow17h0E", "Rust"),
    ],
)
def test_locks_that_make_no_call(build: Build, symbol: str, whose: str) -> None:
    code, found = states(build(f"void {symbol}(void) {{}}\n{PLAIN}"))
    assert code == FOUND
    assert whose in found["own locks"][1]


@pytest.mark.parametrize(
    "symbol",
    ["_ZN4mine5Mutex4LockEv", "_ZN4absl5Mutex", "_ZN5folly6StringEv", "_ZN3std3sys4sync4pathE"],
)
def test_names_that_only_look_so(build: Build, symbol: str) -> None:
    code, found = states(build(f"void {symbol}(void) {{}}\n{PLAIN}"))
    assert code == CLEAN
    assert "own locks" not in found


def test_openmp_is_told_only_where_it_locks(build: Build) -> None:
    body = "int x; int main(void) {\n#pragma omp parallel\n%s{ x++; } }"
    _, found = states(build(body % "\n#pragma omp critical\n", "-fopenmp"))
    assert "OpenMP" in found["own locks"][1]
    _, found = states(build(body % "", "-fopenmp"))
    assert "own locks" not in found


@pytest.mark.parametrize("tool", ["address", "thread"])
def test_sanitizers(build: Build, tool: str) -> None:
    _, found = states(build(PLAIN, f"-fsanitize={tool}"))
    assert found["sanitizer"][0] == ("ok" if tool == "address" else "warning")


RUNTIME = "int cudaMalloc(void **p, unsigned long n);\nint main(void) { return cudaMalloc(0, 1); }"


def test_the_cuda_runtime_inside_the_program(build: Build) -> None:
    inside = "int cudaMalloc(void **p, unsigned long n) { return p != 0 && n; }\n"
    code, found = states(build(inside + RUNTIME))
    assert (code, found["CUDA runtime"][0]) == (FOUND, "warning")


def test_the_cuda_runtime_as_a_library(build: Build, tmp_path: Path) -> None:
    build("int cudaMalloc(void **p, unsigned long n) { return p != 0 && n; }", "-shared", "-fPIC",
          "-Wl,-soname,libcudart.so.12", name="libcudart.so.12")  # fmt: skip
    flags = ("-L.", "-x", "none", str(tmp_path / "libcudart.so.12"), f"-Wl,-rpath,{tmp_path}")
    code, found = states(build(RUNTIME, *flags))
    assert (code, found["CUDA runtime"][0]) == (CLEAN, "ok")


NCCL = """
__attribute__((visibility("%s"))) int ncclGroupEnd(void) { __asm__(""); return 0; }
int all_reduce(void) { return ncclGroupEnd() + 1; }
"""


def test_nccl_inside_a_library(build: Build) -> None:
    """As csrc/got.c sees it: a call of an object's own function counts where it has a slot."""
    flags = ("-shared", "-fPIC", "-fno-inline", "-fsemantic-interposition")
    _, found = states(build(NCCL % "default", *flags, name="libslots.so"))
    assert found["NCCL"] == ("ok", "linked statically, called through slots")
    code, found = states(build(NCCL % "hidden", *flags, name="libbound.so"))
    assert code == FOUND
    assert found["NCCL"][0] == "warning"


def test_a_library_of_the_program_is_looked_at(build: Build, tmp_path: Path) -> None:
    build(NCCL % "hidden", "-shared", "-fPIC", "-fno-inline", name="libcomm.so")
    flags = ("-x", "none", str(tmp_path / "libcomm.so"), f"-Wl,-rpath,{tmp_path}")
    source = "int all_reduce(void); int main(void) { return all_reduce(); }"
    code, found = states("--", build(source, *flags))
    assert (code, found["NCCL"][0]) == (FOUND, "warning")


# -- from a command to its programs -------------------------------------------------------------


def test_scripts_lead_to_their_interpreters(tmp_path: Path, build: Build) -> None:
    program = build(PLAIN, "-static")
    for first in (f"#!{program} -x", f"#!/usr/bin/env -S A=1 {program} -x"):
        script = tmp_path / "script"
        script.write_text(f"{first}\n")
        script.chmod(0o755)
        code, found = states("--", script)
        assert (code, found["loading"][0]) == (FOUND, "problem")
        assert found["program"][1] == f"{script}, run by {program}"


def test_wrappers_lead_to_what_they_run(build: Build) -> None:
    program = build(PLAIN, "-static")
    code, found = states("--", "env", "A=1", "timeout", "-s", "INT", "60", program, "/bin/sh")
    assert code == FOUND
    assert found["program"][1] == str(program)
    assert found["loading"][0] == "problem"


def test_a_python_script_is_asked_for_its_interpreter(tmp_path: Path) -> None:
    script = tmp_path / "train"
    script.write_text(f"#!{sys.executable}\n")
    script.chmod(0o755)
    _, found = states("--", script)
    version = ".".join(map(str, sys.version_info[:3]))
    assert f"cpython {version}" in found["GIL"][1]
    assert found["threading"][0] == ("ok" if sys.version_info < (3, 13) else "warning")


def test_what_cannot_be_looked_at_is_an_error(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no program\n")
    looping = tmp_path / "looping"
    looping.write_text(f"#!{looping}\n")
    looping.chmod(0o755)
    for arguments, says in [
        (("--", "no-such-command"), "not found"),
        (("--", text), "not executable"),
        ((text,), "neither a program nor"),
        ((tmp_path,), "cannot be read"),
        ((looping,), "too deep"),
        (("--",), "no command"),
        ((text, "--format", "json"), "options come before files"),
        (("--pid", 1 << 30), "there is none"),
    ]:
        done = doctor(*arguments)
        assert (done.returncode, done.stdout) == (FAILED, ""), arguments
        assert says in done.stderr


def test_a_damaged_file_is_an_error_and_never_a_crash(build: Build) -> None:
    path = build(PLAIN)
    whole = path.read_bytes()
    chance = random.Random(4)
    for size in (100, 5000, len(whole) - 500):
        path.write_bytes(whole[:size])
        assert doctor(path).returncode == FAILED
    for _ in range(12):
        data = bytearray(whole)
        for _ in range(20):
            data[chance.randrange(16, len(data))] = chance.randrange(256)
        path.write_bytes(data)
        done = doctor(path)
        assert done.returncode in (CLEAN, FOUND, FAILED)
        assert "Traceback" not in done.stderr


def test_a_running_process(build: Build) -> None:
    program = build(
        "int main(void) { char c; return read(0, &c, 1) != 0; }", "-include", "unistd.h"
    )
    with subprocess.Popen([program], stdin=subprocess.PIPE) as process:
        code, found = states("--pid", process.pid)
        assert process.stdin is not None
        process.stdin.close()
    assert code == FOUND
    assert found["recording"] == ("warning", "the probe is not in it")
    assert found["loading"][0] == "ok"


# -- this machine -------------------------------------------------------------------------------


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    code, found = states("-o", "/proc/self")
    assert code == FOUND
    assert found["folder"][0] == "problem"
    code, found = states("-o", tmp_path / "not" / "yet")
    assert found["folder"][0] == "ok"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file"]


def test_a_preload_that_is_not_there(tmp_path: Path) -> None:
    _, found = states(LD_PRELOAD=str(tmp_path / "gone.so"))
    assert found["LD_PRELOAD"][0] == "warning"


def test_a_limit_on_files(tmp_path: Path) -> None:
    command = f"ulimit -f 1000; exec '{sys.executable}' -m lockorder doctor"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == FOUND
    assert re.search(r"warning +limits", done.stdout)


def test_text_is_for_people(build: Build) -> None:
    done = doctor(build(PLAIN, "-static"))
    assert re.search(r"problem +loading +linked statically", done.stdout)
    assert "means: the probe is not loaded into it" in done.stdout
    assert "do: link it dynamically" in done.stdout
    assert "\x1b" not in done.stdout
    assert done.stderr == "lockorder: 1 ok, 1 problem\n"
    assert doctor("-q", build(PLAIN)).stderr == ""


def test_the_probe_misses_what_doctor_says(build: Build, tmp_path: Path) -> None:
    """The worst of its warnings held against a run."""
    program = build(PLAIN, "-static")
    run = [sys.executable, "-m", "lockorder", "run", "-o", str(tmp_path / "traces"), "--", program]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert "nothing was recorded" in done.stderr
    assert shutil.which("true") is not None
    assert doctor("--", "true").returncode == CLEAN
