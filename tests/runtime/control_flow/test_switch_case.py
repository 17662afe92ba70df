"""`switch_case`: which function runs, and what is refused."""

import pytest

import runtime as tf
from runtime.core.errors import VariantError

FUNCTIONS = [lambda: 10.0, lambda: 20.0, lambda: 30.0]


def both(function, *args):
    """What a function gives eagerly and in a graph."""
    return float(function(*args)), float(tf.function(function)(*args))


@pytest.mark.parametrize(("index", "value"), [(0, 10), (1, 20), (2, 30), (3, 30), (-1, 30)])
def test_a_number_out_of_range_means_the_last(index, value):
    assert both(lambda i: tf.switch_case(i, FUNCTIONS), tf.constant(index)) == (value, value)


@pytest.mark.parametrize("index", [3, -1, 100])
def test_a_number_out_of_range_means_the_default(index):
    def f(i):
        return tf.switch_case(i, FUNCTIONS, default=lambda: -1.0)

    assert both(f, tf.constant(index)) == (-1, -1)


@pytest.mark.parametrize("number", [1, 2**32 + 1, -(2**32) + 1])
def test_numbers_of_other_dtypes_do_not_wrap_around(number):
    wanted = 20 if number == 1 else 30
    index = tf.constant(number, tf.int64)
    assert both(lambda i: tf.switch_case(i, FUNCTIONS), index) == (wanted, wanted)


def test_small_unsigned_numbers():
    index = tf.constant(200, tf.uint8)
    assert both(lambda i: tf.switch_case(i, FUNCTIONS), index) == (30, 30)


@pytest.mark.parametrize(
    "functions", [{1: FUNCTIONS[1], 0: FUNCTIONS[0]}, [(1, FUNCTIONS[1]), (0, FUNCTIONS[0])]]
)
def test_functions_with_numbers(functions):
    assert both(lambda i: tf.switch_case(i, functions), tf.constant(1)) == (20, 20)


def test_it_is_one_operation_with_a_graph_for_each_function():
    def f(i):
        return tf.switch_case(i, FUNCTIONS, name="pick")

    graph = tf.function(f).get_concrete_function(tf.TensorSpec([], tf.int32)).graph
    operation = graph.get_operation_by_name("pick/indexed_case")
    assert operation.type == "StatelessCase"
    assert [part.name for part in operation.subgraphs()] == [
        f"f_indexed_case_branch{i}" for i in range(3)
    ]


def test_only_the_function_of_a_known_number_is_recorded():
    def f(x):
        return tf.switch_case(tf.rank(x), [lambda: 0.0, lambda: x[0], lambda: x[0, 0]])

    assert both(f, tf.constant([[5.0]])) == (5, 5)
    concrete = tf.function(f).get_concrete_function(tf.TensorSpec([2], tf.float32))
    assert "StatelessCase" not in [op.type for op in concrete.graph.get_operations()]


def test_effects_of_the_function_that_runs_happen_in_order(capsys):
    v = tf.Variable(1.0)

    @tf.function
    def f(i):
        tf.print("before", v)
        tf.switch_case(i, [lambda: v.assign(5.0), lambda: v.assign_add(7.0)])
        tf.print("after", v)
        return v.read_value()

    assert [float(f(tf.constant(i))) for i in (0, 1, 9)] == [5, 12, 19]
    assert capsys.readouterr().err.splitlines() == [
        *("before 1", "after 5", "before 5", "after 12", "before 12", "after 19")
    ]


def test_functions_inside_functions():
    @tf.function
    def f(i, j):
        return tf.switch_case(
            i, [lambda: tf.switch_case(j, [lambda: i * 10 + j, lambda: -j]), lambda: i * 100]
        )

    pairs = [(0, 0), (0, 1), (1, 0), (7, 7)]
    assert [int(f(tf.constant(i), tf.constant(j))) for i, j in pairs] == [0, -1, 100, 700]


@pytest.mark.parametrize(
    ("functions", "words"),
    [
        (
            [lambda: tf.constant(1.0), lambda: tf.constant(2.0), lambda: tf.constant(3)],
            r"branches\[0\] and branches\[2\] arguments to tf.switch_case must have the same "
            r"number, type, and overall structure of return values. `the result` is float32\[\] "
            r"after branches\[0\] and int32\[\] after branches\[2\]",
        ),
        ([lambda: (1.0,), lambda: [1.0]], "a tuple of .* a list of"),
        ([lambda: None, lambda: tf.constant(1.0)], r"None after branches\[0\]"),
    ],
)
def test_results_need_one_form(functions, words):
    with pytest.raises(VariantError, match=words) as caught:
        tf.function(lambda i: tf.switch_case(i, functions))(tf.constant(0))
    assert isinstance(caught.value, TypeError)
    assert "test_switch_case.py" in str(caught.value)


def test_results_may_differ_in_shape():
    @tf.function
    def f(i):
        return tf.switch_case(i, [lambda: tf.zeros([2]), lambda: tf.zeros([3])])

    assert [f(tf.constant(i)).shape for i in (0, 1)] == [[2], [3]]
    assert f.get_concrete_function(tf.TensorSpec([], tf.int32)).outputs[0].shape == [None]


@pytest.mark.parametrize("run", [lambda f: f, tf.function])
def test_the_number_is_a_scalar(run):
    words = r"`i`\) must be a scalar.*shape \[2\]"
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        run(lambda i: tf.switch_case(i, FUNCTIONS))(tf.constant([1, 0]))


@pytest.mark.parametrize(
    ("index", "functions", "default", "error", "words"),
    [
        (1.0, FUNCTIONS, None, TypeError, "'branch_index' must be an integer"),
        (1, [], None, ValueError, "Must provide at least one item in 'branch_fns'"),
        (1, {0: FUNCTIONS[0], 2: FUNCTIONS[1]}, None, ValueError, r"\[0 to 2\) but found {0,2}"),
        (1, [1, 2], None, TypeError, "must be a 2-tuple"),
        (1, [(0, 1)], None, TypeError, "fn for key 0 must be callable"),
        (1, {"a": FUNCTIONS[0]}, None, TypeError, "key must be a Python `int`"),
        (1, set(FUNCTIONS), None, TypeError, "must be a list, tuple, or dict"),
        (1, FUNCTIONS, 3, TypeError, "default must be callable"),
    ],
)
def test_what_is_no_choice(index, functions, default, error, words):
    with pytest.raises(error, match=words):
        tf.switch_case(tf.constant(index), functions, default)
