"""Tensors that have values: making, converting, printing, indexing them."""

from tests.runtime.oracle.corpus import differs


def constants_of_all_dtypes(tf):
    names = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
    names += ["float16", "float32", "float64", "complex64", "complex128"]
    return [tf.constant([0, 1, 2], getattr(tf, name)) for name in names]


def dtypes_of_python_values(tf):
    values = [True, 1, 2**40, 1.5, 1j, "a", b"a", [1, 2.5], [[True]], [], [1.5, True]]
    return [tf.constant(v).dtype for v in values]


def double_precision_is_kept(tf):
    x = tf.constant(1.0, tf.float64)
    return tf.constant(1 / 3, tf.float64), x + 1 / 3, [1 / 3, 2.0] * x, x - 0.1


def dtypes_of_numpy_values(tf):
    import numpy as np

    values = [np.float64(1), np.array([1]), np.int8(3), np.array([1.5]), [np.float64(1), 2.0]]
    return [tf.constant(v).dtype for v in values]


def operators_with_python_numbers(tf):
    x = tf.constant([1.0, -2.0])
    return x + 1, 1 - x, 2 * x, x / 2, 1 / x, x**2, 2**x, x // 2, x % 2, -x, abs(x)


def operators_on_integers(tf):
    x = tf.constant([7, -7, 8])
    return x // 2, x % 3, x / 2, x & 3, x | 1, x ^ 5, ~x, x**2, 20 // x, x - 1


def operators_with_lists_and_arrays(tf):
    import numpy as np

    x = tf.constant([1, 2])
    a = np.array([10, 20], np.int32)
    return [3, 4] + x, x * [3, 4], a + x, x - a, (1, 1) - x, a * x


def comparisons(tf):
    x = tf.constant([1, 2, 3])
    return x < 2, x <= 2, x == 2, x != 2, x > 2, x >= 2, 2 < x, x == [1, 0, 3]


def equality_with_other_things(tf):
    x = tf.constant([1, 2])
    return x == None, x != None, x == tf.constant([1, 2, 3]), x != tf.constant([1, 2, 3])


def true_division_of_integers(tf):
    return [tf.constant(3, getattr(tf, d)) / 2 for d in ("int8", "uint16", "int32", "int64")]


def logical_operators(tf):
    t, f = tf.constant([True, False]), tf.constant([False, False])
    return t & True, t | f, t ^ True, ~t, True & t


def tensors_of_two_dtypes(tf):
    return tf.constant([1, 2]) + tf.constant([1.0, 2.0])


def int_tensor_and_float(tf):
    return tf.constant([1, 2]) * 1.5


def incompatible_shapes(tf):
    return tf.constant([1.0, 2.0]) + tf.constant([1.0, 2.0, 3.0])


def words_of_errors(tf):
    def words(action):
        try:
            action()
        except Exception as error:
            return str(error)

    x, y = tf.constant([1.0, 2.0]), tf.constant([1, 2])
    return [
        "cannot compute AddV2 as input #1(zero-based) was expected to be a float tensor but is a "
        "int32 tensor [Op:AddV2]" in words(lambda: x + y),
        "Incompatible shapes: [2] vs. [3] [Op:Mul]" in words(lambda: x * tf.zeros([3])),
        "is not in the list of allowed values" in words(lambda: tf.sqrt(y)),
        "Integer division by zero" in words(lambda: y // 0),
        "Tensor is unhashable. Instead, use tensor.ref() as the key." in words(lambda: {x: 1}),
        "mixed types" in words(lambda: tf.constant([1, "a"])),
        "non-rectangular" in words(lambda: tf.constant([[1], [1, 2]])),
        "Attempt to convert a value (None)" in words(lambda: tf.convert_to_tensor(None)),
        "Cannot convert 1.5 to EagerTensor of dtype int32"
        in words(lambda: tf.constant(1.5, "int32")),
        "Tensor conversion requested dtype float32 for Tensor with dtype int32"
        in words(lambda: tf.convert_to_tensor(y, tf.float32)),
        "Scalar tensor has no `len()`" in words(lambda: len(tf.constant(1))),
        "Cannot convert the argument `type_value`: 'foo'" in words(lambda: tf.as_dtype("foo")),
    ]


def mixed_list(tf):
    return tf.constant([1, "a"])


def ragged_list(tf):
    return tf.constant([[1, 2], [3]])


def none_is_no_tensor(tf):
    return tf.convert_to_tensor(None)


def dict_is_no_tensor(tf):
    return tf.convert_to_tensor({"a": 1})


def float_as_int(tf):
    return tf.constant(1.5, tf.int32)


def string_as_number(tf):
    return tf.constant("1", tf.int32)


def too_large_integer(tf):
    return tf.constant(2**70)


@differs(
    "a number that does not fit is refused, where it would become another number",
    tensorflow="uint8[] 44",
    here="ConversionError",
)
def integer_beyond_its_dtype(tf):
    return tf.constant(300, tf.uint8)


@differs(
    "the elements of an array of floats are not cut off to meet a tensor of ints",
    tensorflow="int32[2] [2, 4]",
    here="DTypeMismatchError",
)
def array_of_floats_and_tensor_of_ints(tf):
    import numpy as np

    return tf.constant([1, 2]) + np.array([1.5, 2.5])


def array_takes_the_dtype_of_the_tensor(tf):
    import numpy as np

    return tf.constant([1, 2]) + np.array([1, 2]), np.array([1.0, 2.0]) * tf.constant([1.0, 2.0])


def numpy_functions_give_arrays(tf):
    import numpy as np

    x = tf.constant([1.0, 4.0])
    results = np.multiply(x, 2), np.sqrt(x), np.concatenate([x, x]), np.sum(x), np.stack([x, x])
    return [type(r).__name__ in ("ndarray", "float32") for r in results], results


def tensors_do_not_change(tf):
    import numpy as np

    source = np.array([1, 2])
    x = tf.constant(source)
    source[0] = 9
    copied = x.numpy()
    copied[0] = 9
    return x


def items_cannot_be_assigned(tf):
    x = tf.constant([1, 2])
    x[0] = 5
    return x


def printed_forms(tf):
    values = [1.5, [1.0, 2.5], [[1, 2], [3, 4]], True, "text", ["a", "b"], 1 + 2j, []]
    tensors = [tf.constant(v) for v in values] + [tf.zeros([0, 3]), tf.range(2000)]
    return [str(t) for t in tensors], [repr(t) for t in tensors], [f"{t}" for t in tensors]


def formatted_numbers(tf):
    x = tf.constant(3.14159)
    return f"{x:.2f}", "%.3f" % x, f"{tf.constant(7):04d}", "{!r}".format(x), "%s" % x


def python_conversions(tf):
    return (
        int(tf.constant(3.7)),
        float(tf.constant(2)),
        bool(tf.constant(0)),
        [1, 2, 3][tf.constant(1)],
    )


def truth_of_several_elements(tf):
    return bool(tf.constant([1, 2]))


def length_and_iteration(tf):
    x = tf.constant([[1, 2], [3, 4], [5, 6]])
    return (
        len(x),
        list(x),
        [int(tf.reduce_sum(row)) for row in x],
        3 in tf.range(3),
        2 in tf.range(3),
    )


def hashing(tf):
    x = tf.constant(1)
    return {x.ref(): "found"}[x.ref()], x.ref() == tf.constant(1).ref(), x.ref().deref() is x


def unhashable(tf):
    return {tf.constant(1): 1}


def indexing(tf):
    x = tf.reshape(tf.range(24), [2, 3, 4])
    return (
        x[0], x[1, 2], x[..., 0], x[:, 1], x[0, ::2], x[0, ::-1, 1:3], x[:, tf.newaxis, 0],
        x[-1, -1, -1], x[0:0], x[tf.constant(1)], x[:, tf.constant(0) : tf.constant(2)],
    )  # fmt: skip


def masks(tf):
    x = tf.constant([[1, 2], [3, 4]])
    return x[x > 1], x[tf.constant([True, False])], tf.boolean_mask(x, [False, True])


def index_out_of_bounds(tf):
    return tf.constant([1, 2])[5]


def float_index(tf):
    return tf.constant([1, 2])[1.0]


def too_many_indices(tf):
    return tf.constant([1, 2])[0, 0]


def copying_and_pickling(tf):
    import copy
    import pickle

    x = tf.constant([[1.5, 2.5]])
    return copy.copy(x), copy.deepcopy([x]), pickle.loads(pickle.dumps(x))


def attributes(tf):
    x = tf.constant([[1, 2, 3]])
    return (
        x.shape,
        x.dtype,
        x.ndim,
        x.shape.rank,
        x.get_shape().as_list(),
        x.device,
        tf.rank(x),
        tf.size(x),
    )


def names_belong_to_graphs(tf):
    return tf.constant(1).name


def what_is_a_tensor(tf):
    import numpy as np

    v = tf.Variable(1)
    values = [1, np.array(1), tf.constant(1), v, "a"]
    return (
        [tf.is_tensor(x) for x in values],
        isinstance(v, tf.Tensor),
        isinstance(values[2], tf.Tensor),
    )


def objects_with_an_array(tf):
    import numpy as np

    class Box:
        def __array__(self, dtype=None, copy=None):
            return np.array([1, 2])

    return tf.convert_to_tensor(Box()), tf.constant([1, 1]) + Box()


def reflected_operator_of_another_class(tf):
    class Unit:
        def __radd__(self, other):
            return "unit"

    return tf.constant(1) + Unit()


def dlpack_and_buffers(tf):
    import numpy as np

    return np.from_dlpack(tf.constant([1.0, 2.0])), np.asarray(tf.constant([1, 2])).flags.writeable


def dtype_properties(tf):
    d = [tf.bool, tf.int8, tf.uint16, tf.int64, tf.float16, tf.float64, tf.complex64, tf.string]
    return [
        (x.name, str(x), repr(x), x.size, x.is_integer, x.is_floating, x.is_complex, x.is_bool,
         x.is_unsigned, x.as_datatype_enum, x.real_dtype)
        for x in d
    ], [(x.min, x.max) for x in (tf.int8, tf.uint16, tf.int64, tf.float32)]  # fmt: skip


def dtypes_from_names(tf):
    import numpy as np

    names = [
        "float32",
        "half",
        "double",
        "bool",
        float,
        bool,
        np.int16,
        np.dtype("uint8"),
        1,
        object,
    ]
    return [tf.as_dtype(n) for n in names], tf.float32 == "float32", tf.int8 != np.int8


def int_is_no_dtype(tf):
    return tf.as_dtype(int)


def shapes_as_objects(tf):
    s = tf.TensorShape([2, None])
    return (
        str(s), repr(s), s.rank, s.as_list(), s.num_elements(), s.is_fully_defined(), s[0], s[1:],
        s + [4], s.merge_with([None, 3]), s.concatenate(tf.TensorShape(None)), s == [2, None],
        s.is_compatible_with([2, 5]), len(s), list(s), str(tf.TensorShape(None)),
        tf.TensorShape(None)[:2], tf.TensorShape([3]).num_elements(), bool(tf.TensorShape(None)),
    )  # fmt: skip


def shapes_that_do_not_merge(tf):
    return tf.TensorShape([2, 3]).merge_with([2, 4])


def shape_of_unknown_rank_has_no_length(tf):
    return len(tf.TensorShape(None))


def negative_dimension(tf):
    return tf.TensorShape([-3])


def specs(tf):
    s = tf.TensorSpec([None, 2], tf.float32, name="x")
    return (
        repr(s),
        s.shape,
        s.dtype,
        s.name,
        s.is_compatible_with(tf.zeros([3, 2])),
        repr(tf.TensorSpec.from_tensor(tf.constant([1]))),
    )


def error_classes(tf):
    e = tf.errors
    kinds = [
        e.InvalidArgumentError,
        e.NotFoundError,
        e.OutOfRangeError,
        e.UnknownError,
        e.DataLossError,
    ]
    made = [kind(None, None, "what happened") for kind in kinds]
    return [(x.error_code, x.message, str(x), isinstance(x, e.OpError)) for x in made]


def devices(tf):
    with tf.device("/cpu:0"):
        x = tf.constant(1) + 1
    cpus = tf.config.list_physical_devices("CPU")
    return (
        x.device,
        str(cpus),
        str(tf.config.list_logical_devices("CPU")),
        x.cpu(),
        tf.identity(x).device,
    )


def unknown_device(tf):
    with tf.device("/foo:0"):
        return tf.constant(1)


def missing_gpu_is_replaced(tf):
    if tf.config.list_physical_devices("GPU"):
        return "/job:localhost/replica:0/task:0/device:CPU:0"
    with tf.device("/gpu:0"):
        return (tf.constant(1) + 1).device
