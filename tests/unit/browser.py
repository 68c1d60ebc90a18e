"""A headless Chromium, driven over a pipe: no driver, no network, no package.

The protocol is the Chrome DevTools Protocol as `--remote-debugging-pipe` speaks it: messages in
JSON, each ended by a null byte, on descriptors 3 (to the browser) and 4 (from it).
"""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
_KEYS = {
    "Enter": (13, "\r"), "Escape": (27, ""), "Tab": (9, ""), "ArrowLeft": (37, ""), " ": (32, " "),
    "ArrowUp": (38, ""), "ArrowRight": (39, ""), "ArrowDown": (40, ""), "End": (35, ""),
    "Home": (36, ""),
}  # fmt: skip

#: Puts the two pipes where the browser looks for them. (dash knows descriptors up to 9 only.)
_START = """
import fcntl, os, sys
given, taken = (fcntl.fcntl(int(a), fcntl.F_DUPFD, 10) for a in sys.argv[1:3])
os.dup2(given, 3)
os.dup2(taken, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""


def program() -> str | None:
    """The distribution's Chromium, or None."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """One page of one browser; ``errors`` are what its console said that is worse than a log."""

    def __init__(self, width: int = 1400, height: int = 900) -> None:
        found = program()
        assert found is not None
        to_read, self._to = os.pipe()
        self._from, to_write = os.pipe()
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        arguments = [
            found, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--remote-debugging-pipe", "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--hide-scrollbars",
            f"--user-data-dir={self._profile.name}", f"--window-size={width},{height}",
            "about:blank",
        ]  # fmt: skip
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, str(to_read), str(to_write), *arguments],
            pass_fds=(to_read, to_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(to_read)
        os.close(to_write)
        self._number, self._buffer, self._session = 0, b"", ""
        self.errors: list[str] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        got = self.send("Target.attachToTarget", targetId=target, flatten=True)
        self._session = got["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)  # fmt: skip

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._to)
        os.close(self._from)
        self._profile.cleanup()

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Ask, and wait for the answer."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._to, data) :]
        limit = time.monotonic() + 60
        while True:
            got = self._read(limit)
            if got.get("id") == self._number:
                assert "error" not in got, (method, got["error"])
                result: dict[str, Any] = got["result"]
                return result

    def _read(self, limit: float) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._from], [], [], max(limit - time.monotonic(), 0))
            assert ready, "the browser does not answer"
            data = os.read(self._from, 1 << 20)
            assert data, "the browser has gone"
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(line)
        self._note(message)
        return message

    def _note(self, message: dict[str, Any]) -> None:
        method, told = message.get("method", ""), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.errors.append(str(told["exceptionDetails"].get("exception", told)))
        elif method == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
            self.errors.append(told["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and told["type"] in ("error", "warning"):
            self.errors.append(str(told["args"]))
        elif method == "Page.javascriptDialogOpening":
            self.errors.append(f"a dialog: {told['message']}")
        elif method == "Network.requestWillBeSent":
            url = told["request"]["url"]
            if not url.startswith(("file:", "data:", "about:")):
                self.errors.append(f"asked the network for {url}")

    def open(self, page: Path, dark: bool = False) -> None:
        """Load *page*, until it says that it is ready."""
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", features=[scheme])
        self.send("Page.navigate", url=page.resolve().as_uri())
        self.until("document.documentElement?.dataset.ready || ''")
        self.settle()

    def value(self, expression: str) -> Any:
        """What *expression* is in the page; of a promise, what it comes to."""
        got = self.send("Runtime.evaluate", expression=expression, returnByValue=True,
                        awaitPromise=True)  # fmt: skip
        assert "exceptionDetails" not in got, got["exceptionDetails"]
        return got["result"].get("value")

    def until(self, condition: str, seconds: float = 60) -> None:
        """Wait for what nothing tells: *condition*, an expression, is true in the page."""
        limit = time.monotonic() + seconds
        while not self.value(condition):
            assert time.monotonic() < limit, f"not in {seconds} s: {condition}"
            time.sleep(0.02)

    def settle(self) -> None:
        """Two frames: what was asked for is drawn."""
        self.value(
            "new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(1))))"
        )

    def key(self, *names: str) -> None:
        """Press keys one after the other; text goes where the focus is."""
        for name in names:
            code, text = _KEYS.get(name, (ord(name[0].upper()), name))
            more = {"text": text} if text else {}
            self.send("Input.dispatchKeyEvent", type="keyDown", key=name,
                      windowsVirtualKeyCode=code, **more)  # fmt: skip
            self.send("Input.dispatchKeyEvent", type="keyUp", key=name, windowsVirtualKeyCode=code)

    def click(self, x: float, y: float) -> None:
        """The left button, at a point of the window."""
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def picture(self, file: Path, whole: bool = False) -> None:
        """What the window shows, or the *whole* page, as a PNG."""
        got = self.send("Page.captureScreenshot", captureBeyondViewport=whole, **(
            {"clip": {**self.value("({width: innerWidth, height: document.body.scrollHeight})"),
                      "x": 0, "y": 0, "scale": 1}} if whole else {}
        ))  # fmt: skip
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(base64.b64decode(got["data"]))
