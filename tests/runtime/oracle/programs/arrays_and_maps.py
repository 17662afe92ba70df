"""TensorArray, map_fn, scan, folds."""


def tensor_array_in_a_loop(tf):
    @tf.function
    def squares(n):
        out = tf.TensorArray(tf.int32, size=n)
        for i in tf.range(n):
            out = out.write(i, i * i)
        return out.stack()

    return squares(tf.constant(5))


def tensor_array_that_grows(tf):
    @tf.function
    def evens(x):
        out = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
        for v in x:
            if v % 2 == 0:
                out = out.write(out.size(), v)
        return out.stack()

    return evens(tf.constant([1, 2, 4, 5, 6]))


def tensor_array_unstack_and_read(tf):
    array = tf.TensorArray(tf.float32, size=3).unstack(tf.constant([[1.0], [2.0], [3.0]]))
    return array.read(1), array.size(), array.gather([2, 0])


def tensor_array_eager_write(tf):
    array = tf.TensorArray(tf.int32, size=2)
    array = array.write(0, 5).write(1, 6)
    return array.stack()


def map_over_rows(tf):
    return tf.map_fn(lambda row: tf.reduce_sum(row), tf.constant([[1, 2], [3, 4]]))


def map_in_a_function(tf):
    @tf.function
    def f(x):
        return tf.map_fn(lambda v: v * v + 1.0, x)

    return f(tf.constant([1.0, 2.0, 3.0]))


def map_over_a_pair(tf):
    a, b = tf.constant([1, 2, 3]), tf.constant([10, 20, 30])
    return tf.map_fn(lambda p: p[0] + p[1], (a, b), fn_output_signature=tf.int32)


def map_to_another_dtype(tf):
    return tf.map_fn(
        lambda v: tf.cast(v, tf.float32) / 2.0, tf.constant([1, 2]), fn_output_signature=tf.float32
    )


def map_to_a_pair(tf):
    return tf.map_fn(
        lambda v: (v, -v), tf.constant([1, 2]), fn_output_signature=(tf.int32, tf.int32)
    )


def running_sum(tf):
    return tf.scan(lambda a, x: a + x, tf.constant([1, 2, 3, 4]))


def scan_with_initial_state(tf):
    return tf.scan(lambda a, x: a * 0.5 + x, tf.constant([1.0, 1.0, 1.0]), initializer=0.0)


def scan_of_a_pair(tf):
    return tf.scan(
        lambda a, x: (a[1], a[0] + a[1]), tf.range(6), initializer=(tf.constant(0), tf.constant(1))
    )


def vectorized(tf):
    return tf.vectorized_map(lambda v: v * 2 + 1, tf.constant([1, 2, 3]))


def reversed_scan(tf):
    return tf.scan(lambda a, x: a + x, tf.constant([1, 2, 3]), reverse=True)


def read_of_a_missing_element(tf):
    return tf.TensorArray(tf.int32, size=2, clear_after_read=False).write(0, 1).read(5)
