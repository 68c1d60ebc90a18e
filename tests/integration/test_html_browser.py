"""The page in a real browser: what it shows, the keyboard, hostile names, five thousand orders.

Needs the distribution's Chromium (Debian: apt-get install chromium). Pictures stay in build/html/.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import html_documents as pages
import report_documents as documents
from browser import Browser, program
from lockorder.model import Document
from lockorder.report.excerpts import Excerpts
from lockorder.report.html import render

pytestmark = pytest.mark.skipif(
    program() is None, reason="no Chromium here (Debian, Ubuntu: apt-get install chromium)"
)
PICTURES = Path(__file__).parents[2] / "build" / "html"
#: Seconds until a page of 5,000 orders answers, and for what is asked of it then; MB of its file.
OPENS, ANSWERS, LARGEST = 5.0, 0.2, 3.0


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with Browser() as opened:
        yield opened


class Shown:
    """A document that is open in the browser."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self.browser, self._folder = browser, folder
        self._sources = documents.sources(folder)

    def open(self, document: Document, dark: bool = False) -> Browser:
        file = self._folder / "page.html"
        times = pages.times() if document.run is not None else None
        excerpts = Excerpts(self._sources, self._sources)
        file.write_bytes(render(document, excerpts, times).data)
        self.browser.errors.clear()
        self.browser.open(file, dark)
        return self.browser


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Shown]:
    shown = Shown(browser, tmp_path)
    yield shown
    assert browser.errors == []


def focus(browser: Browser) -> str:
    return str(browser.value("document.activeElement.id || document.activeElement.className"))


def evidence(browser: Browser) -> str:
    return str(browser.value("document.getElementById('evidence').innerText"))


def status(browser: Browser) -> str:
    return str(browser.value("document.getElementById('status').textContent"))


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("name", ["small", "recorded", "hung"])
def test_it_looks(page: Shown, name: str, dark: bool) -> None:
    made = {"small": documents.small, "recorded": pages.recorded, "hung": pages.hung}[name]()
    browser = page.open(made, dark)
    assert "are taken in opposite orders" in browser.value("document.body.innerText") or dark or (
        name == "hung"
    )  # fmt: skip
    # The cycle is in the picture: some of its pixels are the colour of errors.
    red = browser.value("""(() => {
        const c = document.getElementById('canvas');
        const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
        let n = 0;
        for (let i = 0; i < d.length; i += 4)
            n += d[i] > 150 && d[i+1] < 135 && d[i+2] < 135 && d[i+3] > 60;
        return n; })()""")
    assert red > 100
    # Nothing is wider than the window.
    assert browser.value("document.documentElement.scrollWidth <= innerWidth")
    browser.picture(PICTURES / f"{name}-{'dark' if dark else 'light'}.png", whole=True)


def test_a_narrow_window(page: Shown, browser: Browser) -> None:
    size = {"height": 800, "deviceScaleFactor": 1, "mobile": False}
    browser.send("Emulation.setDeviceMetricsOverride", width=480, **size)
    try:
        page.open(pages.recorded())
        assert browser.value("document.documentElement.scrollWidth <= innerWidth")
        browser.picture(PICTURES / "narrow.png", whole=True)
    finally:
        browser.send("Emulation.setDeviceMetricsOverride", width=1400, **{**size, "height": 900})


def test_the_keyboard_goes_everywhere(page: Shown) -> None:
    browser = page.open(pages.large(60, 40))
    browser.key("Tab")
    assert focus(browser) == "skip"
    browser.key("Enter")
    assert focus(browser) == "content"
    # Search, to the lock, to its orders, to their stacks, and back.
    browser.key("/")
    assert focus(browser) == "search"
    for letter in "class0::":
        browser.key(letter)
    assert status(browser).startswith("1 lock, ")
    browser.key("Enter")
    assert focus(browser) == "canvas"
    assert "Class0::mutex_: " in status(browser)
    assert "Taken under it" in evidence(browser)
    browser.key("Enter")
    assert " then " in status(browser)
    assert "holds comm::Module0::Class0::mutex_" in evidence(browser)
    assert "takes " in evidence(browser)
    before = status(browser)
    browser.key("ArrowDown")
    assert status(browser) != before
    browser.key("ArrowUp", "Enter")
    assert status(browser) == before
    assert focus(browser) == "evidence"
    browser.key("Escape")
    assert focus(browser) == "canvas"
    browser.key("Escape")
    assert "Class0::mutex_: " in status(browser)
    browser.key("ArrowRight")
    assert "Class0::mutex_: " not in status(browser)
    browser.key("/", "Escape")
    assert browser.value("document.getElementById('search').value") == ""


def test_the_keyboard_is_seen(page: Shown) -> None:
    browser = page.open(documents.small())
    seen = set()
    for _ in range(80):
        browser.key("Tab")
        style = browser.value("getComputedStyle(document.activeElement).outlineStyle")
        name = browser.value("document.activeElement.tagName")
        if name == "BODY":
            break
        assert style != "none", focus(browser)
        seen.add(focus(browser))
    assert {"skip", "search", "view-found", "canvas", "edges", "open-all"} <= seen


def test_views_and_list(page: Shown) -> None:
    browser = page.open(pages.large(300, 120))
    browser.value("document.getElementById('view-found').focus()")
    browser.key("ArrowLeft")
    assert focus(browser) == "view-all"
    assert browser.value("document.activeElement.getAttribute('aria-checked')") == "true"
    assert "300 orders" in browser.value(
        "document.getElementById('canvas').getAttribute('aria-label')"
    )
    browser.value("document.getElementById('edges').focus()")
    browser.key("End")
    rows = browser.value("document.querySelectorAll('[role=option]').length")
    assert rows < 40
    chosen = browser.value(
        "document.getElementById(document.getElementById('edges')"
        ".getAttribute('aria-activedescendant')).getAttribute('aria-posinset')"
    )
    assert chosen == "300"
    assert "holds " in evidence(browser)
    browser.key("Enter")
    assert focus(browser) == "evidence"


def test_a_click_on_an_arrow_shows_its_stacks(page: Shown) -> None:
    browser = page.open(documents.small())
    browser.value("document.getElementById('view-found').click()")
    browser.value("document.getElementById('canvas').scrollIntoView({behavior: 'instant'})")
    browser.value("scrollBy({top: -80, behavior: 'instant'})")
    box = browser.value(
        "(({x, y, width, height}) => [x + width / 2, y + height / 2])"
        "(document.getElementById('canvas').getBoundingClientRect())"
    )
    browser.settle()
    # Between the two boxes: the upper arrow goes there, the lower one back.
    browser.click(box[0], box[1] - 5)
    assert status(browser) == "Pool::mutex_ then Queue::mutex_"
    browser.click(box[0], box[1] + 14)
    assert status(browser) == "Queue::mutex_ then Pool::mutex_"
    assert "std::shared_lock<std::shared_mutex> hold(mutex_);" in evidence(browser)
    browser.picture(PICTURES / "evidence.png")


def test_links_open_what_they_lead_to(page: Shown) -> None:
    browser = page.open(documents.small())
    browser.value("document.getElementById('close-all').click()")
    assert browser.value("document.querySelectorAll('details.finding[open]').length") == 0
    browser.value("location.hash = '#finding-2'")
    browser.settle()
    assert browser.value("document.getElementById('finding-2').open")
    browser.value("document.querySelector('a[href=\"#rule-lock-order-cycle\"]').click()")
    browser.settle()
    assert browser.value("document.getElementById('rule-lock-order-cycle').open")


def test_hostile_names_do_nothing(page: Shown) -> None:
    browser = page.open(pages.hostile())
    browser.value("document.getElementById('view-all').click()")
    browser.value("document.getElementById('edges').focus()")
    for _ in pages.HOSTILE * 2:
        browser.key("ArrowDown")
        assert browser.value("document.querySelectorAll('script').length") == 2
        assert browser.value("document.querySelectorAll('img, iframe, object').length") == 0
    assert "alert(1)" in browser.value("document.body.innerText")
    browser.picture(PICTURES / "hostile.png")


def test_the_policy_stops_what_is_not_ours(browser: Browser, tmp_path: Path) -> None:
    """Were the escaping wrong one day, this would still hold."""
    data = render(documents.small(), Excerpts(tmp_path)).data
    broken = data.replace(
        b"<main", b"<script>window.bad = 1</script><img src=x onerror='window.bad = 2'><main", 1
    )
    (tmp_path / "page.html").write_bytes(broken)
    browser.open(tmp_path / "page.html")
    assert browser.value("window.bad === undefined")
    assert any("Content Security Policy" in said for said in browser.errors)
    browser.errors.clear()


def test_paper_shows_every_finding(page: Shown, browser: Browser) -> None:
    page.open(documents.small())
    browser.value("document.getElementById('close-all').click()")
    browser.value("dispatchEvent(new Event('beforeprint'))")
    assert browser.value("document.querySelectorAll('main details:not([open])').length") == 0
    browser.value("dispatchEvent(new Event('afterprint'))")
    assert browser.value("document.querySelectorAll('details.finding[open]').length") == 0


_TIMED = """(async () => {
    const start = performance.now();
    %s;
    await new Promise(r => requestAnimationFrame(() => setTimeout(r, 0)));
    return performance.now() - start; })()"""
_STEPS = {
    "everything": "document.getElementById('view-all').click()",
    "zoom": "for (let i = 0; i < 3; i++) document.getElementById('zoom-in').click()",
    "search": "const s = document.getElementById('search'); s.value = 'class7';"
    " s.dispatchEvent(new Event('input'))",
    "all again": "const t = document.getElementById('search'); t.value = '';"
    " t.dispatchEvent(new Event('input'))",
    "list": "document.getElementById('edges').scrollTop = 90000",
    "order": "document.querySelector('[role=option]').click()",
    "around": "document.getElementById('view-around').click()",
}


def test_five_thousand_orders(page: Shown, capsys: pytest.CaptureFixture[str]) -> None:
    document = pages.large()
    size = len(render(document, Excerpts(Path("/nowhere"))).data) / 1e6
    assert size < LARGEST
    start = time.perf_counter()
    browser = page.open(document)
    opened = time.perf_counter() - start
    ready = float(browser.value("document.documentElement.dataset.ready"))
    took = {}
    for name, step in _STEPS.items():
        # The best of five: what the machine does besides is not the page's.
        took[name] = min(browser.value(_TIMED % step) for _ in range(5)) / 1000
        if name == "everything":
            browser.value("document.getElementById('graph').scrollIntoView({behavior: 'instant'})")
            browser.settle()
            browser.picture(PICTURES / "large.png")
    told = ", ".join(f"{name} {seconds * 1000:.0f} ms" for name, seconds in took.items())
    with capsys.disabled():
        print(f"\n5,000 orders: {size:.1f} MB, made and opened in {opened:.2f} s "
              f"(script done at {ready:.0f} ms); {told}")  # fmt: skip
    # Where others want the machine, too, we have our share of it.
    crowded = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
    assert ready / 1000 < OPENS * crowded
    assert max(took.values()) < ANSWERS * crowded, told
