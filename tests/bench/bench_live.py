"""What ``lockorder run --live`` costs: the job, and of a core.

    bench_live.py [--rounds N] [--seconds S]

Lock and unlock pairs of two threads (fixtures/programs/lock_pairs.c), in turns without a view
(`run -q`) and with one, on a terminal of 40 x 140: the median of the ratios of the job's processor
time, which other load on the machine changes less than times by the clock. Then eight ranks with
sixteen threads each that take locks, wait and sleep: the share of a core that the view itself and
the process that reads for it have used. Nothing is asserted here.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import re
import select
import statistics
import struct
import sys
import tempfile
import termios
import time
from pathlib import Path

from bench_probe import build

from runtime_probe.processes import children

LOCKORDER = [sys.executable, "-m", "lockorder", "run", "--exit-zero"]
RANKS = """
import os, sys, threading, time
for rank in range(7):
    if os.fork() == 0:
        os.environ["RANK"] = str(rank)
        break
else:
    os.environ["RANK"] = "7"
os.execv(sys.executable, [sys.executable, "-c", '''
import random, threading, time
locks = [threading.Lock() for _ in range(64)]
end = time.monotonic() + SECONDS
def work(seed):
    chosen = random.Random(seed)
    while time.monotonic() < end:
        a, b = sorted(chosen.sample(range(64), 2))
        with locks[a]:
            with locks[b]:
                time.sleep(0.002)
        time.sleep(0.05)
threads = [threading.Thread(target=work, args=(n,)) for n in range(16)]
for thread in threads: thread.start()
for thread in threads: thread.join()
'''])
"""


def cpu(pid: int) -> float:
    """Seconds of processor time of one process (proc(5), /proc/PID/stat)."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def is_reader(pid: int) -> bool:
    """It alone has the lowest priority."""
    try:
        return os.getpriority(os.PRIO_PROCESS, pid) == 19
    except OSError:
        return False


def processor_seconds(times: str) -> float:
    """Of the children of a shell, by its last words (times(1p))."""
    return sum(
        60 * float(minutes) + float(seconds)
        for minutes, seconds in re.findall(r"([0-9]+)m([0-9.]+)s", times.splitlines()[-1])
    )


def run(command: list[str]) -> tuple[float, float, float]:
    """On a terminal: processor seconds of lockorder and of its reader, and seconds till then."""
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 140, 0, 0))
        os.execve(command[0], command, {**os.environ, "TERM": "xterm"})
    start = first = None
    own = reader = seconds = 0.0
    while True:
        ready, _, _ = select.select([terminal], [], [], 0.2)
        try:
            if ready and not os.read(terminal, 65536):
                break
        except OSError:
            break
        below = children(pid)
        if not below:
            continue
        if start is None:  # its own start, and loading Python, are those of every run
            start, first = time.monotonic(), cpu(pid)
        own, seconds = cpu(pid) - (first or 0.0), time.monotonic() - start
        reader = max([reader, *(cpu(c) for c in below if is_reader(c))])
    os.waitpid(pid, 0)
    os.close(terminal)
    return own, reader, seconds


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=int, default=7)
    options.add_argument("--seconds", type=float, default=30)
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program, out = build(folder, "plain"), folder / "out"
        assert program is not None, "the program does not compile"
        ratios = []
        for number in range(asked.rounds):
            took = {}
            # Who is first in a round changes, should the machine get slower meanwhile.
            for how in ["-q", "--live"] if number % 2 else ["--live", "-q"]:
                job = f"{{ {program} 2 2 200000000; times; }} > {out}"
                run([*LOCKORDER, how, "-o", str(folder / f"{number}{how}"), "--", "sh", "-c", job])
                took[how] = processor_seconds(out.read_text())
            ratios.append(took["--live"] / took["-q"])
            print(f"round {number + 1}: {took['-q']:.2f} s, with the view {took['--live']:.2f} s")
        print(f"with the view / without: median {statistics.median(ratios):.3f}, "
              f"from {min(ratios):.3f} to {max(ratios):.3f}")  # fmt: skip
        ranks = folder / "ranks.py"
        ranks.write_text(RANKS.replace("SECONDS", str(asked.seconds)))
        job = f"{sys.executable} {ranks}; sleep {asked.seconds}"
        own, reader, seconds = run(
            [*LOCKORDER, "--live", "-o", str(folder / "ranks"), "--", "sh", "-c", job]
        )
        print(f"8 ranks, 16 threads each, {seconds:.0f} s: the view {own / seconds:.1%} of a core, "
              f"its reader {reader / seconds:.1%}")  # fmt: skip


if __name__ == "__main__":
    main()
