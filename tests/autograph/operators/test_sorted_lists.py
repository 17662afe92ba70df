"""`heapq` and `bisect` on lists that hold tensors, or grow in staged statements."""

import bisect
import heapq
from bisect import insort
from heapq import heappop, heappush

import pytest

import runtime as tf
from tests.runtime.control_flow.agreement import check

NUMBERS = [(3,), (0,), (9,)]
ROWS = [((3, 1, 2),), ((5,),), ((4, 4, 1, 0, 7),)]


def pushed(x):
    heap = [1, 4, 2]
    heapq.heappush(heap, x)
    return heap


def pushed_in_a_branch(x):
    heap = [1, 4]
    if x > 2:
        heappush(heap, x)
    return heap


def made_a_heap(x):
    heap = [5, x, 3, 1]
    heapq.heapify(heap)
    return heap


def replaced(x):
    heap = [1, 4, 5]
    first = heapq.heapreplace(heap, x)
    second = heapq.heappushpop(heap, x + 1)
    return first, second, heap


def taken_in_a_while(n):
    heap = [3, 1, 2]
    heapq.heapify(heap)
    total = 0
    while n > 0:
        total += heappop(heap)
        n -= 1
    return total


def taken_from_what_may_be_empty(n):
    heap = []
    if n > 0:
        heappush(heap, n)
    return heappop(heap)


def of_python_numbers_alone(x):
    heap = []
    for number in [5, 3, 8, 1]:
        heappush(heap, number)
    return heappop(heap), heap, x


def found(x):
    row = [1, 3, 3, 5]
    return bisect.bisect_left(row, x), bisect.bisect_right(row, x), bisect.bisect(row, x, 1)


def found_by_key(x):
    row = [(1, "a"), (3, "b"), (5, "c")]
    return bisect.bisect_left(row, x, key=lambda pair: pair[0])


def inserted(x):
    row = [1, 3, 5]
    insort(row, x)
    return row


def inserted_in_a_branch(x):
    row = [1, 3, 5]
    if x > 2:
        bisect.insort_left(row, x)
    return row


def shortest_ways(n):
    weights = [[0, 4, 1, 99], [4, 0, 2, 5], [1, 2, 0, 8], [99, 5, 8, 0]]
    start = n % 4
    ways = [99, 99, 99, 99]
    ways[start] = 0
    heap = [(0, start)]
    while heap:
        way, at = heappop(heap)
        if way > ways[at]:
            continue
        for other in range(4):
            longer = way + weights[at][other]
            if longer < ways[other]:
                ways[other] = longer
                heappush(heap, (longer, other))
    return ways


@pytest.mark.parametrize(
    "program",
    [
        pushed,
        pushed_in_a_branch,
        made_a_heap,
        replaced,
        taken_in_a_while,
        taken_from_what_may_be_empty,
        of_python_numbers_alone,
        found,
        found_by_key,
        inserted,
        inserted_in_a_branch,
        shortest_ways,
    ],
    ids=lambda each: each.__name__,
)
def test_sorted_lists_agree_with_plain_python(program):
    check(program, *NUMBERS)


def sorted_by_a_heap(xs):
    heap = []
    for x in xs:
        heappush(heap, x)
    result = []
    while heap:
        result.append(heappop(heap))
    return result


def largest_two(xs):
    heap = []
    for x in xs:
        heappush(heap, x)
        if len(heap) > 2:
            heappop(heap)
    return heap


def pairs(xs):
    heap = []
    for x in xs:
        heappush(heap, (x % 2, x))
    return heappop(heap), heap


def inserted_in_a_loop(xs):
    row = []
    for x in xs:
        if x > 0:
            insort(row, x)
    return row


def extremes(xs):
    return heapq.nlargest(2, xs), heapq.nsmallest(2, xs), heapq.nsmallest(1, xs, key=lambda x: -x)


@pytest.mark.parametrize(
    "program",
    [sorted_by_a_heap, largest_two, pairs, inserted_in_a_loop, extremes],
    ids=lambda each: each.__name__,
)
def test_they_agree_in_loops(program):
    check(program, *ROWS)


def test_an_empty_heap_is_an_index_error_when_the_graph_runs():
    staged = tf.function(taken_from_what_may_be_empty)
    assert int(staged(tf.constant(3))) == 3
    with pytest.raises(IndexError, match="index out of range") as caught:
        staged(tf.constant(0))
    assert __file__ in str(caught.value) + str(caught.value.__notes__)
