"""Communicators that declared calls make, and who belongs to them."""

from __future__ import annotations

import ast

from lockorder.knowledge.rank_schema import RankCall
from lockorder.ranks import conditions
from lockorder.ranks.epochs import Epochs
from lockorder.ranks.operations import Arguments
from lockorder.ranks.values import NONE, Comm, Const, Either, Group, Unknown, Value, differs, named


class Communicators(Epochs):
    """What calls make."""

    def makes(
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
            per = self.world.per_node
            first = self.rank // per * per
            return Comm(label, tuple(range(first, first + per)), kind)
        if told.makes == "other_job":
            # With ranks that nobody here knows: its collectives are those of this side.
            members = comm.members if isinstance(comm, Comm) else None
            # Of one that is only asked for there may be none: all ranks answer that alike.
            asked = None if told.does else conditions.ask(label)
            return Comm(f"{label} of {comm.id}", members, kind, asked, side=members or ())
        if told.makes == "new":
            made = self._of_ranks(told, given, label, kind, comm)
            members = made.members if isinstance(made, Comm) else None
            outside = members is not None and self.rank not in members
            # Whoever is not in it gets none, where a library says so by one that is null.
            refuses = self.known.refuses(path) or (kind and self.known.refuses(f"{kind}."))
            return self._none(kind) if outside and refuses else made
        if told.makes == "split":
            label = named(f"{label} of {comm.id}")
            return self._split(told, given, label, kind, comm)
        return Unknown(label, path=kind)

    def _none(self, kind: str) -> Comm:
        """A communicator of nobody, with the methods of its library."""
        return Comm(self.no_comm.name, (), kind)

    def _of_ranks(
        self, told: RankCall, given: Arguments, label: str, kind: str, comm: Value
    ) -> Value:
        ranks = self.led_to(given[told.ranks])
        if ranks is None or (isinstance(ranks, Const) and ranks.value is None):
            return Comm(label, self.world_comm.members, kind)
        if isinstance(ranks, Group):
            return Comm(f"{label}{ranks.members}", ranks.members, kind)
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
                self._none(kind)
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
            return self._none(kind)
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
        return Comm(label, tuple(members), kind, side=mine if inter else None)

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
