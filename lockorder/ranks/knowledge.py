"""What libraries do that other ranks take part in: lockorder/knowledge/ranks/*.toml."""

from __future__ import annotations

import functools
import re
import sys
from importlib import resources

import msgspec

if sys.version_info >= (3, 11):
    import tomllib
else:  # pragma: no cover - the same library under its older name
    import tomli as tomllib

from lockorder.knowledge.rank_schema import RankCall, RankFile, RankOptions
from lockorder.ranks.values import Element, Reduction

__all__ = ["Known", "builtin", "extended"]


#: Of what these give, ranks may have each its own.
_TELLING = frozenset(
    [
        "rank",
        "local_rank",
        "node",
        "first",
        "local_first",
        "last",
        "not_first",
        "local",
        "drawn",
        "order",
    ]
)


#: What is nothing to other ranks by itself.
_OF_THREADS = frozenset(("thread", "joined", "task"))


class Known:
    """Declared calls, by name."""

    def __init__(self, files: list[RankFile]) -> None:
        self.calls: dict[str, RankCall] = {}
        self.aliases: dict[str, str] = {}
        self.found: dict[str, RankCall | None] = {}
        #: last parts of the names that communicate, or tell ranks apart
        self.words: set[str] = set()
        names: set[str] = set()
        #: words that make a model whose gradients ranks reduce together
        self.models: set[str] = set()
        #: words that communicate, with the libraries that have them
        self.roots: dict[str, set[str]] = {}
        #: the first parts of the names of libraries that are declared
        self.libraries: set[str] = set()
        self.telling: set[str] = {"environ", "getenv", "set"}
        #: functions and members that give a part of a message
        self.parts: dict[str, str] = {}
        self.said: dict[str, str] = {}
        #: classes of libraries whose methods are handed what their parameters' names say
        #: members that tell of which class of a library an object is
        self.ducks: dict[str, str] = {}
        self.hands: dict[str, dict[str, str]] = {}
        #: types of what is sent and received
        self.elements: dict[str, Element] = {}
        #: operations that reduce them
        self.reductions: dict[str, Reduction] = {}
        self._refusing: tuple[str, ...] = ()
        #: operators that give what stands on their left, by its type
        self.operators: set[tuple[str, str]] = set()
        #: libraries of options, by what makes a parser or declares an option
        self.options: dict[str, RankOptions] = {}
        for file in files:
            self._refusing += tuple(file.refuses_null)
            for element in file.element:
                for name in element.names:
                    self.elements[name] = Element(name, element.kind, element.bytes)
            for reduction in file.reduction:
                for name in reduction.names:
                    kinds = frozenset(reduction.kinds)
                    self.reductions[name] = Reduction(name, path=name, kinds=kinds)
            for one in file.operator:
                self.operators.update((kind, one.of) for kind in one.types)
            for option in file.option:
                self.options.update(dict.fromkeys(option.names, option))
                self.telling.update(n.rpartition(".")[2] for n in option.names)
                self.telling.update((*option.parses, *option.pairs, *option.declares))
            for duck in file.duck:
                self.ducks.update(dict.fromkeys(duck.members, duck.type))
            for part in file.part:
                self.parts.update(dict.fromkeys(part.names, part.of))
                self.said.update(dict.fromkeys(part.members, part.of))
            for hook in file.hook:
                for name in hook.bases:
                    self.hands[name] = hook.parameters
            for alias in file.alias:
                for name in alias.names:
                    self.aliases[name] = alias.of
            for call in file.call:
                for name in call.names:
                    self.calls[name] = call
                    if "." in name and "*" not in name and "::" not in name:
                        self.libraries.add(name.partition(".")[0])
                    does = call.does not in _OF_THREADS and call.does
                    if (does or call.makes) and ("." not in name or name.startswith("c10d::")):
                        names.add(name.partition(".")[0].removesuffix("()").rpartition("::")[2])
                    word = name.rstrip("()").replace("()", "").rpartition(".")[2]
                    if call.model:
                        self.models.add(word)
                    if (
                        does
                        or call.makes
                        or call.model
                        or call.around
                        or call.group
                        or call.makes_type
                    ):
                        self.words.add(word)
                        self.roots.setdefault(word, set()).add(name.partition(".")[0])
                    elif call.gives in _TELLING:
                        self.telling.add(word)

        #: what C and C++ cannot communicate without
        names.discard("")
        self.in_c = re.compile(rb"\b(?:" + "|".join(sorted(names)).encode() + rb")\b")

    def is_module(self, path: str) -> bool:
        """Whether that is the class of which models are made, whose parameters have gradients."""
        return self.renamed(path) == "torch.nn.Module"

    def refuses(self, path: str) -> bool:
        """Whether a call of this name fails where it is handed a communicator of nobody."""
        return path.startswith(self._refusing)

    def resolve(self, path: str) -> str:
        """The name by which *path* is declared: modules may have several."""
        for _ in range(4):
            if path in self.calls:
                return path
            found = self._renamed(path)
            if found == path:
                break
            path = found
        return path

    def renamed(self, path: str) -> str:
        """*path* by the name that its module is declared under."""
        for _ in range(4):
            found = self._renamed(path)
            if found == path:
                break
            path = found
        return path

    def _renamed(self, path: str) -> str:
        at = len(path)
        while at > 0:
            head = path[:at]
            if head in self.aliases:
                return self.aliases[head] + path[at:]
            if head.endswith("()") and head[:-2] in self.aliases:  # an object of a class
                return f"{self.aliases[head[:-2]]}(){path[at:]}"
            at = path.rfind(".", 0, at)
        return path

    def find(self, path: str, c: bool = False) -> RankCall | None:
        """What is declared of *path*; of C, what only C has by that name comes first."""
        if c and f"c:{path}" in self.calls:
            return self.calls[f"c:{path}"]
        if path not in self.found:
            found = self.calls.get(self.resolve(path))
            if found is None and "()" in path:
                found = self.calls.get("*." + path.rpartition(".")[2])
            self.found[path] = found
        return self.found[path]


def extended(file: RankFile) -> Known:
    """The built-in declarations with a user's laid over them."""
    return Known([*_files(), file]) if file != RankFile() else builtin()


@functools.cache
def builtin() -> Known:
    """Everything under lockorder/knowledge/ranks."""
    return Known(_files())


@functools.cache
def _files() -> list[RankFile]:
    folder = resources.files("lockorder.knowledge") / "ranks"
    names = sorted(f.name for f in folder.iterdir() if f.name.endswith(".toml"))
    texts = [(folder / n).read_text(encoding="utf-8") for n in names]
    return [msgspec.convert(tomllib.loads(t), RankFile) for t in texts]
