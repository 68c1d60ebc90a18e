"""What an analysis saw of the sources it was given, so that silence can be judged."""

from __future__ import annotations

import msgspec

#: A reading after a crash of libclang by which nothing is lost.
WITHOUT_PREFIX = "without the precompiled headers"
#: Readings of a file of which nothing was lost.
LOSSLESS = ("", WITHOUT_PREFIX)
#: Endings of the names of Python sources and notebooks.
PYTHON = (".py", ".ipynb")


class FileCoverage(msgspec.Struct, frozen=True, omit_defaults=True):
    """One source file: counts of things in function bodies, seen out of all.

    ``calls`` and ``locks`` are counted on the syntax tree (which needs no headers), ``*_seen``
    are those of them that reached the analysis.  ``filled`` calls were read from the syntax
    alone because the compiler front end had dropped their statement.  ``inactive`` calls stand
    in preprocessor branches that were off.  ``reading`` says how the file was read where libclang
    crashed on it; it is empty of a file that was read as planned.
    """

    file: str
    calls: int = 0
    calls_seen: int = 0
    filled: int = 0
    locks: int = 0
    locks_seen: int = 0
    inactive: int = 0
    headers_missing: tuple[str, ...] = ()
    errors: int = 0
    reading: str = ""


class HeaderOrigin(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where *headers* come from that the project includes and does not have itself.

    ``source`` is a folder, or one of: compiler and system, shipped with lockorder, not found;
    ``library`` the library that they belong to, with its version where that is known.
    """

    source: str
    library: str = ""
    headers: tuple[str, ...] = ()


class Cut(msgspec.Struct, frozen=True, omit_defaults=True):
    """A bound of the analysis that was reached: more than *limit* of *what*, in so many functions.

    ``places`` are some of them, as ``file:line function``.  What was left out makes findings
    through these functions less sure, or, where it *only_hides*, can only have hidden some.
    """

    what: str
    limit: int
    functions: int
    places: tuple[str, ...] = ()
    only_hides: bool = False


class Coverage(msgspec.Struct, frozen=True, omit_defaults=True):
    """The whole analysis.  ``resolved`` of ``calls_made`` found a target or are known by name.

    ``foreign`` are headers that a folder's search met and in which nothing is C or C++.
    """

    files: tuple[FileCoverage, ...] = ()
    functions: int = 0
    calls_made: int = 0
    resolved: int = 0
    failed: tuple[str, ...] = ()
    headers: tuple[HeaderOrigin, ...] = ()
    cut: tuple[Cut, ...] = ()
    foreign: tuple[str, ...] = ()

    @property
    def calls_share(self) -> float:
        """Seen call expressions over all, 0 to 1; 1 where there are none."""
        return _share(sum(f.calls_seen for f in self.files), sum(f.calls for f in self.files))

    @property
    def locks_share(self) -> float:
        """Seen lock acquisitions over all, 0 to 1; 1 where there are none."""
        return _share(sum(f.locks_seen for f in self.files), sum(f.locks for f in self.files))

    @property
    def headers_missing(self) -> tuple[str, ...]:
        """Every header that some file includes and that was not found, sorted."""
        return tuple(sorted({h for f in self.files for h in f.headers_missing}))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
