# ruff: noqa: C416 - the programs are as people write them
"""`collections.deque` in staged statements: as in plain Python, or a refusal."""

from collections import deque

import pytest

import runtime as tf
from tests.runtime.control_flow.agreement import check, plain


def appended_in_a_branch(x):
    q = deque([1, 2])
    if x > 0:
        q.append(x)
    return len(q), list(q)


def taken_from_the_left(x):
    q = deque([1, 2, 3])
    y = 0
    if x > 0:
        y = q.popleft()
    return y, len(q), q[0], q[-1]


def bounded(x):
    q = deque([0, 0], maxlen=2)
    i = 0
    while i < x:
        q.append(i)
        i += 1
    return list(q)


def turned(x):
    q = deque([1, 2, 3])
    if x > 0:
        q.rotate(1)
    else:
        q.rotate(-1)
    if x > 3:
        q.appendleft(x)
    if x > 4:
        q.pop()
        q.extend([4, 5])
    return list(q), sum(q), max(q)


def breadth_first_search(x):
    adj = [[0, 1, 1, 0, 0], [1, 0, 0, 1, 0], [1, 0, 0, 0, 0], [0, 1, 0, 0, 1], [0, 0, 0, 1, 0]]
    start = abs(x) % 5
    dist = [-1] * 5
    dist[start] = 0
    q = deque([start])
    order = []
    while q:
        u = q.popleft()
        order.append(u)
        for v in range(5):
            if adj[u][v] and dist[v] < 0:
                dist[v] = dist[u] + 1
                q.append(v)
    return dist, order


def of_pairs(x):
    q = deque()
    i = 0
    while i < x:
        q.append((i, x - i))
        i += 1
    t = 0
    for a, b in q:
        t += a * b
    while q:
        a, b = q.pop()
        t += a
    return t


def of_an_object(x):
    class Queue:
        def __init__(self):
            self.items = deque()

        def push(self, v):
            self.items.append(v)

        def take(self):
            if self.items:
                return self.items.popleft()
            return -1

    q = Queue()
    q.push(1)
    if x > 0:
        q.push(x)
    return q.take(), q.take(), q.take(), len(q.items)


def under_two_names(x):
    q = deque([1, 2])
    p = q
    if x > 0:
        q.append(x)
    p.append(5)
    return list(q), list(p), 5 in q, x in q


def both_ends_of_a_bounded_one(x):
    q = deque([3, 1], maxlen=3)
    for i in range(4):
        if x > i:
            q.appendleft(i)
        else:
            q.append(i)
    return [v for v in q], sorted(q), q.maxlen, list(enumerate(q)), list(reversed(q))


def taken_from_an_empty_one(x):
    q = deque()
    if x > 0:
        q.append(4)
    return q.popleft()


def items_assigned(x):
    q = deque([1, 2])
    if x > 0:
        q[0] = x
    q[1] += 3
    return list(q), q[0]


def worked_off(x):
    q = deque([1, 2, 3])
    while len(q) > 1:
        a = q.popleft()
        if a < x:
            q.append(a + 1)
    return list(q)


AGREEING = [
    appended_in_a_branch, taken_from_the_left, bounded, turned, breadth_first_search, of_pairs,
    of_an_object, under_two_names, both_ends_of_a_bounded_one, taken_from_an_empty_one,
    items_assigned, worked_off,
]  # fmt: skip


@pytest.mark.parametrize("program", AGREEING, ids=lambda program: program.__name__)
def test_a_deque_is_that_of_plain_python(program):
    check(program, (3,), (-3,), (5,))


def changed_by_a_loop_over_it(x):
    q = deque([3, 1])
    if x > 0:
        q.append(4)
    for v in q:
        if v > 3:
            q.append(5)
    return len(q)


def returned(x):
    q = deque([1])
    if x > 0:
        q.append(4)
    return q


def another_one_in_a_branch(x):
    q = deque([1])
    if x > 0:
        q = deque([2])
    return len(q)


def compared(x):
    q = deque([1, 2])
    if x > 0:
        q.append(3)
    if q == deque([1, 2]):
        return 1
    return 0


def sliced(x):
    q = deque([1, 2])
    if x > 0:
        q.append(3)
    return q[:1]


@pytest.mark.parametrize(
    "program", [changed_by_a_loop_over_it, returned, another_one_in_a_branch, compared, sliced]
)
def test_what_a_graph_cannot_do_is_refused(program):
    with pytest.raises((TypeError, RuntimeError)) as caught:
        tf.function(program)(tf.constant(3))
    assert "Growing" not in str(caught.value)


def test_a_deque_outside_the_function_is_changed_by_each_call():
    last = deque([1], maxlen=2)

    @tf.function
    def program(x):
        last.append(x)
        return x

    for number in (5, 6, 7):
        program(tf.constant(number))
    assert plain(list(last)) == [6, 7]


def test_elements_of_a_deque_have_gradients():
    @tf.function
    def program(x):
        waiting = deque([x])
        while len(waiting) < 3:
            waiting.append(waiting[-1] * x)
        return waiting.pop() + waiting.popleft()

    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = program(x)
    assert float(y) == 10.0
    assert float(tape.gradient(y, x)) == 13.0
