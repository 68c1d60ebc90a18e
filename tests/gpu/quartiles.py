"""A row of the table of costs: ``quartiles.py NAME PAIRS``; PAIRS has plain and recorded times."""

from __future__ import annotations

import statistics
import sys
from pathlib import Path


def row(name: str, pairs: list[tuple[float, float]]) -> str:
    """The times of both (ms), and the quartiles of recorded over plain, as a row of Markdown."""
    ratios = [recorded / plain for plain, recorded in pairs]
    quarters = statistics.quantiles(ratios, n=4, method="inclusive")
    plain, recorded = (statistics.median(column) for column in zip(*pairs, strict=True))
    low, middle, high = (f"{q:.3f}" for q in quarters)
    return f"| {name} | {len(pairs)} | {plain:.2f} | {recorded:.2f} | {low} | {middle} | {high} |"


if __name__ == "__main__":
    print("| job | pairs | plain, ms a step | recorded | quartile | **median** | quartile |")
    print("|---|---|---|---|---|---|---|")
    lines = (line.split() for line in Path(sys.argv[2]).read_text().splitlines())
    times = [(float(a), float(b)) for a, b in lines]
    whole = [pair for pair in times if pair[0] == pair[0] and pair[1] == pair[1]]
    if len(whole) < len(times):
        print(f"{len(times) - len(whole)} of {len(times)} pairs failed and are left out")
    print(row(sys.argv[1], whole) if len(whole) > 1 else f"| {sys.argv[1]} | too few pairs |")
