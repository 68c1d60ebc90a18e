"""Asks `lockorder hang` for every program of the table, and prints a line for each answer.

python tests/hangs/table.py [--only REGEX] [--which hung|healthy] [--looks N] [--cores] [-j N]
                             [--wrong]
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))  # compilers.py

from scenarios import ACCUSES, CannotStartError, Scenario, scenarios
from start import Answer, Started, first_line, of_cores, started

_SETTLED = 0.5  # seconds after which who has said that it stands does


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--only", metavar="REGEX", default="", help="scenarios FILE-NAME that match"
    )
    parser.add_argument("--which", choices=["all", "hung", "healthy"], default="all")
    parser.add_argument("--looks", type=int, default=1, help="how often each is looked at")
    parser.add_argument("--cores", action="store_true", help="of cores; only what stands still")
    parser.add_argument("-j", type=int, default=4, help="how many at once")
    parser.add_argument("--wrong", action="store_true", help="print no right ones")
    given = parser.parse_args()
    chosen = [
        each
        for each in scenarios()
        if re.search(given.only, each.id)
        and given.which in ("all", "hung" if each.hung else "healthy")
        and (not given.cores or each.claim == "still")  # a core does not show what moves
    ]
    ask = of_cores if given.cores else first_line
    begun = time.monotonic()
    with ThreadPoolExecutor(given.j) as pool:
        lines = pool.map(lambda each: _answers(each, ask, given.looks), chosen)
        answers = []
        for scenario, found in zip(chosen, lines, strict=True):
            if isinstance(found, str):
                print(f"skip   {scenario.id}: {found}", flush=True)
                continue
            answers.append((scenario, found))
            if not given.wrong or not all(each.right for each in found):
                print(_told(scenario, found), flush=True)
    print(_summary(answers, time.monotonic() - begun))
    return int(not all(each.right for _, found in answers for each in found))


def _answers(
    scenario: Scenario, ask: Callable[[Started], Answer], looks: int
) -> list[Answer] | str:
    try:
        with started(scenario) as program:
            time.sleep(_SETTLED)
            return [ask(program) for _ in range(looks)]
    except CannotStartError as missing:
        return str(missing)


def _told(scenario: Scenario, answers: list[Answer]) -> str:
    """Of several looks, the worst."""
    worst = max(answers, key=lambda each: len(each.wrong))
    text = f"{'right' if worst.right else 'WRONG'}  {scenario.id} ({scenario.claim})"
    text += f"  exit {worst.code}, {worst.seconds:.1f} s\n    {worst.line}"
    return "".join([text, *(f"\n    misses {each}" for each in worst.wrong)])


def _summary(answers: list[tuple[Scenario, list[Answer]]], seconds: float) -> str:
    hung = [found for scenario, found in answers if scenario.hung]
    well = [found for scenario, found in answers if not scenario.hung]
    blamed = [
        any(each.code or ACCUSES.search(scenario.words(each.line)) for each in found)
        for scenario, found in answers
        if not scenario.hung
    ]
    right = sum(all(each.right for each in some) for some in hung)
    fine = sum(all(each.right for each in some) for some in well)
    found = sum(all(each.code == 1 for each in some) for some in hung)
    times = sorted(each.seconds for _, some in answers for each in some) or [0.0]
    return (
        f"hung: {right} of {len(hung)} right, {found} with exit 1; "
        f"healthy: {fine} of {len(well)} right, {sum(blamed)} accused; "
        f"a look lasts {times[len(times) // 2]:.1f} s, at most {times[-1]:.1f} s;"
        f" {seconds:.0f} s in all"
    )


if __name__ == "__main__":
    sys.exit(main())
