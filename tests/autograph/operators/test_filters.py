# ruff: noqa: C417 - the programs are as people write them
"""Iterators that leave out items, over items that a graph computes."""

import pytest

import runtime as tf


def loop_over_a_map_of_a_tensor(xs):
    count = 0

    def counted(x):
        nonlocal count
        count += 1
        return x

    for x in map(counted, xs):
        if x > 1:
            break
    return x, count


def nested_maps_of_a_tensor(xs):
    log = []
    for x in map(lambda x: (log.append(-x), x)[1], map(lambda x: (log.append(x), x)[1], xs)):
        if x > 1:
            break
    return log


def first_of_a_map_of_a_tensor(xs):
    log = []
    return next((x for x in map(lambda x: (log.append(x), x)[1], xs) if x > 0), 9), log


def first_of_a_filter(xs):
    log = []
    return next((x for x in filter(lambda x: (log.append(x), x > 0)[1], xs) if x), 9), log


def any_of_a_filter(xs):
    log = []
    kept = filter(lambda x: x < 9, filter(lambda x: (log.append(x), x > 0)[1], xs))
    return any(x > 1 for x in kept), log


def any_of_a_map_of_a_tensor(xs):
    return any(map(lambda x: x > 1, xs)), all(map(lambda x: x > 1, xs))


def sum_of_a_generator_expression(xs):
    log = []
    return sum((log.append(x), x)[1] for x in xs if x > 0), log


OVER_TENSORS = [
    loop_over_a_map_of_a_tensor,
    first_of_a_map_of_a_tensor,
    first_of_a_filter,
    any_of_a_map_of_a_tensor,
    sum_of_a_generator_expression,
]


LENGTHS = {"known": [3], "unknown": [None]}


def listed(value):
    if isinstance(value, list | tuple):
        return list(map(listed, value))
    return value.numpy().item() if tf.is_tensor(value) else value


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("program", OVER_TENSORS)
@pytest.mark.parametrize("items", [[1, -2, 4], [4, -2, 1], [-1, -2, -3]])
def test_the_function_of_a_map_over_a_tensor_has_the_effects_of_python(program, items, length):
    signature = [tf.TensorSpec(LENGTHS[length], tf.int32)]
    staged = tf.function(program, input_signature=signature)
    assert listed(staged(tf.constant(items))) == listed(program(items))


def map_in_a_zip(xs):
    count = 0

    def counted(x):
        nonlocal count
        count += 1
        return x

    total = 0
    for x, y in zip(map(counted, xs), xs, strict=False):
        total += x * y
    return total, count


def noted_by_any(xs):
    log = []
    return any((log.append(x), x > 1)[1] for x in xs), len(log)


def member_of_a_map(xs):
    log = []
    return 4 in map(lambda x: (log.append(x), x)[1], xs), len(log)


EFFECTS = [any_of_a_filter, map_in_a_zip, nested_maps_of_a_tensor, noted_by_any, member_of_a_map]


@pytest.mark.parametrize("program", EFFECTS)
def test_effects_of_items_that_a_graph_computes_are_refused(program):
    with pytest.raises(TypeError, match=r"`(count|log)` is changed by the function of a `map`"):
        tf.function(program)(tf.constant([4, -2, 1]))
