"""Arguments of recursive calls: what differs with each call becomes a tensor."""

import pytest

import runtime as tf


def test_python_numbers_that_differ_with_each_call_become_tensors():
    def search(x, low, high):
        if low == high:
            return low
        middle = (low + high) // 2
        if x <= middle:
            return search(x, low, middle)
        return search(x, middle + 1, high)

    f = tf.function(lambda x: search(x, 0, 1_000_000))
    for x in (0, 77_777, 999_999, 1_000_000):
        assert f(tf.constant(x)).numpy() == x


def bits(n, text=""):
    return text if n <= 0 else bits(n // 2, str(n % 2) + "," + text)


@pytest.mark.parametrize(("n", "text"), [(0, ""), (1, "1,"), (6, "1,1,0,")])
def test_a_text_that_grows_with_each_call_is_a_tensor(n, text):
    assert bits(n) == text
    assert tf.function(bits)(tf.constant(n)).numpy() == text.encode()
