"""Names of TensorFlow that this runtime leaves out on purpose, each with the nearest one it has."""

from __future__ import annotations

from collections.abc import Callable

_DENSE = "tensors are dense here"
_ONE = "programs run in one process, on the devices that `config.list_logical_devices` lists"
_RARE = "few programs need it"
_SPARSE_IO = ("deserialize_many_sparse", "serialize_many_sparse", "serialize_sparse")

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
    **{f"io.{name}": (_DENSE, "`io.serialize_tensor`") for name in _SPARSE_IO},
    **{
        name: (_RARE, instead)
        for name, instead in {
            "batch_to_space": "`nn.depth_to_space`, or `nn.conv2d` with dilations",
            "space_to_batch": "`nn.space_to_depth`, or `nn.conv2d` with dilations",
            "space_to_batch_nd": "`nn.space_to_depth`, or `nn.conv2d` with dilations",
            "extract_volume_patches": "`signal.frame` along each axis",
            "fftnd": "`signal.fft3d`, `signal.fft2d` or `signal.fft`",
            "ifftnd": "`signal.ifft3d`, `signal.ifft2d` or `signal.ifft`",
            "irfftnd": "`signal.irfft3d`, `signal.irfft2d` or `signal.irfft`",
            "rfftnd": "`signal.rfft3d`, `signal.rfft2d` or `signal.rfft`",
            "fingerprint": "`strings.to_hash_bucket_fast`",
            "guarantee_const": "`identity`",
            "histogram_fixed_width_bins": "`searchsorted`",
            "matrix_square_root": "`linalg.sqrtm`",
            "parallel_stack": "`stack`",
            "required_space_to_batch_paddings": "`nn.conv2d` with dilations",
            "shape_n": "`shape`",
            "compat.bytes_or_text_types": "the tuple (bytes, str)",
            "compat.complex_types": "the class numbers.Complex",
            "compat.dimension_at_index": "the item of the `TensorShape`",
            "compat.dimension_value": "the item of the `TensorShape`",
            "compat.forward_compatibility_horizon": "`version.VERSION`",
            "compat.forward_compatible": "`version.VERSION`",
            "compat.integral_types": "the class numbers.Integral",
            "compat.path_to_str": "the function os.fspath",
            "compat.real_types": "the class numbers.Real",
            "config.experimental_functions_run_eagerly": "`config.functions_run_eagerly`",
            "config.experimental_run_functions_eagerly": "`config.run_functions_eagerly`",
            "config.experimental.enable_tensor_float_32_execution": "the settings of CuPy or JAX",
            "config.experimental.get_device_details": "`config.list_physical_devices`",
            "config.experimental.get_memory_growth": "the settings of CuPy or JAX",
            "config.experimental.get_virtual_device_configuration": "`config.list_logical_devices`",
            "config.experimental.get_visible_devices": "`config.get_visible_devices`",
            "config.experimental.set_visible_devices": "`config.set_visible_devices`",
            "config.experimental.tensor_float_32_execution_enabled": "the settings of CuPy or JAX",
            "config.get_logical_device_configuration": "`config.list_logical_devices`",
            "config.get_soft_device_placement": "`config.set_soft_device_placement`",
            "config.optimizer.get_jit": "`function` with `jit_compile=True`",
            "config.threading.get_inter_op_parallelism_threads": "the number that was set",
            "config.threading.get_intra_op_parallelism_threads": "the number that was set",
            "config.optimizer.set_jit": "`function` with `jit_compile=True`",
            "config.experimental.enable_op_determinism": "`random.set_seed`",
            "linalg.banded_triangular_solve": "`linalg.triangular_solve` of `linalg.diag`",
            "linalg.eigh_tridiagonal": "`linalg.eigh` of `linalg.diag`",
            "linalg.logm": "`numpy_function` of SciPy's logm",
            "linalg.lu_matrix_inverse": "`linalg.inv`",
            "linalg.lu_reconstruct": "`linalg.matmul` of the triangles",
            "linalg.tridiagonal_matmul": "`linalg.matmul` of `linalg.diag`",
            "linalg.tridiagonal_solve": "`linalg.solve` of `linalg.diag`",
            "math.accumulate_n": "`add_n`",
            "debugging.assert_proper_iterable": "`nest.is_nested`",
            "debugging.assert_same_float_dtype": "`debugging.assert_type`",
            "debugging.is_numeric_tensor": "`is_tensor`, and the dtype",
            "linalg.tensor_diag": "`linalg.diag`",
            "linalg.tensor_diag_part": "`linalg.diag_part`",
            "math.betainc": "`numpy_function` of SciPy's betainc",
            "math.igamma": "`numpy_function` of SciPy's gammainc",
            "math.igammac": "`numpy_function` of SciPy's gammaincc",
            "math.is_non_decreasing": "`reduce_all` of a comparison of slices",
            "math.is_strictly_increasing": "`reduce_all` of a comparison of slices",
            "math.lbeta": "`math.lgamma`",
            "math.special": "`math`, or `numpy_function` of SciPy's",
            "nn.atrous_conv2d": "`nn.conv2d` with dilations",
            "nn.atrous_conv2d_transpose": "`nn.conv2d_transpose` with dilations",
            "nn.avg_pool3d": "`nn.avg_pool2d` of the slices",
            "nn.batch_norm_with_global_normalization": "`nn.batch_normalization`",
            "nn.compute_average_loss": "`reduce_mean`",
            "nn.conv3d": "`nn.conv2d` of the slices, added",
            "nn.conv3d_transpose": "`nn.conv2d_transpose` of the slices, added",
            "nn.crelu": "`concat` of `nn.relu` of both signs",
            "nn.depthwise_conv2d_backprop_filter": "`GradientTape`",
            "nn.depthwise_conv2d_backprop_input": "`GradientTape`",
            "nn.dilation2d": "`numpy_function` of SciPy's grey_dilation",
            "nn.erosion2d": "`numpy_function` of SciPy's grey_erosion",
            "nn.local_response_normalization": "`nn.batch_normalization`",
            "nn.log_poisson_loss": "`exp` and `reduce_mean`",
            "nn.lrn": "`nn.batch_normalization`",
            "nn.max_pool3d": "`nn.max_pool2d` of the slices",
            "nn.max_pool_with_argmax": "`nn.max_pool2d`, and `argmax` of the rows of a window",
            "nn.normalize_moments": "`nn.moments`",
            "nn.pool": "`nn.max_pool` or `nn.avg_pool`",
            "nn.scale_regularization_loss": "the loss itself",
            "nn.space_to_batch": "`nn.space_to_depth`, or `nn.conv2d` with dilations",
            "nn.sufficient_statistics": "`nn.moments`",
            "nn.with_space_to_batch": "`nn.conv2d` with dilations",
            "random.create_rng_state": "`random.Generator.from_seed`",
            "random.experimental": "`random`",
            "random.stateless_binomial": "`random.stateless_uniform`, compared and counted",
            "random.stateless_gamma": "`random.gamma` with a seed",
            "random.stateless_poisson": "`random.poisson` with a seed",
            "signal.fftnd": "`signal.fft3d`, `signal.fft2d` or `signal.fft`",
            "signal.ifftnd": "`signal.ifft3d`, `signal.ifft2d` or `signal.ifft`",
            "signal.irfftnd": "`signal.irfft3d`, `signal.irfft2d` or `signal.irfft`",
            "signal.rfftnd": "`signal.rfft3d`, `signal.rfft2d` or `signal.rfft`",
            "signal.inverse_mdct": "`signal.idct` of the frames",
            "signal.kaiser_bessel_derived_window": "`constant` of SciPy's",
            "signal.kaiser_window": "`constant` of NumPy's kaiser",
            "signal.linear_to_mel_weight_matrix": "`linalg.matmul` with a constant matrix",
            "signal.mdct": "`signal.dct` of the frames",
            "signal.mfccs_from_log_mel_spectrograms": "`signal.dct`",
            "signal.vorbis_window": "`constant` of its formula",
            "strings.ngrams": "`strings.join` of slices",
            "strings.to_hash_bucket": "`strings.to_hash_bucket_fast`",
            "strings.unicode_decode_with_offsets": "`strings.unicode_decode`",
            "strings.unicode_split_with_offsets": "`strings.unicode_split`",
            "strings.unicode_transcode": "`strings.unicode_decode` and `strings.unicode_encode`",
            "strings.unsorted_segment_join": "`strings.reduce_join`",
            "test.assert_equal_graph_def": "`==` of the messages",
            "test.disable_with_predicate": "the decorator unittest.skipIf",
            "test.is_cpu_target_available": "the function platform.machine",
            "test.with_eager_op_as_function": "the class itself",
            "test.gpu_device_name": "`config.list_logical_devices`",
            "test.is_gpu_available": "`config.list_physical_devices`",
        }.items()
    },
}
"""By path: why it is left out, and what to use instead."""


def absent_from(namespace: str) -> Callable[[str], AttributeError]:
    """Return the function that makes the error for a name that a namespace does not have.

    Args:
      namespace: the name of its module.

    >>> print(absent_from("runtime")("quint8"))
    module 'runtime' has no attribute 'quint8': there are no quantized dtypes. Use `uint8`.
    """
    prefix = f"{namespace}.".removeprefix("runtime.")

    def error(name: str) -> AttributeError:
        message = f"module {namespace!r} has no attribute {name!r}"
        if prefix + name in ABSENT:
            reason, instead = ABSENT[prefix + name]
            message += f": {reason}. Use {instead}."
        return AttributeError(message, name=name)

    return error
