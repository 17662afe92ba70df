"""Names of TensorFlow that this runtime leaves out on purpose, each with the nearest one it has."""

_DENSE = "tensors are dense here"
_ONE = "programs run in one process, on the devices that `config.list_logical_devices` lists"

ABSENT = {
    "RaggedTensor": (_DENSE, "rows padded by `data.Dataset.padded_batch`, with `sequence_mask`"),
    "RaggedTensorSpec": (_DENSE, "`TensorSpec` with a dimension None"),
    "ragged": (_DENSE, "rows padded by `data.Dataset.padded_batch`, with `sequence_mask`"),
    "ragged_fill_empty_rows": (_DENSE, "`where`"),
    "SparseTensor": (_DENSE, "`scatter_nd` for a dense tensor, `IndexedSlices` for rows"),
    "SparseTensorSpec": (_DENSE, "`TensorSpec`"),
    "sparse": (_DENSE, "`scatter_nd` for a dense tensor, `linalg.matmul` for products"),
    "sets": (_DENSE, "`unique` and `math.reduce_any` of `equal`"),
    "edit_distance": (_DENSE, "a loop over `tf.range` in a `function`"),
    "distribute": (_ONE, "`device` for a part of a program"),
    "dtensor": (_ONE, "`device` for a part of a program"),
    "tpu": (_ONE, "`device`"),
    "queue": (_ONE, "`data.Dataset`"),
    "lite": ("graphs run on NumPy here", "`Graph.as_graph_def`, which TensorFlow converts"),
    "mlir": ("graphs run on NumPy here", "`Graph.as_graph_def`"),
    "xla": ("functions run as plans here", "`function`"),
    "hub": ("nothing is downloaded", "`keras.models.load_model` for a file"),
    "quantization": ("there are no quantized dtypes", "`cast` to `float16` or `bfloat16`"),
    **{
        name: ("there are no quantized dtypes", f"`{name[1:]}`" if name != "qint32" else "`int32`")
        for name in ("qint8", "qint16", "qint32", "quint8", "quint16")
    },
    "feature_column": ("TensorFlow deprecates it", "the preprocessing layers of `keras.layers`"),
    "estimator": ("TensorFlow has removed it", "`keras.Model`"),
    "contrib": ("TensorFlow has removed it", "the name that TensorFlow 2 gave to the part"),
    "Session": ("it belongs to version 1", "`compat.v1.Session`, or `function`"),
    "placeholder": ("it belongs to version 1", "`compat.v1.placeholder`, or arguments"),
    "global_variables_initializer": (
        "variables have their values from the start",
        "the variables themselves",
    ),
    "load_library": ("kernels are written in Python", "`numpy_function`"),
    "load_op_library": ("kernels are written in Python", "`numpy_function`"),
    "no_gradient": ("ops come with their gradients", "`stop_gradient`"),
    "RegisterGradient": ("ops come with their gradients", "`custom_gradient`"),
    "grad_pass_through": ("ops come with their gradients", "`custom_gradient`"),
    "AggregationMethod": ("gradients are added in one way", "`GradientTape.gradient`"),
    "raw_ops": ("each op has one function", "the function that makes the op"),
    "CriticalSection": (_ONE, "a lock of the module threading around the calls of a `function`"),
    "DeviceSpec": (_ONE, '`device` with a name such as "CPU:0"'),
    "lookup": ("there are no hash tables", "`keras.layers.StringLookup`"),
    "experimental": ("its names are not stable", "`function(numpy=True)` for NumPy programs"),
    "audio": ("there are no codecs for sound", "`io.decode_raw`"),
}
"""By name: why it is left out, and what to use instead."""


def absent(name: str) -> AttributeError:
    """The error for a name that `runtime` does not have.

    >>> print(absent("quint8"))
    module 'runtime' has no attribute 'quint8': there are no quantized dtypes. Use `uint8`.
    """
    message = f"module 'runtime' has no attribute {name!r}"
    if name in ABSENT:
        reason, instead = ABSENT[name]
        message += f": {reason}. Use {instead}."
    return AttributeError(message, name=name)
