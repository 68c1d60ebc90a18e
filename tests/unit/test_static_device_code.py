"""Code of the GPU is taken out of the text that is read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lockorder.static.discovery.device_code import blanked, has_any

GONE = [
    b"__global__ void f(int a) { wait(a); }",
    b"template <int n> __global__ void __launch_bounds__(32, 1) f() { wait(n); }",
    b"struct S { __device__ S(int a) : a_{a}, b_(a) { wait(a); } int a_, b_; };",
    b"struct S { __device__ S &operator=(const S &o) { wait(o); return *this; } };",
    b"struct S { __device__ bool operator==(const S &o) const { return wait(o); } };",
    b"#define GPU __device__ inline\nGPU int f(int a) { wait(a); return a; }",
    b"auto f = [=] __device__ (int a) { wait(a); };",
    b'__device__ void f() { say("}"); /* } */ if (a) { wait(a); } }',
]
LEFT = [
    b"void f(int a) { wait(a); }",
    b"__host__ __device__ void f(int a) { wait(a); }",
    b"__device__ __host__ inline void f(int a) { wait(a); }",
    b"#define BOTH __host__ __device__\nBOTH void f() { wait(a); }",
    b"__global__ void f(int a); void g() { wait(f); }",
    b"__device__ int table[] = {wait}; void g() { wait(1); }",
    b"// __device__\nvoid g() { wait(1); }",
    b"#ifdef X\n__device__ void f() {\n#else\nvoid f() {\n#endif\n wait(1); }",
    b"__device__ void f() {\n#if A\n if (a) {\n#else\n {\n#endif\n }\n}\nvoid g() { wait(1); }",
]


@pytest.mark.parametrize("text", GONE)
def test_the_gpus_code_is_gone(text: bytes) -> None:
    assert b"wait" not in blanked(text)


@pytest.mark.parametrize("text", LEFT)
def test_the_hosts_code_stays(text: bytes) -> None:
    assert b"wait" in blanked(text)


PIECES = st.sampled_from(
    [b"__global__ ", b"__device__ ", b"__host__ ", b"void f", b"(int a) ", b"{", b"}", b";", b"\n",
     b"= ", b": a", b"#if X\n", b"#endif\n", b"// x\n", b'"', b"'", b"/*", b"*/", b"wait"],
)  # fmt: skip


@given(st.lists(PIECES, max_size=40).map(b"".join))
def test_every_line_stays_in_its_place(text: bytes) -> None:
    found = blanked(text)
    assert len(found) == len(text)
    assert [i for i, c in enumerate(found) if c == 10] == [i for i, c in enumerate(text) if c == 10]
    assert all(new in (old, 32) for new, old in zip(found, text, strict=True))
    assert found == text or has_any(text)
