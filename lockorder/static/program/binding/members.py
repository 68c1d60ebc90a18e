"""Names without a declaration in functions that clang has read: members of the class around them.

Where a declaration or a type is missing, clang drops a call, and its text gives the name alone.  In
a method, and in a lambda within one, a plain name is looked up in the class and its bases before
anything outside of them ([class.member.lookup], [basic.lookup.unqual]).  ``Base::method`` is the
base's, and no overrider of it ([class.virtual]).
"""

from __future__ import annotations

from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import Decl
from lockorder.static.parse.recovery.spellings import plain_name
from lockorder.static.program.binding.lookup import Lookup
from lockorder.static.program.link import Program


def bind_members(program: Program) -> None:
    """Bind calls by a name alone to the methods and callable fields that they mean."""
    lookup: Lookup | None = None
    for function in program.functions.values():
        home = program.home(function)  # a lambda sees the members of the method around it
        if home is None or not home.cls:
            continue
        for call in f.walk(function.body):
            if isinstance(call, f.Call) and _is_alone(call.target):
                lookup = lookup or Lookup(program)
                _bind(program, lookup, home.cls, function.file, call)


def _is_alone(target: f.Value) -> bool:
    """Whether a name stands alone, with no object before it: plain, or with classes around it."""
    if not isinstance(target, f.Name) or target.base is not None or target.whole:
        return False
    return all(part.isidentifier() for part in plain_name(target.text).split("::"))


def _bind(program: Program, lookup: Lookup, cls: str, file: str, call: f.Call) -> None:
    assert isinstance(call.target, f.Name)
    outer, _, text = plain_name(call.target.text).rpartition("::")
    home = lookup.base(cls, outer) if outer else cls
    if not home:
        return
    found = lookup.member(home, text, file)
    if found is None:
        return
    if found.kind == "field":
        call.target = f.Field(f.This(), found.keys[0])
    elif found.kind == "function":
        fitting = [u for u in found.keys if _takes(program.decls[u], len(call.args))]
        if len(fitting) == 1:
            usr = fitting[0]
            call.target = f.Fn(usr, None if lookup.is_static(usr) else f.This())
            call.virtual = not outer and lookup.virtual(usr)
        else:  # which of them depends on types that are not known
            call.target = f.Name(call.target.text, f.This())


def _takes(decl: Decl, count: int) -> bool:
    """Whether *count* arguments can be given; clang's declarations do not say what has defaults."""
    return max(decl.required, 0) <= count <= decl.params or decl.types[-1:] == ["..."]
