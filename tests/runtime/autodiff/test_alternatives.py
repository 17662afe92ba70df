"""Gradients by a tensor that is, in Python, another name of one of several tensors."""

import numpy as np
import pytest

import runtime as tf
from runtime.core.errors import VariantError

A, B = tf.constant(3.0), tf.constant(4.0)


def by_one_of_two(p, a, b):
    c = a if p else b
    with tf.GradientTape() as tape:
        tape.watch(c)
        y = a * b
    return tape.gradient(y, c)


def by_one_of_two_used_by_both_names(p, a, b):
    c = a if p else b
    with tf.GradientTape() as tape:
        tape.watch(c)
        y = c * a
    return tape.gradient(y, c)


def by_an_item(p, a, b):
    items = [a, b]
    with tf.GradientTape() as tape:
        tape.watch(items[tf.cast(p, tf.int32)])
        y = items[tf.cast(p, tf.int32)] ** 2.0
    return tape.gradient(y, items[tf.cast(p, tf.int32)])


def by_an_item_of_one_of_two_lists(p, a, b):
    items = [a, b] if p else [b, a]
    with tf.GradientTape() as tape:
        tape.watch(items[0])
        y = items[0] * a
    return tape.gradient(y, items[0])


def by_what_a_loop_keeps(p, a, b):
    c = a
    for _ in tf.range(tf.cast(p, tf.int32)):
        c = b
    with tf.GradientTape() as tape:
        tape.watch(c)
        y = a * b
    return tape.gradient(y, c)


def by_what_a_branch_in_a_loop_keeps(p, a, b):
    c = a
    for _ in tf.range(2):
        if p:
            c = b
    with tf.GradientTape() as tape:
        tape.watch(c)
        y = a * b
    return tape.gradient(y, c)


def by_the_first_value_of_a_loop(p, a, b):
    x = a
    for _ in tf.range(2):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * a
        x = x - 0.1 * tape.gradient(y, x)
    return x


def by_one_of_two_choices_alike(p, a, b):
    if p:
        c, d = a, a
    else:
        c, d = b, b
    with tf.GradientTape() as tape:
        tape.watch(c)
        y = c * d
    return tape.gradient(y, c)


NAMES_OF_ONE = [
    by_one_of_two,
    by_one_of_two_used_by_both_names,
    by_an_item,
    by_an_item_of_one_of_two_lists,
    by_what_a_loop_keeps,
    by_what_a_branch_in_a_loop_keeps,
    by_the_first_value_of_a_loop,
    by_one_of_two_choices_alike,
]


@pytest.mark.parametrize("program", NAMES_OF_ONE, ids=lambda program: program.__name__)
def test_gradient_by_a_second_name_of_a_tensor_is_refused(program):
    with pytest.raises(VariantError, match="also uses one of them by its other name"):
        tf.function(program)(tf.constant(True), A, B)


def test_gradient_by_one_of_two_variables_is_refused():
    v, w = tf.Variable(3.0), tf.Variable(4.0)

    @tf.function
    def program(p):
        c = v if p else w
        with tf.GradientTape() as tape:
            y = v * w
        return tape.gradient(y, c)

    with pytest.raises(VariantError, match="`c` may be one of several tensors"):
        program(tf.constant(True))


def test_the_refusal_names_the_tensors_the_line_and_a_remedy():
    with pytest.raises(VariantError) as caught:
        tf.function(by_one_of_two)(tf.constant(True), A, B)
    message = str(caught.value)
    assert message.startswith("`c` may be `a` or `b`, which is known only when the graph runs")
    assert "in by_one_of_two" in message
    assert message.endswith("c = runtime.identity(c).")


def test_the_remedy_gives_what_python_gives():
    def program(p, a, b):
        c = tf.identity(a if p else b)
        with tf.GradientTape() as tape:
            tape.watch(c)
            y = c * a
        return tape.gradient(y, c)

    staged = tf.function(program)
    for p in (True, False):
        assert float(staged(tf.constant(p), A, B)) == float(program(p, A, B)) == 3.0


def test_gradient_by_a_tensor_that_is_watched_on_one_way_only_is_refused():
    @tf.function
    def program(p, a, b):
        with tf.GradientTape() as tape:
            tape.watch(a)
            if p:
                a = b
            y = a * a
        return tape.gradient(y, a)

    with pytest.raises(VariantError, match=r"watches only some of them[\s\S]*watch\(a\)"):
        program(tf.constant(True), A, B)


def test_gradient_by_a_tensor_that_is_watched_by_another_name_alone_is_refused():
    @tf.function
    def program(p, a, b):
        c = a if p else b
        with tf.GradientTape() as tape:
            tape.watch(c)
            y = a * a
        return tape.gradient(y, a)

    with pytest.raises(VariantError, match=r"`a` may be `c`[\s\S]*watch\(a\)"):
        program(tf.constant(True), A, B)


def by_what_one_branch_computes(p, a, b):
    with tf.GradientTape() as tape:
        tape.watch(b)
        u = a * 2.0 if p else b * 2.0
        y = u * 3.0
    return tape.gradient(y, u)


def by_what_a_branch_chooses(p, a, b):
    with tf.GradientTape() as tape:
        tape.watch(b)
        u = (a if p else b) * 2.0
        y = u * 3.0
    return tape.gradient(y, u)


def by_what_a_loop_may_replace(p, a, b):
    with tf.GradientTape() as tape:
        tape.watch(b)
        u = b * 2.0
        for _ in tf.range(tf.cast(p, tf.int32)):
            u = a * 2.0
        y = u * 3.0
    return tape.gradient(y, u)


def by_what_only_a_turn_computes(p, a, b):
    with tf.GradientTape() as tape:
        tape.watch(b)
        u = a * 1.0
        for _ in tf.range(tf.cast(p, tf.int32)):
            u = u * b
        y = u * 3.0
    return tape.gradient(y, u)


DEPENDS_IN_ONE_WAY = [
    by_what_one_branch_computes,
    by_what_a_branch_chooses,
    by_what_a_loop_may_replace,
    by_what_only_a_turn_computes,
]


@pytest.mark.parametrize("program", DEPENDS_IN_ONE_WAY, ids=lambda program: program.__name__)
def test_gradient_by_what_depends_on_a_watched_tensor_one_way_only_is_refused(program):
    with pytest.raises(
        VariantError,
        match=r"`u` depends on what the tape watches only if[\s\S]*"
        r"watch\(u\) where it has its value",
    ):
        tf.function(program)(tf.constant(True), A, B)


def by_what_both_branches_compute(p, a, b):
    with tf.GradientTape() as tape:
        tape.watch(b)
        u = a * b if p else b * 2.0
        y = u * 3.0
    return tape.gradient(y, u)


def by_what_each_turn_computes(p, a, b):
    with tf.GradientTape() as tape:
        tape.watch(b)
        u = b * 1.0
        for _ in tf.range(tf.cast(p, tf.int32)):
            u = u * a
        y = u * 3.0
    return tape.gradient(y, u)


def by_what_a_called_function_computes(p, a, b):
    inner = tf.function(lambda x: x * a if p else x * 2.0)
    with tf.GradientTape() as tape:
        tape.watch(b)
        u = inner(b)
        y = u * 3.0
    return tape.gradient(y, u)


def by_what_is_watched_where_it_has_its_value(p, a, b):
    with tf.GradientTape() as tape:
        tape.watch(b)
        u = a * 2.0 if p else b * 2.0
        tape.watch(u)
        y = u * 3.0
    return tape.gradient(y, u)


DEPENDS_ANYWAY = [
    by_what_both_branches_compute,
    by_what_each_turn_computes,
    by_what_a_called_function_computes,
    by_what_is_watched_where_it_has_its_value,
]


@pytest.mark.parametrize("program", DEPENDS_ANYWAY, ids=lambda program: program.__name__)
def test_gradient_by_what_depends_on_a_watched_tensor_anyway(program):
    staged = tf.function(program)
    for p in map(tf.constant, (True, False)):
        assert float(staged(p, A, B)) == float(program(p, A, B)) == 3.0


def test_gradient_by_a_tensor_that_the_target_uses_by_a_chosen_name_is_refused():
    @tf.function
    def program(p, a, b):
        c = a if p else b
        with tf.GradientTape() as tape:
            tape.watch(a)
            y = a * c
        return tape.gradient(y, a)

    with pytest.raises(VariantError, match=r"`a` may be `c`[\s\S]*a = runtime.identity\(a\)"):
        program(tf.constant(True), A, B)


@pytest.mark.parametrize("p", [True, False])
def test_gradient_by_a_tensor_that_is_chosen_under_the_tape(p):
    def program(p, a, b):
        with tf.GradientTape() as tape:
            tape.watch(a)
            c = a if p else b
            y = a * c
        return tape.gradient(y, a)

    assert float(tf.function(program)(tf.constant(p), A, B)) == float(program(p, A, B))


def test_gradient_of_what_may_be_the_unwatched_source_itself_is_refused():
    @tf.function
    def program(p, a, b):
        with tf.GradientTape() as tape:
            tape.watch(b)
            y = a if p else b
        return tape.gradient(y, a)

    with pytest.raises(VariantError, match=r"does not watch it[\s\S]*Call tape.watch\(a\)"):
        program(tf.constant(True), A, B)


def test_gradient_by_what_no_tape_watches_is_none():
    @tf.function
    def program(p, a, b):
        c = a * b if p else b + 1.0
        with tf.GradientTape() as tape:
            tape.watch(c)
            y = a * a * c
        return tape.gradient(y, a) is None

    assert program(tf.constant(True), A, B)


def by_a_choice(p, a, b):
    c = a if p else b
    with tf.GradientTape() as tape:
        tape.watch(c)
        y = c * c
    return tape.gradient(y, c)


def by_a_choice_beside_what_was_computed_before(p, a, b):
    c = a if p else b
    z = a * b
    with tf.GradientTape() as tape:
        tape.watch(c)
        y = c * z
    return tape.gradient(y, c)


def by_new_tensors_of_branches(p, a, b):
    c = a + 1.0 if p else b + 1.0
    with tf.GradientTape() as tape:
        tape.watch(c)
        y = c * a * b
    return tape.gradient(y, c)


def by_two_in_order(p, a, b):
    if p:
        a, b = b, a
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        y = a**2.0 * b
    return tf.stack(tape.gradient(y, [a, b]))


def by_all_that_it_may_be(p, a, b):
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        c = a if p else b
        y = c * c
    return tape.gradient(y, c)


def by_what_a_branch_made_of_it(p, a, b):
    with tf.GradientTape() as tape:
        tape.watch(a)
        if p:
            a = a * b
        y = a * a
    return tape.gradient(y, a)


def by_steps_of_a_loop(p, a, b):
    x = a
    for _ in tf.range(2):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x * b
        x = x - 0.1 * tape.gradient(y, x)
    return x


def by_the_result_of_a_loop(p, a, b):
    x = a
    for _ in tf.range(2):
        x = x * b
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * a
    return tape.gradient(y, x)


OWN = [
    by_a_choice,
    by_a_choice_beside_what_was_computed_before,
    by_new_tensors_of_branches,
    by_two_in_order,
    by_all_that_it_may_be,
    by_what_a_branch_made_of_it,
    by_steps_of_a_loop,
]


@pytest.mark.parametrize("program", OWN, ids=lambda program: program.__name__)
@pytest.mark.parametrize("p", [True, False])
def test_gradient_by_a_chosen_tensor_is_that_of_python(program, p):
    expected = program(p, A, B)
    got = tf.function(program)(tf.constant(p), A, B)
    assert got.numpy().tolist() == pytest.approx(expected.numpy().tolist())


def test_gradient_by_the_result_of_a_loop_that_may_not_run_is_refused():
    with pytest.raises(VariantError, match="`x` may be `a`"):
        tf.function(by_the_result_of_a_loop)(tf.constant(True), A, B)


def by_what_the_turn_before_left(x, b):
    c = x
    total = x * 0.0
    for _ in tf.range(2):
        with tf.GradientTape() as tape:
            tape.watch(c)
            c = b
            y = x * c
        total += tape.gradient(y, c, unconnected_gradients="zero")
    return total


def by_what_the_target_uses_by_the_name_of_the_next_turn(x, b):
    c = x
    total = x * 0.0
    for _ in tf.range(2):
        with tf.GradientTape() as tape:
            tape.watch(c)
            y = c * b
        total += tape.gradient(y, c)
        c = b
    return total


@pytest.mark.parametrize(
    "program",
    [by_what_the_turn_before_left, by_what_the_target_uses_by_the_name_of_the_next_turn],
    ids=lambda program: program.__name__,
)
def test_gradient_by_a_tensor_that_is_another_one_in_a_later_turn_is_refused(program):
    with pytest.raises(VariantError, match="Python's gradient depends on which it is") as caught:
        tf.function(program)(A, B)
    assert f"in {program.__name__}" in str(caught.value)


def test_a_loop_that_takes_steps_is_none_of_these():
    def program(x, b):
        for _ in tf.range(3):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x * x * b
            x = x - 0.1 * tape.gradient(y, x)
        return x

    np.testing.assert_allclose(tf.function(program)(A, B), program(A, B), rtol=1e-6)
