"""Sources that make communicators in loops, or set variables that multiply what these cost."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.commands.checked import to_document
from lockorder.model import Finding, Level
from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options

RULE = "communicator-footprint"
HEAD = """#include <nccl.h>
#include <stdlib.h>
#define CHECK(x) do { if ((x) != ncclSuccess) abort(); } while (0)
struct Group { ncclUniqueId id; int size, rank; };
ncclComm_t made[64], kept;
ncclComm_t always(const Group& g)
{
    ncclComm_t comm;
    CHECK(ncclCommInitRank(&comm, g.size, g.id, g.rank));
    return comm;
}
ncclComm_t twice_removed(const Group& g) { return always(g); }
void once(const Group& g)
{
    if (kept == nullptr)
        ncclCommInitRank(&kept, g.size, g.id, g.rank);
}
"""


def notes(folder: Path, body: str) -> list[Finding]:
    source = folder / "groups.cpp"
    source.write_text(f"{HEAD}void program(const Group* g, int n)\n{{\n{body}\n}}\n")
    options = Options(root=folder, inline=True, cache=False)
    return list(to_document(analyse([source], options), frozenset({RULE})).findings)


@pytest.mark.parametrize(
    ("body", "call"),
    [
        ("for (int i = 0; i < n; i++) ncclCommSplit(kept, i, 0, &made[i], nullptr);",
         "ncclCommSplit"),
        ("while (n--) CHECK(ncclCommInitRank(&made[n], g->size, g->id, g->rank));",
         "ncclCommInitRank"),
        ("do { made[n] = always(*g); } while (n--);", "ncclCommInitRank"),
        ("for (int i = 0; i < n; i++) if (i > 2) made[i] = always(g[i]);", "ncclCommInitRank"),
        ("for (int i = 0; i < n; i++) made[i] = twice_removed(g[i]);", "ncclCommInitRank"),
    ],
)  # fmt: skip
def test_in_a_loop(tmp_path: Path, body: str, call: str) -> None:
    (found,) = notes(tmp_path, body)
    assert found.level is Level.NOTE
    assert found.message.startswith(f"{call} in a loop")
    assert found.participants[0].chain[0].function == "program"


@pytest.mark.parametrize(
    "body",
    [
        "CHECK(ncclCommInitRank(&kept, g->size, g->id, g->rank)); always(*g);",
        "for (int i = 0; i < n; i++) once(g[i]);",
        "CHECK(ncclGroupStart());\n"
        "for (int i = 0; i < n; i++) CHECK(ncclCommInitRank(&made[i], n, g->id, i));\n"
        "CHECK(ncclGroupEnd());",
        "for (int i = 0; i < n; i++) ncclCommDestroy(made[i]);",
        'setenv("NCCL_WORK_FIFO_DEPTH", "1024", 1); setenv("NCCL_DEBUG", "INFO", 1);',
        'setenv("PATH", "99999999", 1); putenv((char*)"NCCL_BUFFSIZE");',
        'setenv(getenv("X"), "1", 1);',
    ],
)
def test_nothing_to_say(tmp_path: Path, body: str) -> None:
    assert not notes(tmp_path, body)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('setenv("NCCL_WORK_FIFO_DEPTH", "4194304", 1);', "2.0 GiB of pinned host memory"),
        ('putenv((char*)"NCCL_BUFFSIZE=33554432");', "NCCL_BUFFSIZE=33554432: bytes in the buffer"),
        ('::setenv("NCCL_SHM_DISABLE", "1", true);', "over the network"),
    ],
)
def test_variables(tmp_path: Path, body: str, said: str) -> None:
    (found,) = notes(tmp_path, body)
    assert said in found.message
    assert found.message.endswith(": set for the whole process")
