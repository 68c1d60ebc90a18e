"""Waits in the kernel, told from a thread's system call and its arguments."""

from __future__ import annotations

import os
import select
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from runtime_probe.syscalls import KernelWait, Rest, kernel_wait

REST = "0x7ffc0000 0x7f0000"


@pytest.mark.parametrize(
    ("text", "name", "rest"),
    [
        ("202 0x55 0x80 0x0 0x0 0x0 0xffffffff", "futex", Rest.FOREVER),
        ("202 0x55 0x89 0x0 0x7ffc11 0x0 0xffffffff", "futex", Rest.LIMITED),
        ("7 0x55 0x1 0xffffffff 0x0 0x0 0x0", "poll", Rest.FOREVER),
        ("7 0x55 0x1 0xffffffffffffffff 0x0 0x0 0x0", "poll", Rest.FOREVER),
        ("7 0x55 0x1 0x1388 0x0 0x0 0x0", "poll", Rest.LIMITED),
        ("7 0x0 0x0 0x1388 0x0 0x0 0x0", "poll", Rest.SLEEP),
        ("270 0x0 0x0 0x0 0x0 0x7ffc11 0x0", "select", Rest.SLEEP),
        ("270 0x4 0x55 0x0 0x0 0x0 0x0", "select", Rest.FOREVER),
        ("232 0x4 0x55 0x10 0xffffffff 0x0 0x8", "epoll_wait", Rest.FOREVER),
        ("230 0x0 0x0 0x7ffc11 0x0 0x0 0x0", "nanosleep", Rest.SLEEP),
        ("61 0xffffffff 0x0 0x0 0x0 0x0 0x0", "wait", Rest.CHILD),
    ],
)
def test_waits_of_x86_64(text: str, name: str, rest: Rest) -> None:
    assert kernel_wait(f"{text} {REST}", "x86_64") == KernelWait(name, rest)


@pytest.mark.parametrize("text", ["running", "-1 0x7ffc 0x7f", "", f"39 {'0x0 ' * 6}{REST}"])
def test_no_wait(text: str) -> None:
    assert kernel_wait(text, "x86_64") is None


def test_another_machine_is_not_guessed_at() -> None:
    assert kernel_wait(f"202 0x55 0x80 0x0 0x0 0x0 0x0 {REST}", "riscv64") is None


def _read() -> None:
    os.read(os.pipe()[0], 1)


def _sleep() -> None:
    time.sleep(60)


def _select_for_ever() -> None:
    select.select([os.pipe()[0]], [], [])


def _poll_with_limit() -> None:
    poll = select.poll()
    poll.register(os.pipe()[0], select.POLLIN)
    poll.poll(60_000)


def _epoll_for_ever() -> None:
    select.epoll().poll()


def _accept() -> None:
    socket.create_server(("127.0.0.1", 0)).accept()


@pytest.mark.parametrize(
    ("wait", "rest"),
    [
        (_read, Rest.FOREVER), (_sleep, Rest.SLEEP), (_select_for_ever, Rest.FOREVER),
        (_poll_with_limit, Rest.LIMITED), (_epoll_for_ever, Rest.FOREVER), (_accept, Rest.FOREVER),
    ],
)  # fmt: skip
def test_the_table_is_that_of_this_kernel(wait: Callable[[], None], rest: Rest) -> None:
    pid = os.fork()
    if pid == 0:
        wait()
        os._exit(0)
    try:
        deadline = time.monotonic() + 20
        found = None
        while time.monotonic() < deadline and (found is None or found.rest is not rest):
            found = kernel_wait(Path(f"/proc/{pid}/syscall").read_text())
        assert found is not None
        assert found.rest is rest
    except PermissionError:
        pytest.skip("no right to trace processes here")
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
