"""What an entry of the flight recorder says was asked for, in NCCL's words.

PyTorch names an operation ``backend:call`` (``nccl:_all_gather_base``, ``nccl:send 1->2``) and
records the sizes of the tensors that it gave to the call; NCCL's count is told from those.  The
calls are those of torch/csrc/distributed/c10d/ProcessGroup{NCCL,Gloo,XCCL}.cpp and
hooks/FlightRecorderHook.cpp, PyTorch 2.3 to 2.13.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod
from typing import NamedTuple

# By a call's name without "_", in lower case: the operation.  What is not here keeps its name.
_NAMES = {
    "allreduce": "all_reduce",
    "allreducesparse": "all_reduce",
    "allreducecoalesced": "all_reduce_coalesced",
    "allreducebarrier": "barrier",  # a barrier of NCCL is an all_reduce of one element
    "barrier": "barrier",
    "broadcast": "broadcast",
    "broadcastoop": "broadcast",
    "reduce": "reduce",
    "reduceoop": "reduce",
    "allgather": "all_gather",
    "allgatherbase": "all_gather",
    "allgathersingle": "all_gather",
    "allgatherintotensor": "all_gather",
    "allgatherv": "all_gather_v",
    "allgathercoalesced": "all_gather_coalesced",
    "allgatherintotensorcoalesced": "all_gather_coalesced",
    "allgathersinglecoalesced": "all_gather_coalesced",
    "reducescatter": "reduce_scatter",
    "reducescatterbase": "reduce_scatter",
    "reducescattersingle": "reduce_scatter",
    "reducescattertensor": "reduce_scatter",
    "reducescatterv": "reduce_scatter_v",
    "reducescattercoalesced": "reduce_scatter_coalesced",
    "reducescattertensorcoalesced": "reduce_scatter_coalesced",
    "reducescattersinglecoalesced": "reduce_scatter_coalesced",
    "alltoall": "all_to_all",
    "alltoallbase": "all_to_all",
    "alltoallsingle": "all_to_all",
    "alltoallvsingle": "all_to_all",
    "gather": "gather",
    "scatter": "scatter",
    "send": "send",
    "recv": "recv",
    "recvanysource": "recv",
}

# The side whose tensors have NCCL's count on every rank.  Not here: all_to_all and the calls with
# "_v", whose ranks may differ, and barrier, which has no data.
_INPUT = {"all_reduce", "reduce", "all_gather", "gather", "send"}
_OUTPUT = {"broadcast", "reduce_scatter", "scatter", "recv"}
_UNTYPED = {"barrier"}

# c10/core/ScalarType.h by NCCL's names (nccl.h, ncclDataType_t); bool travels as uint8.
_TYPES = {
    "Float": "float32",
    "Double": "float64",
    "Half": "float16",
    "BFloat16": "bfloat16",
    "Byte": "uint8",
    "Bool": "uint8",
    "Char": "int8",
    "Short": "int16",
    "Int": "int32",
    "Long": "int64",
    "UInt16": "uint16",
    "UInt32": "uint32",
    "UInt64": "uint64",
    "Float8_e4m3fn": "float8e4m3",
    "Float8_e5m2": "float8e5m2",
    "ComplexHalf": "complex32",
    "ComplexFloat": "complex64",
    "ComplexDouble": "complex128",
}

_PAIR = re.compile(r"(\d+)\s*(->|<-)\s*(\d+)")

Sizes = Sequence[Sequence[int]]


class Call(NamedTuple):
    """What one entry asked for.

    ``marker``: it only ends a group of coalesced calls, and has the state of all of them.
    ``rank`` and ``peer`` are of a send or receive, as ranks of the communicator, else -1.
    """

    backend: str
    name: str
    marker: bool = False
    rank: int = -1
    peer: int = -1

    @property
    def between_two(self) -> bool:
        """Whether it is a send or a receive."""
        return self.name in ("send", "recv")


def call_of(profiling_name: str) -> Call:
    """What *profiling_name* says."""
    backend, colon, rest = profiling_name.partition(":")
    if not colon:
        backend, rest = "", profiling_name
    word, _, after = rest.strip().partition(" ")
    plain = word.replace("_", "").lower()
    # ``coalesced``, ``ALLGATHER_coalesced``: what ProcessGroupNCCL::endCoalescing records.
    head, _, last = word.rpartition("_")
    if last == "coalesced" and (not head or head.isupper()):
        return Call(backend, _NAMES.get(head.replace("_", "").lower(), "coalesced"), marker=True)
    name = _NAMES.get(plain, word.strip("_").lower())
    if name in ("send", "recv") and (pair := _PAIR.match(after)):
        return Call(backend, name, rank=_small(pair[1]), peer=_small(pair[3]))
    return Call(backend, name)


def _small(digits: str) -> int:
    """A rank; what is longer than any rank is none."""
    return int(digits) if len(digits) < 10 else -1


def count_of(name: str, inputs: Sizes, outputs: Sizes) -> int:
    """Elements in NCCL's sense, summed over the tensors; -1: unknown, or the ranks' may differ."""
    name = name.removesuffix("_coalesced")
    if name in _INPUT:
        sizes = inputs
    elif name in _OUTPUT:
        sizes = outputs or inputs if name == "broadcast" else outputs
    else:
        return -1
    return sum(map(prod, sizes)) if sizes else -1


def type_of(name: str, inputs: Sequence[str], outputs: Sequence[str]) -> str:
    """NCCL's name of the elements' type, several joined by "+"; empty: not recorded."""
    if name in _UNTYPED:
        return ""
    kinds = dict.fromkeys(_TYPES.get(kind, kind.lower()) for kind in inputs or outputs)
    return "+".join(kinds)
