"""Names without a declaration in functions that clang has read: what they mean where they stand.

Where a declaration or a type is missing, or a template's arguments decide, clang leaves a call
open, and its text gives the name alone.  In a method, and in a lambda within one, a plain name is
looked up in the class and its bases before anything outside of them, and then in the namespaces
around, from the innermost ([class.member.lookup], [basic.lookup.unqual]).  ``Base::method`` is the
base's, and no overrider of it ([class.virtual]).
"""

from __future__ import annotations

from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import Decl
from lockorder.static.parse.recovery.spellings import plain_name
from lockorder.static.program.binding.lookup import Lookup
from lockorder.static.program.link import Program


def bind_dropped(program: Program) -> None:
    """Bind calls by a name alone to the functions and callable fields that they mean."""
    lookup: Lookup | None = None
    for function in program.functions.values():
        home = program.home(function)  # a lambda sees the members of the method around it
        for call in f.walk(function.body):
            if isinstance(call, f.Call) and _is_alone(call.target):
                lookup = lookup or Lookup(program)
                if home is None or not home.cls or not _member(program, lookup, home, call):
                    _outside(program, lookup, home or function, call)


def _is_alone(target: f.Value) -> bool:
    """Whether a name stands alone, with no object before it: plain, or with scopes around it."""
    if not isinstance(target, f.Name) or target.base is not None or target.whole:
        return False
    return all(part.isidentifier() for part in plain_name(target.text).split("::"))


def _member(program: Program, lookup: Lookup, home: f.Function, call: f.Call) -> bool:
    """Bind *call* to a member of the class of *home* or of its bases; False where none is meant."""
    assert isinstance(call.target, f.Name)
    outer, _, text = plain_name(call.target.text).rpartition("::")
    cls = lookup.base(home.cls, outer) if outer else home.cls
    found = lookup.member(cls, text, home.file) if cls else None
    if found is None:
        return False
    if found.kind == "field":
        call.target = f.Field(f.This(), found.keys[0])
    elif found.kind == "function":
        fitting = _fitting(program, found.keys, call)
        if len(fitting) == 1:
            usr = fitting[0]
            call.target = f.Fn(usr, None if lookup.is_static(usr) else f.This())
            _with_defaults(program, call, usr)
            call.virtual = not outer and lookup.virtual(usr)
        else:  # which of them depends on types that are not known
            call.target = f.Name(call.target.text, f.This())
    return True


def _outside(program: Program, lookup: Lookup, home: f.Function, call: f.Call) -> None:
    """Bind *call* to the function of the nearest scope around *home* that has one of its name."""
    assert isinstance(call.target, f.Name)
    scope = home.cls or home.name.rpartition("::")[0]
    found = lookup.around(plain_name(call.target.text), scope, home.file)
    if found is None or found.kind != "function":
        return
    keys = [u for u in found.keys if not found.cls or lookup.is_static(u)]
    fitting = _fitting(program, keys, call)
    if len(fitting) == 1:
        call.target = f.Fn(fitting[0])
        _with_defaults(program, call, fitting[0])
    elif fitting:  # overloads of that scope, and of no other
        call.target = f.Name(found.name)


def _fitting(program: Program, keys: tuple[str, ...] | list[str], call: f.Call) -> list[str]:
    return [u for u in keys if u in program.decls and _takes(program.decls[u], len(call.args))]


def _takes(decl: Decl, count: int) -> bool:
    """Whether *count* arguments can be given; clang's declarations do not say what has defaults."""
    return max(decl.required, 0) <= count <= decl.params or decl.types[-1:] == ["..."]


def _with_defaults(program: Program, call: f.Call, usr: str) -> None:
    """Add the constants that parameters begin with which *call* leaves out."""
    decl = program.decls[usr]
    first = len(decl.defaults) - decl.params + len(call.args)
    for default in decl.defaults[first:] if first >= 0 else ():
        if not default:
            break
        call.args.append(f.Lit(default))
