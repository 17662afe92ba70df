"""Updates of parts of a variable."""

import types

import pytest

import runtime as tf


@pytest.mark.parametrize(
    ("method", "result"),
    [
        ("scatter_nd_update", [5.0, 2.0, 1.0]),
        ("scatter_nd_add", [6.0, 2.0, 4.0]),
        ("scatter_nd_sub", [-4.0, 2.0, 2.0]),
    ],
)
def test_scattered_updates(method, result):
    v = tf.Variable([1.0, 2.0, 3.0])
    assert getattr(v, method)([[0], [2]], [5.0, 1.0]) is v
    assert v.numpy().tolist() == result
    v.assign([1.0, 2.0, 3.0])
    rows = types.SimpleNamespace(indices=tf.constant([0, 2]), values=tf.constant([5.0, 1.0]))
    getattr(v, method.replace("_nd", ""))(rows)
    assert v.numpy().tolist() == result


def test_updates_that_do_not_fit_are_refused():
    v = tf.Variable([1.0, 2.0, 4.0])
    with pytest.raises(TypeError, match="must be a `tf"):
        v.scatter_update(1.0)
    with pytest.raises(tf.errors.InvalidArgumentError):
        v.scatter_nd_update([[5]], [1.0])


def test_elements_are_assigned():
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    v[0].assign([8.0, 9.0])
    v[:, 1].assign([0.0, 0.0])

    @tf.function
    def f():
        v[1, 1].assign(7.0)
        return v[1]

    assert f().numpy().tolist() == [3.0, 7.0]
    assert v.numpy().tolist() == [[8.0, 0.0], [3.0, 7.0]]
    with pytest.raises(AttributeError):
        tf.constant([1.0])[0].assign(1.0)


@pytest.mark.parametrize(
    "method",
    ["scatter_update", "scatter_add", "scatter_sub"],
)
@pytest.mark.parametrize("position", [-1, 2])
def test_positions_out_of_range_are_refused_and_change_nothing(method, position):
    v = tf.Variable([1.0, 2.0])
    rows = tf.IndexedSlices(tf.constant([2.0, 3.0]), tf.constant([0, position]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not index into"):
        getattr(v, method)(rows)
    assert v.numpy().tolist() == [1.0, 2.0]


WIDE = tf.Variable([[1.0, 2.0]])


def _widened():
    WIDE.scatter_update(tf.IndexedSlices([[1.0, 2.0, 3.0]], [0]))


def test_updates_of_another_shape_name_the_variable():
    v = tf.Variable([[1.0, 2.0]], name="table")
    for change in (lambda: v.scatter_nd_add([[0]], [[1.0]]), tf.function(_widened)):
        with pytest.raises(
            tf.errors.InvalidArgumentError, match=r"variable '.*' cannot be changed"
        ):
            change()


@pytest.mark.parametrize("method", ["assign", "assign_add", "assign_sub"])
@pytest.mark.parametrize("n", [1, 2])
def test_a_shape_that_the_graph_decides_is_checked_when_it_runs(method, n):
    v = tf.Variable([1.0, 2.0, 3.0])

    @tf.function
    def change(n):
        getattr(v, method)(tf.ones([n]))
        return v.value()

    with pytest.raises(tf.errors.InvalidArgumentError, match=rf"\[{n}\].*\[3\](.|\n)*{__file__}"):
        change(tf.constant(n))
    assert v.numpy().tolist() == [1.0, 2.0, 3.0]
    assert change(tf.constant(3)).shape == (3,)


def test_a_variable_of_unknown_shape_takes_every_length():
    v = tf.Variable([1.0], shape=[None])

    @tf.function
    def change(n):
        v.assign(tf.ones([n]))
        return v.value()

    assert [change(tf.constant(n)).shape.as_list() for n in (1, 3)] == [[1], [3]]


@pytest.mark.parametrize("method", ["assign", "assign_add"])
def test_a_value_of_another_dtype_names_the_variable(method):
    count = tf.Variable([1, 2], name="count")
    with pytest.raises(TypeError, match="int32") as caught:
        getattr(count, method)([1.5, 2.5])
    assert caught.value.__notes__ == ["for variable 'count:0', which is int32[2]"]
