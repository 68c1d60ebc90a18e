"""Meshes of ranks (torch's DeviceMesh): a grid whose directions have names, and its slices."""

from __future__ import annotations

from lockorder.knowledge.rank_schema import RankCall
from lockorder.ranks.grids import Grid
from lockorder.ranks.operations import Arguments
from lockorder.ranks.options import Options
from lockorder.ranks.values import Comm, Const, Value, named

#: What the groups of a slice are declared by.
_GROUP = "torch.distributed.ProcessGroup"


class Meshes(Options):
    """Meshes, and who is in which slice of them."""

    def mesh(self, told: RankCall, given: Arguments, comm: Value, result: Value) -> Value:
        """What a call gives that makes a mesh, takes a slice of one, or asks how long one is."""
        if told.grid == "mesh":
            return self._made(given, result)
        if told.grid == "axis":
            found = self.slice_of(comm, given["mesh_dim"])
            return Comm(found.name, found.members, _GROUP) if found is not None else result
        part = self.slice_of(comm, given["mesh_dim"])
        whole = given["mesh_dim"] is None and isinstance(comm, Comm) and comm.name in self.meshes
        found = comm if whole and isinstance(comm, Comm) else part
        return Const(len(found.members)) if found is not None and found.members else result

    def _made(self, given: Arguments, result: Value) -> Value:
        shape = given["mesh_shape"]
        items = self.items(shape) if shape is not None else None
        sizes = [x.value for x in items or () if isinstance(x, Const) and isinstance(x.value, int)]
        if items is None or len(sizes) != len(items):
            return result
        grid = Grid(tuple(sizes), (True,) * len(sizes))
        if grid.ranks != self.world.size:
            # All of the job have a place in it: with these options it is one of another size.
            self.excluded |= self.defaults
            return result
        names = given["mesh_dim_names"]
        words = self.items(names) if names is not None else None
        made = Comm(
            named(f"mesh {result.id}"), tuple(range(grid.ranks)), getattr(result, "path", "")
        )
        self.meshes[made.name] = (
            grid,
            tuple(x.value if isinstance(x, Const) else None for x in words or ()),
        )
        return made

    def slice_of(self, mesh: Value, index: Value | None) -> Comm | None:
        """The part of a mesh that this rank lies in, along one direction or several."""
        held = self.meshes.get(mesh.name) if isinstance(mesh, Comm) else None
        if held is None or not isinstance(mesh, Comm) or self.rank not in (mesh.members or ()):
            return None
        grid, words = held
        items = (index,) if isinstance(index, Const) else self.items(index) if index else ()
        wanted: list[int] = []
        for item in items or ():
            at = item.value if isinstance(item, Const) else None
            if at in words:
                wanted.append(words.index(at))
            elif isinstance(at, int) and at < len(grid.sizes):
                wanted.append(at)
            else:
                return None
        if index is None or (isinstance(index, Const) and index.value is None):
            wanted = [0] if len(grid.sizes) == 1 else []
        if not wanted or not mesh.members:
            return None
        keep = [i in wanted for i in range(len(grid.sizes))]
        here = mesh.members.index(self.rank)
        smaller, inside, where = grid.part(here, keep)
        text = ",".join(str(words[i] if i < len(words) else i) for i in wanted)
        made = Comm(
            named(f"{mesh.name}[{text}]:{where}"), tuple(mesh.members[i] for i in inside), mesh.path
        )
        self.meshes[made.name] = smaller, tuple(w for i, w in enumerate(words) if keep[i])
        return made

    #: by the name of a mesh: its grid, and the names of its directions
    meshes: dict[str, tuple[Grid, tuple[object, ...]]]
