"""Attributes of runtime objects that a trace reads."""

import threading

import pytest

from runtime.core import observed
from runtime.core.observed import WRITES, Observed, reading


class Noise(Observed):
    def __init__(self, rate):
        self.rate = rate


def names(reads):
    return [found for _, found in reads]


def test_reads_are_recorded_inside_a_trace_alone():
    noise = Noise(0.5)
    with reading() as reads:
        assert noise.rate == 0.5
    assert noise.rate == 0.5
    assert names(reads) == [{"rate"}]
    assert "__getattribute__" not in vars(Observed)


def test_reads_of_a_nested_trace_are_those_of_the_outer_one_too():
    noise = Noise(0.5)
    with reading() as outer:
        with reading() as inner:
            _ = noise.rate
        noise.rate = 0.1
    assert names(inner) == names(outer) == [{"rate"}]
    assert outer.written == {(id(noise), "rate")}
    assert not inner.written


def test_a_walk_over_all_attributes_reads_each():
    with reading() as reads:
        _ = vars(Noise(0.5))
    assert {"rate", "__dict__"} <= names(reads)[0]


def test_another_thread_is_not_observed():
    noise = Noise(0.5)
    with reading() as reads:
        thread = threading.Thread(target=lambda: noise.rate)
        thread.start()
        thread.join()
    assert names(reads) == []


@pytest.fixture
def watched(monkeypatch):
    monkeypatch.setattr(WRITES, "names", {"rate"})


def test_assigning_an_attribute_that_some_trace_read_is_marked(watched):
    noise = Noise(0.5)
    before = WRITES.last
    noise.other = 1
    assert WRITES.last is before
    noise.rate = 0.7
    assert WRITES.last is not before
    before = WRITES.last
    del noise.rate
    assert WRITES.last is not before


def test_values_that_wait_for_a_list_are_looked_for_and_undone_if_that_fails(monkeypatch):
    def fail():
        raise ValueError("another shape")

    noise = Noise(0.5)
    noise.parts = [1]
    monkeypatch.setattr(observed, "awaited", [fail])
    with pytest.raises(ValueError, match="another shape"):
        noise.parts = [2]
    assert noise.parts == [1]
    with pytest.raises(ValueError, match="another shape"):
        noise.more = [2]
    assert not hasattr(noise, "more")
