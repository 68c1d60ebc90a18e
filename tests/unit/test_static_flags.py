"""Flags: databases and guesses."""

import json
from pathlib import Path

import pytest

from lockorder.static.discovery.compilation_database import FlagsError, from_database, load_database
from lockorder.static.discovery.project import Project


def database(folder: Path, entries: object) -> Path:
    file = folder / "compile_commands.json"
    file.write_text(json.dumps(entries))
    return file


def test_only_what_matters_is_kept_and_paths_are_absolute(tmp_path: Path) -> None:
    command = (
        "nvcc -O2 -gencode arch=compute_90 -Iinc -DX=1 --std=c++20 -Xcompiler -fPIC,-DY -c a.cu"
    )
    database(tmp_path, [{"directory": str(tmp_path), "file": "a.cu", "command": command}])
    found = load_database(tmp_path).commands
    flags = from_database("a.cu", found[str(tmp_path / "a.cu")])
    assert flags.standard == "c++20"
    assert flags.rest == (f"-I{tmp_path}/inc", "-DX=1", "-DY")
    assert flags.cxx
    assert not flags.guessed


def test_a_broken_database_says_what_is_wrong(tmp_path: Path) -> None:
    file = database(tmp_path, {})
    with pytest.raises(FlagsError, match="a list of commands") as error:
        load_database(file)
    assert str(file) in str(error.value)


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        (3, "not an object"),
        ({"command": "cc"}, "no file"),
        ({"file": "a.c"}, "neither command nor arguments"),
        ({"file": "a.c", "arguments": [1]}, "not a list of strings"),
        ({"file": "a.c", "command": "cc 'open"}, "No closing quotation"),
        ({"file": "a.c", "command": "cc", "directory": 3}, "directory"),
    ],
)
def test_a_broken_entry_says_what_is_wrong(tmp_path: Path, entry: object, reason: str) -> None:
    good = {"file": "/b.c", "command": "cc -DX"}
    file = database(tmp_path, [entry, good])
    found = load_database(file)
    assert found.commands == {"/b.c": ["-DX"]}
    assert [p.startswith(f"{file}: entry 0: ") and reason in p for p in found.problems] == [True]


@pytest.mark.parametrize("flags", ["@flags.rsp", "--options-file flags.rsp", "-optf flags.rsp"])
def test_response_files(tmp_path: Path, flags: str) -> None:
    command = f"nvcc {flags} -DY -c a.cu"
    file = database(tmp_path, [{"directory": str(tmp_path), "file": "a.cu", "command": command}])
    found = load_database(file)
    assert found.commands == {str(tmp_path / "a.cu"): ["-DY"]}
    assert found.problems == [f"{file}: entry 0: {tmp_path}/flags.rsp: No such file or directory"]
    (tmp_path / "flags.rsp").write_text('-DX="a b" -Iinc\n')
    found = load_database(file)
    assert found.commands == {str(tmp_path / "a.cu"): ["-DX=a b", f"-I{tmp_path}/inc", "-DY"]}
    assert found.problems == []


def project(tmp_path: Path, files: dict[str, str]) -> Project:
    for name, text in files.items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    sources = [str(tmp_path / n) for n in files if not n.endswith(".h")]
    return Project(tmp_path, sources)


def test_include_roots_come_from_the_tree(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        {
            "src/lib/a.cpp": '#include "core/x.h"\n#include <api/y.h>\n#include <vector>\n',
            "src/core/x.h": "",
            "other/include/api/y.h": "",
        },
    )
    flags = found.flags(str(tmp_path / "src/lib/a.cpp"))
    assert f"-I{tmp_path}/src" in flags.rest
    assert f"-I{tmp_path}/other/include" in flags.rest
    assert found.system_headers == ("vector",)


def test_a_root_that_would_hide_a_header_of_the_system_comes_after_it(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        {
            "src/a.cpp": "#include <pthread.h>\n#include <sys/uio.h>\n#include <own.h>\n",
            "compat/own.h": "",
            "compat/pthread.h": "",
            "compat/sys/uio.h": "",
        },
    )
    rest = found.flags(str(tmp_path / "src/a.cpp")).rest
    assert rest == (f"-iquote{tmp_path}/compat", f"-idirafter{tmp_path}/compat")
    assert found.reach(str(tmp_path / "src/a.cpp")) == [f"{tmp_path}/compat/own.h"]
    assert found.system_headers == ("pthread.h", "sys/uio.h")


def test_headers_for_another_platform_are_not_guessed(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        {
            "src/a.cpp": '#include "osd.h"\n#include "pipes.h"\n#include "osx/only.h"\n',
            "include/linux_like/osd.h": "",
            "include/osx/osd.h": "",
            "include/osx/only.h": "",
            "include/windows/pipes.h": "",
            "include/windows/b.cpp": '#include "inner/c.h"\n',
            "include/windows/inner/c.h": "",
        },
    )
    reached = found.reach(str(tmp_path / "src/a.cpp"))
    assert reached == [f"{tmp_path}/include/linux_like/osd.h"]
    assert list(found.unresolved) == ["pipes.h"]
    inner = found.reach(str(tmp_path / "include/windows/b.cpp"))
    assert inner == [f"{tmp_path}/include/windows/inner/c.h"]


def test_feature_macros_are_on_and_other_platforms_off(tmp_path: Path) -> None:
    text = (
        "#ifdef USE_NCCL\n#endif\n#ifdef _WIN32\n#endif\n#ifdef USE_ROCM\n#endif\n"
        "#define USE_OWN 1\n#ifdef USE_OWN\n#endif\nint a;\n"
    )
    found = project(tmp_path, {"a.cpp": text, "b.cpp": "#ifdef WRAPPED\nint b;\n#endif\n"})
    flags = found.flags(str(tmp_path / "a.cpp")).rest
    assert "-DUSE_NCCL=1" in flags
    assert "-DWRAPPED=1" in flags
    assert not any("WIN32" in f or "ROCM" in f or "USE_OWN" in f for f in flags)


def test_lone_macros_that_only_a_build_defines_are_nothing(tmp_path: Path) -> None:
    bracketed = "RING_OPEN\nint a;\nRING_SHUT\n#include <mutex>\n"
    defined = "#define RING_OPEN\n#define RING_SHUT\n"
    files = {
        "open.cpp": bracketed,
        "known.cpp": '#include "ring.h"\n' + bracketed,
        "ring.h": defined,
        "ends.cpp": "enum {\nRING_FIRST,\n#ifdef MORE\nRING_MORE\n#endif\n};\n",
        "types.cpp": "Status\nring(int a)\n{\n  if (a)\n    return a;\n  else\n    ring b;\n}\n",
        "object.cpp": "RING_API\nring_t *made;\nRING_API\nring_t other();\n",
        "argument.cpp": "void RING_is_open();\nMAKE(\nRING_is_open\nconst bool yes)\n",
    }
    found = project(tmp_path, files)
    given = {n: [f for f in found.flags(str(tmp_path / n)).rest if "RING" in f] for n in files}
    assert given == {
        "open.cpp": ["-DRING_OPEN=", "-DRING_SHUT="],
        "known.cpp": [],
        "ring.h": [],
        "ends.cpp": [],
        "types.cpp": [],
        "object.cpp": ["-DRING_API="],
        "argument.cpp": [],
    }


def test_newer_standard_only_where_it_is_used(tmp_path: Path) -> None:
    found = project(tmp_path, {"a.cpp": "#include <span>\n", "b.cpp": "int b;\n", "c.c": "int c;"})
    standards = [found.flags(str(tmp_path / n)).standard for n in ("a.cpp", "b.cpp", "c.c")]
    assert standards == ["gnu++20", "gnu++17", "gnu17"]


def test_each_header_belongs_to_one_unit(tmp_path: Path) -> None:
    found = project(
        tmp_path,
        {"a.cpp": '#include "h.h"\n', "b.cpp": '#include "h.h"\n', "h.h": "#pragma once\n"},
    )
    mains = found.mains()
    owned = found.owners(mains)
    header = str(tmp_path / "h.h")
    assert [header in owned[m] for m in mains] == [True, False]


def test_a_hipified_tree_is_read_as_hip(tmp_path: Path) -> None:
    text = (
        "#include <hip/hip_runtime.h>\n#ifdef USE_ROCM\n#endif\n#ifdef USE_CUDA\n#endif\nint a;\n"
    )
    found = project(tmp_path, {"a.cpp": text})
    flags = found.flags(str(tmp_path / "a.cpp")).rest
    assert "-DUSE_ROCM=1" in flags
    assert "-D__HIP_PLATFORM_AMD__=1" in flags
    assert "-DUSE_CUDA=1" not in flags


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (["-isystem=/x/include"], ["-isystem/x/include"]),  # as CMake writes it for nvcc
        (["-include", "cstdint"], ["-include", "cstdint"]),  # no file of the build's folder
        (["-iquoteinner"], ["-iquote{}/inner"]),
        (["-idirafter", "late"], ["-idirafter", "{}/late"]),
        (["--sysroot=root"], ["--sysroot", "{}/root"]),
        (["--include-path", "inner"], ["-I", "{}/inner"]),
        (["--system-include=inner"], ["-isystem", "{}/inner"]),
        (["--define-macro", "A=1"], ["-D", "A=1"]),
        (["-Wp,-DA,-DB=2"], ["-DA", "-DB=2"]),
        (["--compiler-options", "-DA -fPIC"], ["-DA"]),
        (["-Xcompiler=-DA,-O2"], ["-DA"]),
        (["-Xclang", "-include-pch", "-Xclang", "x.pch", "-Xclang", "-include", "-Xclang", "x.h"],
         ["-include", "x.h"]),
        (["-O3", "-gencode", "arch=x", "--expt-relaxed-constexpr", "-Wall"], []),
    ],
)  # fmt: skip
def test_flags_as_build_systems_write_them(
    tmp_path: Path, given: list[str], kept: list[str]
) -> None:
    entry = {"directory": str(tmp_path), "file": "x.cu", "arguments": ["nvcc", *given, "x.cu"]}
    found = load_database(database(tmp_path, [entry])).commands[str(tmp_path / "x.cu")]
    assert found == [k.format(tmp_path) for k in kept]


def test_a_c_source_that_a_cxx_compiler_takes(tmp_path: Path) -> None:
    """``g++ -std=c++17 -c x.c`` reads C++."""
    assert from_database("x.c", ["-std=c++17"]).language == "c++"
    assert from_database("x.c", ["-std=c11"]).language == "c"
    assert from_database("x.c", ["-x", "c++"]).language == "c++"


def test_the_machines_own_headers_are_nobodys_project(tmp_path: Path) -> None:
    """Neither a file that is called like one of the C library, nor one that is named outright."""
    found = project(
        tmp_path,
        {
            "common/string.h": "int other;\n",
            "common/text.h": "int text;\n",
            "src/a.cpp": "#include <string.h>\n#include <text.h>\n",
            "src/b.cpp": f'#include "{tmp_path.parent}/machine/malloc.h"\n',
        },
    )
    (tmp_path.parent / "machine").mkdir(exist_ok=True)
    (tmp_path.parent / "machine" / "malloc.h").touch()
    rest = found.flags(str(tmp_path / "src" / "a.cpp")).rest
    assert "string.h" in found.system_headers
    assert [Path(p).name for p in found.reach(str(tmp_path / "src" / "a.cpp"))] == ["text.h"]
    assert f"-I{tmp_path.parent}/machine" not in rest


def test_c_is_read_as_gnu_c_on_linux(tmp_path: Path) -> None:
    text = "#ifdef MY_OS_LINUX\nint l;\n#endif\n#ifdef MY_OS_WINDOWS\nint w;\n#endif\n"
    found = project(tmp_path, {"a.c": text, "a.cpp": text})
    assert {"-D_GNU_SOURCE=1", "-DMY_OS_LINUX=1"} <= set(found.flags(str(tmp_path / "a.c")).rest)
    assert "-DMY_OS_WINDOWS=1" not in found.flags(str(tmp_path / "a.c")).rest
    assert "-DMY_OS_LINUX=1" in found.flags(str(tmp_path / "a.cpp")).rest
