import pytest

import runtime as tf
from runtime.core.verify import verify
from runtime.passes.strip_debug import strip_debug


@pytest.fixture
def options():
    yield tf.config.optimizer.set_experimental_options
    tf.config.optimizer.set_experimental_options({"debug_stripper": False})


@tf.function
def checked(x):
    tf.debugging.assert_positive(x)
    if x < 10.0:
        tf.print("small", x)
    assert x != 5.0, "five"
    return tf.debugging.check_numerics(tf.math.log(x), "log") * 2.0


def types(graph):
    found = [op.type for op in graph.operations]
    return found + [
        name for op in graph.operations for part in op.subgraphs() for name in types(part)
    ]


def test_checks_and_prints_go_in_branches_too():
    graph = checked.get_concrete_function(tf.TensorSpec([])).graph
    stripped = strip_debug(graph)
    verify(stripped)
    assert {"PrintV2", "Assert", "CheckNumerics"} <= set(types(graph))
    assert not {"PrintV2", "Assert", "CheckNumerics"} & set(types(stripped))


def test_other_effects_stay():
    v = tf.Variable(1.0)

    @tf.function
    def f(x):
        v.assign_add(x)
        return x

    graph = f.get_concrete_function(tf.TensorSpec([])).graph
    assert strip_debug(graph) is graph


def test_functions_check_unless_the_option_is_on(options, capsys):
    x = tf.constant(-1.0)
    with pytest.raises(tf.errors.InvalidArgumentError):
        checked(x)
    options({"debug_stripper": True})
    assert tf.config.optimizer.get_experimental_options()["debug_stripper"] is True
    checked(x)
    assert capsys.readouterr().err == ""
    options({"debug_stripper": False})
    with pytest.raises(tf.errors.InvalidArgumentError):
        checked(x)
