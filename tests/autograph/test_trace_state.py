"""The state of the traces of a thread."""

import threading

from autograph.trace_state import Alias, Callers, Choices, trace


def alias(one, other):
    return Alias(one, other, "row", "line 3", (list(one), list(other)))


def test_an_alias_of_the_enclosing_block_is_known_inside_until_it_is_settled():
    outer = Choices()
    one, other = [1], [2]
    found = alias(one, other)
    outer.known[id(one)] = [found]
    inner = Choices(outer)
    assert inner.of(one) == [found]
    assert inner.of(other) == []
    inner.settled.add(found)
    assert inner.of(one) == []
    assert outer.of(one) == [found]
    assert inner.knows(one) and not inner.knows(other)


def test_each_thread_traces_for_itself():
    seen = []
    trace.running += 1
    try:
        thread = threading.Thread(target=lambda: seen.append((trace.running, trace.choices)))
        thread.start()
        thread.join()
    finally:
        trace.running -= 1
    assert seen[0][0] == 0
    assert seen[0][1] is not trace.choices


def test_without_a_library_that_says_otherwise_callers_pass_what_they_pass_now():
    assert not Callers().pass_anew([])
    assert not Callers().may_pass_one([], [])
