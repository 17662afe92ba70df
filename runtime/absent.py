"""Names of TensorFlow that this runtime leaves out on purpose, each with the nearest one it has."""

from __future__ import annotations

import sys
from collections.abc import Callable

_DENSE = "tensors are dense here"
_ONE = "programs run in one process, on the devices that `config.list_logical_devices` lists"
_RARE = "few programs need it"
_VERSION_1 = "it belongs to version 1"
_SPARSE_IO = ("deserialize_many_sparse", "serialize_many_sparse", "serialize_sparse")

ABSENT = {
    "RaggedTensor": (_DENSE, "rows padded by `data.Dataset.padded_batch`"),
    "RaggedTensorSpec": (_DENSE, "`TensorSpec` with a dimension None"),
    "ragged": (_DENSE, "rows padded by `data.Dataset.padded_batch`"),
    "ragged_fill_empty_rows": (_DENSE, "`where`"),
    "SparseTensor": (_DENSE, "`scatter_nd` for a dense tensor, `IndexedSlices` for rows"),
    "SparseTensorSpec": (_DENSE, "`TensorSpec`"),
    "TypeSpec": ("tensors are all that signatures describe", "`TensorSpec`"),
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
    "quantization": ("there are no quantized dtypes", "`cast` to `float16`"),
    **{
        name: ("there are no quantized dtypes", f"`{name[1:]}`" if name != "qint32" else "`int32`")
        for name in ("qint8", "qint16", "qint32", "quint8", "quint16")
    },
    "feature_column": ("TensorFlow deprecates it", "the preprocessing layers of `keras.layers`"),
    "estimator": ("TensorFlow has removed it", "`keras.Model`"),
    "contrib": ("TensorFlow has removed it", "the name that TensorFlow 2 gave to the part"),
    **{
        name: (_VERSION_1, instead)
        for names, instead in {
            "Session InteractiveSession ConfigProto": "`compat.v1.Session`, or `function`",
            "placeholder": "`compat.v1.placeholder`, or arguments",
            "get_default_graph reset_default_graph": "`Graph`, or `function`",
            "get_variable": "`Variable`",
            "variable_scope": "`name_scope`, and `Module` for variables that are shared",
            "trainable_variables global_variables": "the attribute of a `Module` or model",
            "set_random_seed": "`random.set_seed`",
            "layers": "`keras.layers`",
            "nn.rnn_cell": "`keras.layers.RNN`",
            "summary.FileWriter": "`summary.create_file_writer`",
            "train.Saver": "`train.Checkpoint`",
            "train.exponential_decay": "`keras.optimizers.schedules.ExponentialDecay`",
            "app flags": "the module argparse",
            "logging": "the module logging",
        }.items()
        for name in names.split()
    },
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
    "graph_util": ("graphs of other programs are not read", "`saved_model.load`"),
    "import_graph_def": ("graphs of other programs are not read", "`saved_model.load`"),
    "signal": (_RARE, "`numpy_function` of NumPy's fft"),
    "lookup": ("there are no hash tables", "`keras.layers.StringLookup`"),
    "experimental": ("its names are not stable", "`function(numpy=True)` for NumPy programs"),
    "audio": ("there are no codecs for sound", "`io.decode_raw`"),
    "io.VarLenFeature": (
        _DENSE,
        "`io.FixedLenSequenceFeature` with allow_missing=True, which pads the rows of a batch",
    ),
    "VariableAggregation": (_ONE, "`Variable` without it"),
    "VariableSynchronization": (_ONE, "`Variable` without it, or with trainable=False"),
    **{f"io.{name}": (_DENSE, "`io.serialize_tensor`") for name in _SPARSE_IO},
    "config.threading.set_inter_op_parallelism_threads": (
        "operations run one after another",
        "`config.threading.set_intra_op_parallelism_threads`",
    ),
    "io.gfile": ("Python has files", "the modules os, glob and shutil"),
    "io.write_file": ("Python has files", "`numpy_function` of a function that writes"),
    **{
        f"train.{name}Optimizer": (_VERSION_1, f"`keras.optimizers.{instead}`")
        for name, instead in {
            "GradientDescent": "SGD",
            "Momentum": "SGD",
            "Adam": "Adam",
            "RMSProp": "RMSprop",
        }.items()
    },
    **{
        f"data.experimental.{name}": ("it has another name", f"`data.Dataset.{name}`")
        for name in (
            *("cardinality", "load", "rejection_resample", "sample_from_datasets"),
            *("save", "snapshot", "unbatch"),
        )
    },
    **{
        name: (_RARE, instead)
        for names, instead in {
            "image.adjust_brightness nn.bias_add": "`add`",
            "image.central_crop": "the image with an index such as `x[8:-8, 8:-8]`",
            "image.crop_and_resize": "`image.resize` of the image with an index",
            "image.crop_to_bounding_box": "the image with an index such as `x[8:-8, 8:-8]`",
            "image.encode_png": "`summary.image`, or `keras.preprocessing.image.array_to_img`",
            "image.flip_left_right image.flip_up_down": "`reverse`",
            "image.grayscale_to_rgb": "`repeat` of the last axis",
            "image.non_max_suppression": "a loop over the sorted boxes in a `function`",
            "image.per_image_standardization": "`nn.moments`, and `keras.layers.Normalization`",
            "image.random_brightness": "`add` of `random.uniform`",
            "image.random_contrast": "`image.adjust_contrast` with `random.uniform`",
            "image.random_crop": "the image with an index, and `random.uniform`",
            "image.random_flip_left_right": "`cond` of `random.uniform`, and `reverse`",
            "image.random_flip_up_down": "`cond` of `random.uniform`, and `reverse`",
            "image.resize_with_crop_or_pad": "`pad`, or the image with an index",
            "image.rgb_to_grayscale": "`tensordot` with the weights of the channels",
            "io.encode_png": "`io.encode_jpeg`",
            "nn.ctc_loss": "`while_loop` over the steps",
            "train.ExponentialMovingAverage": "`Variable.assign` of the average",
            "sequence_mask": "`less` of `range` and the lengths with a further axis",
            "constant_initializer": "`keras.initializers.Constant`",
            "ones_initializer": "`keras.initializers.Ones`",
            "random_normal_initializer": "`keras.initializers.RandomNormal`",
            "random_uniform_initializer": "`keras.initializers.RandomUniform`",
            "zeros_initializer": "`keras.initializers.Zeros`",
            "linalg.l2_normalize math.l2_normalize": "the tensor divided by its `linalg.norm`",
            "math.count_nonzero": "`reduce_sum` of `cast` of `not_equal` to 0",
            "nn.embedding_lookup": "`gather`",
            "nn.l2_normalize linalg.normalize": "the tensor divided by its `linalg.norm`",
            "strided_slice": "the tensor with an index such as `x[1:3, ::2]`",
            "to_double to_float to_int32 to_int64": "`cast`",
            "bitcast": "`numpy_function` of NumPy's view",
            "dynamic_partition": "`boolean_mask` for each part",
            "dynamic_stitch": "`scatter_nd` of the joined parts",
            "reverse_sequence": "`reverse`, or `gather` with reversed positions",
            "unique_with_counts": "`unique`, and `math.bincount` of its indices",
            "case": "`cond`, or `switch_case`",
            "foldl foldr": "`scan`, whose last row is the result",
            "debugging.assert_all_finite": "`debugging.check_numerics`",
            "assert_rank debugging.assert_rank": "`ensure_shape`, or `rank`",
            "linalg.cholesky_solve linalg.lu_solve linalg.triangular_solve": "`linalg.solve`",
            "linalg.lstsq": "`linalg.solve` with `linalg.qr`",
            "linalg.pinv": "`linalg.inv`, or `linalg.solve` with `linalg.qr`",
            "linalg.svd": "`linalg.eigh` of `matmul` with the `linalg.adjoint`",
            "math.digamma math.erfinv math.lgamma linalg.expm": "`numpy_function` of SciPy's",
            "math.angle": "`atan2` of `math.imag` and `math.real`",
            "math.confusion_matrix": "`math.bincount` of `labels * count + predictions`",
            "math.segment_sum math.unsorted_segment_sqrt_n": "`math.unsorted_segment_sum`",
            "nn.conv3d": "`nn.conv2d` of the slices, added",
            "nn.depth_to_space nn.space_to_depth": "`reshape` and `transpose`",
            "nn.depthwise_conv2d": "`nn.conv2d` with a filter of one channel, which makes groups",
            "nn.separable_conv2d": "`nn.conv2d` twice, first with a filter of one channel",
            "random.Generator": "`random.stateless_normal` and its like, with a seed for each call",
            "random.gamma random.poisson": "`numpy_function` of NumPy's generators",
            "strings.regex_full_match strings.regex_replace": "`numpy_function` of the module re",
        }.items()
        for name in names.split()
    },
}
"""By path: why it is left out, and what to use instead."""


def absent_from(namespace: str) -> Callable[[str], AttributeError]:
    """Return the function that makes the error for a name that a namespace does not have.

    >>> print(absent_from("runtime")("quint8"))
    module 'runtime' has no attribute 'quint8': there are no quantized dtypes. Use `uint8`.
    """
    prefix = f"{namespace}.".removeprefix("runtime.")

    def error(name: str) -> AttributeError:
        message = f"module {namespace!r} has no attribute {name!r}"
        elsewhere = _elsewhere(name)
        if prefix + name in ABSENT:
            reason, instead = ABSENT[prefix + name]
            message += f": {reason}. Use {instead}."
        elif elsewhere is not None:
            message += f". Use `{elsewhere}`."
        return AttributeError(message, name=name, obj=sys.modules[namespace])

    return error


def _elsewhere(name: str) -> str | None:
    """Return the path of a name that programs of version 1 find at the top; None for others.

    >>> _elsewhere("log"), _elsewhere("random_normal")
    ('math.log', 'random.normal')
    """
    for namespace in ("math", "random", "linalg", "nn", "strings"):
        names = dir(getattr(sys.modules["runtime"], namespace))
        for each in (name, name.removeprefix(f"{namespace}_")):
            if each in names:
                return f"{namespace}.{each}"
    return None
