"""A slice of a tuple by tensors is a tuple: it is read like one, and never a list."""

import pytest

import runtime as tf

T = (1, 2, 3, 4, 5)
MORE = (9,)
ROW = [1]


def added(x):
    return list(T[x:] + MORE), list(MORE + T[x:]), list(T[x:] * 2)


def asked_for_its_class(x):
    u = T[x:]
    return isinstance(u, tuple), isinstance(u, list), type(u) is tuple


def compared(x):
    u = T[x:]
    return u == (4, 5), u == [4, 5], u != (4, 5), u == (4, 5)


def read(x):
    u = T[x:]
    return len(u), sum(u), u[0], u[-1], 4 in u, u.index(5), list(u[1:]), sorted(u)


def rebound_by_an_augmented_assignment(x):
    u = T[x:]
    w = u
    u += MORE
    return len(u), len(w)


@pytest.mark.parametrize("n", [1, 3])
@pytest.mark.parametrize(
    "program", [added, asked_for_its_class, compared, read, rebound_by_an_augmented_assignment]
)
def test_a_slice_is_read_like_a_tuple(program, n):
    result = tf.function(program)(tf.constant(n))
    assert tf.nest.flatten(result) == tf.nest.flatten(program(n))


def appended(x):
    T[x:].append(1)


def assigned(x):
    u = T[x:]
    u[0] = 1


def deleted(x):
    u = T[x:]
    del u[0]


def joined_with_a_list(x):
    return T[x:] + ROW


@pytest.mark.parametrize("program", [appended, assigned, deleted, joined_with_a_list])
def test_what_a_tuple_does_not_have_is_the_error_of_python(program):
    with pytest.raises((AttributeError, TypeError)) as plain:
        program(2)
    with pytest.raises(plain.type) as staged:
        tf.function(program)(tf.constant(2))
    assert str(plain.value) in str(staged.value)


@pytest.mark.parametrize(
    "program",
    [
        lambda x: T[x:],
        lambda x: f"{T[x:]}",
        lambda x: {T[x:]: 1},
        lambda x: T[x:] < (3,),
    ],
)
def test_what_needs_its_length_is_refused(program):
    with pytest.raises(TypeError, match=r"(?s)sliced by a tensor.*Slice a list"):
        tf.function(program)(tf.constant(2))


def test_a_slice_by_numbers_stays_a_tuple_of_python():
    assert tf.function(lambda x: T[1:3])(tf.constant(2)) == (2, 3)
