import inspect

import numpy as np
import pytest

import runtime as tf
from runtime.core.list_values import ListValue


def test_write_read_stack():
    ta = tf.TensorArray(tf.float32, size=2)
    ta = ta.write(0, 1.0).write(1, 2.0)
    assert float(ta.read(1)) == 2.0
    assert int(ta.size()) == 2
    np.testing.assert_array_equal(ta.stack().numpy(), [1, 2])


def test_unstack_gather_concat():
    ta = tf.TensorArray(tf.int32, size=2).unstack([[1, 2], [3, 4]])
    np.testing.assert_array_equal(ta.read(1).numpy(), [3, 4])
    np.testing.assert_array_equal(ta.gather([1, 0]).numpy(), [[3, 4], [1, 2]])
    np.testing.assert_array_equal(ta.concat().numpy(), [1, 2, 3, 4])


@pytest.mark.parametrize("index", [2, -1])
def test_out_of_bounds(index):
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"size is: 2|negative indices"):
        tf.TensorArray(tf.float32, size=2).write(index, 1.0)


def test_reading_what_was_never_written():
    with pytest.raises(tf.errors.InvalidArgumentError, match="never written"):
        tf.TensorArray(tf.float32, size=2).read(0)


def test_elements_of_one_dtype_and_shape():
    ta = tf.TensorArray(tf.float32, size=2).write(0, [1.0, 2.0])
    with pytest.raises(ValueError, match="Incompatible shape for value"):
        ta.write(1, 1.0)
    with pytest.raises(TypeError):
        ta.write(1, tf.constant([1, 2]))


@pytest.mark.parametrize("dynamic", [True, False])
def test_in_a_loop(dynamic):
    @tf.function
    def squares(n):
        ta = tf.TensorArray(tf.int32, size=0 if dynamic else n, dynamic_size=dynamic)
        for i in tf.range(n):
            ta = ta.write(i, i * i)
        return ta.stack()

    np.testing.assert_array_equal(squares(tf.constant(4)).numpy(), [0, 1, 4, 9])
    np.testing.assert_array_equal(squares(tf.constant(0)).numpy(), [])


def test_versions_of_a_list_are_independent():
    empty = ListValue.of([])
    one = empty.appended("a")
    two, other = one.appended("b"), one.appended("c")
    changed = two.with_item(0, "z")
    assert [v.entries() for v in (empty, one, two, other, changed)] == [
        [],
        ["a"],
        ["a", "b"],
        ["a", "c"],
        ["z", "b"],
    ]
    assert two.resized(1).appended("d").entries() == ["a", "d"]
    assert two.resized(3).entries() == ["a", "b", None]


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda ta: ta.write(-1, 1.0), tf.errors.OutOfRangeError, "negative indices"),
        (lambda ta: ta.unstack([1.0, 2.0]), ValueError, "static size 3"),
        (lambda ta: ta.unstack(1.0), ValueError, "no rows"),
        (
            lambda ta: ta.write(0, tf.constant(1)),
            tf.errors.InvalidArgumentError,
            "write dtype int32",
        ),
        (lambda ta: ta.write(0, 1.0).write(1, [1.0]), ValueError, "Incompatible shape"),
        (lambda ta: ta.write(0, 1.0).concat(), tf.errors.InvalidArgumentError, "scalar shape"),
        (lambda ta: ta.stack(), tf.errors.InvalidArgumentError, "never written"),
    ],
)
def test_refused_at_once_and_in_a_graph(call, kind, words):
    def run():
        result = call(tf.TensorArray(tf.float32, size=3))
        return result.size() if isinstance(result, tf.TensorArray) else result

    for attempt in (run, tf.function(run, autograph=False)):
        with pytest.raises(kind, match=words):
            attempt()


def test_what_was_not_written_is_zero_where_the_shape_is_known():
    ta = tf.TensorArray(tf.float32, size=2, element_shape=[2])
    assert ta.read(1).numpy().tolist() == [0.0, 0.0]
    assert ta.stack().shape == [2, 2]


def test_a_size_is_needed():
    with pytest.raises(ValueError, match="Size must be declared"):
        tf.TensorArray(tf.float32)


@pytest.mark.parametrize("spec", [[None], None])
def test_what_was_not_written_has_the_shape_of_the_others(spec):
    @tf.function(input_signature=[tf.TensorSpec(spec)])
    def f(x):
        ta = tf.TensorArray(tf.float32, size=3)
        for i in tf.range(1, 3):
            ta = ta.write(i, x)
        return ta.stack(), ta.read(0)

    stacked, first = f(tf.constant([1.0, 2.0]))
    assert stacked.numpy().tolist() == [[0.0, 0.0], [1.0, 2.0], [1.0, 2.0]]
    assert first.numpy().tolist() == [0.0, 0.0]


@pytest.mark.parametrize("stage", [lambda f: f, tf.function])
def test_unstacked_strings_stay_strings_of_any_length(stage):
    def replaced(texts):
        array = tf.TensorArray(tf.string, 2).unstack(texts)
        return tf.tensor_scatter_nd_update(array.stack(), [[0]], ["longer"])

    assert stage(replaced)(tf.constant(["a", "b\0"])).numpy().tolist() == [b"longer", b"b\0"]


@pytest.mark.parametrize("method", ["stack", "concat"])
@pytest.mark.parametrize("decorate", [lambda f: f, tf.function])
def test_entries_of_several_shapes_are_named(decorate, method):
    @decorate
    def triangle(n):
        rows = tf.TensorArray(tf.float32, 0, dynamic_size=True, infer_shape=False)
        for i in tf.range(n):
            rows = rows.write(i, tf.ones([i + 1]))
        return getattr(rows, method)()

    words = r"entry 0 of the list has the shape \[1\], entry 1 \[2\]"
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        triangle(tf.constant(3))


def _in_a_loop(n):
    squares = tf.TensorArray(tf.int32, size=n, element_shape=[])
    for i in tf.range(n):
        squares.write(i, i * i)  # dropped
    return squares.stack()


def _in_a_branch(n):
    pair = tf.TensorArray(tf.int32, size=2).unstack([1, 2])
    if n > 0:
        pair.write(0, n)  # dropped
    return pair.read(0)


def _at_once(n):
    pair = tf.TensorArray(tf.int32, size=2)
    pair.unstack([n, n])  # dropped
    if n > 0:
        pair = pair.write(0, n)
    return pair.stack()


def _before_a_loop(n):
    triple = tf.TensorArray(tf.int32, size=3)
    triple.write(1, n)  # dropped
    for i in tf.range(n - 1):
        triple = triple.write(i, i)
    return triple.stack()


def _before_a_call(n):
    pair = tf.TensorArray(tf.int32, size=2, element_shape=[])
    pair.write(1, n)  # dropped
    return tf.function(lambda pair: pair.stack())(pair)


def _in_one_of_two_branches(n):
    pair = tf.TensorArray(tf.int32, size=2, element_shape=[])
    if n > 0:
        pair.write(0, n)  # dropped
    else:
        pair = pair.write(1, n)
    return pair.stack()


@pytest.mark.parametrize(
    "function",
    [
        _in_a_loop,
        _in_a_branch,
        _at_once,
        _before_a_loop,
        _before_a_call,
        _in_one_of_two_branches,
    ],
)
def test_an_array_whose_change_was_dropped_is_refused_in_a_function(function):
    function(tf.constant(3))  # outside of functions the array changes
    with pytest.raises(ValueError, match="used after a change whose result was dropped") as info:
        tf.function(function)(tf.constant(3))
    lines, first = inspect.getsourcelines(function)
    dropped = next(i for i, line in enumerate(lines, first) if "# dropped" in line)
    assert f"line {dropped}, in {function.__name__}\nIn a graph, `write`" in str(info.value)


def test_each_branch_changes_an_array_of_its_own():
    @tf.function
    def written(x):
        pair = tf.TensorArray(tf.float32, size=2)
        pair = tf.cond(x > 0, lambda: pair.write(0, x), lambda: pair.write(0, -x))
        pair = pair.write(1, 2.0) if x > 2 else pair.write(1, x)
        return pair.stack()

    assert written(tf.constant(3.0)).numpy().tolist() == [3.0, 2.0]
    assert written(tf.constant(-3.0)).numpy().tolist() == [3.0, -3.0]


def test_one_branch_changes_an_array_that_the_other_returns():
    @tf.function
    def written(x):
        pair = tf.TensorArray(tf.float32, size=2, element_shape=[])
        pair = tf.cond(x > 0, lambda: pair, lambda: pair.write(0, x))
        if x > -1:
            x = x + 1
        else:
            pair = pair.write(1, x)
        return pair.stack()

    assert written(tf.constant(3.0)).numpy().tolist() == [0.0, 0.0]
    assert written(tf.constant(-3.0)).numpy().tolist() == [-3.0, -3.0]


def test_a_function_changes_an_array_that_it_takes_and_returns():
    @tf.function
    def put(array, x):
        array = array.write(0, x)
        return array.write(1, -x)

    @tf.function
    def written(x):
        pair = tf.TensorArray(tf.float32, size=2, element_shape=[])
        pair = put(pair, x)
        return pair.stack()

    assert written(tf.constant(3.0)).numpy().tolist() == [3.0, -3.0]


@pytest.mark.parametrize("count", [3, 300])
def test_an_array_in_an_object_is_changed_in_a_long_loop(count):
    class Buffer:
        def __init__(self):
            self.array = tf.TensorArray(tf.float32, size=count)

        def put(self, i, x):
            self.array = self.array.write(i, x)

    @tf.function
    def total(x):
        buffer = Buffer()
        for i in range(count):
            buffer.put(i, x)
        return tf.reduce_sum(buffer.array.stack())

    assert float(total(tf.constant(1.0))) == count
