"""What PyTorch's own analyser makes of the dumps in a folder, as JSON.

Prints, for each collective that it found: group, number, name, whether it was matched, the ranks
that did not come and those that did something else.
"""

from __future__ import annotations

import contextlib
import json
import sys

from torch.distributed.flight_recorder.components.builder import build_db
from torch.distributed.flight_recorder.components.config_manager import JobConfig
from torch.distributed.flight_recorder.components.loader import read_dir


def main(folder: str, prefix: str) -> None:
    with contextlib.redirect_stdout(sys.stderr):
        arguments = JobConfig().parse_args([folder, "--prefix", prefix, "--allow-incomplete-ranks"])
        details, version = read_dir(arguments)
        database = build_db(details, arguments, version)
    found = [
        {
            "group": one.group_id,
            "number": one.collective_seq_id,
            "name": one.collective_name,
            "matched": one.pass_check and not one.missing_ranks,
            "missing": sorted(one.missing_ranks or ()),
            "others": sorted(one.mismatch_collectives or ()),
        }
        for one in database.collectives
    ]
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
