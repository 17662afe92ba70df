"""Graphs built by hand and run by a Session, under the names of version 1.

What is the same in both versions is here too: `import runtime.compat.v1 as tf`.

>>> import runtime.compat.v1 as tf
>>> with tf.Graph().as_default():
...     x = tf.placeholder(tf.float32, [2])
...     w = tf.get_variable("w", initializer=tf.constant([3.0, 4.0]))
...     y = tf.reduce_sum(x * w)
...     with tf.Session() as session:
...         session.run(tf.global_variables_initializer())
...         print(session.run(y, feed_dict={x: [1.0, 2.0]}))
11.0
"""

import importlib
from typing import Any

from runtime.compat.lengths import dimension_at_index as dimension_at_index
from runtime.compat.lengths import dimension_value as dimension_value
from runtime.compat.v1 import app as app
from runtime.compat.v1 import debugging as debugging
from runtime.compat.v1 import flags as flags
from runtime.compat.v1 import gfile as gfile
from runtime.compat.v1 import initializers as initializers
from runtime.compat.v1 import io as io
from runtime.compat.v1 import linalg as linalg
from runtime.compat.v1 import logging as logging
from runtime.compat.v1 import manip as manip
from runtime.compat.v1 import math as math
from runtime.compat.v1 import nn as nn
from runtime.compat.v1 import random as random
from runtime.compat.v1 import spectral as spectral
from runtime.compat.v1 import strings as strings
from runtime.compat.v1 import test as test
from runtime.compat.v1.checks import assert_equal as assert_equal
from runtime.compat.v1.checks import assert_greater as assert_greater
from runtime.compat.v1.checks import assert_greater_equal as assert_greater_equal
from runtime.compat.v1.checks import assert_less as assert_less
from runtime.compat.v1.checks import assert_less_equal as assert_less_equal
from runtime.compat.v1.checks import assert_near as assert_near
from runtime.compat.v1.checks import assert_negative as assert_negative
from runtime.compat.v1.checks import assert_non_negative as assert_non_negative
from runtime.compat.v1.checks import assert_non_positive as assert_non_positive
from runtime.compat.v1.checks import assert_none_equal as assert_none_equal
from runtime.compat.v1.checks import assert_positive as assert_positive
from runtime.compat.v1.checks import assert_rank as assert_rank
from runtime.compat.v1.checks import assert_rank_at_least as assert_rank_at_least
from runtime.compat.v1.checks import assert_rank_in as assert_rank_in
from runtime.compat.v1.checks import assert_scalar as assert_scalar
from runtime.compat.v1.collections import GraphKeys as GraphKeys
from runtime.compat.v1.collections import add_to_collection as add_to_collection
from runtime.compat.v1.collections import add_to_collections as add_to_collections
from runtime.compat.v1.collections import all_variables as all_variables
from runtime.compat.v1.collections import get_collection as get_collection
from runtime.compat.v1.collections import get_collection_ref as get_collection_ref
from runtime.compat.v1.collections import global_variables as global_variables
from runtime.compat.v1.collections import local_variables as local_variables
from runtime.compat.v1.collections import model_variables as model_variables
from runtime.compat.v1.collections import moving_average_variables as moving_average_variables
from runtime.compat.v1.collections import trainable_variables as trainable_variables
from runtime.compat.v1.control import colocate_with as colocate_with
from runtime.compat.v1.control import cond as cond
from runtime.compat.v1.control import container as container
from runtime.compat.v1.control import convert_to_tensor as convert_to_tensor
from runtime.compat.v1.control import device as device
from runtime.compat.v1.control import op_scope as op_scope
from runtime.compat.v1.control import py_func as py_func
from runtime.compat.v1.control import tuple as tuple
from runtime.compat.v1.control import while_loop as while_loop
from runtime.compat.v1.decoding import decode_csv as decode_csv
from runtime.compat.v1.decoding import decode_raw as decode_raw
from runtime.compat.v1.differentiation import gradients as gradients
from runtime.compat.v1.differentiation import hessians as hessians
from runtime.compat.v1.drawing import get_seed as get_seed
from runtime.compat.v1.drawing import multinomial as multinomial
from runtime.compat.v1.drawing import random_crop as random_crop
from runtime.compat.v1.drawing import random_poisson as random_poisson
from runtime.compat.v1.earlier_names import OpError as OpError
from runtime.compat.v1.earlier_names import angle as angle
from runtime.compat.v1.earlier_names import assert_integer as assert_integer
from runtime.compat.v1.earlier_names import assert_proper_iterable as assert_proper_iterable
from runtime.compat.v1.earlier_names import assert_same_float_dtype as assert_same_float_dtype
from runtime.compat.v1.earlier_names import assert_type as assert_type
from runtime.compat.v1.earlier_names import betainc as betainc
from runtime.compat.v1.earlier_names import ceil as ceil
from runtime.compat.v1.earlier_names import check_numerics as check_numerics
from runtime.compat.v1.earlier_names import cholesky as cholesky
from runtime.compat.v1.earlier_names import cholesky_solve as cholesky_solve
from runtime.compat.v1.earlier_names import conj as conj
from runtime.compat.v1.earlier_names import cross as cross
from runtime.compat.v1.earlier_names import cumprod as cumprod
from runtime.compat.v1.earlier_names import diag as diag
from runtime.compat.v1.earlier_names import diag_part as diag_part
from runtime.compat.v1.earlier_names import digamma as digamma
from runtime.compat.v1.earlier_names import div_no_nan as div_no_nan
from runtime.compat.v1.earlier_names import erf as erf
from runtime.compat.v1.earlier_names import erfc as erfc
from runtime.compat.v1.earlier_names import expm1 as expm1
from runtime.compat.v1.earlier_names import fft as fft
from runtime.compat.v1.earlier_names import fft2d as fft2d
from runtime.compat.v1.earlier_names import fft3d as fft3d
from runtime.compat.v1.earlier_names import floor_div as floor_div
from runtime.compat.v1.earlier_names import floordiv as floordiv
from runtime.compat.v1.earlier_names import floormod as floormod
from runtime.compat.v1.earlier_names import global_norm as global_norm
from runtime.compat.v1.earlier_names import ifft as ifft
from runtime.compat.v1.earlier_names import ifft2d as ifft2d
from runtime.compat.v1.earlier_names import ifft3d as ifft3d
from runtime.compat.v1.earlier_names import igamma as igamma
from runtime.compat.v1.earlier_names import igammac as igammac
from runtime.compat.v1.earlier_names import imag as imag
from runtime.compat.v1.earlier_names import initialize_all_variables as initialize_all_variables
from runtime.compat.v1.earlier_names import initialize_local_variables as initialize_local_variables
from runtime.compat.v1.earlier_names import initialize_variables as initialize_variables
from runtime.compat.v1.earlier_names import invert_permutation as invert_permutation
from runtime.compat.v1.earlier_names import is_finite as is_finite
from runtime.compat.v1.earlier_names import is_inf as is_inf
from runtime.compat.v1.earlier_names import is_nan as is_nan
from runtime.compat.v1.earlier_names import is_non_decreasing as is_non_decreasing
from runtime.compat.v1.earlier_names import is_numeric_tensor as is_numeric_tensor
from runtime.compat.v1.earlier_names import is_strictly_increasing as is_strictly_increasing
from runtime.compat.v1.earlier_names import lbeta as lbeta
from runtime.compat.v1.earlier_names import lgamma as lgamma
from runtime.compat.v1.earlier_names import lin_space as lin_space
from runtime.compat.v1.earlier_names import log as log
from runtime.compat.v1.earlier_names import log1p as log1p
from runtime.compat.v1.earlier_names import log_sigmoid as log_sigmoid
from runtime.compat.v1.earlier_names import logical_xor as logical_xor
from runtime.compat.v1.earlier_names import matrix_band_part as matrix_band_part
from runtime.compat.v1.earlier_names import matrix_determinant as matrix_determinant
from runtime.compat.v1.earlier_names import matrix_diag as matrix_diag
from runtime.compat.v1.earlier_names import matrix_diag_part as matrix_diag_part
from runtime.compat.v1.earlier_names import matrix_inverse as matrix_inverse
from runtime.compat.v1.earlier_names import matrix_set_diag as matrix_set_diag
from runtime.compat.v1.earlier_names import matrix_solve as matrix_solve
from runtime.compat.v1.earlier_names import matrix_solve_ls as matrix_solve_ls
from runtime.compat.v1.earlier_names import matrix_transpose as matrix_transpose
from runtime.compat.v1.earlier_names import matrix_triangular_solve as matrix_triangular_solve
from runtime.compat.v1.earlier_names import mod as mod
from runtime.compat.v1.earlier_names import polygamma as polygamma
from runtime.compat.v1.earlier_names import qr as qr
from runtime.compat.v1.earlier_names import random_gamma as random_gamma
from runtime.compat.v1.earlier_names import random_normal as random_normal
from runtime.compat.v1.earlier_names import random_shuffle as random_shuffle
from runtime.compat.v1.earlier_names import random_uniform as random_uniform
from runtime.compat.v1.earlier_names import real as real
from runtime.compat.v1.earlier_names import reciprocal as reciprocal
from runtime.compat.v1.earlier_names import regex_replace as regex_replace
from runtime.compat.v1.earlier_names import reverse_v2 as reverse_v2
from runtime.compat.v1.earlier_names import rint as rint
from runtime.compat.v1.earlier_names import rsqrt as rsqrt
from runtime.compat.v1.earlier_names import segment_max as segment_max
from runtime.compat.v1.earlier_names import segment_mean as segment_mean
from runtime.compat.v1.earlier_names import segment_min as segment_min
from runtime.compat.v1.earlier_names import segment_prod as segment_prod
from runtime.compat.v1.earlier_names import segment_sum as segment_sum
from runtime.compat.v1.earlier_names import self_adjoint_eig as self_adjoint_eig
from runtime.compat.v1.earlier_names import self_adjoint_eigvals as self_adjoint_eigvals
from runtime.compat.v1.earlier_names import set_random_seed as set_random_seed
from runtime.compat.v1.earlier_names import squared_difference as squared_difference
from runtime.compat.v1.earlier_names import string_join as string_join
from runtime.compat.v1.earlier_names import string_strip as string_strip
from runtime.compat.v1.earlier_names import string_to_hash_bucket as string_to_hash_bucket
from runtime.compat.v1.earlier_names import string_to_hash_bucket_fast as string_to_hash_bucket_fast
from runtime.compat.v1.earlier_names import (
    string_to_hash_bucket_strong as string_to_hash_bucket_strong,
)
from runtime.compat.v1.earlier_names import string_to_number as string_to_number
from runtime.compat.v1.earlier_names import substr as substr
from runtime.compat.v1.earlier_names import svd as svd
from runtime.compat.v1.earlier_names import tensor_scatter_add as tensor_scatter_add
from runtime.compat.v1.earlier_names import tensor_scatter_sub as tensor_scatter_sub
from runtime.compat.v1.earlier_names import tensor_scatter_update as tensor_scatter_update
from runtime.compat.v1.earlier_names import trace as trace
from runtime.compat.v1.earlier_names import truncated_normal as truncated_normal
from runtime.compat.v1.earlier_names import unsorted_segment_max as unsorted_segment_max
from runtime.compat.v1.earlier_names import unsorted_segment_mean as unsorted_segment_mean
from runtime.compat.v1.earlier_names import unsorted_segment_min as unsorted_segment_min
from runtime.compat.v1.earlier_names import unsorted_segment_prod as unsorted_segment_prod
from runtime.compat.v1.earlier_names import unsorted_segment_sqrt_n as unsorted_segment_sqrt_n
from runtime.compat.v1.earlier_names import unsorted_segment_sum as unsorted_segment_sum
from runtime.compat.v1.earlier_names import where_v2 as where_v2
from runtime.compat.v1.earlier_names import zeta as zeta
from runtime.compat.v1.numbers import bincount as bincount
from runtime.compat.v1.numbers import clip_by_average_norm as clip_by_average_norm
from runtime.compat.v1.numbers import confusion_matrix as confusion_matrix
from runtime.compat.v1.numbers import div as div
from runtime.compat.v1.numbers import to_complex64 as to_complex64
from runtime.compat.v1.numbers import to_complex128 as to_complex128
from runtime.compat.v1.numbers import to_double as to_double
from runtime.compat.v1.numbers import to_float as to_float
from runtime.compat.v1.numbers import to_int32 as to_int32
from runtime.compat.v1.numbers import to_int64 as to_int64
from runtime.compat.v1.numbers import verify_tensor_all_finite as verify_tensor_all_finite
from runtime.compat.v1.output import Print as Print
from runtime.compat.v1.placeholders import placeholder as placeholder
from runtime.compat.v1.placeholders import placeholder_with_default as placeholder_with_default
from runtime.compat.v1.plain_initializers import constant_initializer as constant_initializer
from runtime.compat.v1.plain_initializers import (
    glorot_uniform_initializer as glorot_uniform_initializer,
)
from runtime.compat.v1.plain_initializers import ones_initializer as ones_initializer
from runtime.compat.v1.plain_initializers import (
    random_normal_initializer as random_normal_initializer,
)
from runtime.compat.v1.plain_initializers import (
    random_uniform_initializer as random_uniform_initializer,
)
from runtime.compat.v1.plain_initializers import zeros_initializer as zeros_initializer
from runtime.compat.v1.reductions import arg_max as arg_max
from runtime.compat.v1.reductions import arg_min as arg_min
from runtime.compat.v1.reductions import argmax as argmax
from runtime.compat.v1.reductions import argmin as argmin
from runtime.compat.v1.reductions import count_nonzero as count_nonzero
from runtime.compat.v1.reductions import norm as norm
from runtime.compat.v1.reductions import reduce_all as reduce_all
from runtime.compat.v1.reductions import reduce_any as reduce_any
from runtime.compat.v1.reductions import reduce_join as reduce_join
from runtime.compat.v1.reductions import reduce_logsumexp as reduce_logsumexp
from runtime.compat.v1.reductions import reduce_max as reduce_max
from runtime.compat.v1.reductions import reduce_mean as reduce_mean
from runtime.compat.v1.reductions import reduce_min as reduce_min
from runtime.compat.v1.reductions import reduce_prod as reduce_prod
from runtime.compat.v1.reductions import reduce_sum as reduce_sum
from runtime.compat.v1.scaled_initializers import (
    glorot_normal_initializer as glorot_normal_initializer,
)
from runtime.compat.v1.scaled_initializers import orthogonal_initializer as orthogonal_initializer
from runtime.compat.v1.scaled_initializers import (
    truncated_normal_initializer as truncated_normal_initializer,
)
from runtime.compat.v1.scaled_initializers import (
    uniform_unit_scaling_initializer as uniform_unit_scaling_initializer,
)
from runtime.compat.v1.scaled_initializers import (
    variance_scaling_initializer as variance_scaling_initializer,
)
from runtime.compat.v1.scatters import scatter_add as scatter_add
from runtime.compat.v1.scatters import scatter_div as scatter_div
from runtime.compat.v1.scatters import scatter_max as scatter_max
from runtime.compat.v1.scatters import scatter_min as scatter_min
from runtime.compat.v1.scatters import scatter_mul as scatter_mul
from runtime.compat.v1.scatters import scatter_nd_add as scatter_nd_add
from runtime.compat.v1.scatters import scatter_nd_sub as scatter_nd_sub
from runtime.compat.v1.scatters import scatter_nd_update as scatter_nd_update
from runtime.compat.v1.scatters import scatter_sub as scatter_sub
from runtime.compat.v1.scatters import scatter_update as scatter_update
from runtime.compat.v1.scopes import AUTO_REUSE as AUTO_REUSE
from runtime.compat.v1.scopes import VariableScope as VariableScope
from runtime.compat.v1.scopes import get_local_variable as get_local_variable
from runtime.compat.v1.scopes import get_variable as get_variable
from runtime.compat.v1.scopes import get_variable_scope as get_variable_scope
from runtime.compat.v1.scopes import name_scope as name_scope
from runtime.compat.v1.scopes import variable_op_scope as variable_op_scope
from runtime.compat.v1.scopes import variable_scope as variable_scope
from runtime.compat.v1.selections import batch_gather as batch_gather
from runtime.compat.v1.selections import boolean_mask as boolean_mask
from runtime.compat.v1.selections import gather as gather
from runtime.compat.v1.selections import gather_nd as gather_nd
from runtime.compat.v1.selections import setdiff1d as setdiff1d
from runtime.compat.v1.selections import where as where
from runtime.compat.v1.settings import ConfigProto as ConfigProto
from runtime.compat.v1.settings import GPUOptions as GPUOptions
from runtime.compat.v1.settings import GraphOptions as GraphOptions
from runtime.compat.v1.settings import RunMetadata as RunMetadata
from runtime.compat.v1.settings import RunOptions as RunOptions
from runtime.compat.v1.shapes import constant as constant
from runtime.compat.v1.shapes import depth_to_space as depth_to_space
from runtime.compat.v1.shapes import expand_dims as expand_dims
from runtime.compat.v1.shapes import ones_like as ones_like
from runtime.compat.v1.shapes import pad as pad
from runtime.compat.v1.shapes import reverse_sequence as reverse_sequence
from runtime.compat.v1.shapes import shape as shape
from runtime.compat.v1.shapes import size as size
from runtime.compat.v1.shapes import space_to_depth as space_to_depth
from runtime.compat.v1.shapes import squeeze as squeeze
from runtime.compat.v1.shapes import transpose as transpose
from runtime.compat.v1.shapes import zeros_like as zeros_like
from runtime.compat.v1.switches import control_flow_v2_enabled as control_flow_v2_enabled
from runtime.compat.v1.switches import disable_control_flow_v2 as disable_control_flow_v2
from runtime.compat.v1.switches import disable_resource_variables as disable_resource_variables
from runtime.compat.v1.switches import disable_tensor_equality as disable_tensor_equality
from runtime.compat.v1.switches import disable_v2_tensorshape as disable_v2_tensorshape
from runtime.compat.v1.switches import enable_control_flow_v2 as enable_control_flow_v2
from runtime.compat.v1.switches import enable_resource_variables as enable_resource_variables
from runtime.compat.v1.switches import enable_tensor_equality as enable_tensor_equality
from runtime.compat.v1.switches import enable_v2_tensorshape as enable_v2_tensorshape
from runtime.compat.v1.switches import resource_variables_enabled as resource_variables_enabled
from runtime.compat.v1.templates import make_template as make_template
from runtime.compat.v1.variables import assign as assign
from runtime.compat.v1.variables import assign_add as assign_add
from runtime.compat.v1.variables import assign_sub as assign_sub
from runtime.compat.v1.variables import count_up_to as count_up_to
from runtime.compat.v1.variables import global_variables_initializer as global_variables_initializer
from runtime.compat.v1.variables import group as group
from runtime.compat.v1.variables import is_variable_initialized as is_variable_initialized
from runtime.compat.v1.variables import local_variables_initializer as local_variables_initializer
from runtime.compat.v1.variables import (
    report_uninitialized_variables as report_uninitialized_variables,
)
from runtime.compat.v1.variables import variables_initializer as variables_initializer
from runtime.compat.v1.windows import batch_to_space as batch_to_space
from runtime.compat.v1.windows import space_to_batch as space_to_batch
from runtime.compat.v1.wrapping import wrap_function as wrap_function
from runtime.core.context import (
    executing_eagerly_outside_functions as executing_eagerly_outside_functions,
)
from runtime.core.default_graph import disable_eager_execution as disable_eager_execution
from runtime.core.default_graph import disable_v2_behavior as disable_v2_behavior
from runtime.core.default_graph import enable_eager_execution as enable_eager_execution
from runtime.core.default_graph import enable_v2_behavior as enable_v2_behavior
from runtime.core.default_graph import get_default_graph as get_default_graph
from runtime.core.default_graph import reset_default_graph as reset_default_graph
from runtime.core.dimension import Dimension as Dimension
from runtime.core.logger import get_logger as get_logger
from runtime.export.importing import import_graph_def as import_graph_def
from runtime.export.messages import AttrValue as AttrValue
from runtime.export.messages import GraphDef as GraphDef
from runtime.export.messages import NodeDef as NodeDef
from runtime.export.messages import OpDef as OpDef
from runtime.io import decode_base64 as decode_base64
from runtime.io import decode_compressed as decode_compressed
from runtime.io import encode_base64 as encode_base64
from runtime.io import matching_files as matching_files
from runtime.io import parse_tensor as parse_tensor
from runtime.io import read_file as read_file
from runtime.io import serialize_tensor as serialize_tensor
from runtime.io import write_file as write_file
from runtime.ops.batch_blocks import batch_to_space as batch_to_space_nd  # noqa: F401
from runtime.state.session import InteractiveSession as InteractiveSession
from runtime.state.session import Session as Session
from runtime.state.session import get_default_session as get_default_session


def __getattr__(name: str) -> Any:
    """What means the same in both versions. Raises AttributeError if there is no such name."""
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(importlib.import_module("runtime"), name)


def __dir__() -> list[str]:
    """The names of both versions."""
    both = dir(importlib.import_module("runtime"))
    return sorted({*globals(), *(name for name in both if not name.startswith("__"))})
