"""The environments of the matrix, an entry each: what is in them, and how lockorder is started."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

_CUDA_12 = (
    "nvidia-cuda-runtime-cu12",
    "nvidia-cuda-nvcc-cu12",
    "nvidia-cuda-cccl-cu12",
    "nvidia-nccl-cu12",
    "pybind11",
)
_CUDA_13 = (
    "nvidia-cuda-runtime",
    "nvidia-cuda-crt",
    "nvidia-cuda-cccl",
    "nvidia-cuda-nvcc",
    "nvidia-nccl-cu13",
    "pybind11",
)
_USUAL_PATH = "{prefix}/bin:/usr/local/bin:/usr/bin:/bin"
_CONDA = {
    "CONDA_PREFIX": "{prefix}",
    "CONDA_DEFAULT_ENV": "work",
    "CONDA_SHLVL": "1",
    "CONDA_PROMPT_MODIFIER": "(work) ",
}


@dataclass(frozen=True)
class Environment:
    """One environment.

    *packages* are installed beside lockorder, for Python *python* (empty: the matrix's own).
    *place* names the entry whose folder this one shares.  With *gathered* the headers of what is
    installed are copied into the folder's include/.  In *variables* and *path*, ``{prefix}`` is
    the folder.  *hidden* folders look empty from inside; *debian* maps headers under /usr/include
    to the packages that bring them, which are laid over it where they are not installed.
    """

    name: str
    packages: tuple[str, ...] = ()
    python: str = ""
    place: str = ""
    gathered: bool = False
    variables: Mapping[str, str] = field(default_factory=dict)
    path: str = _USUAL_PATH
    hidden: tuple[str, ...] = ()
    debian: Mapping[str, str] = field(default_factory=dict)

    @property
    def folder(self) -> str:
        """The name of its folder."""
        return (self.place or self.name).replace(" ", "-")


#: What all others are compared with.
EMPTY = Environment("empty")
ENVIRONMENTS = (
    EMPTY,
    # Only for 3.11: the matrix is to say what this version does, not whichever is new.
    Environment("torch cpu", ("torch==2.13.0",), python="3.11"),
    Environment("cuda 12 wheels", _CUDA_12),
    Environment("cuda 13 wheels", _CUDA_13),
    Environment("jax", ("jax", "jaxlib", "pybind11")),
    Environment("conda prefix", _CUDA_12, gathered=True, variables=_CONDA),
    Environment(
        "conda prefix, CPATH",
        _CUDA_12,
        place="conda prefix",
        gathered=True,
        variables={**_CONDA, "CPATH": "{prefix}/include"},
    ),
    Environment(
        "debian headers",
        place="empty",
        debian={
            "infiniband/verbs.h": "libibverbs-dev",
            "numa.h": "libnuma-dev",
            "pybind11/pybind11.h": "pybind11-dev",
            "gtest/gtest.h": "libgtest-dev",
            "gmock/gmock.h": "libgmock-dev",
        },
    ),
    # A library of the system that many sources include: whether it is installed decides nothing.
    Environment(
        "no openssl headers",
        place="empty",
        hidden=("/usr/include/openssl", "/usr/include/*/openssl"),
    ),
    Environment("no headers", place="empty", hidden=("/usr/include", "/usr/local/include")),
    # Not even stddef.h, which a compiler has beside itself.
    Environment(
        "no compiler",
        place="empty",
        hidden=("/usr/include", "/usr/local/include", "/usr/lib/gcc", "/usr/lib/llvm*"),
        path="{prefix}/bin",
    ),
    *(Environment(f"python 3.{minor}", python=f"3.{minor}") for minor in range(10, 15)),
)
