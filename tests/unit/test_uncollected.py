"""The garbage collector is off for a while, and then as it was."""

from __future__ import annotations

import gc

import pytest

from lockorder.uncollected import uncollected


def test_the_collector_is_off_meanwhile() -> None:
    assert gc.isenabled()
    with uncollected():
        with uncollected():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_the_collector_is_on_again_after_an_error() -> None:
    with pytest.raises(KeyError), uncollected():
        raise KeyError
    assert gc.isenabled()
