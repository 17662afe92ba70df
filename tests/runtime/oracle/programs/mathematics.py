"""Computations inside and outside of functions."""

from tests.runtime.oracle.corpus import differs


def _both(tf, f, *args):
    return f(*args), tf.function(f)(*args)


def reductions(tf):
    def f(x):
        return (
            tf.reduce_sum(x), tf.reduce_mean(x, 0), tf.reduce_max(x, axis=1), tf.reduce_min(x),
            tf.reduce_prod(x, 1, keepdims=True), tf.reduce_sum(x, axis=[0, 1]), tf.argmax(x, 1),
            tf.reduce_any(x > 3), tf.reduce_all(x > 0, axis=0), tf.cumsum(x, axis=1),
        )  # fmt: skip

    return _both(tf, f, tf.constant([[1.0, 2.0], [3.0, 4.0]]))


def mean_of_integers(tf):
    return _both(
        tf,
        lambda x: (tf.reduce_mean(x), tf.reduce_sum(x), tf.reduce_max(x)),
        tf.constant([1, 2, 4]),
    )


def products_of_matrices(tf):
    def f(a, b):
        return (
            tf.matmul(a, b),
            a @ b,
            tf.matmul(a, a, transpose_b=True),
            tf.tensordot(a, b, 1),
            tf.transpose(a),
        )

    return _both(
        tf, f, tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([[0.0, 1.0], [1.0, 0.0]])
    )


def batches_of_matrices(tf):
    x = tf.reshape(tf.range(12.0), [2, 2, 3])
    return tf.matmul(x, x, transpose_a=True), tf.matmul(x, tf.ones([3, 1]))


def matrices_that_do_not_fit(tf):
    return tf.function(lambda a: tf.matmul(a, a))(tf.zeros([2, 3]))


def vectors_are_no_matrices(tf):
    return tf.constant([1.0, 2.0]) @ tf.constant([1.0, 2.0])


def shaping(tf):
    def f(x):
        return (
            tf.reshape(x, [3, 2]), tf.reshape(x, [-1]), tf.expand_dims(x, 0), tf.squeeze(x[:1]),
            tf.concat([x, x], 1), tf.stack([x, x], axis=-1), tf.tile(x, [1, 2]), tf.shape(x),
            tf.pad(x, [[0, 0], [1, 0]]), tf.reverse(x, [1]), tf.split(x, 3, axis=1), tf.unstack(x),
        )  # fmt: skip

    return _both(tf, f, tf.constant([[1, 2, 3], [4, 5, 6]]))


def reshape_that_does_not_fit(tf):
    return tf.function(lambda x: tf.reshape(x, [4]))(tf.constant([1, 2, 3]))


def concat_that_does_not_fit(tf):
    return tf.concat([tf.zeros([2, 1]), tf.zeros([3, 2])], 0)


def stack_that_does_not_fit(tf):
    return tf.stack([tf.zeros([2]), tf.zeros([3])])


def concat_of_two_dtypes(tf):
    return tf.concat([tf.constant([1]), tf.constant([1.0])], 0)


def picking(tf):
    def f(x, i):
        return (
            tf.gather(x, i),
            tf.gather_nd(x, [[0], [2]]),
            tf.one_hot(i, 3),
            tf.where(x > 15),
            tf.where(x > 15, x, 0),
        )

    return _both(tf, f, tf.constant([10, 20, 30]), tf.constant([2, 0]))


def gather_out_of_range(tf):
    return tf.gather([1, 2], 5)


def scattering(tf):
    def f(x):
        return tf.tensor_scatter_nd_update(x, [[1]], [9]), tf.tensor_scatter_nd_add(
            x, [[0], [0]], [1, 1]
        )

    return _both(tf, f, tf.constant([1, 2, 3]))


def sorting(tf):
    return _both(
        tf,
        lambda x: (tf.sort(x), tf.argsort(x), tf.sort(x, direction="DESCENDING")),
        tf.constant([3, 1, 2]),
    )


def elementwise_functions(tf):
    def f(x):
        return (
            tf.exp(x), tf.math.log(x), tf.sqrt(x), tf.square(x), tf.tanh(x), tf.sigmoid(x), tf.sin(x),
            tf.floor(x), tf.round(x), tf.sign(x), tf.maximum(x, 1.0), tf.clip_by_value(x, 0.5, 1.5),
        )  # fmt: skip

    return _both(tf, f, tf.constant([0.25, 1.0, 2.5]))


def edges_of_floats(tf):
    x = tf.constant([0.0, -0.0, float("inf"), float("-inf"), float("nan")])
    return 1.0 / x, tf.math.log(x), x == x, tf.maximum(x, 0.0), tf.sign(x), tf.math.is_nan(x)


@differs(
    "`//` gives what it gives with Python's floats",
    tensorflow="float32[2] [inf, -inf]",
    here="float32[2] [nan, nan]",
)
def floor_division_of_infinities(tf):
    return tf.constant([float("inf"), float("-inf")]) // 1.0


def rounding(tf):
    x = tf.constant([0.5, 1.5, 2.5, -0.5, -1.5])
    return tf.round(x), tf.floor(x), tf.math.ceil(x), tf.cast(x, tf.int32)


def casting(tf):
    x = tf.constant([1.9, -1.9, 0.0])
    return [tf.cast(x, d) for d in (tf.int32, tf.bool, tf.float64, tf.int8, tf.complex64)], tf.cast(
        [True, False], tf.float32
    )


def integers_wrap_around(tf):
    return tf.constant(127, tf.int8) + tf.constant(1, tf.int8), tf.constant(
        2**31 - 1
    ) + tf.constant(1)


def integer_division_by_zero(tf):
    return tf.function(lambda x: x // 0)(tf.constant([1, 2]))


def integers_to_negative_powers(tf):
    return tf.constant([2, 3]) ** -1


def square_root_of_integers(tf):
    return tf.function(tf.sqrt)(tf.constant([4]))


def broadcasting(tf):
    def f(a, b):
        return a + b, a * b, tf.maximum(a, b), tf.broadcast_to(a, [2, 2, 3]), a == b

    return _both(tf, f, tf.constant([[1.0, 2.0, 3.0]]), tf.constant([[1.0], [2.0]]))


def ranges(tf):
    return (
        tf.range(5),
        tf.range(2, 8, 3),
        tf.range(0.0, 1.0, 0.25),
        tf.range(5, 0, -2),
        tf.linspace(0.0, 1.0, 5),
    )


def range_without_step(tf):
    return tf.range(0, 10, 0)


def fills(tf):
    return (
        tf.zeros([2]),
        tf.ones([1, 2], tf.int32),
        tf.fill([2, 2], 7),
        tf.eye(2),
        tf.zeros_like([1, 2]),
        tf.ones_like([[1.5]]),
    )


def complex_numbers(tf):
    z = tf.constant([3 + 4j, -1j])
    return (
        tf.abs(z),
        tf.math.real(z),
        tf.math.imag(z),
        tf.math.conj(z),
        z * z,
        z + 1,
        tf.complex(1.0, 2.0),
    )


def norms(tf):
    x = tf.constant([[3.0, 4.0], [6.0, 8.0]])
    return tf.norm(x), tf.norm(x, axis=1), tf.reduce_logsumexp(x), tf.math.reduce_std(x)


def products_in_einstein_notation(tf):
    a = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    return tf.einsum("ij,jk->ik", a, a), tf.einsum("ii", a), tf.einsum("ij->j", a)


def polynomial_with_horner(tf):
    @tf.function
    def horner(coefficients, x):
        result = tf.zeros_like(x)
        for c in coefficients:
            result = result * x + c
        return result

    return horner(tf.constant([2.0, -3.0, 1.0]), tf.constant([0.0, 1.0, 2.0]))


def softmax(tf):
    def f(x):
        e = tf.exp(x - tf.reduce_max(x, axis=-1, keepdims=True))
        return e / tf.reduce_sum(e, axis=-1, keepdims=True), tf.nn.softmax(x)

    return _both(tf, f, tf.constant([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]]))


def distances(tf):
    def f(x):
        difference = x[:, tf.newaxis] - x[tf.newaxis]
        return tf.sqrt(tf.reduce_sum(difference**2, -1))

    return _both(tf, f, tf.constant([[0.0, 0.0], [3.0, 4.0]]))


def moving_average(tf):
    @tf.function
    def f(x, window):
        out = tf.TensorArray(tf.float32, size=tf.size(x) - window + 1)
        for i in tf.range(tf.size(x) - window + 1):
            out = out.write(i, tf.reduce_mean(x[i : i + window]))
        return out.stack()

    return f(tf.constant([1.0, 2.0, 3.0, 4.0]), tf.constant(2))


def pascals_triangle(tf):
    @tf.function
    def row(n):
        r = tf.ones([1], tf.int32)
        for _ in range(4):
            r = tf.concat([[1], r[1:] + r[:-1], [1]], 0)
        return r + 0 * n

    return row(tf.constant(0))


def segments_and_uniques(tf):
    y, i = tf.unique([3, 1, 3, 2])
    return tf.math.unsorted_segment_sum([1, 2, 3], [0, 0, 1], 2), y, i, tf.math.bincount([1, 1, 3])
