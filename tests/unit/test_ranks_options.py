"""What options are worth by default, and what is told of programs whose groups they make."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.model import LockGraph
from lockorder.rules import collective_divergence
from lockorder.rules.evidence import Divergence, Evidence, Observed
from ranks_run import TORCH, checked, issued

START = "import os\n" + TORCH + "t = torch.zeros(1)\n"
PARSER = "import argparse\np = argparse.ArgumentParser()\n"
#: A group of so many ranks beside each other.
GROUPS = """\
size = dist.get_world_size()
groups = [dist.new_group(list(range(s, s + tp))) for s in range(0, size, tp)]
dist.all_reduce(t, group=groups[rank // tp])
"""

#: Ways in which a program has two as the default of an option.
WAYS = {
    "argparse": PARSER + "p.add_argument('--tp', type=int, default=2)\ntp = p.parse_args().tp\n",
    "long name": PARSER + (
        "p.add_argument('-t', '--tp-size', type=int, default=2)\ntp = p.parse_args().tp_size\n"
    ),
    "dest": PARSER + "p.add_argument('-t', dest='n', default=2)\ntp = p.parse_args().n\n",
    "text": PARSER + "p.add_argument('--tp', type=int, default='2')\ntp = p.parse_args().tp\n",
    "left out": PARSER + "p.add_argument('tp', nargs='?', default=2)\ntp = p.parse_args().tp\n",
    "group": PARSER + (
        "g = p.add_argument_group('x')\ng.add_argument('--tp', default=2)\ntp = p.parse_args().tp\n"
    ),
    "known": PARSER + (
        "p.add_argument('--tp', default=2)\nargs, rest = p.parse_known_args()\ntp = args.tp\n"
    ),
    "first of the known": PARSER + (
        "p.add_argument('--tp', default=2)\nargs = p.parse_known_args()[0]\ntp = args.tp\n"
    ),
    "set": PARSER + (
        "p.add_argument('--tp', default=4)\np.set_defaults(tp=2)\ntp = p.parse_args().tp\n"
    ),
    "switch": PARSER + (
        "p.add_argument('--wide', action='store_true')\ntp = 4 if p.parse_args().wide else 2\n"
    ),
    "none": PARSER + "p.add_argument('--tp')\nargs = p.parse_args()\ntp = args.tp or 2\n",
    "parent": "import argparse\nq = argparse.ArgumentParser(add_help=False)\n"
    "q.add_argument('--tp', default=2)\np = argparse.ArgumentParser(parents=[q])\n"
    "tp = p.parse_args().tp\n",
    "function": "import argparse\ndef options():\n  p = argparse.ArgumentParser()\n"
    "  p.add_argument('--tp', type=int, default=2)\n  return p.parse_args()\ntp = options().tp\n",
    "environment": "tp = int(os.environ.get('TP', '2'))\n",
    "getenv": "tp = int(os.getenv('TP', 2))\n",
    "dataclass": "from dataclasses import dataclass, field\n"
    "from transformers import HfArgumentParser, TrainingArguments\n"
    "@dataclass\nclass Split:\n  tp: int = field(default=2, metadata={})\n"
    "split, args = HfArgumentParser((Split, TrainingArguments)).parse_args_into_dataclasses()\n"
    "tp = split.tp\n",
    "one dataclass": "import tyro\nfrom dataclasses import dataclass\n"
    "@dataclass\nclass Split:\n  tp: int = 2\ntp = tyro.cli(Split).tp\n",
    "absl": "from absl import flags\nflags.DEFINE_integer('tp', 2, 'ranks')\ntp = flags.FLAGS.tp\n",
    "absl value": "from absl import flags\nTP = flags.DEFINE_integer('tp', 2, 'ranks')\n"
    "tp = TP.value\n",
    "typer": "import typer\ndef size(tp: int = typer.Option(2)): return tp\ntp = size()\n",
    "click": "import click\n@click.command()\n@click.option('--tp', default=2)\n"
    "def size(tp): return tp\ntp = size()\n",
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_ways_to_have_a_default(tmp_path: Path, way: str) -> None:
    text = START + WAYS[way] + GROUPS
    found = issued(tmp_path, text, 4, defaults=True)
    assert [row[-1] for row in found] == ["all_reduce{0,1}"] * 2 + ["all_reduce{2,3}"] * 2
    assert "all_reduce{0,1}" not in issued(tmp_path, text, 4)[0]


#: What has no default, or is no option of the program's.
OTHERS = {
    "required": PARSER + "p.add_argument('--tp', type=int, required=True)\n"
    "tp = p.parse_args().tp\n",
    "in its place": PARSER + "p.add_argument('tp', type=int)\ntp = p.parse_args().tp\n",
    "suppressed": PARSER + "p.add_argument('--tp', default=argparse.SUPPRESS)\n"
    "tp = p.parse_args().tp\n",
    "given": PARSER + "p.add_argument('--tp', default=2)\ntp = p.parse_args(['--tp', '4']).tp\n",
    "never declared": PARSER + "tp = p.parse_args().tp\n",
    "no default": "tp = int(os.environ.get('TP'))\n",
    "typer": "import typer\ndef size(tp: int = typer.Option(...)): return tp\ntp = size()\n",
}


@pytest.mark.parametrize("way", OTHERS)
def test_what_has_no_default(tmp_path: Path, way: str) -> None:
    found = issued(tmp_path, START + OTHERS[way] + GROUPS, 4, defaults=True)
    assert "all_reduce{0,1}" not in found[0]


@pytest.mark.parametrize(
    "test",
    [
        "int(os.environ.get('RANK', '0')) == 0",
        "int(os.getenv('RANK', 0)) == 0",
        "int(os.environ.get('WORLD_SIZE', '1')) == 2 and rank == 0",
        "p.parse_args().local_rank == 0",
    ],
)
def test_what_launchers_set_stays_a_rank_s_own(tmp_path: Path, test: str) -> None:
    options = PARSER + "p.add_argument('--local_rank', type=int, default=-1)\n"
    text = START + options + f"if {test}: dist.barrier()\n"
    assert issued(tmp_path, text, defaults=True) == [["barrier"], []]


def test_two_parsers_have_options_of_their_own(tmp_path: Path) -> None:
    text = START + PARSER + (
        "p.add_argument('--tp', default=2)\nq = argparse.ArgumentParser()\n"
        "q.add_argument('--tp', default=4)\ntp = p.parse_args().tp\nq.parse_args()\n"
    ) + GROUPS  # fmt: skip
    assert issued(tmp_path, text, 4, defaults=True)[0][-1] == "all_reduce{0,1}"


# -- what is told ---------------------------------------------------------------------------------

OPTION = PARSER + "p.add_argument('--tp', type=int, default=2)\nargs = p.parse_args()\n"
TWO = (
    OPTION
    + """\
tp = args.tp
size = dist.get_world_size()
assert size % tp == 0
for s in range(0, size, tp):
    ranks = list(range(s, s + tp))
    g = dist.new_group(ranks)
    if rank in ranks:
        rows = g
for s in range(tp):
    ranks = list(range(s, size, tp))
    g = dist.new_group(ranks)
    if rank in ranks:
        columns = g
"""
)
CROSSED = """\
if {} == 0:
    dist.all_reduce(t, group=rows)
    dist.all_reduce(t, group=columns)
else:
    dist.all_reduce(t, group=columns)
    dist.all_reduce(t, group=rows)
"""


def told(folder: Path, text: str) -> list[Divergence]:
    return list(checked(folder, START + text).divergences)


def test_ranks_of_one_group_agree_on_the_order(tmp_path: Path) -> None:
    """All ranks of a column have the same place in their rows, and the other way round."""
    assert told(tmp_path, TWO + CROSSED.format("rank // tp")) == []


def test_ranks_of_both_groups_do_not(tmp_path: Path) -> None:
    found = told(tmp_path, TWO + CROSSED.format("(rank // tp + rank) % 2"))
    assert [(d.sure, d.defaults) for d in found] == [(True, True)]
    evidence = Evidence(LockGraph(), Observed(divergences=tuple(found)))
    (finding,) = collective_divergence.check(evidence)
    assert finding.message.endswith("(with the defaults of the program's options)")


def test_what_is_so_with_any_option_is_told_as_before(tmp_path: Path) -> None:
    found = told(tmp_path, TWO + "if rank == 0: dist.barrier()\n")
    assert [(d.sure, d.defaults) for d in found] == [(True, False)]


@pytest.mark.parametrize("test", ["args.debug and rank == 0", "rank == 0 and args.debug"])
def test_what_the_defaults_do_not_lead_to_is_told(tmp_path: Path, test: str) -> None:
    text = TWO + f"if {test}: dist.barrier()\n"
    text = text.replace("args = ", "p.add_argument('--debug', action='store_true')\nargs = ")
    assert [d.defaults for d in told(tmp_path, text)] == [False]


def test_a_rank_that_all_have_by_default_is_no_rank(tmp_path: Path) -> None:
    """Whoever starts the job hands each process a rank of its own."""
    text = PARSER + (
        "p.add_argument('--rank', type=int, default=0)\np.add_argument('--size', default=1)\n"
        "a = p.parse_args()\ndist.init_process_group('nccl', rank=a.rank, world_size=a.size)\n"
    )
    assert told(tmp_path, text + "dist.all_reduce(t)\n") == []
    (one,) = told(tmp_path / "b", text + "if a.rank == 0: dist.all_reduce(t)\n")
    assert not one.defaults


def test_ranks_without_a_group_are_of_a_job_of_another_size(tmp_path: Path) -> None:
    """In a job of three ranks nobody has made a group of the last one."""
    text = OPTION + (
        "class Split:\n  def __init__(self, tp):\n"
        "    for s in range(dist.get_world_size() // tp):\n"
        "      ranks = list(range(s * tp, s * tp + tp))\n      g = dist.new_group(ranks)\n"
        "      if rank in ranks: self.group, self.ranks = g, ranks\n"
        "split = Split(args.tp)\nat = split.ranks.index(rank)\n"
        "if at > 0: dist.recv(t, split.ranks[at - 1])\n"
        "if at < args.tp - 1: dist.send(t, split.ranks[at + 1])\n"
        "dist.all_reduce(t, group=split.group)\ndist.barrier()\n"
    )
    assert told(tmp_path, text) == []
