"""A call that only a template's user knows is no surer than the call of the template."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.model import Certainty
from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options

SOURCE = """
#include <map>
#include <memory>
#include <mutex>
std::mutex device;
struct Backend { void end() { std::lock_guard<std::mutex> d(device); } };
template <class B> struct Event { B backend; ~Event() { backend.end(); } };
struct Result { Event<Backend> event; };
struct Pipe {
    std::mutex mutex;
    std::map<int, std::shared_ptr<Result>> pending;
    void send(int key) {
        std::lock_guard<std::mutex> lock(mutex);
        BODY
    }
};
"""


@pytest.mark.parametrize(
    ("body", "certainty"),
    [
        # The key may be new, and its entry owns nothing then.
        ("pending[key] = std::make_shared<Result>();", Certainty.GUESSED),
        ("Event<Backend> event;", Certainty.CERTAIN),
    ],
)
def test_certainty(tmp_path: Path, body: str, certainty: Certainty) -> None:
    """The order of the two mutexes is as sure as that the object ends there."""
    (tmp_path / "a.cpp").write_text(SOURCE.replace("BODY", body))
    engine = analyse([tmp_path / "a.cpp"], Options(root=tmp_path, inline=True, cache=False)).engine
    found = [e.order.taken for each in engine.found.orders.values() for e in each]
    assert {taken.certainty for taken in found} == {certainty}


TWICE = """
#include <memory>
#include <mutex>
std::mutex device;
struct Backend {
    virtual void end() { std::lock_guard<std::mutex> d(device); }
    virtual ~Backend() = default;
};
struct Other : Backend { void end() override { std::lock_guard<std::mutex> d(device); } };
struct Result { Backend *backend; ~Result() { backend->end(); } };
struct Pipe {
    std::mutex mutex;
    std::shared_ptr<Result> pending;
    Backend *backend;
    void send() {
        std::lock_guard<std::mutex> lock(mutex);
        BODY
    }
};
"""


@pytest.mark.parametrize(
    ("body", "certainty"),
    [
        ("pending.reset();", Certainty.GUESSED),
        ("backend->end();", Certainty.POSSIBLE),
    ],
)
def test_two_doubts(tmp_path: Path, body: str, certainty: Certainty) -> None:
    """A release that may not be the last, and a call that may go elsewhere, are less than each."""
    (tmp_path / "a.cpp").write_text(TWICE.replace("BODY", body))
    engine = analyse([tmp_path / "a.cpp"], Options(root=tmp_path, inline=True, cache=False)).engine
    found = [e.order.taken for each in engine.found.orders.values() for e in each]
    assert {taken.certainty for taken in found} == {certainty}
