"""The rules of `cond`, `case`, `switch_case` and `while_loop` as calls, and what they refuse."""

from tests.runtime.oracle.corpus import graph_only


@graph_only("a Python bool is no predicate of a graph")
def a_python_bool_is_no_predicate(tf):
    @tf.function
    def f(x):
        return tf.cond(True, lambda: x, lambda: -x)

    return f(tf.constant(1))


def operations_in_branches_are_no_results(tf):
    total = tf.Variable(0)

    @tf.function
    def f(x):
        def add():
            total.assign_add(x)
            return tf.no_op()

        tf.cond(x > 0, add, lambda: tf.no_op())
        return total.read_value()

    return f(tf.constant(2)), f(tf.constant(-2))


def an_assertion_beside_nothing(tf):
    @tf.function
    def f(x):
        tf.cond(x > 0, lambda: tf.debugging.assert_equal(x, 1), lambda: tf.no_op())
        return x

    return f(tf.constant(1)), f(tf.constant(-1)), f(tf.constant(2))


def a_python_number_is_no_branch_index(tf):
    return tf.switch_case(1, [lambda: 1, lambda: 2])


def a_loop_without_variables(tf):
    return tf.while_loop(lambda: True, lambda: [], [])


def shape_invariants_of_structures(tf):
    @tf.function
    def f(i):
        def body(i, parts):
            return i + 1, {"x": tf.concat([parts["x"], [1]], 0), "n": parts["n"] + i}

        return tf.while_loop(
            lambda i, parts: i < 3,
            body,
            [i, {"n": tf.constant(0), "x": tf.constant([1])}],
            shape_invariants=[i.shape, {"x": tf.TensorShape([None]), "n": tf.TensorShape([])}],
        )

    return f(tf.constant(0))


def dicts_of_two_branches_have_one_order(tf):
    @tf.function
    def f(x):
        return tf.cond(x > 0, lambda: {"b": x, "a": [x]}, lambda: {"a": [-x], "b": x + 1})

    return sorted(f(tf.constant(1)).items()), sorted(f(tf.constant(-1)).items())


def _refusals_by_hand(tf, *calls):
    """The kinds of errors that calls raise in a graph that is built by hand."""
    kinds = []
    with tf.Graph().as_default():
        for call in calls:
            try:
                call(tf.compat.v1.placeholder(tf.int32, []))
            except (TypeError, ValueError) as error:
                kinds.append(isinstance(error, TypeError))
    return kinds


def refusals_in_a_graph_built_by_hand(tf):
    return _refusals_by_hand(
        tf,
        lambda x: tf.cond(x > 0, lambda: x, lambda: tf.cast(x, tf.float32)),
        lambda x: tf.cond(x > 0, lambda: {"a": x}, lambda: {"b": x}),
        lambda x: tf.while_loop(lambda i: i < x, lambda i: tf.cast(i, tf.float32), [x]),
        lambda x: tf.switch_case(x, [lambda: x, lambda: tf.cast(x, tf.float32)]),
    )
