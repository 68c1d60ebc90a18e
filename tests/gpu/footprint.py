"""On a machine with two NVIDIA GPUs: what the probe says communicators cost, against others' word.

    python tests/gpu/footprint.py OUT [--counts 1,4,16]

Needs PyTorch with NCCL in the interpreter that TORCH_PYTHON names (else python3), and
lockorder in this one.  For each number of process groups two ranks (footprint_rank.py) are
recorded; each looks at itself before it makes the groups and after their first all_reduce:
/proc/self/status, /proc/self/maps and nvidia-smi.  Both sides are printed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from lockorder.recorded.analyse import read_files, traces_in

MIB = 1 << 20
#: What a rank knows of itself, the part of a cost that it is held against, and its unit.
PAIRS = (
    ("anonymous", "host", MIB),
    ("driver mappings", "pinned", MIB),
    ("shared mappings", "shared", MIB),
    ("nvidia-smi", "device", MIB),
    ("threads", "threads", 1),
    ("descriptors", "files", 1),
)


def compare(number: int, folder: Path) -> None:
    """Print both sides, rank by rank."""
    batch = read_files(traces_in(folder))
    print(f"\n{number} groups a rank")
    for process in sorted(batch.footprints, key=lambda p: p.rank):
        seen_file = folder / f"seen-{process.rank}.json"
        if not seen_file.exists():
            continue
        seen = json.loads(seen_file.read_text())
        made = sum(s.made for s in process.sites)
        print(f"  rank {process.rank}: {made} communicators, NCCL {process.version}")
        # The probe has the default group's as well, the first: only the others are compared.
        for name, field, scale in PAIRS:
            ours = 0.0
            for place, site in enumerate(process.sites):
                line = site.lines.get(field)
                mean = getattr(site.total, field) / max(1, site.made)
                ours += (
                    (line.each if line is not None else mean) * (site.made - (place == 0)) / scale
                )
            print(f"    {name:16} others {seen[name]:10.1f}   lockorder {ours:10.1f}")
    for problem in batch.problems:
        print(f"  problem: {problem}")


def main() -> int:
    """Record each number of groups, and compare."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--counts", default="1,4,16")
    options = arguments.parse_args()
    python = os.environ.get("TORCH_PYTHON", "python3")
    for number in map(int, options.counts.split(",")):
        folder = options.out / f"groups-{number}"
        folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "lockorder", "run", "-o", str(folder), "--"]
        command += [python, "-m", "torch.distributed.run", "--nproc-per-node=2", "--standalone"]
        command += [str(Path(__file__).with_name("footprint_rank.py")), str(folder), str(number)]
        code = subprocess.run(command, check=False).returncode
        if code != 0:
            print(f"{number} groups: ended with {code}", file=sys.stderr)
            return 1
        compare(number, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
