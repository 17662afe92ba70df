"""Objects that a recursive function changes enter and leave each call."""

import pytest

import runtime as tf


def appends(n, out):
    if n > 0:
        out.append(n)
        appends(n - 1, out)


def sorts_in_place(a):
    a = list(a)

    def sort(low, high):
        if low < high:
            i = low
            for j in range(low, high):
                if a[j] < a[high]:
                    a[i], a[j] = a[j], a[i]
                    i += 1
            a[i], a[high] = a[high], a[i]
            sort(low, i - 1)
            sort(i + 1, high)

    sort(0, len(a) - 1)
    return a


@pytest.mark.parametrize("values", [(3, 1, 2), (1, 2, 3), (2, 2, 1)])
def test_a_list_that_the_function_changes_enters_and_leaves_each_call(values):
    result = tf.function(sorts_in_place)([tf.constant(v) for v in values])
    assert [each.numpy() for each in result] == sorted(values)


def test_a_list_that_varies_in_length_is_not_carried():
    def f(n):
        out = []
        appends(n, out)
        return len(out)

    with pytest.raises(RecursionError, match="`out` in place: its length varies"):
        tf.function(f)(tf.constant(3))


@pytest.mark.parametrize("levels", [3, 35])
def test_python_state_that_ends_the_recursion(levels):
    class Limited:
        def __init__(self):
            self.level = 0

        def visit(self, x):
            if self.level == levels:
                return x
            self.level += 1
            try:
                return self.visit(x * 1.5) if x < 1e9 else x
            finally:
                self.level -= 1

    expected = Limited().visit(tf.constant(3.0)).numpy()
    assert tf.function(Limited().visit)(tf.constant(3.0)).numpy() == expected
