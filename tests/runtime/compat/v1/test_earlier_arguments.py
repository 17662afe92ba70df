"""Functions under their names and arguments of version 1."""

import numpy as np
import pytest

import runtime
import runtime.compat.v1 as tf

BOTH_NAMES = [
    (lambda: tf.reduce_sum([1, 2], axis=0, reduction_indices=0), "reduction_indices", "axis"),
    (lambda: tf.reduce_sum([1, 2], keepdims=True, keep_dims=True), "keep_dims", "keepdims"),
    (lambda: tf.argmax([1, 2], axis=0, dimension=0), "dimension", "axis"),
    (lambda: tf.expand_dims([1, 2], 0, dim=0), "dim", "axis"),
    (lambda: tf.squeeze([[1]], 0, squeeze_dims=0), "squeeze_dims", "axis"),
    (lambda: tf.nn.softmax([1.0], axis=0, dim=0), "dim", "axis"),
    (lambda: tf.nn.dropout([1.0], keep_prob=0.5, rate=0.5), "keep_prob", "rate"),
    (lambda: tf.nn.moments([1.0], [0], keep_dims=True, keepdims=True), "keep_dims", "keepdims"),
    (lambda: tf.string_to_hash_bucket("a", 10, input="a"), "string_tensor", "input"),
    (lambda: tf.verify_tensor_all_finite([1.0], "m", x=[1.0]), "t", "x"),
]


@pytest.mark.parametrize(("call", "old", "new"), BOTH_NAMES)
def test_an_argument_under_both_of_its_names_is_refused(call, old, new):
    with pytest.raises(ValueError, match=f"Cannot specify both '{old}' and '{new}'"):
        call()


VALUES = [
    (lambda: tf.reduce_sum([[1, 2]], reduction_indices=1, keep_dims=True), [[3]]),
    (lambda: tf.reduce_mean([[1.0, 2.0]], keep_dims=True), [[1.5]]),
    (lambda: tf.reduce_all([[True, False]], 0), [True, False]),
    (lambda: tf.reduce_join([["a", "b"]], reduction_indices=[0], keep_dims=True), [[b"a", b"b"]]),
    (lambda: tf.count_nonzero([1, 0], reduction_indices=0), 1),
    (lambda: tf.argmax([1, 3], dimension=0), 1),
    (lambda: tf.argmin([1, 3], 0, None, None, "int32"), 0),
    (lambda: tf.expand_dims([1, 2], dim=1), [[1], [2]]),
    (lambda: tf.squeeze([[1, 2]], squeeze_dims=[0]), [1, 2]),
    (lambda: tf.norm([3.0, 4.0], keep_dims=True), [5.0]),
    (lambda: tf.div(-7, 2), -4),
    (lambda: tf.div(7.0, 2.0), 3.5),
    (lambda: tf.to_int32([1.7, -1.7]), [1, -1]),
    (lambda: tf.clip_by_average_norm([3.0, 4.0], 1.0), [1.2, 1.6]),
    (lambda: tf.clip_by_average_norm([0.5, 0.5], 1.0), [0.5, 0.5]),
    (lambda: tf.batch_gather([[1, 2], [3, 4]], [[0], [1]]), [[1], [4]]),
    (lambda: tf.gather([[1, 2]], [1], None, None, 1), [[2]]),
    (lambda: tf.boolean_mask([1, 2], [True, False], "name", 0), [1]),
    (lambda: tf.pad([1], [[1, 0]], "CONSTANT", None, 7), [7, 1]),
    (lambda: tf.constant([2], shape=[2]), [2, 2]),
    (lambda: tf.convert_to_tensor([1], preferred_dtype=tf.float32), [1.0]),
    (lambda: tf.nn.in_top_k([[1.0, 2.0]], [1], 1), [True]),
    (lambda: tf.nn.dropout([1.0, 2.0], 1.0), [1.0, 2.0]),
    (lambda: tf.nn.dropout([1.0, 2.0], rate=0.0), [1.0, 2.0]),
    (lambda: tf.nn.crelu([1.0, -2.0], "name"), [1.0, 0.0, 0.0, 2.0]),
    (lambda: tf.nn.moments([1.0, 3.0], [0], None, None, True)[0], [2.0]),
    (lambda: tf.nn.xw_plus_b([[1.0]], [[2.0]], [3.0]), [[5.0]]),
    (lambda: tf.nn.softmax_cross_entropy_with_logits([[1.0, 0.0]], [[1.0, 2.0]]), [1.3132616]),
    (lambda: tf.nn.softmax_cross_entropy_with_logits_v2([[1.0, 0.0]], [[0.0, 0.0]]), [0.6931472]),
    (lambda: tf.nn.sigmoid_cross_entropy_with_logits([1.0], [0.0]), [0.6931472]),
    (
        lambda: tf.nn.weighted_cross_entropy_with_logits(
            targets=[1.0], logits=[2.0], pos_weight=1.0
        ),
        [0.126928],
    ),
    (lambda: tf.string_to_number("1.5"), 1.5),
    (lambda: tf.string_to_hash_bucket("a", 10), 8),
    (lambda: tf.substr("abc", 1, 2), b"bc"),
    (lambda: tf.strings.length("é", unit="UTF8_CHAR"), 1),
    (lambda: tf.strings.split("a b", result_type="RaggedTensor"), [b"a", b"b"]),
    (lambda: tf.matrix_determinant([[2.0]]), 2.0),
    (lambda: tf.lin_space(0.0, 1.0, 3), [0.0, 0.5, 1.0]),
    (lambda: tf.py_func(lambda x: x + x, [1.5], tf.float32), 3.0),
    (lambda: tf.cond(tf.constant(True), fn1=lambda: 1, fn2=lambda: 2), 1),
    (lambda: tf.while_loop(lambda i: i < 3, lambda i: i + 1, [0]), 3),
    (lambda: tf.manip.roll([1, 2, 3], 1, 0), [3, 1, 2]),
    (lambda: tf.spectral.rfft([1.0, 1.0]), [2.0, 0.0]),
]  # fmt: skip


@pytest.mark.parametrize(("call", "expected"), VALUES)
def test_values(call, expected):
    value = call()
    array = value.numpy() if hasattr(value, "numpy") else value
    if np.asarray(array).dtype.kind in "fc":
        np.testing.assert_allclose(array, expected, rtol=1e-6)
    else:
        np.testing.assert_array_equal(array, np.asarray(expected, np.asarray(array).dtype))


class TestWhere:
    def test_rows_are_chosen_by_a_vector(self):
        chosen = tf.where([True, False], [[1, 2], [3, 4]], [[5, 6], [7, 8]])
        assert chosen.numpy().tolist() == [[1, 2], [7, 8]]

    def test_rows_of_unknown_rank(self):
        @runtime.function(
            input_signature=[
                runtime.TensorSpec([None], tf.bool),
                runtime.TensorSpec(None, tf.int32),
            ]
        )
        def chosen(condition, x):
            return tf.where(condition, x, -x)

        assert chosen([True, False], [[1, 2], [3, 4]]).numpy().tolist() == [[1, 2], [-3, -4]]

    def test_elements(self):
        assert tf.where([[True, False]], [[1, 2]], [[3, 4]]).numpy().tolist() == [[1, 4]]
        assert tf.where(True, [1, 2], [3, 4]).numpy().tolist() == [1, 2]

    def test_positions(self):
        assert tf.where([True, False]).numpy().tolist() == [[0]]

    @pytest.mark.parametrize(
        ("arguments", "kind", "text"),
        [
            (([True], [1]), ValueError, "must both be non-None or both be None"),
            (([[True, False]], [[1, 2]], [1, 2]), tf.errors.InvalidArgumentError, "same size"),
            (([True, False], 1, 2), tf.errors.InvalidArgumentError, "must be at least a vector"),
            (([True], [[1], [2]], [[1], [2]]), tf.errors.InvalidArgumentError, "Number of batch"),
            (([[True]], [[1], [2]], [[1], [2]]), tf.errors.InvalidArgumentError, "same size"),
        ],
    )
    def test_nothing_is_broadcast(self, arguments, kind, text):
        with pytest.raises(kind, match=text):
            tf.where(*arguments)

    def test_where_v2_broadcasts(self):
        assert tf.where_v2([True, False], 1, 2).numpy().tolist() == [1, 2]


class TestChecks:
    def test_data_takes_the_place_of_the_operands(self):
        tf.assert_equal([1], [1], ["oh", tf.constant(3)])
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"^oh\n3"):
            tf.assert_equal([1], [2], ["oh", tf.constant(3)])
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"^oh"):
            tf.assert_positive([-1], ["oh"])

    def test_data_in_a_graph(self):
        with tf.Graph().as_default(), tf.Session() as session:
            x = tf.placeholder(tf.int32)
            check = tf.assert_less(x, 3, data=["x is", x])
            session.run(check, {x: 2})
            with pytest.raises(tf.errors.InvalidArgumentError, match=r"x is.*4"):
                session.run(check, {x: 4})

    def test_messages(self):
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"^m\nCondition x == y did not"):
            tf.assert_equal([1], [2], message="m")
        with pytest.raises(ValueError, match="must have rank 2"):
            tf.assert_rank([1], 2)
        with pytest.raises(ValueError, match=r"m.  Expected scalar shape"):
            tf.assert_scalar([1], message="m")
        with pytest.raises(tf.errors.InvalidArgumentError, match="msg : Tensor had Inf"):
            tf.verify_tensor_all_finite([np.inf], "msg")

    def test_ranks(self):
        tf.assert_rank_at_least([1], 1)
        tf.assert_rank_in([1], (0, 1))
        with pytest.raises(ValueError, match="must have rank at least 2"):
            tf.assert_rank_at_least([1], 2)


REFUSED = [
    (lambda: tf.expand_dims([1]), ValueError, "Must specify an axis argument"),
    (lambda: tf.nn.dropout([1.0]), ValueError, "`rate` must be provided"),
    (lambda: tf.nn.conv2d(tf.ones([1, 1, 1, 1])), TypeError, "missing a required argument"),
    (lambda: tf.constant([1], shape=[2], verify_shape=True), TypeError, "with shape \\(2,\\)"),
    (lambda: tf.strings.split("a b"), tf.errors.UnimplementedError, "gives a SparseTensor"),
    (lambda: tf.strings.split("a", result_type="x"), ValueError, "result_type must be one of"),
    (
        lambda: tf.nn.embedding_lookup([[1.0]], [0], "x"),
        ValueError,
        "Only 'mod' and 'div' are supported",
    ),
    (lambda: tf.disable_control_flow_v2(), tf.errors.UnimplementedError, "always carry graphs"),
    (lambda: tf.random_crop([1, 2], [3]), tf.errors.InvalidArgumentError, "value.shape >= size"),
    (lambda: tf.variance_scaling_initializer(-1.0), ValueError, "must be a positive float"),
    (lambda: tf.variance_scaling_initializer(mode="x"), ValueError, "`mode` should be one of"),
    (lambda: tf.orthogonal_initializer()([2]), ValueError, "at least two-dimensional"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "kind", "text"), REFUSED)
def test_refused(call, kind, text):
    with pytest.raises(kind, match=text):
        call()


def test_functions_that_choose_devices_are_refused():
    with pytest.raises(RuntimeError, match="does not support functions"), tf.device(lambda op: ""):
        pass
    with (
        tf.Graph().as_default(),
        pytest.raises(tf.errors.UnimplementedError, match="asked for by its name"),
        tf.device(lambda op: ""),
    ):
        pass


class TestEmbeddings:
    TABLE = [[[1.0], [3.0]], [[2.0], [4.0]]]

    def test_rows_in_turn(self):
        rows = tf.nn.embedding_lookup(self.TABLE, [0, 1, 2, 3])
        assert rows.numpy().ravel().tolist() == [1.0, 2.0, 3.0, 4.0]

    def test_rows_one_part_after_the_other(self):
        rows = tf.nn.embedding_lookup(self.TABLE, [0, 1, 2, 3], partition_strategy="div")
        assert rows.numpy().ravel().tolist() == [1.0, 3.0, 2.0, 4.0]


SCATTERS = [
    ("update", [[1], [2.0]], [6.0, 2.0]),
    ("add", [[1], [2.0]], [6.0, 8.0]),
    ("sub", [[1], [2.0]], [6.0, 4.0]),
    ("mul", [[1], [2.0]], [6.0, 12.0]),
    ("div", [[1], [2.0]], [6.0, 3.0]),
    ("max", [[1], [9.0]], [6.0, 9.0]),
    ("min", [[1], [2.0]], [6.0, 2.0]),
    ("nd_update", [[[1]], [2.0]], [6.0, 2.0]),
    ("nd_add", [[[1]], [2.0]], [6.0, 8.0]),
    ("nd_sub", [[[1]], [2.0]], [6.0, 4.0]),
]


class TestScatters:
    @pytest.mark.parametrize(("name", "arguments", "expected"), SCATTERS)
    def test_eagerly(self, name, arguments, expected):
        v = tf.Variable([6.0, 6.0])
        changed = getattr(tf, f"scatter_{name}")(v, *arguments)
        assert v.numpy().tolist() == expected
        assert changed.numpy().tolist() == expected

    @pytest.mark.parametrize(("name", "arguments", "expected"), SCATTERS)
    def test_in_a_graph(self, name, arguments, expected):
        with tf.Graph().as_default(), tf.Session() as session:
            v = tf.Variable([6.0, 6.0])
            change = getattr(tf, f"scatter_{name}")(v, *arguments)
            session.run(v.initializer)
            assert session.run(v).tolist() == [6.0, 6.0]
            assert session.run(change).tolist() == expected
            assert session.run(v).tolist() == expected

    def test_positions_out_of_bounds_change_nothing(self):
        v = tf.Variable([6.0, 6.0])
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.scatter_add(v, [2], [1.0])
        assert v.numpy().tolist() == [6.0, 6.0]


class TestTemplates:
    def test_later_calls_have_the_variables_of_the_first(self):
        with tf.Graph().as_default():
            scaled = tf.make_template("scaled", lambda x, by: x * tf.get_variable("w", []), by=1)
            scaled(tf.constant(1.0))
            scaled(tf.constant(2.0))
            assert [v.name for v in scaled.variables] == ["scaled/w:0"]

    def test_another_template_has_its_own(self):
        with tf.Graph().as_default():
            for _ in range(2):
                tf.make_template("scaled", lambda: tf.get_variable("w", []))()
            assert [v.op.name for v in tf.global_variables()] == ["scaled/w", "scaled_1/w"]

    def test_a_later_call_makes_no_variables(self):
        names = iter("ab")
        with tf.Graph().as_default():
            template = tf.make_template("t", lambda: tf.get_variable(next(names), []))
            template()
            with pytest.raises(ValueError, match="does not exist"):
                template()


class TestLists:
    def test_local_variables(self):
        with tf.Graph().as_default():
            v = tf.get_local_variable("v", [2])
            assert tf.local_variables() == [v]
            assert tf.all_variables() == [] == tf.trainable_variables()

    def test_lists_of_models(self):
        with tf.Graph().as_default():
            tf.add_to_collection(tf.GraphKeys.MODEL_VARIABLES, 1)
            assert tf.model_variables() == [1]
            assert tf.moving_average_variables() == []


class TestInitializers:
    @pytest.mark.parametrize(
        "name",
        [
            "glorot_normal", "glorot_uniform", "orthogonal", "random_normal", "random_uniform",
            "truncated_normal", "uniform_unit_scaling", "variance_scaling",
        ],
    )  # fmt: skip
    def test_seeds_fix_the_numbers(self, name):
        def draw(seed):
            runtime.random.set_seed(1)
            return getattr(tf.initializers, name)(seed=seed)([3, 4]).numpy()

        np.testing.assert_array_equal(draw(3), draw(3))
        assert (draw(3) != draw(4)).any()

    def test_rows_are_orthogonal(self):
        q = tf.orthogonal_initializer(gain=2.0)([2, 5]).numpy()
        np.testing.assert_allclose(q @ q.T, 4.0 * np.eye(2), atol=1e-5)

    def test_limits(self):
        drawn = tf.uniform_unit_scaling_initializer()([3, 1000]).numpy()
        assert 0.9 < np.abs(drawn).max() <= 1.0


def test_names_of_both_versions_are_listed():
    assert {"matmul", "reduce_sum", "Session"} <= set(dir(tf))
    assert {"softmax", "relu"} <= set(dir(tf.nn))
    assert not hasattr(tf.nn, "no_such_layer")


def test_namespaces_fall_back_on_version_2():
    assert tf.nn.relu is runtime.nn.relu
    assert tf.nn.softmax is not runtime.nn.softmax
    assert tf.math.sin is runtime.math.sin


def test_seeds_that_operations_would_have():
    tf.set_random_seed(7)
    assert tf.get_seed(5) == (7, 5)


def test_indexed_slices_are_whole_tensors():
    rows = tf.IndexedSlices(tf.constant([[1, 2], [3, 4]]), tf.constant([1, 1]), [2, 2])
    assert runtime.convert_to_tensor(rows).numpy().tolist() == [[0, 0], [4, 6]]
    assert rows.shape == [2, 2] and rows.dtype is tf.int32
    assert runtime.convert_to_tensor(-rows).numpy().tolist() == [[0, 0], [-4, -6]]
    with pytest.raises(ValueError, match="IndexedSlices without dense_shape"):
        runtime.convert_to_tensor(tf.IndexedSlices(tf.constant([1]), tf.constant([0])))


def test_indexed_slices_are_structures_of_functions():
    @runtime.function
    def doubled(rows):
        return tf.IndexedSlices(rows.values * 2, rows.indices)

    rows = doubled(tf.IndexedSlices(tf.constant([1]), tf.constant([4])))
    assert rows.values.numpy().tolist() == [2] and rows.indices.numpy().tolist() == [4]
