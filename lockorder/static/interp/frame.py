"""A call being made, as its caller sees it."""

from __future__ import annotations

from typing import NamedTuple

from lockorder.model import Certainty
from lockorder.static.interp.summary import Site
from lockorder.static.program.paths import Path, Paths


class Frame(NamedTuple):
    """A call being made: arguments, object, where the result goes, where it stands."""

    args: tuple[Paths, ...]
    base: Paths
    result: Path
    site: Site
    certainty: Certainty = Certainty.CERTAIN
    why: str = ""
    #: the object whose member held the callable that is called
    holder: Path | None = None
    #: what the callable itself knows that object by: it is one of these
    known_as: Paths = ()
    #: objects that end with their last reference, and whose destructors this is in
    ending: Paths = ()
    #: the class of the innermost object that ends with its last reference
    last: str = ""

    def inside(self, inner: Site) -> Site:
        """A place in the callee, reached by this call."""
        return appended(self.site, inner)


def appended(chain: Site, tail: Site) -> Site:
    """The call chain that *tail* ends."""
    inner = tail if chain.inner is None else appended(chain.inner, tail)
    return Site(chain.function, chain.line, chain.column, inner)
