import runtime as tf
from runtime.core.verify import verify
from runtime.passes.prune import prune

SCALAR = tf.TensorSpec([], tf.float32)


def types_after(function, *specs):
    concrete = tf.function(function, autograph=False).get_concrete_function(*specs)
    before = [op.name for op in concrete.graph.operations]
    pruned = prune(concrete.graph)
    verify(pruned)
    assert [op.name for op in concrete.graph.operations] == before
    return [op.type for op in pruned.operations]


def test_unused_operations_go():
    def f(x):
        tf.exp(x)
        return x + 1.0

    assert types_after(f, SCALAR) == ["Placeholder", "Const", "AddV2"]


def test_names_of_results_go():
    assert types_after(lambda x: (x, x, tf.identity(x)), SCALAR) == ["Placeholder"]


def test_marks_for_gradients_go():
    @tf.custom_gradient
    def own(x):
        return tf.exp(x), lambda upstream: upstream

    assert types_after(lambda x: tf.stop_gradient(x) * own(x), SCALAR) == [
        "Placeholder", "Exp", "Mul"
    ]  # fmt: skip


def test_gradients_heed_marks_that_the_plan_does_not_have():
    f = tf.function(lambda x: tf.stop_gradient(x) * x)
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert tape.gradient(y, x).numpy() == 3.0


def test_a_name_that_knows_more_of_the_shape_stays():
    def f(x):
        y = tf.identity(x)
        y.set_shape([3])
        return y

    spec = tf.TensorSpec([None], tf.float32)
    assert types_after(f, spec) == ["Placeholder", "Identity"]


def test_effects_stay_in_order():
    variable = tf.Variable(1.0)

    def f(x):
        variable.assign(x)
        variable.read_value()
        tf.print(x)
        return x

    types = types_after(f, SCALAR)
    assert "ReadVariableOp" not in types
    assert types.index("AssignVariableOp") < types.index("PrintV2")


def test_effects_inside_a_branch_keep_the_branch():
    variable = tf.Variable(1.0)

    def assign():
        variable.assign(2.0)
        return 0

    def f(x):
        tf.cond(x > 0.0, assign, lambda: 1)
        return x

    assert "If" in types_after(f, SCALAR)


def test_branch_without_effect_and_use_goes():
    def f(x):
        tf.cond(x > 0.0, lambda: x, lambda: -x)
        return x

    assert types_after(f, SCALAR) == ["Placeholder"]


def test_unneeded_error_does_not_occur():
    @tf.function(autograph=False)
    def f(x):
        tf.gather(x, [1])
        return x

    assert f(tf.constant([0.0])).numpy().tolist() == [0.0]


def test_a_graph_without_dead_operations_is_not_copied():
    graph = tf.function(lambda x: tf.exp(x) + 1.0, autograph=False).get_concrete_function(SCALAR)
    pruned = prune(graph.graph)
    assert prune(pruned) is pruned
