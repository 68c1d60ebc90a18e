"""What MPI programs put ranks and elements together to: groups, grids, two sides, types."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from lockorder.knowledge.rank_schema import RankCall
from lockorder.ranks import elements, groups
from lockorder.ranks.effects import Op
from lockorder.ranks.expressions import place_of
from lockorder.ranks.grids import Grid, balanced
from lockorder.ranks.machine import Pointer
from lockorder.ranks.meshes import Meshes
from lockorder.ranks.operations import Arguments
from lockorder.ranks.values import (
    NONE,
    RANK,
    Comm,
    Const,
    Deps,
    Element,
    Group,
    Obj,
    Tup,
    Value,
    depends,
    named,
)


class Structures(Meshes):
    """Groups, grids, two sides and types."""

    grids: dict[str, Grid]

    # -- groups, two sides, types -----------------------------------------------------------------

    def leaders_meet(self, path: str, given: Arguments) -> None:
        """The leaders of two groups that are joined tell each other who is in them."""
        group, other = self.as_comm(given["comm"]), self.as_comm(given["peer_comm"])
        leader = self.whole(given["local_leader"])
        members = group.members if isinstance(group, Comm) else None
        if leader is None or members is None or members[leader : leader + 1] != (self.rank,):
            return
        tag = given["tag"]
        tag = Const(f"bridge {tag.value}") if isinstance(tag, Const) else None
        name = path.rpartition(".")[2]
        for kind in ("send", "recv") if tag is not None else ():
            self.issue(Op(
                kind=kind, name=name, chain=self.chain(), comm=other, tag=tag,
                peer=given["remote_leader"], buffered=kind == "send", inner=True,
            ))  # fmt: skip

    def made_type(self, told: RankCall, given: Arguments) -> Value | None:
        """A type of elements that the program makes of others."""
        found = self._made_type(told, given)
        if told.makes_type == "committed" and isinstance(found, Element):
            # Whoever has the same handle has a type that is committed now.
            old = self.led_to(given["oldtype"])
            for key in [key for key, held in self.store.items() if held is old]:
                self.set(key, found)
        place = given[told.out]
        kept = isinstance(place, Pointer) and place_of(place.key[1]) is None
        if isinstance(found, Element) and found.open and not kept:
            # Of several in a row it is not always known which one is committed.
            return msgspec.structs.replace(found, open=False)
        return found

    def _made_type(self, told: RankCall, given: Arguments) -> Value | None:
        if told.makes_type == "record":
            many, lengths = self.whole(given["count"]), self._wholes(given["blocklengths"])
            kinds = self.items(given["types"]) if given["types"] is not None else None
            if (
                many is None
                or lengths is None
                or kinds is None
                or min(len(lengths), len(kinds)) < many
            ):
                return None
            return elements.record(lengths[:many], kinds[:many])
        counts: list[int | None] = []
        if told.makes_type == "vector":
            counts = [self.whole(given[name]) for name in ("count", "blocklength")]
        elif told.makes_type == "contiguous":
            counts = [self.whole(given["count"])]
        elif told.makes_type == "indexed":
            many, parts = self.whole(given["count"]), self._wholes(given["blocklengths"])
            known = parts is not None and many is not None and len(parts) >= many
            counts = [sum(parts[:many]) if known and parts is not None else None]
        elif told.makes_type == "subarray":
            counts = list(self._wholes(given["subsizes"]) or [None])
        return elements.made(told.makes_type, self.led_to(given["oldtype"]), counts)

    def of_group(
        self, told: RankCall, given: Arguments, comm: Value, result: Value, base: Value | None
    ) -> Value:
        """What a function of groups gives, where all that it needs is known."""
        if told.group == "all":
            members = comm.members if isinstance(comm, Comm) else None
            return Group(members, told.of_type) if members is not None else result
        group = self._group(given["group"]) or self._group(base)
        other = self._group(given["other"])
        if group is None:
            return result
        here = self.rank in group.members
        if told.group == "rank":
            return Const(
                group.members.index(self.rank) if here else groups.UNDEFINED,
                frozenset((RANK,)), named(f"rank in {group.id}"),
            )  # fmt: skip
        if told.group == "size":
            return Const(len(group.members))
        rows: list[tuple[int, ...]] | None = []
        if told.group in ("union", "intersection", "difference"):
            if other is None:
                return result
        else:
            rows = self._places(given, told.group.startswith("range"))
        members = None
        if rows is not None:
            beside = other.members if other is not None else ()
            members = groups.made(told.group, group.members, beside, rows)
        return Group(members, group.path) if members is not None else result

    def _group(self, value: Value | None) -> Group | None:
        value = self.led_to(value)
        return value if isinstance(value, Group) else None

    def _places(self, given: Arguments, ranges: bool) -> list[tuple[int, ...]] | None:
        """The places, or ranges of places, that a group is made of."""
        many, row = self.whole(given["n"]), given["ranks"]
        if given["n"] is None and row is not None:
            items = self.items(row)
            many, row = (len(items), Tup(items)) if items is not None else (None, row)
        if many is None or row is None:
            return None
        found: list[tuple[int, ...]] = []
        for at in range(many):
            held = self.element(row, Const(at)) if not isinstance(row, Tup) else row.items[at]
            one = self.whole(held)
            each = (one,) if one is not None else self._wholes(held)
            if ranges and (each is None or len(each) != 3) and not isinstance(held, Obj):
                # The numbers of a range may stand in one row.
                three = [self.whole(self.element(row, Const(3 * at + i))) for i in range(3)]
                each = tuple(x for x in three if x is not None) if None not in three else None
            if each is None:
                return None
            found.append(each)
        return found

    # -- grids ------------------------------------------------------------------------------------

    def in_grid(self, told: RankCall, given: Arguments, comm: Value, result: Value) -> Value:
        """What a function of grids of ranks gives, where all that it needs is known."""
        if told.grid in ("mesh", "axis", "length"):
            return self.mesh(told, given, comm, result)
        if told.grid == "sizes":
            ranks, sizes = self.whole(given["nnodes"]), self._wholes(given["dims"])
            made = balanced(ranks, sizes) if ranks is not None and sizes is not None else None
            self._fill(given["dims"], made, NONE, "")
            return Const(0)
        if told.grid == "create":
            sizes, periods = self._wholes(given["dims"]), self._wholes(given["periods"])
            members = comm.members if isinstance(comm, Comm) else None
            if sizes is None or periods is None or members is None or not isinstance(result, Comm):
                return result
            grid = Grid(sizes, tuple(map(bool, periods)))
            if grid.ranks > len(members):
                return result  # MPI refuses it
            inside = members[: grid.ranks]
            self.grids[result.name] = grid
            return (
                Comm(result.name, inside, result.path)
                if self.rank in inside
                else self._none(result.path)
            )
        return self._of_grid(told, given, comm, result)

    def _of_grid(self, told: RankCall, given: Arguments, comm: Value, result: Value) -> Value:
        grid = self.grids.get(comm.name) if isinstance(comm, Comm) else None
        if grid is None or not isinstance(comm, Comm) or self.rank not in (comm.members or ()):
            return result
        here = (comm.members or ()).index(self.rank)
        deps = frozenset((f"{RANK}:{comm.id}",))
        if told.grid == "part":
            keep = self._wholes(given["remain_dims"])
            if keep is None or comm.members is None:
                return result
            smaller, inside, where = grid.part(here, list(map(bool, keep)))
            made = Comm(f"{result.id}:{where}", tuple(comm.members[i] for i in inside))
            self.grids[made.name] = smaller
            return made
        if told.grid == "shift":
            direction, by = self.whole(given["direction"]), self.whole(given["disp"])
            if direction is not None and by is not None and direction < len(grid.sizes):
                ends = grid.shifted(here, direction, by)
                for name, end in zip(("rank_source", "rank_dest"), ends, strict=True):
                    written = named(f"{name}({comm.id},{direction},{by})")
                    value = Const("nobody" if end is None else end, deps, written)
                    self.put(given, name, value)
            return Const(0)
        if told.grid == "place":
            rank = self.whole(given["rank"])
            if rank is not None and rank < grid.ranks:
                of = given["rank"]
                self._fill(given["coords"], grid.place(rank), self.of(of) if of else NONE, comm.id)
            return Const(0)
        place = self._wholes(given["coords"])
        found = grid.rank(place) if place is not None and len(place) == len(grid.sizes) else None
        if found is not None:
            self.put(given, "rank", Const(found, self._of_parts(given["coords"]), "rank there"))
        return Const(0)

    def _of_parts(self, value: Value | None) -> Deps:
        return depends(*(self.items(value) or ())) if value is not None else NONE

    def _wholes(self, value: Value | None) -> tuple[int, ...] | None:
        """The numbers of a row, where all are known."""
        items = self.items(value) if value is not None else None
        found = [self.whole(x) for x in items] if items is not None else [None]
        return None if None in found else tuple(x for x in found if x is not None)

    def _fill(
        self, value: Value | None, numbers: Sequence[int] | None, deps: Deps, name: str
    ) -> None:
        """Write numbers into a row of the program's own."""
        for i, number in enumerate(numbers or ()):
            if isinstance(value, Obj):
                written = named(f"place({name},{i})") if deps else ""
                self.set((value.number, f"[{i}]"), Const(number, deps, written))
