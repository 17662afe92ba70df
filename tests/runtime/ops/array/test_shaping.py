"""Other shapes and dtypes of the same elements, joining and splitting."""

import numpy as np
import pytest

import runtime as tf
from runtime.core.opdef import NOT_DIFFERENTIABLE, lookup
from runtime.engines.engine import set_engine

Invalid = tf.errors.InvalidArgumentError


def test_lengths_of_parts_are_known_while_recording():
    function = tf.function(lambda x, n: tf.split(x, n), autograph=False)
    with pytest.raises(ValueError, match=r"known while the graph is recorded; runtime\.slice"):
        function(tf.range(4), tf.constant([1, 3]))


@pytest.mark.parametrize(("parts", "lengths"), [(2, [2, 2]), ([1, 3], [1, 3]), ([1, -1], [1, 3])])
def test_parts(parts, lengths):
    assert [len(part) for part in tf.split(tf.range(4), parts)] == lengths


@pytest.mark.parametrize("parts", [3, [1, 1]])
def test_parts_that_do_not_fit(parts):
    with pytest.raises(Invalid):
        tf.split(tf.range(4), parts)


def test_casts_that_saturate():
    cast = tf.saturate_cast
    assert cast([300, -5], tf.int8).numpy().tolist() == [127, -5]
    assert cast([300.0, -1.5], tf.uint8).numpy().tolist() == [255, 0]
    assert cast([1e20], tf.int32).numpy()[0] == 2147483520


def test_strings_are_not_cast():
    with pytest.raises(tf.errors.UnimplementedError, match="to_number"):
        tf.cast("1", tf.int32)


def test_numbers_in_a_row():
    assert tf.range(tf.constant(0), tf.constant(3, tf.int64)).dtype == tf.int64
    assert tf.range(1, 5, 1.5).numpy().tolist() == [1.0, 2.5, 4.0]
    with pytest.raises(Invalid, match="Requires start <= limit when delta > 0: 5/2"):
        tf.range(5, 2)


def test_rows_of_equal_distances():
    made = tf.linspace([0.0, 1.0], [10.0, 21.0], 3, axis=-1)
    np.testing.assert_array_equal(made.numpy(), [[0, 5, 10], [1, 11, 21]])


def test_unit_matrices_of_later_size():
    function = tf.function(lambda n: tf.eye(n), autograph=False)
    np.testing.assert_array_equal(function(tf.constant(2)).numpy(), np.eye(2))


def test_nothing_flows_back_through_a_stop():
    assert lookup("StopGradient").grad is NOT_DIFFERENTIABLE
    assert float(tf.stop_gradient(2.0)) == 2.0


def test_fill_takes_one_value():
    assert tf.fill([2], 7).numpy().tolist() == [7, 7]
    for call in (tf.fill, tf.function(tf.fill, autograph=False)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="value must represent a scalar"):
            call([2], tf.constant([1, 2]))


MISFITS = {
    "expand_dims": (
        lambda x: tf.expand_dims(x, 3),
        "Tried to expand dim index 3 for tensor with 2",
    ),
    "expand_dims at two": (lambda x: tf.expand_dims(x, [0, 1]), "a tensor with a single value"),
    "squeeze a length": (
        lambda x: tf.squeeze(x, 1),
        r"Can not squeeze dim\[1\], expected .* got 3",
    ),
    "squeeze an axis": (lambda x: tf.squeeze(x, -3), "Tried to squeeze dim index -3 for tensor"),
    "reshape twice -1": (lambda x: tf.reshape(x, [-1, -1]), "Only one input size may be -1"),
    "reshape negative": (lambda x: tf.reshape(x, [3, -2]), "Size 1 must be non-negative, not -2"),
    "reshape by a matrix": (lambda x: tf.reshape(x, [[3, 1]]), "sizes input must be 1-D, not"),
    "transpose short": (lambda x: tf.transpose(x, [0]), "transpose expects a vector of size 2"),
    "transpose twice": (lambda x: tf.transpose(x, [0, 0]), "1 is missing from {0,0}"),
    "transpose far": (lambda x: tf.transpose(x, [0, 2]), r"2 is out of range \[0 .. 2\)"),
    "broadcast up": (
        lambda x: tf.broadcast_to(x, [1]),
        "Rank of input .2. must be no greater than",
    ),
    "broadcast down": (lambda x: tf.broadcast_to(x, [1, 1]), "Unable to broadcast tensor of shape"),
    "broadcast aside": (
        lambda x: tf.broadcast_to(x, [1, 2]),
        "Incompatible shapes: .1,3. vs. .1,2",
    ),
    "broadcast below 0": (lambda x: tf.broadcast_to(x, [1, -1]), "Dimension -1 must be >= 0"),
    "ensure_shape": (lambda x: tf.ensure_shape(x, [3]), "is not compatible with expected shape .3"),
    "tile": (lambda x: tf.tile(x, [2]), "a vector of length 2 but got length 1"),
    "tile by a scalar": (lambda x: tf.tile(x, 2), "Expected multiples to be 1-D"),
}


@pytest.mark.parametrize(("call", "words"), MISFITS.values(), ids=MISFITS)
def test_what_does_not_fit_a_shape(call, words):
    x = tf.constant([[1.0, 2.0, 3.0]])
    with pytest.raises(Invalid, match=words):
        call(x)
    for known in ([1, 3], None):
        with pytest.raises(ValueError):
            tf.function(call, input_signature=[tf.TensorSpec(known)], autograph=False)(x)


def test_nothing_in_another_shape():
    assert tf.reshape(tf.zeros([0]), [0, -1]).shape == (0, 1)
    assert tf.reshape(tf.zeros([0, 3]), [0, -1]).shape == (0, 3)
    assert tf.reshape(tf.zeros([2, 0]), [-1]).shape == (0,)


def test_dimensions_counted_from_the_end():
    x = tf.zeros([2, 3, 4])
    assert tf.transpose(x, [-1, 0, -2]).shape == (4, 2, 3)
    assert tf.function(lambda x: tf.transpose(x, [-1, 0, -2]))(x).shape == (4, 2, 3)
    assert tf.squeeze(tf.zeros([1, 2]), [0, -2]).shape == (2,)


@pytest.mark.parametrize("call", [tf.squeeze, tf.reduce_sum, tf.reverse, tf.expand_dims])
def test_axes_are_whole_numbers(call):
    with pytest.raises(TypeError, match="`axis` has to be an integer"):
        call(tf.zeros([1, 1]), axis=[0.5])


PARTS_THAT_DO_NOT_FIT = {
    "two of what is left": ([-1, -1], "only be one -1"),
    "negative": ([-2, 6], "Split size at index 0 must be >= 0. Got: -2"),
    "uneven": (3, "evenly divide the split dimension"),
    "none": (0, "Number of ways to split should be > 0"),
    "too short": ([1, 2], "Determined shape must either match"),
    "a fraction": (2.0, "Rank-0 tensors are not supported"),
}


@pytest.mark.parametrize(
    ("parts", "words"), PARTS_THAT_DO_NOT_FIT.values(), ids=PARTS_THAT_DO_NOT_FIT
)
def test_words_for_parts_that_do_not_fit(parts, words):
    x = tf.range(4)
    for call in (lambda x: tf.split(x, parts), tf.function(lambda x: tf.split(x, parts))):
        with pytest.raises(ValueError, match=words):
            call(x)


def test_side_by_side_with_what_is_known():
    seen = []

    @tf.function(input_signature=[tf.TensorSpec(None)])
    def function(x):
        seen.extend([tf.stack([x, 2.0]).shape, tf.concat([x, [1.0]], 0).shape])
        return x

    function.get_concrete_function()
    assert seen[0] == [2]
    assert seen[1].as_list() == [None]


def test_nothing_side_by_side():
    assert tf.stack([]).shape == (0,)
    assert tf.stack([]).dtype == tf.float32


def test_joining_along_an_axis_that_is_not_there():
    x = tf.ones([2])
    with pytest.raises(Invalid, match=r"dimensions in the range \[-1, 1\), but got 1"):
        tf.concat([x, x], 1)
    with pytest.raises(Invalid, match="Can't concatenate scalars"):
        tf.concat([1.0, 2.0], 0)
    with pytest.raises(Invalid, match="must be a scalar"):
        tf.concat([x, x], [0, 0])


@pytest.mark.parametrize(
    "call", [tf.argmax, tf.argmin, tf.cumsum, tf.math.cumprod, tf.sort, tf.argsort]
)
def test_one_axis_is_one_number(call):
    with pytest.raises(Invalid, match="must be a scalar"):
        call([[1.0]], axis=[0, 1])
    with pytest.raises(TypeError, match="has to be an integer"):
        call([[1.0]], axis=0.5)


@pytest.mark.parametrize("make", [tf.ones, tf.ones_like, tf.eye])
def test_there_are_no_ones_of_strings(make):
    with pytest.raises((TypeError, Invalid), match="dtype string"):
        make(2, dtype=tf.string)
    assert tf.zeros([1], tf.string).numpy().tolist() == [b""]


def test_shapes_are_whole_numbers():
    for make in (tf.zeros, tf.ones, tf.random.uniform):
        with pytest.raises(TypeError, match="to EagerTensor of dtype int32"):
            make([2.5])
    with pytest.raises(Invalid, match="Dimension -1 must be >= 0"):
        tf.eye(-1)


def test_empty_lists_are_of_the_dtype_that_is_taken():
    assert tf.tile(5.0, []).numpy() == 5.0
    assert not tf.reduce_any([])
    assert tf.reduce_sum([]).dtype == tf.float32


def test_one_entry_for_one_depth():
    with pytest.raises(ValueError, match="scalar"):
        tf.one_hot([1], [3])
    with pytest.raises(ValueError, match="scalar"):
        tf.function(lambda: tf.one_hot([1], [3]))()


def test_positions_of_what_is_true():
    assert tf.where([0, 3]).numpy().tolist() == [[1]]
    with pytest.raises(Invalid, match="Unhandled input dimensions: 0"):
        tf.where(True)
    with pytest.raises(TypeError, match="list of allowed values"):
        tf.where(["a"])


AXES_THAT_ARE_NOT_THERE = {
    "stack": (lambda x: tf.stack([x, x], 3), r"Argument `axis` = 3 not in range \[-3, 3\)"),
    "unstack": (lambda x: tf.unstack(x, axis=2), r"Argument `axis` = 2 not in range \[-2, 2\)"),
    "unstack into": (
        lambda x: tf.unstack(x, 3),
        "Input shape axis 0 must equal 3, got shape .2,1.",
    ),
    "split": (lambda x: tf.split(x, 1, 2), r"<= split_dim < input rank \(2\), but got 2"),
    "split sizes": (lambda x: tf.split(x, [1, 1], -3), "split_dim < input rank"),
    "tile": (lambda x: tf.tile(x, [1, -1]), r"Expected multiples\[1\] >= 0, but got -1"),
    "concat": (lambda x: tf.concat([], 0), "with length 0 shorter than minimum length 2"),
}


@pytest.mark.parametrize(
    ("call", "words"), AXES_THAT_ARE_NOT_THERE.values(), ids=AXES_THAT_ARE_NOT_THERE
)
def test_axes_that_are_not_there(call, words):
    x = tf.constant([[1.0], [2.0]])
    for run in (call, tf.function(call)):
        with pytest.raises(ValueError, match=words):
            run(x)


@pytest.fixture(params=["plan", "interpreter", "native"])
def engine(request):
    if request.param == "native":
        pytest.importorskip("llvmlite")
    set_engine(request.param)
    yield
    set_engine("plan")


def test_a_target_that_the_graph_decides_is_compared_when_it_runs(engine):
    repeat = tf.function(lambda x, n: tf.broadcast_to(x, [n]) * 2.0)
    x, one = tf.constant([1.0, 2.0]), tf.constant([1.5])
    assert repeat(x, tf.constant(2)).numpy().tolist() == [2.0, 4.0]
    assert repeat(one, tf.constant(3)).numpy().tolist() == [3.0] * 3
    with pytest.raises(Invalid):
        repeat(x, tf.constant(3))


def test_a_known_target_is_broadcast_at_no_cost():
    same = tf.function(lambda x: tf.broadcast_to(x, [2]) + x)
    graph = same.get_concrete_function(tf.TensorSpec([2])).plan_source
    assert "broadcast" not in graph
