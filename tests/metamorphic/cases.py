"""One program, written in several ways, and what the analysis says of each."""

from __future__ import annotations

import enum
import random
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from lockorder.commands.checked import to_document
from lockorder.model import Document
from lockorder.rules import RULES
from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from metamorphic import programs
from metamorphic.comparing import Told, difference, in_old_words
from metamorphic.reading import Error, Reading, noted_errors, read_program
from metamorphic.transformations import ALL, IN_ORDER, Variant

_RULES = frozenset(r.id for r in RULES)
#: Errors of clang that are told of what it does not accept.
_TOLD = 5


class Verdict(enum.Enum):
    """What came of one case."""

    SAME = "same"
    #: places are in another order now, and others stand for findings that several can stand for
    ANOTHER_CHOICE = "another choice"
    #: as many findings of each rule, told of other places or locks
    OTHER_PLACES = "other places"
    DIFFERENT = "different"
    #: the transformation has nothing to do in the program
    NOT_APPLICABLE = "not applicable"
    #: clang does not accept what came out of it
    NOT_ACCEPTED = "not accepted"


class Case(NamedTuple):
    """A program, a transformation of it, the seed of its choices, and what came of it."""

    program: str
    transformation: str
    seed: int
    verdict: Verdict
    text: str = ""


class Original:
    """A program to be written differently; it lies in a temporary folder meanwhile."""

    def __init__(self, path: Path, name: str, structure: bool = True) -> None:
        self.name = name
        self._structure = structure
        self._folder = Path(tempfile.mkdtemp(prefix="metamorphic-"))
        self.plain = Variant(programs.assemble(programs.whole(programs.read(path))))
        with noted_errors() as errors:
            self.document = self._analysed(self.plain)
        self._errors = errors
        self.told = Told(self.document, self.plain)

    def close(self) -> None:
        """Take the folder away."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def reading(self) -> Reading:
        """What clang says of it."""
        folder = self._lay_out(self.plain)
        return read_program(folder, self.plain.files.texts, self._structure)

    def case(self, found: Reading, transformation: str, seed: int) -> Case:
        """Write the program in one way and compare."""
        chance = random.Random(f"{seed} {self.name} {transformation}")
        try:
            variant = ALL[transformation](found, chance)
        except programs.NotApplicableError as reason:
            return self._told(transformation, seed, Verdict.NOT_APPLICABLE, str(reason))
        with noted_errors() as errors:
            document = self._analysed(variant)
        after = Told(document, variant)
        text = difference(self.told.stories, after.stories)
        more = len(errors) - len(self._errors)
        if not text:
            verdict = Verdict.SAME
        elif more > 0:
            verdict, text = (
                Verdict.NOT_ACCEPTED,
                f"{more} errors more\n{self._new(errors, variant)}{text}",
            )
        elif self.told.kinds != after.kinds:
            verdict = Verdict.DIFFERENT
        elif transformation in IN_ORDER:
            verdict = Verdict.OTHER_PLACES
        elif self.told.verdicts == after.verdicts:
            verdict = Verdict.ANOTHER_CHOICE
        else:
            verdict = Verdict.OTHER_PLACES
        return self._told(transformation, seed, verdict, text)

    def _told(self, transformation: str, seed: int, verdict: Verdict, text: str) -> Case:
        return Case(self.name, transformation, seed, verdict, text)

    def _new(self, errors: Iterable[Error], variant: Variant) -> str:
        """The first errors in lines of the original that had none."""
        before = {self._place(e, self.plain) for e in self._errors}
        new = sorted({(self._place(e, variant), in_old_words(e.text, variant)) for e in errors})
        told = [f"  {p.file}:{p.line}: {text}\n" for p, text in new if p not in before]
        return "".join(told[:_TOLD])

    def _place(self, error: Error, variant: Variant) -> programs.Place:
        name = programs.folder_of(Path(error.file), self._folder / "program")
        known = variant.files.origin(name, error.line)
        return known if name else programs.Place(error.file, error.line)

    def _lay_out(self, variant: Variant) -> Path:
        folder = self._folder / "program"
        shutil.rmtree(folder, ignore_errors=True)
        variant.files.write(folder)
        return folder

    def _analysed(self, variant: Variant) -> Document:
        folder = self._lay_out(variant)
        options = Options(
            inline=not variant.jobs, jobs=variant.jobs, root=folder, cache=not variant.jobs
        )
        return to_document(analyse([folder], options), select=_RULES)


def cases(
    path: Path, name: str, wanted: Mapping[str, int] | Iterable[str], seed: int
) -> Iterator[Case]:
    """The program at *path* written in all *wanted* ways."""
    original = Original(path, name)
    try:
        found = original.reading()
        for transformation in wanted:
            yield original.case(found, transformation, seed)
    finally:
        original.close()
