"""Which preprocessor branches of a file are off, without a compiler: for what libclang cannot read.

Known are the macros that flags define, those that the file itself defines, and what a compiler for
C++ on Linux always does.  A name that none of them defines is not defined, as in the C
preprocessor (C17 6.10.1); an expression that cannot be evaluated leaves its branch on.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence

from lockorder.static.discovery.blanks import COMMENT, blanked

_DIRECTIVE = re.compile(
    rb"^[ \t]*#[ \t]*(ifdef|ifndef|if|elif|else|endif|define|undef)\b((?:\\\r?\n|[^\n])*)", re.M
)
_DEFINED = re.compile(r"\bdefined\s*(?:\(\s*(\w+)\s*\)|(\w+))")
_ASKED = re.compile(r"\b__has_\w+\s*\([^()]*\)")
_NAME = re.compile(r"\b[A-Za-z_]\w*\b")
_NUMBER = re.compile(r"\b(0[xX][0-9A-Fa-f]+|\d[\d']*)[uUlLzZ]*\b")
_ALWAYS = {"__cplusplus": "201703", "__linux__": "1", "__unix__": "1", "__GNUC__": "12",
           "__clang__": "1", "__x86_64__": "1", "__STDC__": "1", "__LP64__": "1"}  # fmt: skip

_OPERATORS: dict[type[ast.AST], Callable[..., int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
    ast.LShift: operator.lshift, ast.RShift: operator.rshift, ast.Mod: operator.mod,
    ast.FloorDiv: operator.floordiv, ast.Eq: operator.eq, ast.NotEq: operator.ne,
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert,
    ast.Not: operator.not_,
}  # fmt: skip


def switched_off(
    data: bytes, flags: Sequence[str], more: Mapping[str, str] | None = None
) -> list[tuple[int, int]]:
    """Byte ranges of *data* in branches that are off under *flags* (``-DNAME=1`` and the like).

    *more* are macros that other files define.
    """
    code = blanked(COMMENT, data)
    macros = {**_ALWAYS, **(more or {}), **given(flags)}
    found: list[tuple[int, int]] = []
    #: for each open conditional: whether a branch was on, whether this one is, where it begins
    open_: list[tuple[bool, bool, int]] = []
    for match in _DIRECTIVE.finditer(code):
        word = match.group(1).decode()
        rest = match.group(2).decode(errors="replace").replace("\\\n", " ").strip()
        on = all(here for _, here, _ in open_)
        if word in ("if", "ifdef", "ifndef"):
            taken = on and _holds(word, rest, macros)
            open_.append((taken, taken, match.end()))
        elif word in ("elif", "else", "endif") and open_:
            was, here, start = open_.pop()
            if not here:
                found.append((start, match.start()))
            if word != "endif":
                outer = all(above for _, above, _ in open_)
                taken = outer and not was and (word == "else" or _holds("if", rest, macros))
                open_.append((was or taken, taken, match.end()))
        elif on and word == "define":
            name, _, value = rest.partition(" ")
            if "(" not in name:
                macros[name] = value.strip()
        elif on and word == "undef":
            macros.pop(rest, None)
    return found


def given(flags: Sequence[str]) -> dict[str, str]:
    """The macros that flags define, without parameters, and their values."""
    found: dict[str, str] = {}
    pending = iter(flags)
    for flag in pending:
        if flag.startswith(("-D", "-U")):
            name, equals, value = (flag[2:] or next(pending, "")).partition("=")
            if flag[1] == "D":
                found[name] = value if equals else "1"
            else:
                found.pop(name, None)
    return found


def _holds(word: str, text: str, macros: dict[str, str]) -> bool:
    if word != "if":
        return (text.split(" ", maxsplit=1)[0] in macros) == (word == "ifdef")
    text = _DEFINED.sub(lambda m: str(int((m.group(1) or m.group(2)) in macros)), text)
    text = _ASKED.sub("0", text)
    text = _expanded(text, macros, frozenset())
    text = _NUMBER.sub(lambda m: str(int(m.group(1).replace("'", ""), 0)), text)
    text = text.replace("&&", " and ").replace("||", " or ").replace("/", "//")
    text = re.sub(r"!(?!=)", " not ", text)
    try:
        return bool(_value(ast.parse(text.strip(), mode="eval").body))
    except (SyntaxError, ValueError, ArithmeticError, KeyError, RecursionError):
        return True


def _expanded(text: str, macros: Mapping[str, str], inside: frozenset[str]) -> str:
    """*text* with macros replaced; a name that is left, its own inside of it too, is 0."""

    def replaced(match: re.Match[str]) -> str:
        name = match.group(0)
        new = macros.get(name) if name not in inside else None
        return f"({_expanded(new, macros, inside | {name})})" if new else "(0)"

    return _NAME.sub(replaced, text)


def _value(node: ast.AST) -> int:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if isinstance(node, ast.BoolOp):
        values = [_value(v) for v in node.values]
        return int(all(values) if isinstance(node.op, ast.And) else any(values))
    if isinstance(node, ast.BinOp):
        return _OPERATORS[type(node.op)](_value(node.left), _value(node.right))
    if isinstance(node, ast.UnaryOp):
        return int(_OPERATORS[type(node.op)](_value(node.operand)))
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return int(_OPERATORS[type(node.ops[0])](_value(node.left), _value(node.comparators[0])))
    raise ValueError("not an expression of numbers")
