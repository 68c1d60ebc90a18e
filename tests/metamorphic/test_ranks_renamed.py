"""Python programs of several ranks, written differently, have the same stories.

A seeded sample of ``fixtures/ranks/python``: local names are others, a function that has nothing to
do with it stands in between, functions stand in another order.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import random
from collections import Counter
from pathlib import Path

import pytest

from lockorder.ranks.check import analyse, gather
from lockorder.ranks.knowledge import builtin
from ranks_corpus import ROOT, files_of, programs, rule_of, stories_of

SAMPLE = sorted(random.Random(2026).sample(programs("python"), 40))
UNRELATED = """
def unrelated_words_of(lines):
    found = {}
    for line in lines:
        for word in line.split():
            found[word] = found.get(word, 0) + 1
    return sorted(found.items())
"""


def _defined(tree: ast.Module) -> set[str]:
    """Names that a file defines itself: functions, variables, parameters; none that it imports."""
    names: set[str] = set()
    kept: set[str] = set(dir(builtins)) | set(keyword.kwlist)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            kept |= {(a.asname or a.name).partition(".")[0] for a in node.names}
        elif isinstance(node, ast.ClassDef):
            # What is in a class is an attribute as well.
            kept |= {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
            assigned = [n for n in ast.walk(node) if isinstance(n, ast.AnnAssign | ast.Assign)]
            targets = [
                t for n in assigned for t in getattr(n, "targets", [getattr(n, "target", n)])
            ]
            kept |= {t.id for t in targets if isinstance(t, ast.Name)}
        elif isinstance(node, ast.Attribute):
            kept.add(node.attr)
        elif isinstance(node, ast.keyword) and node.arg is not None:
            kept.add(node.arg)
        elif isinstance(node, ast.arg):
            kept.add(node.arg)  # may be given by its name, and says what it is to a library
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            kept |= set(node.value.split())
    return {n for n in names - kept if not n.startswith("__")}


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self.names.get(node.id, node.id)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.name = self.names.get(node.name, node.name)
        self.generic_visit(node)
        return node

    def _declared(self, node: ast.Global | ast.Nonlocal) -> ast.Global | ast.Nonlocal:
        node.names = [self.names.get(n, n) for n in node.names]
        return node

    visit_Global = _declared
    visit_Nonlocal = _declared

    def visit_MatchAs(self, node: ast.MatchAs) -> ast.MatchAs:
        node.name = self.names.get(node.name or "", node.name)
        self.generic_visit(node)
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        node.name = self.names.get(node.name or "", node.name)
        self.generic_visit(node)
        return node


def renamed(text: str, seed: int, names: set[str]) -> str:
    order = sorted(names)
    random.Random(seed).shuffle(order)
    return ast.unparse(
        _Renamed({n: f"v{i}_{n[:1]}" for i, n in enumerate(order)}).visit(ast.parse(text))
    )


def reordered(text: str, seed: int) -> str:
    """Functions that nothing is done between stand in another order."""
    tree = ast.parse(text)
    body: list[ast.stmt] = []
    run: list[ast.stmt] = []

    def flush() -> None:
        random.Random(seed).shuffle(run)
        body.extend(run)
        run.clear()

    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.decorator_list and not node.args.defaults:
            run.append(node)
        else:
            flush()
            body.append(node)
    flush()
    tree.body = body
    return ast.unparse(tree)


def extended(text: str) -> str:
    """A function more, at the first place at which one may stand."""
    tree = ast.parse(text)
    at = next(
        (i for i, n in enumerate(tree.body) if isinstance(n, ast.FunctionDef | ast.ClassDef)),
        len(tree.body),
    )
    tree.body[at:at] = ast.parse(UNRELATED).body
    return ast.unparse(tree)


def rules(program: str) -> Counter[str]:
    return Counter(rule_of(s) for s in stories_of(program))


def changed(program: str, folder: Path, how: str, seed: int = 7) -> Counter[str]:
    """The rules of what is told of a program that is written differently."""
    files: list[Path] = []
    texts = {f: f.read_text(encoding="utf-8") for f in files_of(program)}
    # Of several files only what each has to itself is called otherwise.
    defined = [(f, _defined(ast.parse(t))) for f, t in texts.items()]
    for file, text in texts.items():
        others = "\n".join(t for f, t in texts.items() if f != file)
        names = {n for f, d in defined if f == file for n in d if n not in others}
        if how in ("renamed", "all"):
            text = renamed(text, seed, names)
        if how in ("reordered", "all"):
            text = reordered(text, seed)
        if how in ("extended", "all"):
            text = extended(text)
        target = folder / file.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        files.append(target)
    return Counter(
        rule_of(s)
        for s in analyse(gather(files, [], builtin()), folder, builtin(), jobs=1).divergences
    )


@pytest.mark.parametrize("how", ["renamed", "extended", "reordered", "all"])
@pytest.mark.parametrize("program", SAMPLE)
def test_the_same_stories(program: str, how: str, tmp_path: Path) -> None:
    assert changed(program, tmp_path, how) == rules(program)


def test_the_sample_has_both_kinds() -> None:
    """And what is changed is something: names of each program, functions of many."""
    assert {bool(rules(p)) for p in SAMPLE} == {True, False}
    moved = 0
    for program in SAMPLE:
        for file in files_of(program):
            text = file.read_text(encoding="utf-8")
            assert _defined(ast.parse(text)) or text.count("\n") < 10, file
            moved += reordered(text, 7) != ast.unparse(ast.parse(text))
    assert moved >= len(SAMPLE) // 4
