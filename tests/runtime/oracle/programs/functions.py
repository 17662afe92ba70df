"""Functions: traces, signatures, captures, methods, nesting."""

from tests.runtime.oracle.corpus import differs, graph_only


@graph_only("it counts traces")
def one_trace_for_a_dtype_and_shape(tf):
    traces = []

    @tf.function
    def f(x):
        traces.append(1)
        return x + 1

    f(tf.constant(1))
    f(tf.constant(2))
    f(tf.constant([1, 2]))
    f(tf.constant(1.0))
    return len(traces)


@graph_only("it counts traces")
def a_trace_for_each_python_value(tf):
    traces = []

    @tf.function
    def f(x, n):
        traces.append(n)
        return x * n

    x = tf.constant(2)
    results = [f(x, 1), f(x, 2), f(x, 1), f(x, n=2)]
    return results, traces


@graph_only("it counts traces")
def signature_keeps_one_trace(tf):
    traces = []

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def f(x):
        traces.append(1)
        return tf.reduce_sum(x)

    return f(tf.constant([1.0])), f(tf.constant([1.0, 2.0])), f([3.0, 4.0, 5.0]), len(traces)


@graph_only("signatures are checked for graphs")
def signature_refuses_other_dtypes(tf):
    @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
    def f(x):
        return x

    return f(tf.constant(1))


@graph_only("signatures are checked for graphs")
def signature_refuses_other_shapes(tf):
    @tf.function(input_signature=[tf.TensorSpec([2], tf.float32)])
    def f(x):
        return x

    return f(tf.constant([1.0, 2.0, 3.0]))


@graph_only("shapes are less known in graphs")
def static_shapes_under_a_signature(tf):
    seen = []

    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
    def f(x):
        y = tf.transpose(x)
        z = tf.reshape(y, [3, -1, 1])
        seen.append([str(x.shape), str(y.shape), str(z.shape), str((x[0] + y[:, 0]).shape)])
        return tf.shape(z)

    return f(tf.zeros([2, 3])), seen


@graph_only("it counts traces")
def relaxed_shapes(tf):
    shapes = []

    @tf.function(reduce_retracing=True)
    def f(x):
        shapes.append(str(x.shape))
        return tf.size(x)

    return f(tf.zeros([1])), f(tf.zeros([2])), f(tf.zeros([3])), shapes


def structured_arguments(tf):
    @tf.function
    def f(parts, scale=2.0):
        return parts["a"] * scale + parts["b"][0] - parts["b"][1]

    return f({"a": tf.constant(1.0), "b": (tf.constant(2.0), tf.constant(3.0))}), f(
        {"a": tf.constant(1.0), "b": (1.0, 1.0)}, scale=tf.constant(3.0)
    )


def structured_results(tf):
    @tf.function
    def f(x):
        return {"list": [x, x + 1], "pair": (x * 2, None), "n": {"deep": x}}

    return f(tf.constant(1))


def named_tuples(tf):
    from collections import namedtuple

    Point = namedtuple("Point", "x y")

    @tf.function
    def mirror(p):
        return Point(p.y, p.x)

    result = mirror(Point(tf.constant(1), tf.constant(2)))
    return type(result).__name__, result.x, result.y


def default_and_keyword_arguments(tf):
    @tf.function
    def f(a, b=10, *, c=tf.constant(100)):
        return a + b + c

    one = tf.constant(1)
    return f(one), f(one, 20), f(one, c=one), f(b=2, a=one)


def star_arguments(tf):
    @tf.function
    def total(*xs, **named):
        result = tf.constant(0)
        for x in xs:
            result += x
        for key in sorted(named):
            result += named[key]
        return result

    return total(tf.constant(1), tf.constant(2)), total(tf.constant(1), k=tf.constant(5))


def nested_functions(tf):
    @tf.function
    def inner(x):
        return x * 2.0

    @tf.function
    def outer(x):
        return inner(x) + inner(x + 1.0)

    return outer(tf.constant(3.0))


def recursion_on_python_values(tf):
    @tf.function
    def power(x, n):
        if n == 0:
            return tf.ones_like(x)
        return x * power(x, n - 1)

    return power(tf.constant(2.0), 5)


def function_returns_a_closure_value(tf):
    factor = tf.constant(3)

    @tf.function
    def scale(x):
        return x * factor

    return scale(tf.constant(4))


def captured_python_list(tf):
    weights = [1.0, 2.0, 3.0]

    @tf.function
    def f(x):
        return x * tf.constant(weights)

    return f(tf.constant([1.0, 1.0, 1.0]))


def lambda_function(tf):
    return tf.function(lambda x, y: x * y + 1)(tf.constant(3), tf.constant(4))


def method_of_a_class(tf):
    class Scaler:
        def __init__(self, factor):
            self.factor = factor

        @tf.function
        def __call__(self, x):
            return x * self.factor

    two, three = Scaler(2), Scaler(3)
    x = tf.constant(5)
    return two(x), three(x), two(x)


def method_with_a_variable(tf):
    class Counter:
        def __init__(self):
            self.count = tf.Variable(0)

        @tf.function
        def add(self, n):
            self.count.assign_add(n)
            return self.count.read_value()

    counter = Counter()
    return counter.add(tf.constant(2)), counter.add(tf.constant(3)), counter.count


def static_and_class_methods(tf):
    class Maths:
        base = 10

        @staticmethod
        @tf.function
        def double(x):
            return x * 2

        @classmethod
        def plus_base(cls, x):
            return x + cls.base

    return Maths.double(tf.constant(2)), tf.function(Maths.plus_base)(tf.constant(1))


def module_with_variables(tf):
    class Dense(tf.Module):
        def __init__(self, units, name=None):
            super().__init__(name=name)
            self.w = tf.Variable(tf.ones([2, units]), name="w")
            self.b = tf.Variable(tf.zeros([units]), name="b", trainable=False)

        @tf.function
        def __call__(self, x):
            return tf.nn.relu(x @ self.w + self.b)

    layer = Dense(3)
    y = layer(tf.constant([[1.0, -2.0], [3.0, 4.0]]))
    return y, [v.name for v in layer.variables], [v.name for v in layer.trainable_variables]


@graph_only("there is one concrete function for each trace")
def concrete_function(tf):
    @tf.function
    def f(x):
        return x + 1

    concrete = f.get_concrete_function(tf.TensorSpec([None], tf.int32))
    return concrete(tf.constant([1, 2])), concrete.structured_outputs.shape


@graph_only("there is one concrete function for each trace")
def concrete_function_refuses(tf):
    @tf.function
    def f(x):
        return x + 1

    return f.get_concrete_function(tf.TensorSpec([2], tf.int32))(tf.constant([1.0, 2.0]))


@graph_only("graphs have names")
def names_in_a_graph(tf):
    @tf.function
    def f(x, y):
        z = x * y
        return tf.add(z, tf.square(z))

    graph = f.get_concrete_function(tf.constant(1.0), tf.constant(2.0)).graph
    return [(op.name, op.type) for op in graph.get_operations()]


def python_side_effects(tf):
    seen = []

    @tf.function
    def f(x):
        if not tf.config.functions_run_eagerly():
            seen.append("traced")
        return x

    f(tf.constant(1))
    f(tf.constant(2))
    return len(seen) <= 1


def wrong_number_of_arguments(tf):
    @tf.function
    def f(x, y):
        return x + y

    return f(tf.constant(1))


def unknown_keyword(tf):
    @tf.function
    def f(x):
        return x

    return f(x=tf.constant(1), z=2)


def function_without_result(tf):
    v = tf.Variable(1)

    @tf.function
    def f():
        v.assign(5)

    return f(), v


def numpy_arguments(tf):
    import numpy as np

    @tf.function
    def f(x):
        return x + 1

    return f(np.array([1, 2])), f(np.float32(2.5)), f(np.float64(2.5))


def python_exception_while_tracing(tf):
    @tf.function
    def f(x):
        raise KeyError("missing")

    return f(tf.constant(1))


@differs(
    "a tensor that a function appends to a list outside is appended as a value, at each call",
    tensorflow="TypeError",
    here="int32[] 3",
)
def tensor_leaks_out(tf):
    leaked = []

    @tf.function
    def f(x):
        leaked.append(x + 1)
        return x

    f(tf.constant(1))
    return leaked[0] + 1


@graph_only("without a graph a value is there")
def python_number_of_symbolic_tensor(tf):
    @tf.function
    def f(x):
        return float(x)

    return f(tf.constant(1.0))


@graph_only("without a graph a value is there")
def bool_of_symbolic_tensor_without_conversion(tf):
    @tf.function(autograph=False)
    def f(x):
        if x > 0:
            return x
        return -x

    return f(tf.constant(1.0))


def function_run_eagerly(tf):
    @tf.function
    def f(x):
        return x + 1

    before = tf.config.functions_run_eagerly()
    tf.config.run_functions_eagerly(True)
    result = f(tf.constant(1))
    tf.config.run_functions_eagerly(before)
    return result


def python_function_method(tf):
    @tf.function
    def f(x):
        return x + 1

    return f.python_function(tf.constant(1)), f.__name__


@differs(
    "a list made in Python stays what the program made of it",
    tensorflow="InaccessibleTensorError",
    here="int32[3] [0, 1, 4]",
)
@graph_only("without a graph it is a plain list")
def list_in_a_loop(tf):
    @tf.function
    def f(n):
        result = []
        for i in tf.range(n):
            result.append(i * i)
        return tf.stack(result)

    return f(tf.constant(3))


@graph_only("without a graph a shape stays what it is")
def known_shapes_are_results(tf):
    @tf.function
    def f(x):
        return x.shape, {"dims": x.shape.as_list()}

    return f(tf.zeros([2, 3]))


@graph_only("shapes are less known in graphs")
def unknown_shapes_are_no_results(tf):
    f = tf.function(lambda x: x.shape, input_signature=[tf.TensorSpec([None])])
    return f(tf.zeros([2]))


@graph_only("signatures are checked for graphs")
def a_list_of_the_signature_takes_no_tuple(tf):
    @tf.function(input_signature=[[tf.TensorSpec([], tf.int32)]])
    def f(parts):
        return parts[0]

    return f((tf.constant(1),))


@graph_only("only graphs have signatures")
def names_of_nested_inputs(tf):
    number = tf.TensorSpec([], tf.int32)

    @tf.function
    def f(parts, rest, *more, key=None, **others):
        return parts["a"]

    concrete = f.get_concrete_function(
        {"a": number, "b": (number, tf.TensorSpec([], tf.int32, name="own"))},
        [number, 3],
        [number],
        number,
        key={"w": number},
        other=[number],
    )
    inputs = [tensor.name for tensor in concrete.inputs]
    return str(concrete.structured_input_signature), inputs


@graph_only("without a graph the Python function is simply called")
def a_numpy_function_without_a_graph(tf):
    import numpy as np

    x = tf.constant([1, 2])
    one = tf.numpy_function(lambda a: np.float64(a.sum()), [x], [tf.int32])
    return one, tf.numpy_function(lambda a: (a, [a[0]]), [x], tf.int32)


@graph_only("without a graph the Python function is simply called")
def the_error_of_a_numpy_function_without_a_graph(tf):
    def fails(a):
        raise LookupError("no")

    return tf.numpy_function(fails, [1], tf.int32)


@graph_only("without a graph the list itself is changed")
def a_list_of_numbers_is_no_way_out(tf):
    seen = [1]

    @tf.function
    def f(numbers):
        numbers.append(2)
        return tf.constant(1)

    try:
        f(seen)
    except ValueError as error:
        return seen, "should not modify its Python input arguments" in str(error)
    return seen


@graph_only("without a graph they stay Python's")
def complex_numbers_as_results(tf):
    f = tf.function(lambda: (1 + 2j, [2j, tf.constant(1j) * 2.0]))
    g = tf.function(lambda x: tf.cond(x, lambda: 1 + 2j, lambda: 2j))
    return [y.dtype for y in tf.nest.flatten(f())], g(tf.constant(True)).dtype


@graph_only("nothing is recorded")
def traces_of_one_instance(tf):
    class Scale:
        @tf.function
        def by_two(self, x):
            return x * 2

    first, second = Scale(), Scale()
    first.by_two(tf.constant(1))
    first.by_two(tf.constant(1.0))
    second.by_two(tf.constant(1))
    return [s.by_two.experimental_get_tracing_count() for s in (first, second)]


@graph_only("Python itself refuses them without a graph")
def parameters_in_words(tf):
    @tf.function
    def f(a, /, b, *args, c=3, **rest):
        return a

    @tf.function
    def g(a, *, b, c=4):
        return a

    @tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
    def h(a, *, c=4):
        return a

    texts = []
    for call in (lambda: f(), lambda: g(1), lambda: h(1, c=5)):
        try:
            call()
        except TypeError as error:
            texts.append(str(error).split("for signature: ")[1])
    return texts


@graph_only("only graphs name what they record")
def names_of_operations(tf):
    names = []

    @tf.function
    def f(x):
        parts = (x % 3.0, 3.0 % x, tf.zeros_like(x), tf.ones_like(x), tf.one_hot([1], 2))
        names.extend(part.name for part in parts)
        return x

    f(tf.constant([1.0, 2.0]))
    return names
