"""What library functions give, and what they do with other ranks."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from lockorder.knowledge.rank_schema import RankCall
from lockorder.ranks import conditions
from lockorder.ranks.calls import nodes_of
from lockorder.ranks.effects import Op
from lockorder.ranks.expressions import EACH, EVENED, LEAST, NO_VALUE
from lockorder.ranks.groups import UNDEFINED
from lockorder.ranks.machine import Pointer
from lockorder.ranks.operations import Arguments, Issued
from lockorder.ranks.options import GETTERS
from lockorder.ranks.sizes import EXCHANGED, GAVE
from lockorder.ranks.sizes import of_maker as sizes_of_maker
from lockorder.ranks.structures import Structures
from lockorder.ranks.values import (
    COUNT,
    FILES,
    FOLDER,
    LOCAL,
    MESSAGE,
    NONE,
    OF_FILE,
    ORDER,
    RANK,
    THREAD,
    THROUGH,
    Class,
    Comm,
    Const,
    Deps,
    Either,
    Function,
    Holding,
    Obj,
    Received,
    Request,
    Sized,
    Tup,
    Unknown,
    Value,
    counted,
    counting,
    depends,
    differs,
    named,
    of_rank,
)

#: The variables that launchers set, and what they say.
_ENVIRONMENT = {
    "RANK": "rank", "LOCAL_RANK": "local_rank", "WORLD_SIZE": "size",
    "LOCAL_WORLD_SIZE": "local_size", "GROUP_RANK": "node", "NODE_RANK": "node",
    "SLURM_PROCID": "rank", "SLURM_LOCALID": "local_rank",
    "SLURM_NTASKS": "size", "SLURM_NODEID": "node", "OMPI_COMM_WORLD_RANK": "rank",
    "OMPI_COMM_WORLD_SIZE": "size", "OMPI_COMM_WORLD_LOCAL_RANK": "local_rank", "PMI_RANK": "rank",
    "PMI_SIZE": "size", "MV2_COMM_WORLD_RANK": "rank", "MV2_COMM_WORLD_LOCAL_RANK": "local_rank",
    "ROLE_RANK": "rank", "PMIX_RANK": "rank", "JSM_NAMESPACE_RANK": "rank",
    "MPI_LOCALRANKID": "local_rank", "JSM_NAMESPACE_SIZE": "size", "GROUP_WORLD_SIZE": "nodes",
    "SLURM_NNODES": "nodes", "SLURM_JOB_NUM_NODES": "nodes",
}  # fmt: skip
_EMPTY = Const("")
#: What gives a part of what has come, or says which one it was.
_HEARING = frozenset(("recv", "sendrecv", "probe", "test", "wait_some"))
#: Where something lies: each rank has a device of its own, and the same on it.
_PLACES = frozenset(
    ("device", "device_ids", "map_location", "output_device", "device_id", "local_rank")
)
#: Methods that say how much there is.
_LENGTHS = frozenset(("numel", "size", "dim", "nelement", "ndimension", "element_size"))
#: Of a tensor, nothing that was there before is left after these.
_OVERWRITES = frozenset(("fill_", "zero_", "copy_", "set_"))
#: Methods that give the same elements in another form.
_RESHAPES = frozenset(
    ("view", "reshape", "flatten", "unsqueeze", "squeeze", "transpose", "permute", "t", "ravel")
)
#: Methods that give what they are called on another size.
_RESIZES = frozenset(("resize_", "resize_as_", "set_"))
#: Names of functions that make files or folders, or remove them.
_WRITES = re.compile(
    r"_*(save|dump|write|mkdir|makedirs|touch|copy|move|rename|replace|extract|download|urlretrieve"
    r"|create|symlink|unlink|remove|rmtree|export|store|tofile|savez|to_)"
)


class Library(Structures):
    """Calls of what is none of the program's own."""

    # -- values -----------------------------------------------------------------------------------

    def told(self, path: str, base: Value | None) -> Value | None:
        """The value that is declared of something that is only looked at."""
        if path.startswith("os.environ["):
            return self.environment(path[11:-1])
        if path in self.known.elements:
            return self.known.elements[path]
        if path in self.known.reductions:
            return self.known.reductions[path]
        found = self.known.find(path)
        if found is None or not found.attribute:
            return None
        comm = self.comm_of(found, None, base)
        return self.given(found, comm, path)

    def environment(self, name: str) -> Value | None:
        """A variable that a launcher sets: a text."""
        if name not in _ENVIRONMENT:
            return None
        value = self.number_of(_ENVIRONMENT[name], self.world_comm)
        if isinstance(value, Const):
            rows = tuple(str(r) for r in value.ranks) if value.ranks is not None else None
            return Const(str(value.value), value.deps, f"env {name}" if value.deps else "", rows)
        return value

    def number_of(self, what: str, comm: Value) -> Value:
        """The rank, or how many there are, in a communicator."""
        per = self.world.per_node
        whole = isinstance(comm, Comm) and comm.name == self.world_comm.name
        deps = frozenset((RANK if whole else f"{RANK}:{comm.id}",))
        if isinstance(comm, Comm) and comm.members is not None:
            members = comm.members if comm.side is None else comm.side
            if what == "remote_size":
                return Const(len(comm.members) - len(members))
            size = len(members)
            rank = members.index(self.rank) if self.rank in members else -1
        elif what == "remote_size":
            return Unknown(named(f"remote size({comm.id})"))
        elif what in ("rank", "size", "first", "last", "not_first"):
            if what == "size":
                return Unknown(named(f"size({comm.id})"))
            if what == "rank":
                return Unknown(named(f"rank({comm.id})"), deps)
            number = Unknown(named(f"rank({comm.id})"), deps)
            return self.compare(ast.Eq, number, Const(0), "the first rank")
        else:
            size, rank = self.world.size, self.rank
        if what == "rank":
            every = whole or (isinstance(comm, Comm) and comm.adopted)
            rows = tuple(range(size)) if every else None
            return Const(rank, deps, "rank" if whole else named(f"rank({comm.id})"), rows)
        if what == "size":
            return Const(size)
        if what == "local_rank":
            return Const(self.rank % per, deps, "local_rank", tuple(r % per for r in range(size)))
        if what == "local_size":
            return Const(per)
        if what == "node":
            return Const(self.rank // per, deps, "node", tuple(r // per for r in range(size)))
        if what == "nodes":
            return Const(self.world.size // per)
        if what == "first":
            return Const(rank == 0, deps, "rank is first")
        if what == "not_first":
            return Const(rank != 0, deps, "rank is not first")
        if what == "last":
            return Const(rank == size - 1, deps, "rank is last")
        if what == "local_first":
            return Const(self.rank % per == 0, deps, "rank is first of its node")
        return Unknown(what)

    def given(self, told: RankCall, comm: Value, path: str) -> Value:
        """What a declared call or member gives."""
        if told.gives == "world":
            return self._as(self.world_comm, path)
        if told.gives == "self_world":
            return self._as(self.self_comm, path)
        if told.gives == "order":
            return Unknown(
                path, frozenset((LOCAL + f"the order of {path.rpartition('.')[2]}",)), path + "()"
            )
        if told.gives in ("zero", "true"):
            return Const(0) if told.gives == "zero" else Const(True)
        if told.gives == "undefined":
            return Const(UNDEFINED)
        if told.gives == "thread":
            return Unknown(path, counting(frozenset((THREAD,))), path + "()")
        if told.gives == "root":
            return Const("root")
        if told.gives in ("nobody", "any_peer"):
            return Const("nobody" if told.gives == "nobody" else "any")
        if told.gives == "no_world":
            return self._none("")
        if told.gives == "local":
            return Unknown(path, counting(frozenset((LOCAL + path,))), path + "()")
        if told.gives in ("", "uniform", "any", "pair", "through"):
            return Unknown(path + "()", path=path + "()")
        return self.number_of(told.gives, comm)

    def _as(self, comm: Comm, path: str) -> Comm:
        """A communicator with the methods of its library."""
        kind = {"mpi4py": "mpi4py.MPI.Comm", "torch": "torch.distributed.ProcessGroup"}
        return Comm(
            comm.name, comm.members, kind.get(path.partition(".")[0], ""), comm.asked, comm.deps
        )

    # -- communicators ----------------------------------------------------------------------------

    def comm_of(self, told: RankCall, args: Arguments | None, base: Value | None) -> Value:
        """The communicator that a call is about."""
        if told.of_group:
            axis = args["mesh_dim"] if args is not None else None
            found = self.slice_of(base, axis) if base is not None else None
            if found is not None:
                return found
            rest = ",".join(v.id for v in args.values.values()) if args is not None else ""
            if told.of_group.startswith("."):
                return Unknown(
                    named(f"{base.id if base is not None else ''}{told.of_group}({rest})")
                )
            return Unknown(f"{self.known.resolve(told.of_group)}()")
        if told.comm == "self":
            if isinstance(base, Comm | Either):
                return base
            if base is None:
                return self.world_comm
            return self.as_comm(base)
        return self.as_comm(self.led_to(args[told.comm]) if args is not None else None)

    def as_comm(self, value: Value | None) -> Value:
        """*value* as a communicator; none is the whole job."""
        if value is None or (isinstance(value, Const) and value.value is None):
            return self.world_comm
        if isinstance(value, Const) and isinstance(value.value, str):
            # Of a group with a name the job's ranks are members, where they say their own rank.
            own = value.value in self.tables.named
            return self.world_comm if own else Unknown(named(f"the group {value.value}"))
        if isinstance(value, Either):
            # None beside a group is a group that has not been made: nobody means the whole job.
            sides = (value.first, value.second)
            groups = [v for v in sides if not (isinstance(v, Const) and v.value is None)]
            if len(groups) == 1:
                return self.as_comm(groups[0])
            return Either(
                value.condition, value.deps, self.as_comm(value.first), self.as_comm(value.second)
            )
        if isinstance(value, Unknown) and value.name in self.adopted:
            members = self.world_comm.members
            return Comm(value.name, members, value.path.removesuffix("()"), adopted=True)
        return value

    # -- calls ------------------------------------------------------------------------------------

    def library(
        self, what: Unknown, args: list[Value], named_args: dict[str, Value], node: ast.Call | None
    ) -> Value:
        """Call what is none of the program's own."""
        path = what.path
        said = self._part_of(what.name.rpartition(".")[2], [what.base, *args])
        if said is not None and not self.known.find(path, self.top.source.c):
            return said
        self._note_written(what.name.rpartition(".")[2], what, [*args, *named_args.values()])
        for one in (*args, *named_args.values()):
            # Whoever is handed a request may wait for it, where nobody knows what it does.
            if (
                self.top.source.c
                and isinstance(one, Request | Pointer)
                and (self.known.find(path, True) is None)
            ):
                self.awaited.update(self.numbers_of(one))
        if path in GETTERS and args and isinstance(args[0], Const):
            found = self.environment(str(args[0].value))
            if found is not None:
                return found
        found = self.option(what, args, named_args) if path else None
        if found is not None:
            return found
        told = self.known.find(path, self.top.source.c) if path else None
        if told is None:
            self.note_chosen(what, args, node)
        if told is None and what.base is not None and not path:
            told = self.known.calls.get("*." + what.name.rpartition(".")[2])
        if told is not None:
            return self.declared(
                told, self.known.resolve(path) or what.name, what, args, named_args, node
            )
        if path:
            found = self.builtin(path, args, named_args, node)
            if found is not None:
                return found
        data = [*args, *(v for k, v in named_args.items() if k not in _PLACES)]
        handed = self.of(*data)
        if any(map(of_rank, handed)):
            whole = handed
            handed = self.of(*(v for v in data if not isinstance(v, Const)))
            handed |= frozenset(d for d in whole if not of_rank(d))
        # What a function that nobody knows makes of the rank (a path, a logger, a device) is seldom
        # anything that decides; data that is a rank's own stays so whatever is made of it.
        deps = what.deps | frozenset(d for d in handed if ORDER not in d)
        base = what.base
        if path.endswith(".backward") or what.name.endswith(".backward"):
            self._backward(what.deps)
        model = self.model_of(what)
        if model is not None:
            return self._forward(model, what, deps)
        self.may_raise(what.name.rpartition(".")[2], *args)
        word = what.name.rpartition(".")[2]
        name_of_call = named(f"{what.id}({','.join(a.id for a in (*args, *named_args.values()))})")
        if word in _LENGTHS and base is not None:
            return _length(base, word, args, name_of_call, counted(self.of(base)))
        target = (
            node.func.value if node is not None and isinstance(node.func, ast.Attribute) else None
        )
        in_place = word.endswith("_") and not word.endswith("__")
        if in_place and target is not None and isinstance(base, Unknown):
            # The library's convention: a method whose name ends so changes what it is called on.
            kept = NONE if word in _OVERWRITES else base.deps
            before = Unknown(base.name, kept, base.path, base.base)
            if isinstance(base, Sized) and word not in _RESIZES:
                before = msgspec.structs.replace(base, deps=kept)
            self.changed(target, before, deps - base.deps)
        if base is not None and isinstance(base, Unknown):
            deps |= base.deps
        if base is not None and self.known.parts.get(word) == "data":
            self.shared[name_of_call] = self.shared.get(base.id, "")
        if isinstance(base, Sized) and word in _RESHAPES:
            return Sized(name_of_call, deps, f"{path}()" if path else "", what, base.shape)
        return Unknown(name_of_call, deps, f"{path}()" if path else "", what)

    def model_of(self, what: Value) -> RankCall | None:
        """What is declared of the class of a model that all ranks call together."""
        path = what.path if isinstance(what, Unknown) else ""
        if path.endswith("()") and path.count("()") == 1:
            told = self.known.find(path[:-2])
            if told is not None and told.model:
                return told
        return None

    def calls_model(self, what: Function, args: list[Value]) -> bool:
        """Whether a function calls a model of its object's or its caller's that ranks share."""
        parameters = [p.arg for p in (*what.node.args.posonlyargs, *what.node.args.args)]
        held: set[str] = set()
        if isinstance(what.bound, Obj):
            parts = self.parts(what.bound.number)
            held = {name for name, value in parts if self.model_of(value) is not None}
            parameters = parameters[1:]
        handed = {p for p, v in zip(parameters, args, strict=False) if self.model_of(v) is not None}
        if not held and not handed:
            return False
        called = [n.func for n in nodes_of(what.node) if isinstance(n, ast.Call)]
        return any(
            (isinstance(f, ast.Attribute) and f.attr in held)
            or (isinstance(f, ast.Name) and f.id in handed)
            for f in called
        )

    def _forward(self, told: RankCall, what: Unknown, deps: Deps) -> Value:
        whose = told.names[0].rpartition(".")[2]
        # Of a model whose parameters are not gathered, its buffers are the first rank's; but for
        # some calls, so that only ranks that go a way of their own are told.
        buffers = told.syncs and self.by_rank and what.id in self.buffered
        if not self.quiet and (told.forward or buffers):
            self.issue(
                Op(
                    kind="collective",
                    name=f"forward of {whose}",
                    chain=self.chain(),
                    comm=self.world_comm,
                    sure=False,
                )
            )
        found = frozenset(d for d in deps if not d.startswith(COUNT)) | {
            LOCAL + "what a model gave on this rank's data",
            THROUGH + what.id,
        }
        return Unknown(named(f"{what.id}(...)"), frozenset(found))

    def _backward(self, deps: Deps) -> None:
        through = [d for d in deps if d.startswith(THROUGH)]
        if through and not self.quiet:
            self.issue(
                Op(
                    kind="collective",
                    name="backward of a distributed model",
                    chain=self.chain(),
                    comm=self.world_comm,
                    sure=False,
                )
            )

    def declared(
        self, told: RankCall, path: str, what: Unknown, args: list[Value],
        named_args: dict[str, Value], node: ast.Call | None,
    ) -> Value:  # fmt: skip
        """A call of which something is declared."""
        given = Arguments(told, args, named_args, node)
        comm = self.comm_of(told, given, what.base)
        null = isinstance(comm, Comm) and comm.members == ()
        if not told.does and told.comm and null and self.known.refuses(path):
            name = path.rpartition(".")[2]
            self.issue(Op(
                kind="local", name=name, chain=self.chain(), comm=comm, refuses=True
            ))  # fmt: skip
        if told.unless_missing:
            value = given[told.unless_missing]
            if value is None or (isinstance(value, Const) and not value.value):
                return Unknown(named(f"{path}()"), depends(*args))
        if told.ends:
            return self._ends(told, args)
        if told.runs and told.gives != "any time":
            return self._runs(told, given, what.base, args)
        alone = given[told.members_if] if told.members_if else None
        if told.makes and (told.does == "members" or (isinstance(alone, Const) and alone.value)):
            result = self.makes(told, path, given, comm, node)
            name = told.operation or path.rpartition(".")[2]
            self.issue(Op(kind="collective", name=name, chain=self.chain(), comm=result))
            return self._put_out(told, given, result)
        if told.gives == "memory":
            moved = given["old"]
            return moved if isinstance(moved, Obj) else self.memory(node)
        if told.gives == "seed":
            seed = args[0] if args else NO_VALUE
            self.set((0, "seeded"), Const(not differs(self.of(seed))))
            return Unknown(f"{path}()")
        if told.gives == "drawn":
            return self._drawn(told, path, args, named_args)
        if told.gives == "any time":
            return self._any_time(told, given)
        if told.gives == "together":
            return self._together(args)
        result = self._given_by(told, path, what, args, named_args, comm)
        flag = given[told.syncs]
        if isinstance(flag, Const) and not flag.value:
            self.unsynced.add(result.id)
        if told.does:
            result = self.does(told, path, what, given, comm, result)
        if told.makes == "inter":
            self.leaders_meet(path, given)
        if told.makes:
            result = self.makes(told, path, given, comm, node)
        if told.group:
            result = self.of_group(told, given, comm, result, what.base)
        if told.makes_type:
            result = self.made_type(told, given) or result
        if told.grid:
            result = self.in_grid(told, given, comm, result)
        result = self._after(told, path, given, node, result)
        for name, nothing in told.nulls.items():
            self.freed(given, name, nothing)
        told_of_ranks = told.gives not in ("", "uniform", "any", "pair", "through", "files")
        if not (told.safe or told.does or told.attribute or told_of_ranks):
            self.may_raise(path.rpartition(".")[2], *args)
        if told.out != "return":
            return self._put_out(told, given, result)
        return Const(0) if told.status else result

    def freed(self, given: Arguments, name: str, nothing: str) -> None:
        """What a handle stood for is gone: it says so itself, where one place has it."""
        pointer = given[name]
        if not isinstance(pointer, Pointer) or self.abstract() or pointer.key[1] == "each":
            return
        value = self.told(nothing, None)
        if isinstance(value, Comm):
            value = self._none(value.path)
        self.set(pointer.key, value or Unknown(nothing, path=nothing))

    def _part_of(self, word: str, values: Sequence[Value | None]) -> Value | None:
        """The part of a message that a function of this name gives, of one of *values*.

        The same functions give the number in a tensor that the program has made of one.
        """
        part = self.known.parts.get(word.rpartition("::")[2])
        if part is None:
            return None
        for value in map(self.led_to, values):
            if part == "data" and isinstance(value, Holding) and len(value.items) == 1:
                return value.items[0]
            if isinstance(value, Received) and (value.part == "") == (part != "data"):
                return value if part == "data" else value.said(part)
        return None

    def _given_by(
        self, told: RankCall, path: str, what: Unknown, args: list[Value],
        named_args: dict[str, Value], comm: Value,
    ) -> Value:  # fmt: skip
        """What a declared call gives, before it is known what it does."""
        said = self._part_of(path.rpartition(".")[2], args)
        if said is not None:
            return said
        if told.gives == "self" and what.base is not None:
            return what.base
        if told.gives == "argument" and args:
            return args[0]
        if told.gives == "decorator":
            return Unknown("identity", path="identity")
        if told.gives == "files":
            return self._of_files(path, what, args)
        if told.gives not in ("uniform", "any", ""):
            return self.given(told, comm, path)
        kept = [v for k, v in named_args.items() if k not in _PLACES]
        deps = self.of(*args, *kept) if told.gives != "uniform" else NONE
        if told.reads:
            # What is read depends on which file it is, and on nothing else.
            deps = self.of(args[0]) if args else NONE
            own = {LOCAL + "what is in a file of its own"} if any(map(of_rank, deps)) else set()
            deps = counting(frozenset(d for d in deps if not of_rank(d)) | own)
        deps = frozenset(d for d in deps if ORDER not in d)
        if told.sized:
            deps |= _sizes(args)
        whose = what.id if what.base is not None and "()" in path else path
        name = named(f"{whose}({','.join(a.id for a in (*args, *named_args.values()))})")
        sizes = self._made_sizes(told, args, what.base)
        if sizes:
            return Sized(name, deps, f"{path}()", what, sizes)
        inside = self.settled(args[0]) if told.holds and args else None
        if isinstance(inside, Tup | Const):
            items = inside.items if isinstance(inside, Tup) else (inside,)
            return Holding(name, deps, f"{path}()", what, items)
        if path.endswith("islice") and len(args) == 2:
            self.shared[name] = self.shared.get(args[1].id, "")
        return Unknown(name, deps, f"{path}()", what)

    def _made_sizes(
        self, told: RankCall, args: list[Value], base: Value | None
    ) -> tuple[Value, ...]:
        """How large the tensor is that a call makes, where it is known."""
        if told.shape == "like":
            sizes = self.sizes_of(args[0]) if args else None
            flat = isinstance(sizes, Tup) and not any(isinstance(x, Tup) for x in sizes.items)
            return sizes.items if flat and isinstance(sizes, Tup) else ()
        if told.shape in ("joined", "found"):
            of = args[0] if args else base
            if of is None:
                return ()
            # Of what is joined it is how many there are: each may be as large as is wanted.
            uneven = isinstance(of, Obj) and self.get((of.number, EVENED)) is None
            many_of = self.count_of(of) if uneven else NONE
            deps = many_of if told.shape == "joined" else self.of(of)
            many = Unknown(named(f"count({of.id})"), frozenset(d for d in deps if ORDER not in d))
            return (many,) if differs(many.deps) else ()
        known = [Tup(items) if (items := self.items(a)) is not None else a for a in args]
        return sizes_of_maker(told.shape, known) if told.shape else ()

    def _of_files(self, path: str, what: Unknown, args: list[Value]) -> Value:
        """What the file system says of a path: a question of its own for each."""
        about = [*args, *([what.base] if what.base is not None and "()" in path else [])]
        which = ",".join(v.id for v in about)
        own = frozenset(d for d in depends(*about) if of_rank(d))
        reason = f"{FILES}{path.removesuffix('()')}{OF_FILE}{which}"
        return Unknown(named(f"{path}({which})"), own | {reason}, f"{path}()")

    def makes_files(self, node: Any) -> bool:
        """Whether a function that is not followed may make files, by what it calls."""
        found = self.file_makers.get(id(node))
        if found is None:
            names = (getattr(n, "attr", "") or getattr(n, "id", "") for n in ast.walk(node))
            found = self.file_makers[id(node)] = any(_WRITES.match(n) for n in names if n)
        return found

    def _note_written(self, word: str, what: Unknown, args: list[Value]) -> None:
        """Remember paths that a call may make or remove something at."""
        if word == "open":
            mode = args[1] if len(args) > 1 else None
            writes = isinstance(mode, Const) and bool(set("wax+") & set(str(mode.value)))
            about = args[:1] if writes else []
        elif _WRITES.match(word):
            about = [*args, *([what.base] if what.base is not None else [])]
        else:
            return
        folder = FOLDER if word in ("mkdir", "makedirs") else ""
        self.written.update(folder + v.id for v in about)

    def _after(
        self, told: RankCall, path: str, given: Arguments, node: ast.Call | None, result: Value
    ) -> Value:
        """What is the same on all ranks after a call, and what each has to itself."""
        short = path.rpartition(".")[2]
        for name in told.equal if not told.request else ():
            self._marked(name, given, node, NONE, path, shared=_as_shared(told, given))
            if name == "return" and not isinstance(result, Request):
                # One name for it on all ranks, whatever each of them has handed over.
                where = self.site(node) if node is not None else path
                result = Unknown(self.label(f"{path}@{where}"), path=getattr(result, "path", ""))
        for name in told.unequal:
            own = (
                MESSAGE
                if told.does == "recv"
                else LOCAL + f"what {short}{EXCHANGED if told.does else GAVE}"
            )
            receipt = self.receipt if told.does in _HEARING else ""
            part = told.says.get(name, "data")
            if part == "some" and self.ended_now is not None:
                self.put(given, name, self.ended_now)
                continue
            if name != "return":
                self._marked(name, given, node, frozenset((own,)), path, receipt, part)
            elif isinstance(result, Unknown):
                deps = result.deps | {own}
                if receipt:
                    name_of = self.label(f"{path}@{self.top.line}")
                    result = Received(name_of, deps, result.path, result.base, receipt, part)
                else:
                    result = Unknown(result.name, deps, result.path, result.base)
        return result

    def arrived(self, call: Issued) -> None:
        """What a call that was begun gives is there now: the same on all ranks, or as declared."""
        for name in call.told.equal:
            self._marked(name, call.given, None, NONE, call.path)

    def memory(self, node: ast.Call | None) -> Value:
        """A row of elements of which nothing is known yet."""
        raise NotImplementedError

    def _put_out(self, told: RankCall, given: Arguments, result: Value) -> Value:
        """Put what a call gives where it belongs."""
        if told.out == "return":
            return result
        led = isinstance(given[told.out], Pointer)
        self.put(given, told.out, self.under(result, told.out) if led else result)
        return Const(0)

    def _drawn(
        self, told: RankCall, path: str, args: list[Value], named_args: dict[str, Value]
    ) -> Value:
        """A random number: a rank's own, unless all began with one seed."""
        deps = self.of(*args, *named_args.values())
        seeded = self.get((0, "seeded"))
        common = isinstance(seeded, Const) and bool(seeded.value)
        if not common and "generator" not in named_args:
            deps |= {LOCAL + "a random number"}
        # How many there are depends on what it is handed.
        label, deps = self.label(f"{path}@{self.top.line}"), deps | _sizes(args)
        sizes = self._made_sizes(told, args, None)
        if sizes:
            return Sized(label, deps, f"{path}()", None, sizes)
        return Unknown(label, deps, f"{path}()")

    def _any_time(self, told: RankCall, given: Arguments) -> Value:
        """A function that may run on this rank alone from now on."""
        what = given[told.runs or "handler"]
        deps: Deps = frozenset((LOCAL + "a signal",))
        if isinstance(what, Function):
            question = conditions.ask("a signal came", True, "a signal came")

            def came() -> bool:
                self.call(what, [Unknown("signum"), Unknown("frame")], {}, None)
                return True

            self.branch(question, deps, "a signal came", came, lambda: True)
        return NO_VALUE

    def _marked(
        self, name: str, given: Arguments, node: ast.Call | None, deps: Deps, path: str,
        receipt: str = "", part: str = "data", shared: str = "",
    ) -> None:  # fmt: skip
        """The contents of an argument are the same on all ranks now, or this rank's own.

        Where they come with a message, *receipt* names it, and *part* says what of it they are.
        """
        value, target = given[name], given.nodes.get(name)
        if value is None:
            return
        if isinstance(target, ast.Name) and getattr(value, "path", "") == target.id:
            return  # a name of the library's own (MPI_STATUS_IGNORE) is no place
        label = self.label(f"{path}.{name}")

        def content(whole: str, deps: Deps = deps, kept: str = "", at: str = "") -> Unknown:
            if receipt:
                return Received(whole + at, deps, kept, None, receipt, part + at)
            if shared:
                self.shared[whole + at] = shared
            return Unknown(whole + at, deps, kept)

        if isinstance(value, Pointer):
            self.set(value.key, content(label))
        elif isinstance(value, Obj) and value.kind == "array":
            for slot, _ in self.parts(value.number):
                if slot.startswith("["):
                    self.set((value.number, slot), content(label, at=slot))
            self.set((value.number, "each"), content(label))
        elif isinstance(value, Obj):
            items = self.items(value)
            if items is not None:
                new = tuple(content(label, at=f"[{i}]") for i in range(len(items)))
                self.set((value.number, "[]"), Tup(new))
            elif part != "":
                self.set((value.number, "each"), content(label))
        elif isinstance(target, ast.Name | ast.Attribute | ast.Subscript):
            kept = getattr(value, "path", "")
            through = frozenset(d for d in value.depends if d.startswith(THROUGH))
            outer, self.control = self.control, []
            held, self.top.control = self.top.control, NONE
            self.assign(target, content(label, deps | through, kept))
            self.control, self.top.control = outer, held

    def _ends(self, told: RankCall, args: list[Value]) -> Value:
        code = args[0] if args and told.parameters else NO_VALUE
        fails = told.ends == "job" or not (isinstance(code, Const) and not code.value)
        self.leave("fail" if fails else "end")
        self.ended = True
        return NO_VALUE

    def _runs(
        self, told: RankCall, given: Arguments, base: Value | None, args: list[Value]
    ) -> Value:
        what = given[told.runs]
        handed: list[Value] = []
        if told.runs.startswith("self."):
            what = self.member(base, told.runs.removeprefix("self.")) if base is not None else None
        for name in told.handed:
            if name == "new":
                handed.append(Unknown(self.label(told.names[0])))
            elif name == "*":
                handed += args
            elif name == "rank":
                handed.append(self.number_of("rank", self.world_comm))
            elif name.startswith("*"):
                value = given[name[1:]]
                handed += self.items(value) or () if value is not None else ()
        if isinstance(what, Function | Class | Obj):
            return self.call(what, handed, {}, None)
        return NO_VALUE

    def around(self, told: Any, what: Value, run: Callable[[], bool]) -> bool:
        """A context that one rank leaves before the others enter it."""
        first = self.number_of(told.around, self.world_comm)
        assert isinstance(first, Const)
        name = told.names[0].rpartition(".")[2]

        def meet() -> None:
            self.issue(Op(kind="collective", name=name, chain=self.chain(), comm=self.world_comm))

        if not first.value:
            meet()
        alive = run()
        if first.value and alive:
            meet()
        return alive


def _as_shared(told: RankCall, given: Arguments) -> str:
    """What ranks have then of the number of each: all of them, or the smallest."""
    least = any(getattr(v, "path", "").rpartition(".")[2] == "MIN" for v in given.values.values())
    return EACH if told.beside else LEAST if least else ""


def _length(base: Value, word: str, args: list[Value], name: str, deps: Deps) -> Value:
    """As much as the sizes of its parts: what is in them does not matter."""
    at = args[0].value if len(args) == 1 and isinstance(args[0], Const) else None
    if word == "size" and isinstance(base, Sized) and isinstance(at, int):
        known = base.shape[at : at + 1 or None]
        if known:
            return known[0]
    return Unknown(name, deps)


def _sizes(args: Sequence[Value]) -> Deps:
    """On what the number of parts depends of what is made with these numbers."""
    return frozenset(COUNT + d for d in depends(*args) if not d.startswith((COUNT, THROUGH)))


__all__ = ["_EMPTY", "Arguments", "Library", "conditions"]
