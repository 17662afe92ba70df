from runtime.functions.entries import MISS, MOST, Entries


def entry_for(value):
    """An entry that serves calls with one value."""
    return lambda args, kwargs: value * 10 if args == (value,) else MISS


def test_a_call_is_served_by_any_entry_which_is_tried_first_then():
    entries = Entries()
    assert entries.last((1,), {}) is entries.call((1,), {}) is MISS
    for value in (1, 2):
        entries.add((value,), entry_for(value))
    assert entries.last((2,), {}) == 20
    assert entries.last((1,), {}) is MISS
    assert entries.call((1,), {}) == entries.last((1,), {}) == 10
    assert entries.call((3,), {}) is MISS


def test_an_entry_for_the_same_types_replaces_the_earlier_one():
    entries = Entries()
    entries.add((int,), entry_for(1))
    entries.add((int,), entry_for(2))
    assert entries.call((1,), {}) is MISS
    assert entries.call((2,), {}) == 20


def test_no_more_than_a_number_of_entries_is_kept():
    entries = Entries()
    for value in range(MOST + 1):
        entries.add((value,), entry_for(value))
    assert entries.call((MOST,), {}) == MOST * 10
    assert entries.call((0,), {}) is MISS


def test_cleared_entries_serve_no_call():
    entries = Entries()
    entries.add((1,), entry_for(1))
    entries.clear()
    assert entries.last((1,), {}) is entries.call((1,), {}) is MISS
