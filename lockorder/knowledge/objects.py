"""What is known of objects that others own, point to, hand on, exchange or compare, by name."""

from __future__ import annotations

from typing import Literal, get_args

from lockorder.knowledge.schema import Content, Counted, End, KnowledgeFile, Owner, Pointer

Comparison = Literal["less", "greater", "min", "max", "both"]
_COMPARISONS: tuple[Comparison, ...] = get_args(Comparison)


class Objects:
    """Answers by qualified name, template arguments left out."""

    def __init__(self) -> None:
        super().__init__()
        self.same_functions: set[str] = set()
        #: of those: what leaves its argument empty, takes an element out, or casts
        self.moves: set[str] = set()
        self.puts: set[str] = set()
        self.same_type: set[str] = set()
        self.part_functions: set[str] = set()
        self.casts: set[str] = set()
        self.same_types: set[str] = set()
        self.same_methods: set[str] = set()
        self.asks: set[str] = set()
        self.element_methods: set[str] = set()
        self.backward_methods: set[str] = set()
        self.owners: dict[str, Owner] = {}
        #: class templates that only point to an object of their first argument
        self.pointers: set[str] = set()
        self.sharing: dict[str, Pointer] = {}
        #: methods of smart pointers after which they are null, and what they had is somebody else's
        self.gives_up: set[str] = set()
        self._empties: set[str] = set()
        #: constants that an optional is begun with to have nothing
        self.nothings: set[str] = set()
        self._own: set[str] = set()
        #: names of the elements of tuples, with their numbers
        self.part_names: dict[str, int] = {}
        self._map_endings: tuple[str, ...] = ()
        #: methods of maps that say whether a key is there, and those that return their end
        self.looks_up: set[str] = set()
        self.ends_of_map: set[str] = set()
        #: methods of containers that return the iterator to what comes next
        self.goes_on: set[str] = set()
        #: methods of maps that end the value of a key which is there already
        self.replaces: set[str] = set()
        self.ends: dict[str, End] = {}
        #: by function that makes such objects
        self.ends_made: dict[str, End] = {}
        #: by type: how it says whether it has anything
        self.contents: dict[str, Content] = {}
        #: by which methods of which types there is something
        self.says_whether: set[str] = set()
        #: methods by which some type says so, and those after which there is nothing
        self.tells_content: set[str] = set()
        self.leaves_nothing: set[str] = set()
        #: methods that make them end without a wait
        self.shares: set[str] = set()
        self.swaps: set[str] = set()
        self.swap_names: set[str] = set()
        #: what a comparison of two objects does, by function
        self.compares: dict[str, Comparison] = {}
        #: functions that begin semaphores
        self.counted: dict[str, Counted] = {}
        self._usual: set[str] = set()

    def add_objects(self, file: KnowledgeFile) -> None:
        """Add what a file says of them."""
        for counted in file.counted:
            self.counted.update(dict.fromkeys(counted.names, counted))
        for same in file.same:
            for functions in (same.names, same.moves, same.puts, same.parts, same.casts):
                self.same_functions.update(functions)
            self.moves.update(same.moves)
            self.puts.update(same.puts)
            self.same_type.update(same.same_type)
            self.part_functions.update(same.parts)
            self.casts.update(same.casts)
            self.same_types.update(same.types)
            self.same_methods.update(same.methods)
            self.asks.update(same.asks)
            self.element_methods.update(same.elements)
            self.backward_methods.update(same.backward)
        for owner in file.owner:
            self.owners.update(dict.fromkeys(owner.types, owner))
            self.part_names.update({name: i for i, name in enumerate(owner.parts)})
            self.nothings.update(owner.nothing)
            self.replaces.update(owner.replaces)
            self.goes_on.update(owner.goes_on)
            if owner.pointer:
                self.pointers.update(owner.types)
                for name in owner.types:
                    self._empties.update(f"{name}::{method}" for method in owner.empties)
                    self.gives_up.update(f"{name}::{method}" for method in owner.gives_up)
                    own = (*owner.plain, *owner.destroys, *owner.gives_up, *owner.empties)
                    self._own.update(f"{name}::{method}" for method in own)
            if owner.pointer or owner.single or owner.callable:
                self.same_types.update(owner.types)
        for pointer in file.pointer:
            self.pointers.update(pointer.types)
            self.same_types.update(pointer.types)
            for name in pointer.types:
                self.sharing.update({f"{name}::{method}": pointer for method in pointer.shares})
                self._empties.update(f"{name}::{method}" for method in pointer.empties)
                own = (*pointer.shares, *pointer.empties)
                self._own.update(f"{name}::{method}" for method in own)
        for maps in file.map:
            self._map_endings += tuple(maps.endings)
            self.looks_up.update(maps.looks_up)
            self.ends_of_map.update(maps.ends)
        for usual in file.usual:
            self._usual.update(usual.names)
        self._add_ends(file)

    def _add_ends(self, file: KnowledgeFile) -> None:
        for end in file.end:
            self.ends.update(dict.fromkeys(end.types, end))
            self.ends_made.update(dict.fromkeys(end.made_by, end))
            self.shares.update(end.shared_by)
        for content in file.content:
            self.contents.update(dict.fromkeys(content.types, content))
            self.says_whether.update(f"{t}::{m}" for t in content.types for m in content.whether)
            self.tells_content.update(content.whether, content.empty)
            self.leaves_nothing.update(content.empties)
        for swap in file.swap:
            self.swaps.update(swap.names)
            self.swap_names.update(swap.likewise)
        for compare in file.compare:
            for what in _COMPARISONS:
                self.compares.update(dict.fromkeys(getattr(compare, what), what))

    def empties(self, name: str, null: bool) -> bool:
        """Whether a method leaves its smart pointer null; *null*: it was given nothing else."""
        return name in self.gives_up or (null and name in self._empties)

    def is_usual(self, method: str) -> bool:
        """Whether so many classes have a method of that name that it says nothing of the class."""
        return method in self._usual

    def is_own(self, cls: str, method: str) -> bool:
        """Whether a method is a smart pointer's own, and not one of what it points to."""
        return f"{cls}::{method}" in self._own

    def is_map(self, name: str) -> bool:
        """Whether objects of a class template lead from keys to values."""
        owner = self.owners.get(name)
        return (owner is not None and owner.map) or name.endswith(self._map_endings)

    def is_single(self, name: str) -> bool:
        """Whether objects of a class template have what they own in themselves."""
        owner = self.owners.get(name)
        return owner is not None and owner.single

    def asks_single(self, name: str) -> bool:
        """Whether a method of such a class template says if there is anything."""
        cls, _, method = name.rpartition("::")
        return method in self.asks and self.is_single(cls)

    def is_tuple(self, name: str) -> bool:
        """Whether objects of a class template have one element of each argument."""
        owner = self.owners.get(name)
        return owner is not None and owner.numbered
