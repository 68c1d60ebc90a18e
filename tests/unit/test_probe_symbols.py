"""Names for addresses, against nm, addr2line, and lines known from the source."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from runtime_probe import demangle as demangle_module
from runtime_probe.demangle import demangle
from runtime_probe.dwarf_forms import sleb, uleb
from runtime_probe.elf_object import DamagedError, ElfObject
from runtime_probe.symbols import Symbols

SOURCE = """\
#include <mutex>
namespace app {
struct Pool { std::mutex m; int n = 0; };
std::mutex registry;
Pool pools[4];
std::mutex &once() { static std::mutex guard; return guard; }
__attribute__((noinline)) void touch(int *p) { *p += 1; asm volatile("" ::: "memory"); }
static inline __attribute__((always_inline)) int take(Pool &pool) {
  pool.m.lock();  // mark: lock
  int got = ++pool.n;
  pool.m.unlock();
  return got;
}
__attribute__((noinline)) int use(int i) {
  int got = i;
  touch(&got);  // mark: touch
  got += take(pools[i & 3]);  // mark: take
  touch(&got);
  return got;
}
template <class T> __attribute__((noinline)) T twice(T x) { touch(&x); return x + x; }
}
static __attribute__((noinline)) int local_use(int i) { return app::use(i) + app::twice<int>(i); }
int main() {
  app::once().lock();
  return local_use(2) + (&app::registry != nullptr);
}
"""

Frames = list[tuple[str, str, int]]


def marked(source: str, mark: str) -> int:
    return next(n for n, line in enumerate(source.splitlines(), 1) if f"mark: {mark}" in line)


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"no {name}: install binutils")
    return found


def run_tool(*command: str | Path) -> str:
    done = subprocess.run(
        [tool(str(command[0])), *map(str, command[1:])], check=True, capture_output=True, text=True
    )
    return done.stdout


def symbols_of(program: Path) -> dict[str, tuple[int, int]]:
    """Demangled name -> start and size of the symbols that have one, from nm."""
    found: dict[str, tuple[int, int]] = {}
    for line in run_tool("nm", "-C", "--defined-only", "-S", program).splitlines():
        fields = line.split(maxsplit=3)
        if len(fields) == 4 and len(fields[1]) == 16:
            found[fields[3].partition(" [clone")[0]] = int(fields[0], 16), int(fields[1], 16)
    return found


def build_id_of(program: Path) -> str:
    return ElfObject(str(program)).build_id


class Program:
    """A built program, and lookups in it as a trace would ask for them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.build_id = build_id_of(path)
        self.names = symbols_of(path)

    def lookup(self, symbols: Symbols, address: int) -> Frames:
        return symbols.lookup(str(self.path), self.build_id, address)

    def addresses(self, function: str) -> range:
        start, size = self.names[function]
        return range(start, start + size)


Build = Callable[..., Program]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("no C++ compiler: install g++ or clang++")

    def compile_program(*flags: str, source: str = SOURCE, name: str = "program") -> Program:
        text = tmp_path / "program.cpp"
        text.write_text(source)
        out = tmp_path / name
        command = [compiler, "-pthread", "-Wl,--build-id", *flags, "-o", out, text.name]
        subprocess.run(command, check=True, cwd=tmp_path)
        return Program(out)

    return compile_program


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("version", ["-gdwarf-2", "-gdwarf-3", "-gdwarf-4", "-gdwarf-5"])
@pytest.mark.parametrize("shape", [("-pie", "-fPIE"), ("-no-pie",), ("-shared", "-fPIC")])
def test_every_address_of_a_function(
    build: Build, tmp_path: Path, level: str, version: str, shape: tuple[str, ...]
) -> None:
    program = build(level, version, *shape)
    symbols = Symbols([])
    seen: set[int] = set()
    for address in program.addresses("app::use(int)"):
        frames = program.lookup(symbols, address)
        function, file, line = frames[-1]
        assert (function, file) == ("app::use(int)", str(tmp_path / "program.cpp"))
        seen.add(line)
    assert {marked(SOURCE, "touch"), marked(SOURCE, "take")} <= seen
    first = marked(SOURCE, "touch") - 2
    assert seen <= set(range(first, first + 7))
    assert symbols.problems == []


@pytest.mark.parametrize(
    "flags", [("-O2", "-gdwarf-5"), ("-O2", "-gdwarf-4"), ("-O1", "-gz", "-g")]
)
def test_calls_inlined_into_the_users_code(
    build: Build, tmp_path: Path, flags: tuple[str, ...]
) -> None:
    program = build(*flags)
    symbols = Symbols([])
    stacks = [program.lookup(symbols, at) for at in program.addresses("app::use(int)")]
    through_lock = [stack for stack in stacks if stack[0][0] != "app::use(int)"]
    locks = [s for s in through_lock if any(f[0] == "std::mutex::lock()" for f in s)]
    assert locks, "std::mutex::lock was not inlined"
    source = str(tmp_path / "program.cpp")
    for stack in locks:
        index = [frame[0] for frame in stack].index("std::mutex::lock()")
        assert stack[index][1].endswith("std_mutex.h")
        assert stack[index + 1 :] == [
            ("app::take", source, marked(SOURCE, "lock")),
            ("app::use(int)", source, marked(SOURCE, "take")),
        ]


@pytest.mark.parametrize("version", ["-gdwarf-4", "-gdwarf-5"])
def test_lines_are_those_of_addr2line(build: Build, version: str) -> None:
    program = build("-O2", version)
    symbols = Symbols([])
    functions = ("app::use(int)", "app::once()", "main", "local_use(int)", "app::touch(int*)")
    addresses = [at for name in functions for at in program.addresses(name)]
    answer = subprocess.run(
        [tool("addr2line"), "-afi", "-e", program.path],
        input="\n".join(map(hex, addresses)),
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for address, lines in zip(addresses, answer.split("0x")[1:], strict=True):
        places = [line.partition(" (")[0] for line in lines.splitlines()[2::2]]
        mine = [f"{file}:{line}" for _, file, line in program.lookup(symbols, address)]
        assert mine == places, hex(address)


@pytest.mark.parametrize("form", ["-gdwarf64", "-fdebug-types-section", "-gz=zlib-gnu"])
def test_other_forms_of_the_same_information(build: Build, form: str) -> None:
    """Forms that addr2line of binutils 2.40 does not read, against those that it does."""
    plain = build("-O2", "-gdwarf-5", name="plain")
    try:
        other = build("-O2", "-gdwarf-5", form, name="other")
    except subprocess.CalledProcessError:
        pytest.skip(f"the compiler has no {form}")
    symbols = Symbols([])
    for function in ("app::use(int)", "app::once()", "main"):
        here, there = plain.addresses(function), other.addresses(function)
        for address, counterpart in zip(here, there, strict=True):
            assert other.lookup(symbols, counterpart) == plain.lookup(symbols, address)
    assert symbols.problems == []


def test_functions_without_a_linkage_name(build: Build) -> None:
    """Lambdas and unnamed namespaces have simple names only; the scopes around them are added."""
    source = """
namespace app { namespace {
inline __attribute__((always_inline)) void quiet(volatile int *p) { *p = 1; }
} }
int main() {
  volatile int x = 0;
  auto work = [&](int n) __attribute__((always_inline)) { x += n; };
  app::quiet(&x);
  work(2);
  return x;
}
"""
    program = build("-O1", "-g", source=source)
    symbols = Symbols([])
    found = {f[0] for at in program.addresses("main") for f in program.lookup(symbols, at)}
    assert found == {"main", "main()::{lambda}::operator()", "app::(anonymous namespace)::quiet"}


def test_every_symbol_of_nm(build: Build) -> None:
    program = build("-O0")  # without -g: names and nothing else
    symbols = Symbols([])
    checked = 0
    for name, (start, size) in program.names.items():
        if name.startswith(("app::", "local_use", "std::mutex")) and name.endswith(")"):
            assert program.lookup(symbols, start) == [(name, "", 0)]
            assert program.lookup(symbols, start + size - 1) == [(name, "", 0)]
            checked += 1
    assert checked > 5


def test_template_arguments_stay(build: Build) -> None:
    program = build("-O2", "-g")
    frames = program.lookup(Symbols([]), program.names["int app::twice<int>(int)"][0])
    assert frames[-1][0] == "int app::twice<int>(int)"


def test_a_stripped_library_still_has_its_exports(build: Build) -> None:
    program = build("-O2", "-g", "-shared", "-fPIC")
    run_tool("strip", program.path)
    symbols = Symbols([])
    start, size = program.names["app::use(int)"]
    assert program.lookup(symbols, start + size // 2) == [("app::use(int)", "", 0)]
    assert program.lookup(symbols, program.names["local_use(int)"][0]) == []
    assert symbols.problems == []


def split_debug(program: Path, debug_file: Path) -> None:
    debug_file.parent.mkdir(parents=True, exist_ok=True)
    run_tool("objcopy", "--only-keep-debug", program, debug_file)
    run_tool("strip", program)


def build_id_path(root: Path, build_id: str) -> Path:
    return root / ".build-id" / build_id[:2] / f"{build_id[2:]}.debug"


def test_a_debug_file_by_build_id(
    build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = build("-O2", "-g")
    debug_root = tmp_path / "debug"
    split_debug(program.path, build_id_path(debug_root, program.build_id))
    address = program.names["app::use(int)"][0]
    assert program.lookup(Symbols([]), address) == []
    monkeypatch.setenv("LOCKORDER_DEBUG_PATH", f"/nowhere:{debug_root}")
    symbols = Symbols()
    assert program.lookup(symbols, address)[-1][0] == "app::use(int)"
    assert program.lookup(symbols, address)[-1][2] > 0
    guard = program.names["app::once()::guard"][0]
    assert symbols.data_symbol(str(program.path), program.build_id, guard) == "app::once()::guard"
    assert symbols.problems == []


def test_a_debug_file_serves_where_the_object_is_missing(build: Build, tmp_path: Path) -> None:
    program = build("-O2", "-g")
    split_debug(program.path, build_id_path(tmp_path / "debug", program.build_id))
    program.path.unlink()
    symbols = Symbols([str(tmp_path / "debug")])
    for address in program.addresses("app::use(int)"):
        assert program.lookup(symbols, address)[-1][0] == "app::use(int)"
    assert symbols.problems == [f"{program.path}: not on this machine"]


@pytest.mark.parametrize("identity", ["-Wl,--build-id", "-Wl,--build-id=none"])
@pytest.mark.parametrize("folder", [".", ".debug"])
def test_a_debug_file_by_link(build: Build, tmp_path: Path, identity: str, folder: str) -> None:
    program = build("-O2", "-g", identity)
    debug_file = tmp_path / folder / "program.debug"
    split_debug(program.path, debug_file)
    run_tool("objcopy", f"--add-gnu-debuglink={debug_file}", program.path)
    address = program.names["app::use(int)"][0]
    symbols = Symbols([])
    assert program.lookup(symbols, address)[-1][0] == "app::use(int)"
    assert symbols.problems == []


def test_a_debug_file_of_something_else_is_not_used(build: Build, tmp_path: Path) -> None:
    program = build("-O2", "-g", "-Wl,--build-id=none")
    debug_file = tmp_path / "program.debug"
    split_debug(program.path, debug_file)
    run_tool("objcopy", f"--add-gnu-debuglink={debug_file}", program.path)
    debug_file.write_bytes(debug_file.read_bytes() + b"\0")
    symbols = Symbols([])
    assert program.lookup(symbols, program.names["app::use(int)"][0]) == []
    assert symbols.problems == [f"{debug_file}: not the debug file of {program.path}"]


def test_another_build_of_the_object_is_not_used(build: Build) -> None:
    program = build("-O2", "-g")
    symbols = Symbols([])
    for address in program.addresses("main"):
        assert symbols.lookup(str(program.path), "ab" * 20, address) == []
    assert symbols.data_symbol(str(program.path), "ab" * 20, 0x4000) is None
    assert len(symbols.problems) == 1
    assert "not the file that was recorded" in symbols.problems[0]


@pytest.mark.parametrize("build_id", ["", "../../etc", "zz" * 20, "a"])
def test_paths_and_build_ids_that_make_no_sense(tmp_path: Path, build_id: str) -> None:
    fifo = tmp_path / "fifo"
    subprocess.run(["mkfifo", fifo], check=True)
    symbols = Symbols([str(tmp_path)])
    for path in (str(fifo), str(tmp_path), "[vdso]", "", "a\0b", "/dev/zero"):
        assert symbols.lookup(path, build_id, 0x1000) == []
        assert symbols.data_symbol(path, build_id, 0x1000) is None
    assert len(symbols.problems) == 6


@pytest.mark.parametrize("shape", [("-pie", "-fPIE"), ("-shared", "-fPIC")])
def test_variables(build: Build, shape: tuple[str, ...]) -> None:
    program = build("-O1", *shape)
    symbols = Symbols([])

    def variable(address: int) -> str | None:
        return symbols.data_symbol(str(program.path), program.build_id, address)

    registry, size = program.names["app::registry"]
    assert variable(registry) == "app::registry"
    assert variable(registry + size - 1) == f"app::registry+{size - 1:#x}"
    assert variable(program.names["app::once()::guard"][0]) == "app::once()::guard"
    pools, size = program.names["app::pools"]
    assert variable(pools + size // 2) == f"app::pools+{size // 2:#x}"
    assert variable(program.names["main"][0]) is None
    assert variable(1 << 40) is None


def test_thread_local_variables_have_no_address_in_the_object(build: Build) -> None:
    program = build("-O0", source="thread_local int each; int main() { return each; }")
    assert Symbols([]).data_symbol(str(program.path), program.build_id, 0) is None


def test_assembler_without_sizes(build: Build) -> None:
    source = """
asm(".text\\n.globl bare\\nbare: nop\\nnop\\nret\\n.p2align 4\\n"
    ".globl sized\\n.type sized,@function\\nsized: nop\\ninner: nop\\nret\\n"
    ".size sized,.-sized\\n");
int main() { return 0; }
"""
    program = build("-O0", source=source)
    names = {
        line.split()[2]: int(line.split()[0], 16)
        for line in run_tool("nm", "--defined-only", program.path).splitlines()
    }
    symbols = Symbols([])
    assert program.lookup(symbols, names["bare"] + 2) == [("bare", "", 0)]
    assert program.lookup(symbols, names["inner"]) == [("sized", "", 0)]


def test_procedure_linkage_has_no_name_of_its_own(build: Build) -> None:
    program = build("-O0", "-Wl,-z,lazy")
    sections = {h.name: h for h in ElfObject(str(program.path)).headers}
    assert program.lookup(Symbols([]), sections[".plt"].address + 16) == []


@pytest.mark.parametrize(
    ("symbol", "plain"),
    [
        ("main", "main"),
        ("work.constprop.0", "work"),
        ("work.part.0.isra.0", "work"),
        ("work.cold", "work"),
        ("counter.0", "counter.0"),
        ("read@@GLIBC_2.2.5", "read"),
        ("_ZN3app3useEi", "app::use(int)"),
        ("_ZN3app3useEi.part.0", "app::use(int)"),
        ("_ZN3app3useEi.cold", "app::use(int)"),
        ("_ZN3app4nameB5cxx11Ev", "app::name()"),
        ("_ZZN3app4onceEvE5guard", "app::once()::guard"),
        ("_ZN3app5twiceIiEET_S1_", "int app::twice<int>(int)"),
        ("_Znonsense", "_Znonsense"),
        ("_Z" + "x" * 100_000, "_Z" + "x" * 100_000),
    ],
)
def test_demangled_names(symbol: str, plain: str) -> None:
    if demangle_module.native_demangler()("_Z1fv") is None:
        pytest.skip("no C++ runtime to demangle with")
    assert demangle(symbol) == plain


def test_without_a_demangler_names_stay_mangled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demangle_module, "native_demangler", lambda: lambda _: None)
    assert demangle("_ZN9elsewhere4nameEv") == "_ZN9elsewhere4nameEv"


def test_a_name_that_doubles_itself_ends_soon() -> None:
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    name = "_Z1f1AIiiES_IS0_S0_E"
    name += "".join(f"S_IS{digit}_S{digit}_E" for digit in digits[1:])
    begun = time.monotonic()
    assert demangle(name) == name
    assert time.monotonic() - begun < 30


@pytest.mark.parametrize(
    ("data", "unsigned", "signed"),
    [(b"\x02", 2, 2), (b"\x7f", 127, -1), (b"\xff\x00", 127, 127), (b"\x80\x7f", 16256, -128)],
)
def test_leb128(data: bytes, unsigned: int, signed: int) -> None:
    assert uleb(data, 0) == (unsigned, len(data))
    assert sleb(data, 0) == (signed, len(data))


def test_a_number_without_end() -> None:
    with pytest.raises(DamagedError):
        uleb(b"\x80" * 100_000, 0)


def test_the_probe_does_not_import_the_analyser() -> None:
    program = "import sys, runtime_probe.symbols; sys.exit('lockorder' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.fixture(scope="session")
def small_object(
    c_compiler: list[str], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[bytes]]:
    """Where to put damaged copies, and two small libraries (DWARF 5, and 4 compressed)."""
    folder = tmp_path_factory.mktemp("damaged")
    source = folder / "small.c"
    source.write_text(
        "int table[8];\n"
        "static inline int add(int x) { return table[x & 7] += x; }\n"
        "int first(int x) { return add(x) + add(x + 1); }\n"
        "int second(int x) { for (int i = 0; i < x; i++) first(i); return add(x); }\n"
    )
    contents: list[bytes] = []
    for flags in (["-gdwarf-5"], ["-gdwarf-4", "-gz"]):
        library = folder / "small.so"
        base = [*c_compiler, "-O2", "-fPIC", "-shared", "-nostdlib", "-Wl,--build-id"]
        subprocess.run([*base, *flags, "-o", library, source], check=True)
        contents.append(library.read_bytes())
    return folder, contents


def interesting(content: bytes, folder: Path) -> tuple[list[tuple[int, int]], str, list[int]]:
    """Extents of the sections that are read, the build id, and addresses of code and data."""
    whole = folder / "whole.so"
    whole.write_bytes(content)
    elf = ElfObject(str(whole))
    extents = [(h.offset, h.size) for h in elf.headers if h.size and h.type != "SHT_NOBITS"]
    extents += [(0, 64), (len(content) - 64 * len(elf.headers), 64 * len(elf.headers))]
    text = next(h for h in elf.headers if h.name == ".text")
    return extents, elf.build_id, list(range(text.address, text.address + text.size, 5))


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_damaged_files_give_less_and_never_fail(
    small_object: tuple[Path, list[bytes]], data: st.DataObject
) -> None:
    folder, contents = small_object
    original = data.draw(st.sampled_from(contents))
    extents, build_id, addresses = interesting(original, folder)
    content = bytearray(original)
    for _ in range(data.draw(st.integers(1, 12))):
        offset, size = data.draw(st.sampled_from(extents))
        place = offset + data.draw(st.integers(0, size - 1))
        content[place] = data.draw(st.sampled_from([0, 1, 0x7F, 0x80, 0xFF]) | st.integers(0, 255))
    if data.draw(st.booleans()):
        del content[data.draw(st.integers(0, len(content))) :]
    # A file must not change under a mapping of it: each example has its own.
    damaged = folder / f"damaged-{time.monotonic_ns()}.so"
    damaged.write_bytes(content)
    begun = time.monotonic()
    symbols = Symbols([])
    for address in addresses:
        for function, file, line in symbols.lookup(str(damaged), build_id, address):
            assert isinstance(function, str)
            assert line >= 0
            assert (function, file, line) != ("", "", 0)
        symbols.data_symbol(str(damaged), build_id, address + 0x3000)
    damaged.unlink()
    assert time.monotonic() - begun < 10
    assert len(symbols.problems) == len(set(symbols.problems)) <= 12


@pytest.mark.parametrize("content", [b"", b"\x7fELF", b"\x7fELF" + b"\xff" * 200, b"#!/bin/sh\n"])
def test_files_that_are_no_objects(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "object.so"
    path.write_bytes(content)
    symbols = Symbols([])
    assert symbols.lookup(str(path), "", 0x1000) == []
    assert len(symbols.problems) == 1
    assert symbols.problems[0].startswith(f"{path}: cannot be read: ")
