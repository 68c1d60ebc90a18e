"""Locks a second of each recorded process that took many: ``rates.py FOLDER``.

Counted are the locks with a record of their own, which leaves out those that were taken less than a
thousand times and never in an order; so the rate is at least what is printed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from runtime_probe.trace import FILE_PATTERN, read_trace


def main(folder: str) -> None:
    for path in sorted(Path(folder).glob(FILE_PATTERN)):
        trace = read_trace(path)
        taken = sum(stat.acquisitions for stat in trace.stats.values())
        ends = [thread.end_ns for thread in trace.threads.values()]
        ends += [call.time_ns for call in trace.blocked] + [edge.time_ns for edge in trace.edges]
        seconds = (max(ends, default=0) - trace.header.start_monotonic_ns) / 1e9
        if taken > 100_000 and seconds > 0:
            print(
                f"rank {trace.header.rank}: {taken} locks in {seconds:.1f} s, "
                f"{taken / seconds / 1e6:.2f} million a second"
            )


if __name__ == "__main__":
    main(sys.argv[1])
