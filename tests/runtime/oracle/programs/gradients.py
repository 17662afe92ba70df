"""Gradients: tapes, stated gradients, loops, rows, forward mode."""

from tests.runtime.oracle.corpus import differs, graph_only


def _slope(tf, f, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


def _two_orders(tf, f, x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        first = _slope(tf, f, x)
    return first, outer.gradient(first, x)


def _ways(tf, f, *args):
    """A function of tensors at once, in a graph, and called from outside."""
    return f(*args), tf.function(f)(*args)


def persistent_tape_is_asked_again(tf):
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    return tape.gradient(z, x), tape.gradient(y, x), tape.gradient(z, y)


def single_tape_is_asked_once(tf):
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    return tape.gradient(y, x)


def single_tape_is_used_up_by_a_jacobian(tf):
    x = tf.constant([3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.jacobian(y, x)
    return tape.gradient(y, x)


def tape_is_entered_again(tf):
    x = tf.constant(3.0)
    tape = tf.GradientTape(persistent=True)
    with tape:
        tape.watch(x)
        y = x * x
    with tape:
        z = y * x
    return tape.gradient(z, x)


def tape_is_entered_twice_at_once(tf):
    tape = tf.GradientTape()
    with tape, tape:
        pass


def tape_is_asked_inside(tf):
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        return tape.gradient(y, x)


def tapes_are_nested(tf):
    def f(x):
        with tf.GradientTape() as third:
            third.watch(x)
            with tf.GradientTape() as second:
                second.watch(x)
                with tf.GradientTape() as first:
                    first.watch(x)
                    y = x**4
                one = first.gradient(y, x)
            two = second.gradient(one, x)
        return one, two, third.gradient(two, x)

    return _ways(tf, f, tf.constant(2.0))


def one_persistent_tape_takes_both_orders(tf):
    def f(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x**3
            first = tape.gradient(y, x)
        return first, tape.gradient(first, x)

    return _ways(tf, f, tf.constant(2.0))


def recording_is_stopped(tf):
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
            with tape.stop_recording():
                z = y * 3.0
            w = z * x
        return tape.gradient(w, x)

    return _ways(tf, f, tf.constant(2.0))


def a_gradient_is_taken_while_recording_is_stopped(tf):
    def f(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
            with tape.stop_recording():
                g = tape.gradient(y, x)
            z = y * g
        return tape.gradient(z, x)

    return _ways(tf, f, tf.constant(2.0))


def recording_is_stopped_outside(tf):
    with tf.GradientTape() as tape:
        pass
    with tape.stop_recording():
        pass


def reset_forgets(tf):
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
            tape.reset()
            tape.watch(x)
            y += x
        return tape.gradient(y, x)

    return _ways(tf, f, tf.constant(2.0))


def reset_forgets_what_is_watched(tf):
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        tape.reset()
        y = x * 3.0
    return tape.gradient(y, x)


def variables_are_watched_unless_told_otherwise(tf):
    v, w = tf.Variable(2.0), tf.Variable(3.0)
    fixed = tf.Variable(4.0, trainable=False)
    with tf.GradientTape() as tape:
        y = v * w * fixed
    watched = [each.numpy() for each in tape.watched_variables()]
    with tf.GradientTape(watch_accessed_variables=False) as chosen:
        chosen.watch(w)
        z = v * w * fixed
    return watched, tape.gradient(y, [v, w, fixed]), chosen.gradient(z, [v, w, fixed])


def a_variable_that_is_not_trainable_is_watched(tf):
    v = tf.Variable(2.0, trainable=False)
    with tf.GradientTape() as tape:
        tape.watch(v)
        y = v * v
    return tape.gradient(y, v)


def output_gradients_weigh(tf):
    def f(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y, z = x * x, x * 3.0
        one = tape.gradient(y, x, output_gradients=tf.constant([1.0, 10.0]))
        two = tape.gradient([y, z], x, output_gradients=[tf.ones([2]), z])
        three = tape.gradient({"a": y, "b": z}, x, output_gradients={"a": y, "b": z})
        return one, two, three

    return _ways(tf, f, tf.constant([1.0, 2.0]))


@differs(
    "a list is one entry for each target",
    tensorflow="float32[2] [2.0, 4.0]",
    here="ValueError: 2 output_gradients for 1 targets",
)
def output_gradients_of_another_number(tf):
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, x, output_gradients=[1.0, 2.0])


def what_is_unconnected_is_none_or_zero(tf):
    x, y = tf.constant([1.0, 2.0]), tf.Variable([3.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        z = x * 2.0
    zero = tf.UnconnectedGradients.ZERO
    return (
        tape.gradient(z, [x, y]),
        tape.gradient(z, [x, y], unconnected_gradients=zero),
        tape.gradient(z, y, unconnected_gradients="zero"),
        tape.jacobian(z, y, unconnected_gradients="zero"),
    )


def unconnected_gradients_have_two_values(tf):
    with tf.GradientTape() as tape:
        y = tf.constant(1.0)
    return tape.gradient(y, y, unconnected_gradients="some")


def a_target_that_is_a_source_has_the_gradient_one(tf):
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
    return tape.gradient(x, x)


def a_target_that_is_not_recorded_has_no_gradient(tf):
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
    y = x * x
    return tape.gradient(y, x)


def a_target_that_is_a_variable(tf):
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = v * v
    del y
    return tape.gradient(v, v)


def sources_in_any_structure(tf):
    def f(a, b):
        with tf.GradientTape() as tape:
            tape.watch([a, b])
            y = a * b
        return tape.gradient(y, {"first": a, "rest": [b, (a,)]})

    return _ways(tf, f, tf.constant(2.0), tf.constant(5.0))


@differs(
    "it is named",
    tensorflow="AttributeError",
    here="ValueError: Passed in object",
)
def a_source_that_is_no_tensor(tf):
    with tf.GradientTape() as tape:
        y = tf.constant(1.0)
    return tape.gradient(y, 1.0)


@differs(
    "it is named",
    tensorflow="TypeError",
    here="ValueError: Passed in object",
)
def a_source_that_is_none(tf):
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, [x, None])


@differs(
    "it is named",
    tensorflow="AttributeError",
    here="ValueError: Passed in object",
)
def a_target_that_is_a_number(tf):
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
    return tape.gradient(1.0, x)


def integers_have_no_gradient(tf):
    x = tf.constant(2)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, x)


def a_cast_through_integers_cuts(tf):
    x = tf.constant(2.5)
    return _slope(tf, lambda x: tf.cast(tf.cast(x, tf.int32), tf.float32), x)


def a_cast_of_floats_passes(tf):
    x = tf.constant(2.5)
    return _slope(tf, lambda x: tf.cast(x, tf.float64) ** 2, x)


def jacobian_of_a_matrix(tf):
    def f(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.matmul(x, x)
        return tape.jacobian(y, x), tape.jacobian(y, {"x": x}, experimental_use_pfor=False)

    return _ways(tf, f, tf.constant([[1.0, 2.0], [3.0, 4.0]]))


def jacobian_of_several(tf):
    def f(a, b):
        with tf.GradientTape() as tape:
            tape.watch([a, b])
            y = tf.linalg.matvec(a, b)
        return tape.jacobian(y, [a, b], parallel_iterations=3)

    return _ways(tf, f, tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.constant([5.0, 6.0]))


def jacobian_of_a_scalar(tf):
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_prod(x)
    return tape.jacobian(y, x)


def jacobian_of_a_jacobian(tf):
    def f(x):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.reduce_sum(x**3) * x[0]
            first = inner.gradient(y, x)
        return first, outer.jacobian(first, x)

    return _ways(tf, f, tf.constant([1.0, 2.0]))


def jacobian_through_a_loop(tf):
    @tf.function
    def f(x, n):
        for _ in tf.range(n):
            x = tf.sin(x) * tf.reverse(x, [0])
        return x

    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x, tf.constant(3))
    return tape.jacobian(y, x)


def batch_jacobian_of_rows(tf):
    def f(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.stack([x[:, 0] * x[:, 1], x[:, 1] ** 3, x[:, 0]], 1)
        return tape.batch_jacobian(y, x), tape.batch_jacobian(y, x, experimental_use_pfor=False)

    return _ways(tf, f, tf.constant([[1.0, 2.0], [3.0, 4.0]]))


def batch_jacobian_of_unconnected_rows(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.ones([2, 3])
    return tape.batch_jacobian(y, x, unconnected_gradients="zero")


def batch_jacobian_of_batches_that_differ(tf):
    x = tf.ones([2, 3])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.transpose(x)
    return tape.batch_jacobian(y, x)


def batch_jacobian_of_a_vector(tf):
    x = tf.ones([3])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.batch_jacobian(y, x)


def table_lookup_has_rows_as_gradient(tf):
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with tf.GradientTape() as tape:
        rows = tf.gather(table, [2, 0, 2])
        y = tf.reduce_sum(rows * rows)
    g = tape.gradient(y, table)
    whole = tf.convert_to_tensor(g)
    return isinstance(g, tf.IndexedSlices), g.indices, g.values, g.dense_shape, whole


def table_lookup_in_a_function(tf):
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])

    @tf.function
    def f(ids):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.gather(table, ids) ** 2)
        g = tape.gradient(y, table)
        return isinstance(g, tf.IndexedSlices), g.indices, g.values, tf.convert_to_tensor(g)

    return f(tf.constant([1, 1]))


def rows_are_added_to_whole_gradients(tf):
    def f(ids):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.gather(table, ids)) + tf.reduce_sum(table * table)
        return tf.convert_to_tensor(tape.gradient(y, table))

    table = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    return _ways(tf, f, tf.constant([0, 0]))


def table_lookup_in_a_loop(tf):
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])

    @tf.function
    def f(ids):
        with tf.GradientTape() as tape:
            total = tf.zeros([2])
            for i in ids:
                total = total * 0.5 + tf.gather(table, i)
            y = tf.reduce_sum(total**2)
        return tf.convert_to_tensor(tape.gradient(y, table))

    return f(tf.constant([2, 0, 2]))


def indexed_slices_by_hand(tf):
    rows = tf.IndexedSlices(values=tf.constant([[1.0], [2.0]]), indices=tf.constant([1, 1]),
                            dense_shape=tf.constant([3, 1]))  # fmt: skip
    return tf.convert_to_tensor(rows), rows.values, rows.indices, -rows.values, rows.dtype


def rows_are_clipped_together(tf):
    table, w = tf.Variable([[3.0, 4.0], [1.0, 1.0]]), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.gather(table, [0]) ** 2) * w
    clipped, norm = tf.clip_by_global_norm(tape.gradient(y, [table, w]), 1.0)
    return tf.convert_to_tensor(clipped[0]), clipped[1], norm


def stated_gradient(tf):
    @tf.custom_gradient
    def f(x):
        return x * x, lambda upstream: upstream * 100.0

    return _ways(tf, lambda x: _slope(tf, f, x), tf.constant(3.0))


def stated_gradient_of_second_order(tf):
    @tf.custom_gradient
    def log1pexp(x):
        e = tf.exp(x)

        def grad(upstream):
            return upstream * (1 - 1 / (1 + e))

        return tf.math.log(1 + e), grad

    return _ways(tf, lambda x: _two_orders(tf, log1pexp, x), tf.constant(0.5))


def stated_gradient_of_second_order_across_a_call(tf):
    @tf.function
    @tf.custom_gradient
    def log1pexp(x):
        e = tf.exp(x)
        return tf.math.log(1 + e), lambda upstream: upstream * (1 - 1 / (1 + e))

    return _two_orders(tf, log1pexp, tf.constant(0.5))


def stated_gradient_of_third_order(tf):
    @tf.custom_gradient
    def f(x):
        s = tf.sin(x)
        return s * 1.0, lambda upstream: upstream * tf.sqrt(1.0 - s * s)

    def three(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            _, second = _two_orders(tf, f, x)
        return second, tape.gradient(second, x)

    return _ways(tf, three, tf.constant(0.5))


def stated_gradient_in_a_stated_gradient(tf):
    @tf.custom_gradient
    def outer(x):
        @tf.custom_gradient
        def slope(upstream, x):
            def grad(twice):
                return twice * 7.0, twice * 1000.0

            return upstream * 2.0 * x, grad

        return x * x, lambda upstream: slope(upstream, x)

    return _ways(tf, lambda x: _two_orders(tf, outer, x), tf.constant(3.0))


def stated_gradient_of_several(tf):
    @tf.custom_gradient
    def f(a, b):
        def grad(first, second):
            return first * 2.0, second * 3.0

        return (a * b, a + b), grad

    def slopes(a, b):
        with tf.GradientTape() as tape:
            tape.watch([a, b])
            y, z = f(a, b)
            total = y + z * 10.0
        return tape.gradient(total, [a, b])

    return _ways(tf, slopes, tf.constant(2.0), tf.constant(5.0))


def stated_gradient_of_a_structure(tf):
    @tf.custom_gradient
    def f(pair):
        def grad(*upstream):
            return {"a": upstream[0] * 2.0, "b": upstream[1] * 3.0}

        return {"p": pair["a"] * 1.0, "q": pair["b"] * 1.0}, grad

    def slopes(a, b):
        with tf.GradientTape() as tape:
            tape.watch([a, b])
            made = f({"a": a, "b": b})
            total = made["p"] + made["q"] * 10.0
        return tape.gradient(total, [a, b])

    return _ways(tf, slopes, tf.constant(2.0), tf.constant(5.0))


def stated_gradient_with_keywords(tf):
    @tf.custom_gradient
    def f(x, factor=1.0):
        return x * factor, lambda upstream: upstream * factor * 100.0

    return _slope(tf, lambda x: f(x, factor=3.0), tf.constant(2.0))


def stated_gradient_with_tensors_as_keywords(tf):
    @tf.custom_gradient
    def f(x, *, factor):
        return x * factor, lambda upstream: upstream * 7.0

    return _slope(tf, lambda x: f(x, factor=x), tf.constant(2.0))


def stated_gradient_of_a_method(tf):
    class Scale(tf.Module):
        by = 3.0

        @tf.custom_gradient
        def scaled(self, x):
            return x * self.by, lambda upstream: upstream * 100.0

    return _ways(tf, lambda x: _slope(tf, Scale().scaled, x), tf.constant(2.0))


def functions_read_watched_tensors_from_outside(tf):
    x = tf.constant(3.0)
    square = tf.function(lambda: x * x)

    def slope():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = square()
        return tape.gradient(y, x)

    return float(square()), slope(), tf.function(slope)(), float(square())


def stated_gradient_of_no_use(tf):
    @tf.custom_gradient
    def f(x, y):
        return x + y, lambda upstream: (upstream, None)

    def slopes(a, b):
        with tf.GradientTape() as tape:
            tape.watch([a, b])
            z = f(a, b)
        return tape.gradient(z, [a, b])

    return _ways(tf, slopes, tf.constant(2.0), tf.constant(5.0))


def stated_gradient_with_variables(tf):
    v = tf.Variable(3.0)

    @tf.custom_gradient
    def f(x):
        def grad(upstream, variables=None):
            assert [each is v for each in variables] == [True]
            return upstream * v, [upstream * x * 10.0]

        return x * v, grad

    def slopes(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, [x, v])

    return slopes(tf.constant(2.0)), tf.function(slopes)(tf.constant(2.0))


def stated_gradient_that_does_not_take_variables(tf):
    v = tf.Variable(3.0)

    @tf.custom_gradient
    def f(x):
        return x * v, lambda upstream: upstream

    return _slope(tf, f, tf.constant(2.0))


def stated_gradient_of_the_wrong_number(tf):
    @tf.custom_gradient
    def f(x):
        return x * 1.0, lambda upstream: (upstream, upstream)

    return _slope(tf, f, tf.constant(2.0))


def stated_gradient_in_a_loop(tf):
    @tf.custom_gradient
    def doubled(x):
        y = x * 2.0
        return y, lambda upstream: upstream * y

    def f(x):
        for _ in tf.range(3):
            x = doubled(x)
        return x

    def slopes(x):
        return _two_orders(tf, f, x)

    return _ways(tf, slopes, tf.constant(0.5))


def stated_gradient_on_one_way(tf):
    @tf.custom_gradient
    def clipped(x):
        return tf.identity(x), lambda upstream: tf.clip_by_value(upstream, -1.0, 1.0)

    def f(x):
        if x > 0.0:
            y = clipped(x) * 5.0
        else:
            y = x * 5.0
        return y

    return [_ways(tf, lambda x: _slope(tf, f, x), tf.constant(each)) for each in (2.0, -2.0)]


def recomputed_gradient(tf):
    @tf.recompute_grad
    def f(x):
        return tf.sin(x) * x

    return _slope(tf, f, tf.constant(2.0))


def stop_gradient_stops(tf):
    return _ways(tf, lambda x: _slope(tf, lambda x: x * tf.stop_gradient(x), x), tf.constant(3.0))


def gradient_through_a_conditional(tf):
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            if tf.reduce_sum(x) > 0:
                y = x * x
            else:
                y = x * x * x
        return tape.gradient(y, x)

    return [_ways(tf, f, tf.constant(each)) for each in ([-2.0, 2.0], [2.0, 3.0])]


def gradient_through_a_while(tf):
    def f(x):
        while tf.reduce_sum(x) < 100.0:
            x = x * x + 1.0
        return x

    return _ways(tf, lambda x: _two_orders(tf, f, x), tf.constant([1.5, 0.5]))


def gradient_through_nested_loops(tf):
    def f(x):
        y = x
        for i in tf.range(3):
            for j in tf.range(i + 1):
                if j % 2 == 0:
                    y = y * x + tf.cast(j, tf.float32)
                else:
                    y = tf.sin(y)
        return y

    return _ways(tf, lambda x: _two_orders(tf, f, x), tf.constant(0.7))


def gradient_through_a_loop_with_break(tf):
    def f(x):
        for i in tf.range(10):
            if x > 50.0:
                break
            x = x * x * tf.cast(i + 1, tf.float32)
        return x

    return _ways(tf, lambda x: _two_orders(tf, f, x), tf.constant(1.5))


def gradient_by_what_a_loop_captures(tf):
    def f(x, w):
        for _ in tf.range(3):
            x = tf.tanh(tf.linalg.matvec(w, x))
        return x

    def slopes(x, w):
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = f(x, w)
        return tape.gradient(y, [x, w])

    return _ways(tf, slopes, tf.constant([1.0, 0.5]), tf.constant([[0.3, -0.2], [0.5, 0.9]]))


def gradient_of_a_loop_that_never_runs(tf):
    def f(x):
        y = x * 2.0
        for _ in tf.range(tf.constant(0)):
            y = y * x
        return y

    return _ways(tf, lambda x: _slope(tf, f, x), tf.constant(3.0))


def gradient_of_a_variable_assigned_in_a_loop(tf):
    v = tf.Variable(1.0)

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            y = tf.constant(0.0)
            for _ in tf.range(3):
                y += v * x
                v.assign_add(1.0)
        return y, tape.gradient(y, v), v.read_value()

    return f(tf.constant(2.0))


def gradient_through_a_tensor_array(tf):
    def f(x):
        ta = tf.TensorArray(tf.float32, size=3)
        for i in tf.range(3):
            ta = ta.write(i, x * x * tf.cast(i, tf.float32))
        return tf.reduce_sum(ta.stack() ** 2)

    return _ways(tf, lambda x: _two_orders(tf, f, x), tf.constant(0.7))


def gradient_through_what_a_tensor_array_reads(tf):
    def f(x):
        ta = tf.TensorArray(tf.float32, size=4, clear_after_read=False)
        ta = ta.write(0, x).write(1, x * x)
        for i in tf.range(2, 4):
            ta = ta.write(i, ta.read(i - 1) * ta.read(i - 2))
        return ta.read(3)

    return _ways(tf, lambda x: _two_orders(tf, f, x), tf.constant(0.7))


def gradient_through_unstack_and_gather_of_a_tensor_array(tf):
    def f(x):
        ta = tf.TensorArray(tf.float32, size=3, clear_after_read=False).unstack(x)
        return tf.reduce_sum(ta.gather([2, 0]) ** 2) * ta.read(1)

    return _ways(tf, lambda x: _slope(tf, f, x), tf.constant([1.0, 2.0, 3.0]))


def gradient_through_a_growing_tensor_array(tf):
    def f(x):
        ta = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
        i = tf.constant(0)
        while tf.reduce_sum(x) < 30.0:
            ta = ta.write(i, x)
            x = x * 2.0
            i += 1
        return tf.reduce_sum(ta.stack() * 3.0) + tf.reduce_sum(x)

    return _ways(tf, lambda x: _slope(tf, f, x), tf.constant([1.0, 2.0]))


def gradient_through_map_fn(tf):
    def f(x):
        return tf.map_fn(lambda row: tf.reduce_sum(row) * row, x)

    return _ways(tf, lambda x: _two_orders(tf, f, x), tf.constant([[1.0, 2.0], [3.0, 4.0]]))


def gradient_through_map_fn_of_several(tf):
    def f(x):
        pairs = tf.map_fn(
            lambda pair: (pair[0] * pair[1], pair[1] ** 2),
            (x, x * 2.0),
            fn_output_signature=(tf.float32, tf.float32),
        )
        return pairs[0] + 3.0 * pairs[1]

    return _ways(tf, lambda x: _slope(tf, f, x), tf.constant([1.0, 2.0]))


def gradient_through_vectorized_map(tf):
    def f(x):
        return tf.vectorized_map(lambda row: tf.reduce_sum(row) * row, x)

    return _ways(tf, lambda x: _slope(tf, f, x), tf.constant([[1.0, 2.0], [3.0, 4.0]]))


def gradient_through_scan(tf):
    def f(x):
        return tf.scan(lambda total, each: total * 0.5 + each * each, x, tf.constant(1.0))

    return _ways(tf, lambda x: _two_orders(tf, f, x), tf.constant([1.0, 2.0, 3.0]))


def gradient_through_scan_backwards(tf):
    def f(x):
        return tf.scan(lambda total, each: total * each, x, reverse=True)

    return _ways(tf, lambda x: _slope(tf, f, x), tf.constant([1.0, 2.0, 3.0]))


@differs(
    "a loop over a dataset has a gradient in functions too",
    tensorflow="[float32[] 24.0, None]",
    here="[float32[] 24.0, float32[] 24.0]",
)
def gradient_through_a_dataset_in_a_loop(tf):
    v = tf.Variable(2.0)
    dataset = tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0])

    def f():
        with tf.GradientTape() as tape:
            y = tf.constant(0.0)
            for x in dataset:
                y += v * v * x
        return tape.gradient(y, v)

    return _ways(tf, f)


def gradient_in_each_round_over_a_dataset(tf):
    v = tf.Variable(2.0)
    dataset = tf.data.Dataset.from_tensor_slices([1.0, 2.0, 3.0]).batch(2)

    @tf.function
    def f():
        for x in dataset:
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(v * v * x)
            v.assign_sub(0.01 * tape.gradient(y, v))
        return v.read_value()

    return f()


def gradient_through_cond_and_while_loop(tf):
    def f(x):
        y = tf.cond(tf.reduce_sum(x) > 0, lambda: x * 2.0, lambda: x * x)
        _, z = tf.while_loop(lambda i, z: i < 3, lambda i, z: (i + 1, z * y), (0, x))
        return z

    return _ways(tf, lambda x: _two_orders(tf, f, x), tf.constant([1.0, 2.0]))


def gradient_through_switch_case(tf):
    def f(x):
        return tf.switch_case(tf.constant(1), [lambda: x, lambda: x**2, lambda: x**3])

    return _ways(tf, lambda x: _slope(tf, f, x), tf.constant(2.0))


def gradient_of_a_function_in_a_function(tf):
    v = tf.Variable(3.0)

    @tf.function
    def inner(x):
        return x * v * v

    @tf.function
    def outer(x):
        return inner(x) + inner(x * 2.0)

    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = outer(x)
    return tape.gradient(y, [x, v])


def gradient_of_second_order_across_calls(tf):
    @tf.function
    def f(x):
        return x**3 * tf.sin(x)

    return _two_orders(tf, f, tf.constant(2.0))


def py_function_has_a_gradient(tf):
    def f(x):
        return tf.py_function(lambda x: x**3, [x], tf.float32)

    return _ways(tf, lambda x: _slope(tf, f, x), tf.constant(2.0))


def py_function_of_variables(tf):
    v = tf.Variable(2.0)

    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.py_function(lambda x: x * v, [x], tf.float32)
        return tape.gradient(y, x)

    return _ways(tf, f, tf.constant(2.0))


def py_function_has_no_gradient_by_variables(tf):
    v = tf.Variable(2.0)

    def f(x):
        with tf.GradientTape() as tape:
            y = tf.py_function(lambda x: x * v, [x], tf.float32)
        return tape.gradient(y, v)

    return _ways(tf, f, tf.constant(2.0))


@differs(
    "gradients of all orders, not of the first alone",
    tensorflow="[[float32[] 12.0, None], [float32[] 12.0, None]]",
    here="[[float32[] 12.0, float32[] 12.0], [float32[] 12.0, float32[] 12.0]]",
)
def py_function_has_a_second_order(tf):
    def f(x):
        return tf.py_function(lambda x: x**3, [x], tf.float32)

    return _ways(tf, lambda x: _two_orders(tf, f, x), tf.constant(2.0))


def numpy_function_has_no_gradient(tf):
    def f(x):
        return tf.numpy_function(lambda x: x**3, [x], tf.float32) + x

    return _slope(tf, f, tf.constant(2.0))


def forward_accumulator(tf):
    x = tf.constant([2.0, 3.0])
    with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.0])) as acc:
        y = tf.reduce_prod(x) * x
        z = tf.constant(1.0)
    return acc.jvp(y), acc.jvp(z), acc.jvp([y, z], unconnected_gradients="zero")


def forward_accumulator_of_several(tf):
    v, w = tf.Variable(2.0), tf.Variable(3.0)
    with tf.autodiff.ForwardAccumulator([v, w], [tf.constant(1.0), tf.constant(10.0)]) as acc:
        y = v * w + v
    return acc.jvp(y)


def forward_accumulator_inside(tf):
    x = tf.constant(2.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
        y = x * x
        first = acc.jvp(y)
    return first


def forward_over_backward(tf):
    x, v = tf.constant([1.0, 2.0]), tf.constant([1.0, 0.5])
    with tf.autodiff.ForwardAccumulator(x, v) as acc:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(x**3) * x[0]
        g = tape.gradient(y, x)
    return g, acc.jvp(g)


def forward_over_forward(tf):
    x = tf.constant(2.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as outer:
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as inner:
            y = x**4
        first = inner.jvp(y)
    return first, outer.jvp(first)


def forward_in_a_function(tf):
    @tf.function
    def f(x, v):
        with tf.autodiff.ForwardAccumulator(x, v) as acc:
            y = x
            for _ in tf.range(3):
                y = y * x
        return acc.jvp(y)

    return f(tf.constant(2.0), tf.constant(1.0))


def forward_across_a_call(tf):
    f = tf.function(lambda x: tf.sin(x) * x)
    x = tf.constant(2.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
        y = f(x)
    return acc.jvp(y)


@differs(
    "a tangent has the shape of its primal",
    tensorflow="float32[2] [4.0, 8.0]",
    here="ValueError: Passed primal",
)
def forward_with_a_tangent_that_does_not_fit(tf):
    x = tf.constant(2.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 2.0])) as acc:
        y = x * x
    return acc.jvp(y)


@graph_only("gradients are taken of symbolic tensors")
def gradients_in_a_graph(tf):
    @tf.function
    def f(x, y):
        z = x * x * y
        return tf.gradients(z, [x, y]), tf.gradients([z, x], x, grad_ys=[tf.constant(2.0), None])

    return f(tf.constant(2.0), tf.constant(3.0))


@graph_only("gradients are taken of symbolic tensors")
def hessians_in_a_graph(tf):
    @tf.function
    def f(x):
        return tf.hessians(tf.reduce_sum(x**3) * x[0], x)

    return f(tf.constant([1.0, 2.0]))


def gradient_of_complex_numbers(tf):
    def f(z):
        return tf.math.real(z * z * tf.math.conj(z))

    return _ways(tf, lambda z: _slope(tf, f, z), tf.constant(1.0 + 2.0j))


def gradient_by_a_variable_that_is_assigned_on_the_way(tf):
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = v * v
        v.assign(5.0)
        z = y * v
    return tape.gradient(z, v)


def gradient_of_a_slice_of_a_variable(tf):
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(v[1] ** 2) + v[0, 1]
    return tape.gradient(y, v)


def gradient_at_corners(tf):
    x = tf.constant([0.0, 1.0, -1.0, 2.0])

    def all_of(f):
        return _slope(tf, f, x)

    return [
        all_of(tf.nn.relu),
        all_of(tf.abs),
        all_of(tf.nn.relu6),
        all_of(lambda x: tf.maximum(x, 0.0)),
        all_of(lambda x: tf.minimum(x, 1.0)),
        all_of(lambda x: tf.clip_by_value(x, -1.0, 1.0)),
        all_of(tf.nn.elu),
        all_of(lambda x: tf.reduce_max(tf.stack([x, x]))),
        all_of(lambda x: tf.math.top_k(x, 2)[0]),
        all_of(lambda x: tf.sort(x)),
        all_of(lambda x: tf.where(x > 0.0, x, x * x)),
        all_of(lambda x: tf.math.multiply_no_nan(x, x)),
        all_of(lambda x: tf.math.divide_no_nan(1.0, x)),
        all_of(lambda x: x**2.0),
        all_of(lambda x: tf.norm(x)),
    ]


def gradient_of_training_a_network(tf):
    w1 = tf.Variable(tf.reshape(tf.sin(tf.range(12.0)), [3, 4]))
    w2 = tf.Variable(tf.reshape(tf.cos(tf.range(8.0)), [4, 2]))

    @tf.function
    def step(x, labels):
        with tf.GradientTape() as tape:
            logits = tf.matmul(tf.nn.relu(tf.matmul(x, w1)), w2)
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
            )
        for v, g in zip((w1, w2), tape.gradient(loss, [w1, w2])):
            v.assign_sub(0.1 * g)
        return loss

    x = tf.reshape(tf.range(6.0), [2, 3])
    return [step(x, tf.constant([0, 1])) for _ in range(3)], w1, w2
