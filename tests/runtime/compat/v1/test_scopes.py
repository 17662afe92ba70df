"""Variables that parts of a program share by name."""

import numpy as np
import pytest

import runtime as tf

v1 = tf.compat.v1


@pytest.fixture(autouse=True)
def graph():
    with tf.Graph().as_default() as graph:
        yield graph


def test_names_of_variables_and_operations():
    with v1.variable_scope("a") as scope:
        assert (scope.name, scope.reuse, scope.original_name_scope) == ("a", False, "a/")
        assert v1.get_variable("x", [2]).name == "a/x:0"
        with v1.variable_scope("b"):
            assert v1.get_variable("x", [2]).name == "a/b/x:0"
            assert tf.add(1, 2).name == "a/b/Add:0"
    with v1.variable_scope("a"):
        assert tf.add(1, 2).name == "a_1/Add:0"
        assert tf.Variable(1.0).name == "a_1/Variable:0"
    with v1.variable_scope(scope):
        assert v1.get_variable("k", [1]).name == "a/k:0"
        assert v1.get_variable_scope().name == "a"


def test_sharing():
    with v1.variable_scope("a"):
        x = v1.get_variable("x", [2])
    with v1.variable_scope("a", reuse=True):
        assert v1.get_variable("x") is x
        assert v1.get_variable("x", [2], tf.float32) is x
    with v1.variable_scope("a", reuse=v1.AUTO_REUSE):
        assert v1.get_variable("x", [2]) is x
        assert v1.get_variable("y", [2]).name == "a/y:0"
    with v1.variable_scope("a") as scope:
        scope.reuse_variables()
        assert v1.get_variable("x") is x


def test_sharing_is_inherited():
    with v1.variable_scope("a"), v1.variable_scope("b"):
        x = v1.get_variable("x", [2])
    with v1.variable_scope("a", reuse=True), v1.variable_scope("b"):
        assert v1.get_variable("x") is x


@pytest.mark.parametrize(
    ("reuse", "name", "options", "text"),
    [
        (None, "x", {"shape": [2]}, "Variable a/x already exists, disallowed"),
        (True, "q", {"shape": [2]}, "Variable a/q does not exist, or was not created with"),
        (True, "x", {"shape": [3]}, r"specified shape \(3,\) and found shape \(2,\)"),
        (True, "x", {"dtype": tf.int32}, "specified dtype int32 and found dtype float32"),
        (None, "y", {}, "a/y did not get an initializer, so its `shape` argument"),
    ],
)
def test_what_cannot_be_shared(reuse, name, options, text):
    with v1.variable_scope("a"):
        v1.get_variable("x", [2])
    with v1.variable_scope("a", reuse=reuse), pytest.raises(ValueError, match=text):
        v1.get_variable(name, **options)


def test_default_names_are_unique():
    names = []
    for _ in range(2):
        with v1.variable_scope(None, default_name="d"):
            names.append(v1.get_variable("k", [1]).name)
    assert names == ["d/k:0", "d_1/k:0"]
    with pytest.raises(TypeError, match="name_or_scope is required"), v1.variable_scope(None):
        pass
    with (
        pytest.raises(ValueError, match="reuse=True cannot be used"),
        v1.variable_scope(None, default_name="d", reuse=True),
    ):
        pass
    with pytest.raises(TypeError, match="must be a string or VariableScope"), v1.variable_scope(3):
        pass


@pytest.mark.parametrize(
    ("initializer", "wanted"),
    [
        (v1.zeros_initializer(), [0, 0]),
        (v1.ones_initializer, [1, 1]),
        (v1.constant_initializer(3.0), [3, 3]),
        (tf.constant, None),
    ],
)
def test_initialisers(initializer, wanted):
    if wanted is None:
        initializer, wanted = np.float32([4, 5]), [4, 5]
        x = v1.get_variable("x", initializer=initializer)
    else:
        x = v1.get_variable("x", [2], initializer=initializer)
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        np.testing.assert_array_equal(session.run(x), wanted)


def test_random_initialisers():
    made = [
        v1.get_variable("a", [50, 50]),
        v1.get_variable("b", [500], initializer=v1.random_uniform_initializer(-1.0, 1.0, seed=1)),
        v1.get_variable("c", [500], initializer=v1.random_normal_initializer(seed=1)),
        v1.get_variable("d", [2], tf.int32),
    ]
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        a, b, c, d = session.run(made)
    assert 0.1 < np.abs(a).max() <= np.sqrt(6 / 100)
    assert 0.9 < np.abs(b).max() <= 1
    assert 0.8 < c.std() < 1.2
    assert d.tolist() == [0, 0]
    with pytest.raises(ValueError, match="An initializer for variable of complex64 is required"):
        v1.get_variable("e", [2], tf.complex64)


def test_settings_of_a_scope():
    settings = {"initializer": v1.ones_initializer(), "dtype": tf.float64}
    with v1.variable_scope("a", regularizer=lambda v: tf.reduce_sum(v.read_value()), **settings):
        x = v1.get_variable("x", [3])
    (loss,) = v1.get_collection(v1.GraphKeys.REGULARIZATION_LOSSES)
    assert loss.name.startswith("a/x/Regularizer/")
    with v1.Session() as session:
        session.run(v1.global_variables_initializer())
        assert session.run(loss) == 3.0
    assert x.dtype is tf.float64


def test_variables_of_a_scope():
    x = v1.get_variable("x", [1])
    with v1.variable_scope("a") as scope:
        y = v1.get_variable("y", [1])
        assert [v.name for v in scope.global_variables()] == [y.name]
    assert [v.name for v in v1.trainable_variables()] == [x.name, y.name]
    assert [v.name for v in v1.trainable_variables("a/")] == [y.name]


def test_name_scopes_of_version_1():
    with v1.name_scope("a", None, [1]) as name:
        assert name == "a/"
    with v1.name_scope(None, "d", [1]) as name:
        assert name == "d/"
    with pytest.raises(ValueError, match="At least one of name"), v1.name_scope(None, None, [1]):
        pass


@pytest.mark.parametrize("option", ["partitioner", "custom_getter"])
def test_what_makes_variables_otherwise_is_refused(option):
    with tf.Graph().as_default():
        with pytest.raises(tf.errors.UnimplementedError, match=option):
            tf.compat.v1.get_variable("x", [2], **{option: lambda *args: None})
        with (
            pytest.raises(tf.errors.UnimplementedError, match=option),
            tf.compat.v1.variable_scope("a", **{option: lambda *args: None}),
        ):
            pass
        assert tf.compat.v1.get_variable("x", [2], **{option: None}).shape == [2]
