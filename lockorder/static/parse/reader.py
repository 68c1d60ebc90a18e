"""What those who read parts of a unit know of its walk: the names, and what only the walk can read.

``extract`` is the walk; it uses all readers, so they cannot know it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Protocol

from tree_sitter import Node

from lockorder.static.parse import facts as f
from lockorder.static.parse.clang import Cursor
from lockorder.static.parse.cleanups import Cleanups
from lockorder.static.parse.symbols import SymbolTable


class Events(Protocol):
    """Where the events of one function go, and their numbers."""

    owner: str
    out: list[f.Stmt]

    def next_call(self) -> int:
        """A number for one more call of this function."""

    def next_make(self) -> int:
        """A number for one more construction of this function."""


class Filling(Protocol):
    """What goes through the text of a block beside clang's statements."""

    def before(self, offset: int) -> None:
        """Read what stands before *offset* and was not seen."""

    def after(self, start: int, end: int) -> None:
        """Clang has shown what stands between *start* and *end*."""


class UnitReader(SymbolTable, ABC):
    """The walk over one unit, as its readers see it."""

    macros: frozenset[str]
    cleanups: Cleanups

    @abstractmethod
    def declaration(self, cursor: Cursor) -> None:
        """Read one declaration, and those inside it."""

    @abstractmethod
    def closure(
        self, cursor: Cursor, params: list[Cursor], body: Cursor, owner: str, captures: list[str]
    ) -> str:
        """Read a lambda as a function of its own; returns its id."""

    @abstractmethod
    def filler(self, start: int, end: int, into: Events) -> Filling:
        """Reads by syntax what clang dropped of the block at *start* of the current file."""

    @abstractmethod
    def local_class(self, node: Node, owner: str) -> str:
        """Read a class that is local to the function *owner*; returns its name."""

    @abstractmethod
    def is_awaited(self, end: int) -> bool:
        """Whether ``co_await`` stands before the call that ends at *end* of the current file."""

    @abstractmethod
    def said_by_syntax(
        self, usr: str, offset: int, parameters: list[tuple[str, str]] | None = None
    ) -> None:
        """Note the thread-safety attributes of what is declared at byte *offset*."""
