"""Who has the other end of a socket on this machine: for TCP by /proc, for UNIX by sock_diag(7)."""

from __future__ import annotations

import contextlib
import socket
import struct
from typing import NamedTuple

from lockorder.hang.procfs_files import Proc

_SOCK_DIAG, _BY_FAMILY, _DUMP = 4, 20, 0x301  # linux/netlink.h, linux/sock_diag.h
_SHOW_NAME, _SHOW_PEER, _NAME, _PEER = 1, 4, 0, 2  # linux/unix_diag.h
_HEADER, _MESSAGE, _ATTRIBUTE = struct.Struct("=IHHII"), struct.Struct("=BBBBIII"), "=HH"
_DONE, _ERROR = 3, 2
_LISTEN = 10  # net/tcp_states.h
_SECONDS = 1.0


class Socket(NamedTuple):
    """A socket by its inode: ``peer`` is the other end's inode, 0: none on this machine.

    ``remote`` is the other end in words; ``listens``: it waits for connections.
    """

    listens: bool = False
    peer: int = 0
    remote: str = ""


def of_unix() -> dict[int, Socket]:
    """The UNIX sockets of this network namespace, by inode; none where the kernel says nothing."""
    found: dict[int, Socket] = {}
    with (
        contextlib.suppress(OSError),
        socket.socket(
            socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC, _SOCK_DIAG
        ) as netlink,
    ):
        netlink.settimeout(_SECONDS)
        netlink.bind((0, 0))
        show = _SHOW_NAME | _SHOW_PEER
        asked = struct.pack("=BBHIIIII", socket.AF_UNIX, 0, 0, 0xFFFF_FFFF, 0, show, 0, 0)
        netlink.send(_HEADER.pack(_HEADER.size + len(asked), _BY_FAMILY, _DUMP, 1, 0) + asked)
        while _messages(netlink.recv(1 << 18), found):
            pass
    return found


def _messages(data: bytes, found: dict[int, Socket]) -> bool:
    """Take in one answer; whether there is more to come."""
    at = 0
    while at + _HEADER.size <= len(data):
        length, kind, *_ = _HEADER.unpack_from(data, at)
        if kind in (_DONE, _ERROR) or length < _HEADER.size:
            return False
        body = data[at + _HEADER.size : at + length]
        if len(body) >= _MESSAGE.size:
            _, _, state, _, inode, *_ = _MESSAGE.unpack_from(body)
            found[inode] = _of(body[_MESSAGE.size :], state == _LISTEN)
        at += (length + 3) & ~3
    return True


def _of(attributes: bytes, listens: bool) -> Socket:
    peer, name, at = 0, "", 0
    while at + 4 <= len(attributes):
        length, kind = struct.unpack_from(_ATTRIBUTE, attributes, at)
        value = attributes[at + 4 : at + length]
        if kind == _PEER and len(value) == 4:
            (peer,) = struct.unpack("=I", value)
        elif kind == _NAME:
            name = value.rstrip(b"\0").replace(b"\0", b"@").decode(errors="replace")
        at += max(4, (length + 3) & ~3)
    return Socket(listens, peer, name)


def of_tcp(proc: Proc, pid: int) -> dict[int, Socket]:
    """The TCP sockets of the network namespace of *pid*, by inode."""
    rows: dict[int, tuple[str, str, bool]] = {}
    for table in ("tcp", "tcp6"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            for line in proc.text(f"{pid}/net/{table}").splitlines()[1:]:
                fields = line.split()
                listens = int(fields[3], 16) == _LISTEN
                rows[int(fields[9])] = (_mapped(fields[1]), _mapped(fields[2]), listens)
    ends = {(here, there): inode for inode, (here, there, _) in rows.items() if inode}
    return {
        inode: Socket(
            listens, 0 if listens else ends.get((there, here), 0),
            _words(here if listens else there),
        )
        for inode, (here, there, listens) in rows.items()
        if inode
    }  # fmt: skip


def _mapped(address: str) -> str:
    """IPv4 inside of IPv6 as IPv4: the two ends of a connection may be of both kinds."""
    host, _, port = address.partition(":")
    return f"{host[24:]}:{port}" if host.startswith("0000000000000000FFFF0000") else address


def _words(address: str) -> str:
    host, _, port = address.partition(":")
    raw = bytes.fromhex(host)
    whole = b"".join(raw[i : i + 4][::-1] for i in range(0, len(raw), 4))
    family = socket.AF_INET if len(whole) == 4 else socket.AF_INET6
    text = socket.inet_ntop(family, whole)
    return f"{f'[{text}]' if family == socket.AF_INET6 else text}:{int(port, 16)}"
