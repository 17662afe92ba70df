"""Tensors, graphs and functions on NumPy, under the names of TensorFlow 2.

>>> import runtime as tf
>>> @tf.function
... def scale(x, by):
...     return x * by
>>> scale(tf.constant([1.0, 2.0]), 3.0)
<tf.Tensor: shape=(2,), dtype=float32, numpy=array([3., 6.], dtype=float32)>
"""

import importlib
import typing
from typing import Any

import autograph as autograph
import runtime.ops.base.broadcasting
import runtime.ops.overloads
import runtime.staging  # noqa: F401 - makes tensors known to the converter
from runtime import absent
from runtime import autodiff as autodiff
from runtime import bitwise as bitwise
from runtime import compat as compat
from runtime import config as config
from runtime import data as data
from runtime import debugging as debugging
from runtime import dtypes as dtypes
from runtime import errors as errors
from runtime import graph_util as graph_util
from runtime import io as io
from runtime import linalg as linalg
from runtime import math as math
from runtime import nest as nest
from runtime import nn as nn
from runtime import random as random
from runtime import signal as signal
from runtime import strings as strings
from runtime import types as types
from runtime import version as version
from runtime.autodiff.custom import custom_gradient as custom_gradient
from runtime.autodiff.custom import recompute_grad as recompute_grad
from runtime.autodiff.python_functions import py_function as py_function
from runtime.autodiff.symbolic import gradients as gradients
from runtime.autodiff.symbolic import hessians as hessians
from runtime.autodiff.tape import GradientTape as GradientTape
from runtime.autodiff.tape import UnconnectedGradients as UnconnectedGradients
from runtime.control_flow.case import case as case
from runtime.control_flow.case import switch_case as switch_case
from runtime.control_flow.cond import cond as cond
from runtime.control_flow.folding import foldl as foldl
from runtime.control_flow.folding import foldr as foldr
from runtime.control_flow.folding import scan as scan
from runtime.control_flow.mapping import map_fn as map_fn
from runtime.control_flow.mapping import vectorized_map as vectorized_map
from runtime.control_flow.while_loop import while_loop as while_loop
from runtime.core import namespaces
from runtime.core.context import control_dependencies as control_dependencies
from runtime.core.context import executing_eagerly as executing_eagerly
from runtime.core.context import get_current_name_scope as get_current_name_scope
from runtime.core.context import init_scope as init_scope
from runtime.core.context import inside_function as inside_function
from runtime.core.context import name_scope as name_scope
from runtime.core.devices import device as device
from runtime.core.graph import Graph as Graph
from runtime.core.logger import get_logger as get_logger
from runtime.core.operation import Operation as Operation
from runtime.core.shapes import TensorShape as TensorShape
from runtime.core.spec import TensorSpec as TensorSpec
from runtime.core.spec import TypeSpec as TypeSpec
from runtime.core.symbolic import is_symbolic_tensor as is_symbolic_tensor
from runtime.core.tensor import Tensor as Tensor
from runtime.core.tensor import is_tensor as is_tensor
from runtime.dtypes import DType as DType
from runtime.dtypes import as_dtype as as_dtype
from runtime.dtypes import bfloat16 as bfloat16
from runtime.dtypes import bool as bool
from runtime.dtypes import complex64 as complex64
from runtime.dtypes import complex128 as complex128
from runtime.dtypes import double as double
from runtime.dtypes import float16 as float16
from runtime.dtypes import float32 as float32
from runtime.dtypes import float64 as float64
from runtime.dtypes import half as half
from runtime.dtypes import int8 as int8
from runtime.dtypes import int16 as int16
from runtime.dtypes import int32 as int32
from runtime.dtypes import int64 as int64
from runtime.dtypes import resource as resource
from runtime.dtypes import string as string
from runtime.dtypes import uint8 as uint8
from runtime.dtypes import uint16 as uint16
from runtime.dtypes import uint32 as uint32
from runtime.dtypes import uint64 as uint64
from runtime.dtypes import variant as variant
from runtime.export.importing import import_graph_def as import_graph_def
from runtime.functions.decorator import function as function
from runtime.ops.array.arranging import meshgrid as meshgrid
from runtime.ops.array.arranging import repeat as repeat
from runtime.ops.array.arranging import reverse as reverse
from runtime.ops.array.arranging import reverse_sequence as reverse_sequence
from runtime.ops.array.arranging import roll as roll
from runtime.ops.array.arranging import sequence_mask as sequence_mask
from runtime.ops.array.creation import constant as constant
from runtime.ops.array.creation import eye as eye
from runtime.ops.array.creation import fill as fill
from runtime.ops.array.creation import ones as ones
from runtime.ops.array.creation import ones_like as ones_like
from runtime.ops.array.creation import zeros as zeros
from runtime.ops.array.creation import zeros_like as zeros_like
from runtime.ops.array.dimensions import broadcast_dynamic_shape as broadcast_dynamic_shape
from runtime.ops.array.dimensions import broadcast_static_shape as broadcast_static_shape
from runtime.ops.array.dimensions import rank as rank
from runtime.ops.array.dimensions import shape as shape
from runtime.ops.array.dimensions import shape_n as shape_n
from runtime.ops.array.dimensions import size as size
from runtime.ops.array.identity import guarantee_const as guarantee_const
from runtime.ops.array.identity import identity as identity
from runtime.ops.array.identity import identity_n as identity_n
from runtime.ops.array.identity import stop_gradient as stop_gradient
from runtime.ops.array.joining import concat as concat
from runtime.ops.array.joining import parallel_stack as parallel_stack
from runtime.ops.array.joining import split as split
from runtime.ops.array.joining import stack as stack
from runtime.ops.array.joining import unstack as unstack
from runtime.ops.array.one_hot import one_hot as one_hot
from runtime.ops.array.padding import pad as pad
from runtime.ops.array.ranges import linspace as linspace
from runtime.ops.array.ranges import range as range
from runtime.ops.array.repeating import broadcast_to as broadcast_to
from runtime.ops.array.repeating import tile as tile
from runtime.ops.array.shaping import ensure_shape as ensure_shape
from runtime.ops.array.shaping import expand_dims as expand_dims
from runtime.ops.array.shaping import reshape as reshape
from runtime.ops.array.shaping import squeeze as squeeze
from runtime.ops.array.shaping import transpose as transpose
from runtime.ops.base.convert import convert_to_tensor as convert_to_tensor
from runtime.ops.base.convert import (
    register_tensor_conversion_function as register_tensor_conversion_function,
)
from runtime.ops.base.convert import type_spec_from_value as type_spec_from_value
from runtime.ops.checks.shapes import assert_rank as assert_rank
from runtime.ops.checks.values import assert_equal as assert_equal
from runtime.ops.checks.values import assert_greater as assert_greater
from runtime.ops.checks.values import assert_less as assert_less
from runtime.ops.conv.batch_blocks import batch_to_space as batch_to_space
from runtime.ops.conv.batch_blocks import (
    required_space_to_batch_paddings as required_space_to_batch_paddings,
)
from runtime.ops.conv.batch_blocks import space_to_batch as space_to_batch
from runtime.ops.conv.batch_blocks import space_to_batch_nd as space_to_batch_nd
from runtime.ops.conv.patches import extract_volume_patches as extract_volume_patches
from runtime.ops.effects.clock import timestamp as timestamp
from runtime.ops.effects.grouping import get_static_value as get_static_value
from runtime.ops.effects.grouping import group as group
from runtime.ops.effects.grouping import no_op as no_op
from runtime.ops.effects.grouping import tuple as tuple
from runtime.ops.effects.output import Assert as Assert
from runtime.ops.effects.output import print as print
from runtime.ops.effects.python import numpy_function as numpy_function
from runtime.ops.items.gathering import gather as gather
from runtime.ops.items.gathering import gather_nd as gather_nd
from runtime.ops.items.indexed_slices import IndexedSlices as IndexedSlices
from runtime.ops.items.indexing import newaxis as newaxis
from runtime.ops.items.partitioning import dynamic_partition as dynamic_partition
from runtime.ops.items.partitioning import dynamic_stitch as dynamic_stitch
from runtime.ops.items.scattering import scatter_nd as scatter_nd
from runtime.ops.items.scattering import tensor_scatter_nd_add as tensor_scatter_nd_add
from runtime.ops.items.scattering import tensor_scatter_nd_max as tensor_scatter_nd_max
from runtime.ops.items.scattering import tensor_scatter_nd_min as tensor_scatter_nd_min
from runtime.ops.items.scattering import tensor_scatter_nd_sub as tensor_scatter_nd_sub
from runtime.ops.items.scattering import tensor_scatter_nd_update as tensor_scatter_nd_update
from runtime.ops.items.selecting import boolean_mask as boolean_mask
from runtime.ops.items.selecting import where as where
from runtime.ops.items.slicing import slice as slice
from runtime.ops.items.slicing import strided_slice as strided_slice
from runtime.ops.linalg.einsum import einsum as einsum
from runtime.ops.linalg.matrix_functions import matrix_square_root as matrix_square_root
from runtime.ops.linalg.products import matmul as matmul
from runtime.ops.linalg.products import scalar_mul as scalar_mul
from runtime.ops.linalg.products import tensordot as tensordot
from runtime.ops.linalg.spectral import eig as eig
from runtime.ops.linalg.spectral import eigvals as eigvals
from runtime.ops.math.arithmetic import add as add
from runtime.ops.math.arithmetic import atan2 as atan2
from runtime.ops.math.arithmetic import divide as divide
from runtime.ops.math.arithmetic import maximum as maximum
from runtime.ops.math.arithmetic import minimum as minimum
from runtime.ops.math.arithmetic import multiply as multiply
from runtime.ops.math.arithmetic import pow as pow
from runtime.ops.math.arithmetic import realdiv as realdiv
from runtime.ops.math.arithmetic import subtract as subtract
from runtime.ops.math.arithmetic import truediv as truediv
from runtime.ops.math.arithmetic import truncatediv as truncatediv
from runtime.ops.math.arithmetic import truncatemod as truncatemod
from runtime.ops.math.casting import bitcast as bitcast
from runtime.ops.math.casting import cast as cast
from runtime.ops.math.casting import saturate_cast as saturate_cast
from runtime.ops.math.clipping import clip_by_global_norm as clip_by_global_norm
from runtime.ops.math.clipping import clip_by_norm as clip_by_norm
from runtime.ops.math.clipping import clip_by_value as clip_by_value
from runtime.ops.math.comparison import equal as equal
from runtime.ops.math.comparison import greater as greater
from runtime.ops.math.comparison import greater_equal as greater_equal
from runtime.ops.math.comparison import less as less
from runtime.ops.math.comparison import less_equal as less_equal
from runtime.ops.math.comparison import logical_and as logical_and
from runtime.ops.math.comparison import logical_or as logical_or
from runtime.ops.math.comparison import not_equal as not_equal
from runtime.ops.math.complexes import complex as complex
from runtime.ops.math.elementwise import abs as abs
from runtime.ops.math.elementwise import acos as acos
from runtime.ops.math.elementwise import acosh as acosh
from runtime.ops.math.elementwise import asin as asin
from runtime.ops.math.elementwise import asinh as asinh
from runtime.ops.math.elementwise import atan as atan
from runtime.ops.math.elementwise import atanh as atanh
from runtime.ops.math.elementwise import cos as cos
from runtime.ops.math.elementwise import cosh as cosh
from runtime.ops.math.elementwise import exp as exp
from runtime.ops.math.elementwise import floor as floor
from runtime.ops.math.elementwise import logical_not as logical_not
from runtime.ops.math.elementwise import negative as negative
from runtime.ops.math.elementwise import round as round
from runtime.ops.math.elementwise import sigmoid as sigmoid
from runtime.ops.math.elementwise import sign as sign
from runtime.ops.math.elementwise import sin as sin
from runtime.ops.math.elementwise import sinh as sinh
from runtime.ops.math.elementwise import sqrt as sqrt
from runtime.ops.math.elementwise import square as square
from runtime.ops.math.elementwise import tan as tan
from runtime.ops.math.elementwise import tanh as tanh
from runtime.ops.math.sums import add_n as add_n
from runtime.ops.random.initializers import constant_initializer as constant_initializer
from runtime.ops.random.initializers import ones_initializer as ones_initializer
from runtime.ops.random.initializers import random_normal_initializer as random_normal_initializer
from runtime.ops.random.initializers import random_uniform_initializer as random_uniform_initializer
from runtime.ops.random.initializers import zeros_initializer as zeros_initializer
from runtime.ops.reduce.lengths import norm as norm
from runtime.ops.reduce.positions import argmax as argmax
from runtime.ops.reduce.positions import argmin as argmin
from runtime.ops.reduce.reduction import reduce_all as reduce_all
from runtime.ops.reduce.reduction import reduce_any as reduce_any
from runtime.ops.reduce.reduction import reduce_logsumexp as reduce_logsumexp
from runtime.ops.reduce.reduction import reduce_max as reduce_max
from runtime.ops.reduce.reduction import reduce_mean as reduce_mean
from runtime.ops.reduce.reduction import reduce_min as reduce_min
from runtime.ops.reduce.reduction import reduce_prod as reduce_prod
from runtime.ops.reduce.reduction import reduce_sum as reduce_sum
from runtime.ops.reduce.running import cumsum as cumsum
from runtime.ops.reduce.searching import histogram_fixed_width as histogram_fixed_width
from runtime.ops.reduce.searching import histogram_fixed_width_bins as histogram_fixed_width_bins
from runtime.ops.reduce.searching import searchsorted as searchsorted
from runtime.ops.reduce.searching import unique as unique
from runtime.ops.reduce.searching import unique_with_counts as unique_with_counts
from runtime.ops.reduce.searching import unravel_index as unravel_index
from runtime.ops.reduce.sorting import argsort as argsort
from runtime.ops.reduce.sorting import sort as sort
from runtime.ops.signal.fourier_nd import fftnd as fftnd
from runtime.ops.signal.fourier_nd import ifftnd as ifftnd
from runtime.ops.signal.fourier_nd import irfftnd as irfftnd
from runtime.ops.signal.fourier_nd import rfftnd as rfftnd
from runtime.ops.strings.hashing import fingerprint as fingerprint
from runtime.ops.strings.numbers import as_string as as_string
from runtime.state.creation import variable_creator_scope as variable_creator_scope
from runtime.state.module import Module as Module
from runtime.state.placement import VariableAggregation as VariableAggregation
from runtime.state.placement import VariableSynchronization as VariableSynchronization
from runtime.state.tensor_array import TensorArray as TensorArray
from runtime.state.variable import Variable as Variable
from runtime.version import VERSION as __version__  # noqa: F401 - a name for users

if typing.TYPE_CHECKING:
    from runtime import image as image
    from runtime import keras as keras
    from runtime import profiler as profiler
    from runtime import saved_model as saved_model
    from runtime import summary as summary
    from runtime import test as test
    from runtime import train as train

_LATER = ("image", "keras", "profiler", "saved_model", "summary", "test", "train")
"""Packages that are loaded when a program asks for them first."""

_OF_KERAS = ("initializers", "losses", "metrics", "optimizers")
"""Packages of `keras` that have a name here, too."""

_PACKAGES = (
    *("autodiff", "autograph", "bitwise", "compat", "config", "data", "debugging", "dtypes"),
    *("errors", "graph_util", "io", "linalg", "math", "nest", "nn", "random", "signal", "strings"),
    *("types", "version"),
)
"""Public packages that are loaded with this one."""


def __getattr__(name: str) -> Any:
    """Load one of the packages of `_LATER` or `_OF_KERAS`.

    Raises: AttributeError for other names, with the nearest one if TensorFlow has the name.
    """
    if name in _LATER:
        return importlib.import_module(f"runtime.{name}")
    if name in _OF_KERAS:
        return importlib.import_module(f"runtime.keras.{name}")
    raise absent.absent(name)


def __dir__() -> list[str]:
    """Return the public names, also of packages that are not loaded yet."""
    return namespaces.public_names(globals(), ("__version__", *_PACKAGES, *_LATER, *_OF_KERAS))
