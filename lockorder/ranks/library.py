"""What library functions give, and what they do with other ranks."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import msgspec

from lockorder.knowledge.rank_schema import RankCall
from lockorder.model import Frame
from lockorder.ranks import conditions
from lockorder.ranks.builtins import Builtins
from lockorder.ranks.effects import Op
from lockorder.ranks.expressions import NO_VALUE
from lockorder.ranks.machine import MISSING, Pointer
from lockorder.ranks.values import (
    COUNT,
    FILES,
    LOCAL,
    MESSAGE,
    NONE,
    ORDER,
    RANK,
    THROUGH,
    Class,
    Comm,
    Const,
    Deps,
    Either,
    Function,
    Obj,
    Request,
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
}  # fmt: skip
_GETTERS = frozenset(("os.environ.get", "os.getenv"))
_EMPTY = Const("")
#: Where something lies: each rank has a device of its own, and the same on it.
_PLACES = frozenset(
    ("device", "device_ids", "map_location", "output_device", "device_id", "local_rank")
)
#: Methods that say how much there is.
_LENGTHS = frozenset(("numel", "size", "dim", "nelement", "ndimension", "element_size"))
#: Of a tensor, nothing that was there before is left after these.
_OVERWRITES = frozenset(("fill_", "zero_", "copy_", "set_"))


class Arguments:
    """The arguments of a call, by the names of the parameters."""

    def __init__(
        self, told: RankCall, args: list[Value], named_args: dict[str, Value], node: ast.Call | None
    ) -> None:
        self.values: dict[str, Value] = dict(named_args)
        self.nodes: dict[str, ast.expr] = {}
        for name, value in zip(told.parameters, args, strict=False):
            self.values[name] = value
        if node is not None:
            plain = [a for a in node.args if not isinstance(a, ast.Starred)]
            for name, one in zip(told.parameters, plain, strict=False):
                self.nodes[name] = one
            for keyword in node.keywords:
                if keyword.arg is not None:
                    self.nodes[keyword.arg] = keyword.value

    def __getitem__(self, name: str) -> Value | None:
        return self.values.get(name) if name else None


class Library(Builtins):
    """Calls of what is none of the program's own."""

    # -- values -----------------------------------------------------------------------------------

    def told(self, path: str, base: Value | None) -> Value | None:
        """The value that is declared of something that is only looked at."""
        if path.startswith("os.environ["):
            return self.environment(path[11:-1])
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
            size, members = len(comm.members), comm.members
            rank = members.index(self.rank) if self.rank in members else -1
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
            rows = tuple(range(size)) if whole else None
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
        if told.gives == "zero":
            return Const(0)
        if told.gives in ("nobody", "any_peer"):
            return Const("nobody" if told.gives == "nobody" else "any")
        if told.gives == "no_world":
            return self.no_comm
        if told.gives == "files":
            return Unknown(path, frozenset((FILES + path.removesuffix("()"),)), path + "()")
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
        value = args[told.comm] if args is not None else None
        if isinstance(value, Pointer):
            value = self.dereferenced(value)
        return self.as_comm(value)

    def as_comm(self, value: Value | None) -> Value:
        """*value* as a communicator; none is the whole job."""
        if value is None or (isinstance(value, Const) and value.value is None):
            return self.world_comm
        if isinstance(value, Either):
            return Either(
                value.condition, value.deps, self.as_comm(value.first), self.as_comm(value.second)
            )
        if isinstance(value, Unknown) and value.name in self.adopted:
            return Comm(value.name, self.world_comm.members, value.path.removesuffix("()"))
        return value

    # -- calls ------------------------------------------------------------------------------------

    def library(
        self, what: Unknown, args: list[Value], named_args: dict[str, Value], node: ast.Call | None
    ) -> Value:
        """Call what is none of the program's own."""
        path = what.path
        if path in _GETTERS and args and isinstance(args[0], Const):
            found = self.environment(str(args[0].value))
            if found is not None:
                return found
        told = self.known.find(path, self.top.source.c) if path else None
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
        handed = self.of(*args, *(v for k, v in named_args.items() if k not in _PLACES))
        # What a function that nobody knows makes of the rank (a path, a logger, a device) is seldom
        # anything that decides; data that is a rank's own stays so whatever is made of it.
        deps = what.deps | frozenset(d for d in handed if ORDER not in d and not of_rank(d))
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
            # As much as the sizes of its parts: what is in them does not matter.
            return Unknown(name_of_call, counted(self.of(base)))
        if word.endswith("_") and not word.endswith("__") and isinstance(base, Unknown):
            # The library's convention: a method whose name ends so changes what it is called on.
            if node is not None and isinstance(node.func, ast.Attribute):
                kept = NONE if word in _OVERWRITES else base.deps
                self.changed(
                    node.func.value,
                    Unknown(base.name, kept, base.path, base.base),
                    deps - base.deps,
                )
        name = named(f"{what.id}({','.join(a.id for a in (*args, *named_args.values()))})")
        if base is not None and isinstance(base, Unknown):
            deps |= base.deps
        return Unknown(name, deps, f"{path}()" if path else "", what)

    def model_of(self, what: Value) -> RankCall | None:
        """What is declared of the class of a model that all ranks call together."""
        path = what.path if isinstance(what, Unknown) else ""
        if path.endswith("()") and path.count("()") == 1:
            told = self.known.find(path[:-2])
            if told is not None and told.model:
                return told
        return None

    def _forward(self, told: RankCall, what: Unknown, deps: Deps) -> Value:
        whose = told.names[0].rpartition(".")[2]
        if not self.quiet and told.forward:
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

    def issue(self, op: Op) -> None:
        """Note an operation."""
        self.out.append(op)

    def declared(
        self, told: RankCall, path: str, what: Unknown, args: list[Value],
        named_args: dict[str, Value], node: ast.Call | None,
    ) -> Value:  # fmt: skip
        """A call of which something is declared."""
        given = Arguments(told, args, named_args, node)
        comm = self.comm_of(told, given, what.base)
        if told.unless_missing:
            value = given[told.unless_missing]
            if value is None or (isinstance(value, Const) and not value.value):
                return Unknown(named(f"{path}()"), depends(*args))
        if told.ends:
            return self._ends(told, args)
        if told.runs and told.gives != "any time":
            return self._runs(told, given)
        alone = given[told.members_if] if told.members_if else None
        if told.makes and (told.does == "members" or (isinstance(alone, Const) and alone.value)):
            result = self._makes(told, path, given, comm, node)
            name = told.operation or path.rpartition(".")[2]
            self.issue(Op(kind="collective", name=name, chain=self.chain(), comm=result))
            return self._put_out(told, given, result)
        if told.gives == "seed":
            seed = args[0] if args else NO_VALUE
            self.set((0, "seeded"), Const(not differs(self.of(seed))))
            return Unknown(f"{path}()")
        if told.gives == "drawn":
            return self._drawn(path, args, named_args)
        if told.gives == "any time":
            return self._any_time(told, given)
        result = self.given(told, comm, path)
        if told.gives == "self" and what.base is not None:
            result = what.base
        elif told.gives == "together":
            return self._together(args)
        elif told.gives == "argument":
            result = args[0] if args else result
        elif told.gives == "decorator":
            result = Unknown("identity", path="identity")
        elif told.gives in ("uniform", "any", ""):
            kept = [v for k, v in named_args.items() if k not in _PLACES]
            deps = self.of(*args, *kept) if told.gives != "uniform" else NONE
            if told.reads:
                # What is read depends on which file it is, and on nothing else.
                deps = self.of(args[0]) if args else NONE
                own = {LOCAL + "what is in a file of its own"} if any(map(of_rank, deps)) else set()
                deps = counting(frozenset(d for d in deps if not of_rank(d)) | own)
            deps = frozenset(d for d in deps if ORDER not in d)
            whose = what.id if what.base is not None and "()" in path else path
            name = named(f"{whose}({','.join(a.id for a in (*args, *named_args.values()))})")
            result = Unknown(name, deps, f"{path}()", what)
        if told.does:
            result = self._does(told, path, what, given, comm, result)
        if told.makes:
            result = self._makes(told, path, given, comm, node)
        for name in told.equal:
            self._marked(name, given, node, NONE, path)
            if name == "return" and not isinstance(result, Request):
                # One name for it on all ranks, whatever each of them has handed over.
                where = self.site(node) if node is not None else path
                result = Unknown(self.label(f"{path}@{where}"), path=getattr(result, "path", ""))
        for name in told.unequal:
            if name == "return":
                if isinstance(result, Unknown):
                    content = frozenset(
                        (
                            MESSAGE
                            if told.does == "recv"
                            else LOCAL + f"data that {path.rpartition('.')[2]} gives each rank",
                        )
                    )
                    result = Unknown(result.name, result.deps | content, result.path, result.base)
            else:
                gave = (
                    MESSAGE
                    if told.does == "recv"
                    else LOCAL + f"what {path.rpartition('.')[2]} gave this rank"
                )
                content = frozenset((gave,))
                self._marked(name, given, node, content, path)
        if not told.safe and not told.does and not told.attribute:
            self.may_raise(path.rpartition(".")[2], *args)
        if told.out != "return":
            return self._put_out(told, given, result)
        if told.status:
            return Const(0)
        if not told.safe and not told.does and not told.attribute:
            self.may_raise(path.rpartition(".")[2], *args)
        return result

    def _put_out(self, told: RankCall, given: Arguments, result: Value) -> Value:
        """Put what a call gives where it belongs."""
        if told.out != "return":
            target = given.nodes.get(told.out)
            pointer = given[told.out]
            if isinstance(pointer, Pointer):
                self.set(pointer.key, self.under(result, told.out))
            elif target is not None and isinstance(
                target, ast.Name | ast.Attribute | ast.Subscript
            ):
                self.assign(target, result)
            return Const(0)
        return result

    def _drawn(self, path: str, args: list[Value], named_args: dict[str, Value]) -> Value:
        """A random number: a rank's own, unless all began with one seed."""
        deps = self.of(*args, *named_args.values())
        seeded = self.get((0, "seeded"))
        common = isinstance(seeded, Const) and bool(seeded.value)
        if not common and "generator" not in named_args:
            deps |= {LOCAL + "a random number"}
        return Unknown(self.label(f"{path}@{self.top.line}"), deps, f"{path}()")

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
        self, name: str, given: Arguments, node: ast.Call | None, deps: Deps, path: str
    ) -> None:
        """The contents of an argument are the same on all ranks now, or this rank's own."""
        value, target = given[name], given.nodes.get(name)
        if value is None:
            return
        if isinstance(value, Pointer):
            self.set(value.key, Unknown(self.label(f"{path}.{name}"), deps))
        elif isinstance(value, Obj):
            items = self.items(value)
            if items is not None:
                label = self.label(f"{path}.{name}")
                new = tuple(Unknown(f"{label}[{i}]", deps) for i in range(len(items)))
                self.set((value.number, "[]"), Tup(new))
            else:
                self.set((value.number, "each"), Unknown(self.label(f"{path}.{name}"), deps))
        elif isinstance(target, ast.Name | ast.Attribute | ast.Subscript):
            kept = getattr(value, "path", "")
            through = frozenset(d for d in value.depends if d.startswith(THROUGH))
            outer, self.control = self.control, []
            held, self.top.control = self.top.control, NONE
            self.assign(target, Unknown(self.label(f"{path}.{name}"), deps | through, kept))
            self.control, self.top.control = outer, held

    def _ends(self, told: RankCall, args: list[Value]) -> Value:
        code = args[0] if args and told.parameters else NO_VALUE
        fails = told.ends == "job" or not (isinstance(code, Const) and not code.value)
        self.leave("fail" if fails else "end")
        self.ended = True
        return NO_VALUE

    def _runs(self, told: RankCall, given: Arguments) -> Value:
        what = given[told.runs]
        handed: list[Value] = []
        for name in told.handed:
            if name == "rank":
                handed.append(self.number_of("rank", self.world_comm))
            elif name.startswith("*"):
                value = given[name[1:]]
                handed += self.items(value) or () if value is not None else ()
        if isinstance(what, Function | Class | Obj):
            return self.call(what, handed, {}, None)
        return NO_VALUE

    # -- operations -------------------------------------------------------------------------------

    def _does(
        self, told: RankCall, path: str, what: Unknown, given: Arguments, comm: Value, result: Value
    ) -> Value:
        name = told.operation or path.rpartition(".")[2].removesuffix("()")
        begun = bool(told.request)
        if told.asynchronous:
            value = given[told.asynchronous]
            begun = isinstance(value, Const) and bool(value.value)
        number = 0
        if told.is_rank:
            self.learned(given[told.is_rank])
        if told.size:
            wanted = given[told.size]
            if isinstance(wanted, Const) and isinstance(wanted.value, int) and wanted.value > 0:
                self.excluded |= wanted.value != self.world.size
        if begun:
            self.requests += 1
            number = self.requests
        chain = self.chain()
        sure = not told.perhaps
        if told.does == "collective":
            order = [d for v in given.values.values() for d in self.of(v) if d.startswith(ORDER)]
            place = given["sendbuf"]
            in_place = isinstance(place, Unknown) and place.path.endswith("IN_PLACE")
            agreed = tuple(
                (key, self.settled(given[key]))
                for key in told.agreed
                if given[key] is not None and not (in_place and key.startswith("send"))
            )
            if order:
                agreed = (*agreed, ("data", Unknown("data", frozenset(order))))
            self.issue(
                Op(
                    kind="collective",
                    name=name,
                    chain=chain,
                    comm=comm,
                    agreed=agreed,
                    request=number,
                    sure=sure,
                )
            )  # type: ignore[arg-type]
        elif told.does in ("send", "recv", "probe"):
            peer = given[told.to or told.source]
            self.issue(Op(
                kind=told.does, name=name, chain=chain, comm=comm, peer=peer, tag=given[told.tag],
                rendezvous=told.waits == "always", buffered=told.waits == "never", may_wait=told.waits == "maybe", request=number,
                sure=sure, absolute=told.absolute,
            ))  # fmt: skip
        elif told.does == "sendrecv":
            self.requests += 2
            pair = (self.requests - 1, self.requests)
            tags = given[told.tag], given[told.receive_tag]
            self.issue(
                Op(
                    kind="send",
                    name=name,
                    chain=chain,
                    comm=comm,
                    peer=given[told.to],
                    tag=tags[0],
                    request=pair[0],
                )
            )
            self.issue(
                Op(
                    kind="recv",
                    name=name,
                    chain=chain,
                    comm=comm,
                    peer=given[told.source],
                    tag=tags[1],
                    request=pair[1],
                )
            )
            self.issue(Op(kind="wait", name=name, chain=chain, waits=pair))
        elif told.does == "wait":
            held = (
                what.base
                if told.comm == "self"
                else given[told.parameters[0]]
                if told.parameters
                else None
            )
            if told.comm and told.comm != "self":
                held = given[told.comm]
            numbers = self.numbers_of(held)
            if numbers:
                self.issue(Op(kind="wait", name=name, chain=chain, waits=numbers))
        elif told.does == "persistent":
            self.requests += 1
            kind = told.operation if told.operation in ("send", "recv") else "collective"
            agreed = tuple((k, self.settled(given[k])) for k in told.agreed if given[k] is not None)
            op = Op(
                kind=kind, name=name, chain=chain, comm=comm, agreed=agreed,  # type: ignore[arg-type]
                peer=given[told.to or told.source], tag=given[told.tag], request=self.requests,
            )  # fmt: skip
            self.prepared[self.requests] = op
            number, begun = self.requests, True
        elif told.does == "start":
            for one in self.numbers_of(given[told.comm]):
                if one in self.prepared:
                    self.issue(msgspec.structs.replace(self.prepared[one], chain=chain))
        elif told.does == "join":
            self.issue(Op(kind="join", name=name, chain=chain, comm=comm))
        elif told.does in ("open", "close"):
            self.issue(Op(kind=told.does, name=name, chain=chain))
        elif told.does == "begin":
            self.requests += 1
            result = Unknown(f"{self.label(path)}#{self.requests}")
            self.batched[result.id] = given["op"], given["peer"], given["group"], given["tag"]
            return result
        elif told.does == "batch":
            return self._batch(given, name, chain)
        if (begun and told.request == "return") or (told.asynchronous and begun):
            return Request(
                (number,), "torch.distributed.Work" if path.startswith("torch") else f"{path}()"
            )
        if begun and told.request:
            pointer = given[told.request]
            request = Request((number,))
            target = given.nodes.get(told.request)
            if isinstance(pointer, Pointer):
                self.set(pointer.key, request)
            elif isinstance(target, ast.Name | ast.Attribute | ast.Subscript):
                self.assign(target, request)
        return result

    def learned(self, value: Value | None) -> None:
        """What a program hands over as its rank is its rank, wherever that value is."""
        if not isinstance(value, Unknown) or value.deps:
            return
        rank = self.number_of("rank", self.world_comm)
        for key, held in list(self.store.items()):
            if isinstance(held, Unknown) and held.name == value.name and held is not MISSING:
                self.set(key, rank)

    def together(self, what: Function) -> None:
        self.issue(Op(
            kind="collective", name=what.name, chain=self.chain(), comm=self.world_comm, sure=False
        ))  # fmt: skip

    def _together(self, args: list[Value]) -> Value:
        """A function that is a collective whenever it is called."""
        what = args[0] if args else NO_VALUE
        if isinstance(what, Function):
            return Function(
                what.node, what.module, what.name, what.frame, what.bound, what.owner,
                what.traits | {"together"}, what.only,
            )  # fmt: skip
        return what

    def settled(self, value: Value | None) -> Value | None:
        """A list as what is in it now."""
        if isinstance(value, Pointer):
            value = self.get(value.key)
        if isinstance(value, Obj):
            items = self.items(value)
            if items is not None:
                return Tup(items)
        if isinstance(value, Obj | Unknown):
            home = value.number if isinstance(value, Obj) else f"u:{value.id}"
            parts = [v for _, v in self.parts(home) if isinstance(v, Const)]
            if parts:
                return Tup(tuple(parts))
        return Unknown(value.id, self.of(value)) if isinstance(value, Obj) else value

    def numbers_of(self, value: Value | None) -> tuple[int, ...]:
        """The requests in a value."""
        if isinstance(value, Pointer):
            value = self.get(value.key)
        if isinstance(value, Request):
            return value.numbers
        if isinstance(value, Either):
            return (*self.numbers_of(value.first), *self.numbers_of(value.second))
        found: list[int] = []
        if value is not None:
            for item in self.items(value) or ():
                found += self.numbers_of(item)
            if isinstance(value, Obj):
                for _, held in self.parts(value.number):
                    if isinstance(held, Request):
                        found += held.numbers
        return tuple(dict.fromkeys(found))

    def _batch(self, given: Arguments, name: str, chain: tuple[Frame, ...]) -> Value:
        """``batch_isend_irecv``: all of a list are begun together."""
        rows = given["p2p_op_list"]
        made: list[Value] = []
        items = self.items(rows) if rows is not None else None
        for item in items or ():
            held = self.batched.get(item.id)
            if held is None:
                continue
            op, peer, group, tag = held
            self.requests += 1
            kind = "send" if isinstance(op, Unknown) and "send" in op.path else "recv"
            self.issue(Op(
                kind=kind, name=name, chain=chain, comm=self.as_comm(group), peer=peer, tag=tag,
                request=self.requests, absolute=True,
            ))  # fmt: skip
            made.append(Request((self.requests,), "torch.distributed.Work"))
        return self.new("list", f"{name}{self.requests}", tuple(made))

    prepared: dict[int, Op]
    batched: dict[str, tuple[Value | None, Value | None, Value | None, Value | None]]

    # -- making communicators ---------------------------------------------------------------------

    def _makes(
        self, told: RankCall, path: str, given: Arguments, comm: Value, node: ast.Call | None
    ) -> Value:
        where = self.site(node) if node is not None else f"{self.top.source.name}:{self.top.line}"
        label = self.label(f"{path}@{where}")
        kind = comm.path if isinstance(comm, Comm) else ""
        kind = (
            told.of_type
            or kind
            or ("torch.distributed.ProcessGroup" if path.startswith("torch") else "")
        )
        if told.makes == "copy":
            members = comm.members if isinstance(comm, Comm) else None
            asked = comm.asked if isinstance(comm, Comm) else None
            return Comm(f"{label} of {comm.id}", members, kind, asked)
        if told.makes == "world":
            return Comm(label, self.world_comm.members, kind)
        if told.makes in ("inter", "merge"):
            return self._joined_comm(label, comm, kind, told.makes == "inter")
        if told.makes == "local":
            return Comm(
                label,
                tuple(
                    r
                    for r in range(self.world.size)
                    if r // self.world.per_node == self.rank // self.world.per_node
                ),
                kind,
            )
        if told.makes == "new":
            return self._of_ranks(told, given, label, kind, comm)
        if told.makes == "split":
            return self._split(told, given, label, kind, comm)
        return Unknown(label, path=kind)

    def _of_ranks(
        self, told: RankCall, given: Arguments, label: str, kind: str, comm: Value
    ) -> Value:
        ranks = given[told.ranks]
        if isinstance(ranks, Pointer):
            ranks = self.dereferenced(ranks)
        if ranks is None or (isinstance(ranks, Const) and ranks.value is None):
            return Comm(label, self.world_comm.members, kind)
        items = self.items(ranks)
        if items is not None and all(
            isinstance(x, Const) and isinstance(x.value, int) for x in items
        ):
            members = tuple(x.value for x in items if isinstance(x, Const))
            if isinstance(comm, Comm) and comm.members and comm.name != self.world_comm.name:
                members = tuple(comm.members[m] for m in members if m < len(comm.members))
            return Comm(f"{label}{members}", members, kind)
        number = self.number_of("rank", self.world_comm)
        found = self.compare(ast.In, number, ranks, "")
        return Comm(f"{label}:{ranks.id}", None, kind, self.truth(found))

    def _split(self, told: RankCall, given: Arguments, label: str, kind: str, comm: Value) -> Value:
        color, key = given[told.color], given[told.key]
        if isinstance(color, Unknown) and not differs(color.deps) and not color.path:
            return Comm(
                f"{label}:{color.id}", comm.members if isinstance(comm, Comm) else None, kind
            )
        if isinstance(color, Unknown) and color.path:
            return (
                self.no_comm
                if "UNDEFINED" in color.path or "NOCOLOR" in color.path
                else Unknown(label, path=kind)
            )
        if isinstance(color, Either):
            asked = self._in_split(color)
            if asked is not None:
                return Comm(label, None, kind, asked)
        if not isinstance(color, Const):
            return Unknown(label, color.depends if color is not None else NONE, path=kind)
        order = key.value if isinstance(key, Const) else 0
        table = self.tables.colors.setdefault(label, {})
        mine = (color.value, order)
        if table.get(self.rank) != mine:
            table[self.rank] = mine
            self.tables.changed = True
        if color.value is None or (isinstance(color.value, int) and color.value < 0):
            return self.no_comm
        members = sorted(
            (k if isinstance(k, int | float) else 0, r)
            for r, (c, k) in table.items()
            if c == color.value
        )
        return Comm(f"{label}:{color.value}", tuple(r for _, r in members), kind)

    def _joined_comm(self, label: str, comm: Value, kind: str, inter: bool) -> Value:
        """A communicator of two groups: all who make it here, on either side."""
        mine = comm.members if isinstance(comm, Comm) and comm.members is not None else (self.rank,)
        table = self.tables.colors.setdefault(label, {})
        if table.get(self.rank) != ("side", mine):
            table[self.rank] = "side", mine
            self.tables.changed = True
        members = sorted({r for _, side in table.values() for r in side})
        return Comm(label, tuple(members), kind, remote=mine if inter else None)

    def _in_split(self, color: Either) -> conditions.Condition | None:
        """Under which condition a rank is in one communicator that is split off."""
        first, second = self._undefined(color.first), self._undefined(color.second)
        if first == second:
            return None
        return color.condition if second else conditions.negated(color.condition)

    def _undefined(self, color: Value) -> bool:
        if isinstance(color, Unknown):
            return "UNDEFINED" in color.path or "NOCOLOR" in color.path
        return isinstance(color, Const) and (
            color.value is None or (isinstance(color.value, int) and color.value < 0)
        )

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


__all__ = ["_EMPTY", "Arguments", "Library", "conditions"]
