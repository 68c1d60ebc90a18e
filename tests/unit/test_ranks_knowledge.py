"""What is declared of libraries: every file is read, and speaks of what it has."""

from __future__ import annotations

import re
from importlib import resources

import msgspec
import pytest

from lockorder.knowledge.rank_schema import RankAlias, RankCall, RankFile
from lockorder.ranks.knowledge import Known, builtin

FOLDER = resources.files("lockorder.knowledge") / "ranks"
FILES = sorted(f.name for f in FOLDER.iterdir() if f.name.endswith(".toml"))
#: Keys that name a parameter, or a list of them.
ONE = (
    "comm", "to", "source", "tag", "receive_tag", "out", "request", "asynchronous", "color", "key",
    "ranks", "is_rank", "size", "members_if", "unless_missing", "runs", "root",
)  # fmt: skip
MANY = ("agreed", "equal", "unequal")
#: What a call that begins something must have besides.
NEEDS = {
    "send": ("to",), "recv": ("source",), "sendrecv": ("to", "source"), "probe": ("source",),
}  # fmt: skip


def declared(name: str) -> RankFile:
    return msgspec.toml.decode((FOLDER / name).read_bytes(), type=RankFile)


CALLS = [(name, call) for name in FILES for call in declared(name).call]


@pytest.fixture(scope="module")
def known() -> Known:
    return builtin()


@pytest.mark.parametrize("name", FILES)
def test_each_file_is_read(name: str) -> None:
    file = declared(name)
    assert file.call or file.alias or file.hook or file.duck or file.option or file.operator


@pytest.mark.parametrize("name", FILES)
def test_calls_name_parameters_that_they_have(name: str) -> None:
    wrong: dict[str, str] = {}
    for call in declared(name).call:
        has = {*call.parameters, "self", "return", ""}
        said = {k: getattr(call, k) for k in ONE if not getattr(call, k).startswith("self.")}
        said |= {f"{k}[{i}]": v for k in MANY for i, v in enumerate(getattr(call, k))}
        wrong |= {f"{call.names[0]}: {k}": v for k, v in said.items() if v not in has}
    assert not wrong


@pytest.mark.parametrize("name", FILES)
def test_what_is_handed_on_is_a_parameter_too(name: str) -> None:
    for call in declared(name).call:
        handed = {h.removeprefix("*") for h in call.handed} - {"rank", "new", ""}
        assert handed <= set(call.parameters), call.names


@pytest.mark.parametrize("name", FILES)
def test_calls_are_called_something(name: str) -> None:
    for call in declared(name).call:
        assert call.names
        assert len(set(call.parameters)) == len(call.parameters), call.names
        assert all(re.fullmatch(r"[\w.:*()\[\]]+", n) for n in call.names), call.names


@pytest.mark.parametrize("name", FILES)
def test_messages_say_with_whom(name: str) -> None:
    for call in declared(name).call:
        assert all(getattr(call, key) for key in NEEDS.get(call.does, ())), call.names
        assert call.makes != "new" or call.ranks or call.members_if, call.names
        assert call.makes != "split" or call.color, call.names


def test_names_are_declared_once() -> None:
    """A name in two files would be what the file that is read last says."""
    seen: dict[str, str] = {}
    twice = []
    for file, call in CALLS:
        for name in call.names:
            if name in seen:
                twice.append(f"{name}: {seen[name]} and {file}")
            seen[name] = file
    assert not twice


#: Aliases of what nothing is declared of so far: the name counts as what it is an alias of.
ALONE = {"lightning.pytorch.LightningDataModule"}


def test_aliases_lead_somewhere(known: Known) -> None:
    """What an alias is of has something declared, or is the beginning of such a name."""
    names = {*known.calls, *known.ducks.values(), *known.hands}
    wrong = set()
    for file in FILES:
        for alias in declared(file).alias:
            of = known.renamed(alias.of)
            if not any(n == of or n.startswith((f"{of}.", f"{of}(", f"{of}::")) for n in names):
                wrong.add(of)
    assert wrong == ALONE


def test_aliases_end(known: Known) -> None:
    for name in known.aliases:
        assert known.renamed(known.renamed(name)) == known.renamed(name)


def test_ducks_are_of_classes_that_are_known(known: Known) -> None:
    for of in set(known.ducks.values()):
        assert any(n.startswith(of) for n in known.calls), of


# -- finding --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "does"),
    [
        ("torch.distributed.all_reduce", "collective"),
        ("torch.distributed.send", "send"),
        ("torch.distributed.irecv", "recv"),
        ("mpi4py.MPI.COMM_WORLD", ""),
        ("MPI_Barrier", "collective"),
        ("MPI_Isend", "send"),
        ("ncclAllReduce", "collective"),
        ("ncclGroupStart", "open"),
        ("horovod.torch.allreduce", "collective"),
    ],
)
def test_what_everybody_calls_is_declared(known: Known, path: str, does: str) -> None:
    call = known.find(path)
    assert call is not None
    assert call.does == does


def test_what_nobody_declares_is_not_found(known: Known) -> None:
    assert known.find("numpy.argsort") is None
    assert known.find("torch.distributed.nonsense") is None
    assert known.resolve("numpy.argsort") == "numpy.argsort"
    of_object = known.resolve("lightning.Trainer().fit")
    assert of_object == "lightning.pytorch.Trainer().fit"


def test_modules_of_several_names() -> None:
    call = RankCall(["real.module.f"], does="collective")
    toml = RankFile(
        call=[call],
        alias=[
            RankAlias(["short"], of="real.module"),
            RankAlias(["shorter"], of="short"),
        ],
    )
    known = Known([toml])
    assert known.find("short.f") is call
    assert known.find("shorter.f") is call
    assert known.find("shorter2.f") is None
    assert known.renamed("shorter.g.h") == "real.module.g.h"


def test_methods_of_what_is_not_known_are_found_by_their_name() -> None:
    any_of = RankCall(["*.all_gather_into"], does="collective")
    known = Known([RankFile(call=[any_of])])
    assert known.find("library.thing().all_gather_into") is any_of
    assert known.find("library.all_gather_into") is None


def test_what_only_c_has_comes_first_there() -> None:
    plain, in_c = RankCall(["exit"], does=""), RankCall(["c:exit"], ends="rank")
    known = Known([RankFile(call=[plain, in_c])])
    assert known.find("exit", c=True) is in_c
    assert known.find("exit") is plain


def test_words_are_the_last_parts_of_what_communicates(known: Known) -> None:
    assert {"all_reduce", "barrier", "MPI_Bcast", "ncclSend"} <= known.words
    assert "get_rank" not in known.words
    assert {"get_rank", "environ"} <= known.telling


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b"MPI_Barrier(comm);", True),
        (b"ncclAllReduce(a, b);", True),
        (b"int barrier; // all ranks", False),
        (b"my_MPI_Barrier_count++;", False),
        (b"", False),
    ],
)
def test_what_c_cannot_communicate_without(known: Known, text: bytes, found: bool) -> None:
    assert bool(known.in_c.search(text)) is found
