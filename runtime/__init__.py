"""Tensors, graphs and functions on NumPy, under the names of TensorFlow 2.

>>> import runtime as tf
>>> @tf.function
... def root(x):
...     y = x
...     while abs(y * y - x) > 0.001:
...         y = (y + x / y) / 2.0
...     return y
>>> print(root(tf.constant(16.0)))
tf.Tensor(4.0000005, shape=(), dtype=float32)
"""

import autograph as autograph
import runtime.ops.overloads
import runtime.staging  # noqa: F401 - makes tensors known to the converter
from runtime import config as config
from runtime import debugging as debugging
from runtime import dtypes as dtypes
from runtime import errors as errors
from runtime import linalg as linalg
from runtime import math as math
from runtime import random as random
from runtime.control_flow.cond import case as case
from runtime.control_flow.cond import cond as cond
from runtime.control_flow.cond import switch_case as switch_case
from runtime.control_flow.while_loop import while_loop as while_loop
from runtime.core.context import control_dependencies as control_dependencies
from runtime.core.context import executing_eagerly as executing_eagerly
from runtime.core.context import init_scope as init_scope
from runtime.core.graph import Graph as Graph
from runtime.core.graph import Operation as Operation
from runtime.core.shapes import TensorShape as TensorShape
from runtime.core.spec import TensorSpec as TensorSpec
from runtime.core.tensor import Tensor as Tensor
from runtime.dtypes import DType as DType
from runtime.dtypes import as_dtype as as_dtype
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
from runtime.function.polymorphic import function as function
from runtime.ops.arithmetic import add as add
from runtime.ops.arithmetic import add_n as add_n
from runtime.ops.arithmetic import atan2 as atan2
from runtime.ops.arithmetic import clip_by_value as clip_by_value
from runtime.ops.arithmetic import divide as divide
from runtime.ops.arithmetic import maximum as maximum
from runtime.ops.arithmetic import minimum as minimum
from runtime.ops.arithmetic import multiply as multiply
from runtime.ops.arithmetic import pow as pow
from runtime.ops.arithmetic import subtract as subtract
from runtime.ops.comparison import equal as equal
from runtime.ops.comparison import greater as greater
from runtime.ops.comparison import greater_equal as greater_equal
from runtime.ops.comparison import less as less
from runtime.ops.comparison import less_equal as less_equal
from runtime.ops.comparison import logical_and as logical_and
from runtime.ops.comparison import logical_or as logical_or
from runtime.ops.comparison import logical_xor as logical_xor
from runtime.ops.comparison import not_equal as not_equal
from runtime.ops.convert import convert_to_tensor as convert_to_tensor
from runtime.ops.creation import constant as constant
from runtime.ops.creation import eye as eye
from runtime.ops.creation import fill as fill
from runtime.ops.creation import linspace as linspace
from runtime.ops.creation import ones as ones
from runtime.ops.creation import ones_like as ones_like
from runtime.ops.creation import range as range
from runtime.ops.creation import zeros as zeros
from runtime.ops.creation import zeros_like as zeros_like
from runtime.ops.elementwise import abs as abs
from runtime.ops.elementwise import acos as acos
from runtime.ops.elementwise import asin as asin
from runtime.ops.elementwise import atan as atan
from runtime.ops.elementwise import cos as cos
from runtime.ops.elementwise import cosh as cosh
from runtime.ops.elementwise import exp as exp
from runtime.ops.elementwise import floor as floor
from runtime.ops.elementwise import logical_not as logical_not
from runtime.ops.elementwise import negative as negative
from runtime.ops.elementwise import round as round
from runtime.ops.elementwise import sigmoid as sigmoid
from runtime.ops.elementwise import sign as sign
from runtime.ops.elementwise import sin as sin
from runtime.ops.elementwise import sinh as sinh
from runtime.ops.elementwise import sqrt as sqrt
from runtime.ops.elementwise import square as square
from runtime.ops.elementwise import tan as tan
from runtime.ops.elementwise import tanh as tanh
from runtime.ops.indexing import boolean_mask as boolean_mask
from runtime.ops.indexing import gather as gather
from runtime.ops.indexing import gather_nd as gather_nd
from runtime.ops.indexing import newaxis as newaxis
from runtime.ops.indexing import one_hot as one_hot
from runtime.ops.indexing import tensor_scatter_nd_add as tensor_scatter_nd_add
from runtime.ops.indexing import tensor_scatter_nd_update as tensor_scatter_nd_update
from runtime.ops.indexing import where as where
from runtime.ops.linalg import matmul as matmul
from runtime.ops.linalg import scalar_mul as scalar_mul
from runtime.ops.linalg import tensordot as tensordot
from runtime.ops.output import Assert as Assert
from runtime.ops.output import print as print
from runtime.ops.reduction import argmax as argmax
from runtime.ops.reduction import argmin as argmin
from runtime.ops.reduction import argsort as argsort
from runtime.ops.reduction import cumsum as cumsum
from runtime.ops.reduction import reduce_all as reduce_all
from runtime.ops.reduction import reduce_any as reduce_any
from runtime.ops.reduction import reduce_logsumexp as reduce_logsumexp
from runtime.ops.reduction import reduce_max as reduce_max
from runtime.ops.reduction import reduce_mean as reduce_mean
from runtime.ops.reduction import reduce_min as reduce_min
from runtime.ops.reduction import reduce_prod as reduce_prod
from runtime.ops.reduction import reduce_sum as reduce_sum
from runtime.ops.reduction import sort as sort
from runtime.ops.shaping import broadcast_to as broadcast_to
from runtime.ops.shaping import cast as cast
from runtime.ops.shaping import concat as concat
from runtime.ops.shaping import ensure_shape as ensure_shape
from runtime.ops.shaping import expand_dims as expand_dims
from runtime.ops.shaping import identity as identity
from runtime.ops.shaping import pad as pad
from runtime.ops.shaping import rank as rank
from runtime.ops.shaping import reshape as reshape
from runtime.ops.shaping import reverse as reverse
from runtime.ops.shaping import shape as shape
from runtime.ops.shaping import size as size
from runtime.ops.shaping import split as split
from runtime.ops.shaping import squeeze as squeeze
from runtime.ops.shaping import stack as stack
from runtime.ops.shaping import tile as tile
from runtime.ops.shaping import transpose as transpose
from runtime.ops.shaping import unstack as unstack
from runtime.state.tensor_array import TensorArray as TensorArray
from runtime.state.variable import Variable as Variable
