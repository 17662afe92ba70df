"""Variables, effects and their order, checks, random numbers."""

from tests.runtime.oracle.corpus import differs, graph_only


def variable_methods(tf):
    v = tf.Variable([1.0, 2.0])
    v.assign([3.0, 4.0])
    v.assign_add([1.0, 1.0])
    v.assign_sub([0.5, 0.5])
    return v, v + 1.0, v.read_value(), v.shape, v.dtype, v.name, v.trainable


def variable_in_a_loop(tf):
    v = tf.Variable(0)

    @tf.function
    def f(n):
        for i in tf.range(n):
            v.assign_add(i)
        return v.read_value()

    return f(tf.constant(4)), v


def variable_under_a_condition(tf):
    v = tf.Variable(0)

    @tf.function
    def f(x):
        if x > 0:
            v.assign(1)
        else:
            v.assign(2)

    f(tf.constant(1))
    first = v.numpy()
    f(tf.constant(-1))
    return first, v


def reads_see_the_writes_before(tf):
    v = tf.Variable(1.0)

    @tf.function
    def f():
        a = v.read_value()
        v.assign(a + 1.0)
        b = v.read_value()
        v.assign(b * 10.0)
        return a, b, v.read_value()

    return f(), f()


def variable_made_once(tf):
    class Layer:
        def __init__(self):
            self.w = None

        @tf.function
        def __call__(self, x):
            if self.w is None:
                self.w = tf.Variable(2.0)
            return x * self.w

    layer = Layer()
    return layer(tf.constant(3.0)), layer(tf.constant(4.0))


@graph_only("without a graph variables can be made")
def variable_made_each_time(tf):
    @tf.function
    def f():
        return tf.Variable(1.0) + 1.0

    return f()


def wrong_shape_assigned(tf):
    tf.Variable([1, 2]).assign([1, 2, 3])


def wrong_dtype_assigned(tf):
    tf.Variable(1).assign(1.5)


def variable_of_unknown_shape(tf):
    v = tf.Variable([1, 2], shape=tf.TensorShape([None]))
    v.assign([1, 2, 3])
    return v.shape, v


def variable_keeps_its_own_copy(tf):
    import numpy as np

    source = np.array([1.0, 2.0])
    v = tf.Variable(source)
    before = v.read_value()
    source[0] = 9.0
    v.assign_add([1.0, 1.0])
    return v, before


def printed_variables(tf):
    return repr(tf.Variable(1.5)), repr(tf.Variable([1, 2], name="w")), str(tf.Variable(True))


def stateful_python_object(tf):
    class Average:
        def __init__(self):
            self.total = tf.Variable(0.0)
            self.count = tf.Variable(0.0)

        @tf.function
        def update(self, x):
            self.total.assign_add(tf.reduce_sum(x))
            self.count.assign_add(tf.cast(tf.size(x), tf.float32))
            return self.total / self.count

    average = Average()
    return average.update(tf.constant([1.0, 2.0])), average.update(tf.constant([6.0]))


def gradient_descent_by_hand(tf):
    w = tf.Variable(5.0)

    @tf.function
    def step():
        slope = 2.0 * (w - 3.0)
        w.assign_sub(0.25 * slope)
        return w.read_value()

    return [step() for _ in range(4)]


def power_iteration(tf):
    v = tf.Variable([1.0, 0.0])

    @tf.function
    def iterate(m, n):
        for _ in tf.range(n):
            u = (
                tf.linalg.matvec(m, v)
                if hasattr(tf.linalg, "matvec")
                else tf.squeeze(m @ v[:, None])
            )
            v.assign(u / tf.sqrt(tf.reduce_sum(u * u)))
        return v.read_value()

    return iterate(tf.constant([[2.0, 1.0], [1.0, 3.0]]), tf.constant(30))


def assert_that_holds(tf):
    @tf.function
    def f(x):
        tf.debugging.assert_positive(x)
        tf.debugging.assert_equal(tf.shape(x)[0], 2)
        tf.debugging.assert_less(x, 10.0)
        return x

    return f(tf.constant([1.0, 2.0]))


def assert_that_fails(tf):
    @tf.function
    def f(x):
        tf.debugging.assert_positive(x, message="must be above zero")
        return x

    return f(tf.constant([1.0, -2.0]))


def assert_that_fails_eagerly(tf):
    tf.debugging.assert_equal(tf.constant([1, 2]), tf.constant([1, 3]))


@differs(
    "an assert statement on a tensor is staged",
    tensorflow="OperatorNotAllowedInGraphError",
    here="[int32[] 1, 'refused']",
)
def python_assert_statement(tf):
    @tf.function
    def f(x):
        assert x > 0, "positive numbers only"
        return x

    try:
        f(tf.constant(-1))
    except (AssertionError, tf.errors.InvalidArgumentError):
        return f(tf.constant(1)), "refused"


def public_assert(tf):
    tf.debugging.Assert(tf.constant(False), [tf.constant(7)])


def finite_numbers(tf):
    return tf.debugging.check_numerics(tf.constant([1.0, float("nan")]), "not finite")


def uniform_numbers(tf):
    x = tf.random.uniform([10000], seed=1)
    return (
        bool(tf.reduce_all((x >= 0.0) & (x < 1.0))),
        bool(abs(tf.reduce_mean(x) - 0.5) < 0.02),
        x.shape,
        x.dtype,
    )


def normal_numbers(tf):
    x = tf.random.normal([10000], mean=2.0, stddev=3.0)
    spread = tf.sqrt(tf.reduce_mean((x - tf.reduce_mean(x)) ** 2))
    return bool(abs(tf.reduce_mean(x) - 2.0) < 0.2), bool(abs(spread - 3.0) < 0.2)


def uniform_integers(tf):
    x = tf.random.uniform([1000], 3, 7, dtype=tf.int32)
    return tf.sort(tf.unique(x)[0])


def shuffled(tf):
    return tf.sort(tf.random.shuffle(tf.range(50)))


def seeds_repeat(tf):
    tf.random.set_seed(5)
    first = tf.random.uniform([3])
    tf.random.set_seed(5)
    return bool(tf.reduce_all(first == tf.random.uniform([3])))


def numbers_differ_from_call_to_call(tf):
    @tf.function
    def f():
        return tf.random.uniform([4])

    return bool(tf.reduce_all(f() == f()))


def integers_need_a_limit(tf):
    return tf.random.uniform([2], dtype=tf.int32)


def control_dependencies(tf):
    v = tf.Variable(1)

    @tf.function
    def f():
        with tf.control_dependencies([v.assign(7)]):
            return tf.identity(v.read_value())

    return f()


def numpy_function(tf):
    import numpy as np

    @tf.function
    def f(x):
        return tf.numpy_function(lambda a: np.cumsum(a, dtype=a.dtype), [x], tf.float32)

    return f(tf.constant([1.0, 2.0, 3.0]))


def py_function(tf):
    seen = []

    @tf.function
    def f(x):
        return tf.py_function(lambda t: seen.append(float(t)) or t * 2, [x], tf.float32)

    return f(tf.constant(3.0)), seen


@graph_only("eagerly every operation runs")
def unneeded_operations_are_skipped(tf):
    @tf.function
    def f(x):
        tf.gather(x, [99])
        return x[0]

    return f(tf.constant([1, 2]))


def inputs_of_init_scope(tf):
    made = []

    @tf.function
    def f(x):
        with tf.init_scope():
            made.append(tf.executing_eagerly())
        return x

    f(tf.constant(1))
    return made, tf.executing_eagerly()


def eager_inside_a_function(tf):
    @tf.function
    def f(x):
        if tf.executing_eagerly():
            return x
        return x

    return f(tf.constant(1))


@graph_only("in a function such writes are lost")
def writing_changes_an_array_without_a_graph(tf):
    array = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
    for i in range(3):
        array.write(i, i * i)
    other = array.write(0, 5)
    rows = tf.TensorArray(tf.int32, size=2, clear_after_read=False)
    rows.unstack([[1, 2], [3, 4]])
    return array.stack(), other.size(), rows.read(1), rows.handle is None


def scatters_of_every_kind(tf):
    def rows(values, indices):
        return tf.IndexedSlices(tf.constant(values), tf.constant(indices))

    v = tf.Variable([1, 2, 3, 4, 5])
    w = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    steps = []
    for method, values, indices in (
        ("scatter_add", [10, 20], [0, 0]),
        ("scatter_sub", [1], [1]),
        ("scatter_update", [7], [1]),
        ("scatter_add", 1, [0, 4]),
    ):
        steps.append(getattr(v, method)(rows(values, indices)).numpy())
    steps.append(w.scatter_add(rows([[2.0, 3.0]], [1])).numpy())
    steps.append(w.scatter_update(rows([[[8.0, 9.0]]], [[1]])).numpy())
    return steps


def a_scattered_summand_out_of_bounds(tf):
    tf.Variable([1, 2]).scatter_add(tf.IndexedSlices(tf.constant([3]), tf.constant([2])))


def what_a_module_holds(tf):
    class Quiet(tf.Module):
        _TF_MODULE_IGNORED_PROPERTIES = frozenset(
            {"hidden", *tf.Module._TF_MODULE_IGNORED_PROPERTIES}
        )

    module = Quiet()
    module.hidden = tf.Variable(1.0)
    module.x = tf.Variable(2.0)
    module.y = (tf.Variable(3.0), {"k": module.x})
    module.inner = Quiet()
    module.inner.x = tf.Variable(9.0)
    module.inner.around = module
    return module.variables, len(module.submodules)


def a_shape_is_known_without_validation(tf):
    return tf.Variable([[1]], validate_shape=False).shape


@graph_only("functions among control inputs are called where nothing is recorded")
def functions_that_are_waited_for(tf):
    called = []
    with tf.control_dependencies([lambda: called.append(1), tf.constant(2)]):
        return called, tf.constant(3)
