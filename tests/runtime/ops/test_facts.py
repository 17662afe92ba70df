"""What definitions say about op types holds for their kernels."""

import itertools

import numpy as np
import pytest

import runtime as tf
import runtime.saved_model.op_types
from runtime.core import dtypes
from runtime.core.errors import KERNEL_FAILURES, OpError
from runtime.core.opdef import (
    INDEX,
    INT32,
    Effect,
    Failure,
    Overflow,
    Reads,
    Storage,
    Ufunc,
    all_ops,
)
from runtime.ops.base.define import bind

NUMBERS = [dtype for dtype in dtypes.ALL if dtype.kind in "biufc" and dtype.name != "bfloat16"]


def names(holds):
    return {op.name for op in all_ops() if holds(op)}


def edges(dtype):
    """Zeros, NaN, infinities, subnormals and limits of a dtype."""
    kind, numpy = dtype.kind, dtype.numpy_dtype
    if kind == "b":
        return np.array([False, True])
    if kind in "iu":
        limits = np.iinfo(numpy)
        return np.array([0, 1, 2, limits.min, limits.max, limits.min + 1], numpy)
    parts = np.finfo(numpy)
    special = [0.0, -0.0, 1.0, -1.5, np.nan, np.inf, -np.inf, parts.max, parts.min, parts.tiny]
    if kind == "f":
        return np.array(special, numpy)
    return np.array([complex(a, b) for a in special for b in (0.0, np.nan, np.inf)], numpy)


def on_edges(op):
    """Operands of all dtypes that an op takes: each pair of edge values, and empty arrays."""
    count = len(op.inputs)
    attrs = op.samples[0].attrs
    for dtype in NUMBERS:
        if not all(dtype in group for group in op.inputs.values()):
            continue
        values = edges(dtype)
        yield np.zeros((count, 0), dtype.numpy_dtype), attrs
        rows = itertools.islice(itertools.product(values, repeat=count), 1000)
        yield np.array(list(rows), dtype.numpy_dtype).T, attrs


ELEMENTWISE = [op for op in all_ops() if op.elementwise and op.effect is Effect.NONE]
SAFE = [op for op in ELEMENTWISE if op.failure is not Failure.VALUES]


def each(ops):
    return pytest.mark.parametrize("op", [pytest.param(op, id=op.name) for op in ops])


@each(SAFE)
def test_kernels_that_cannot_fail_take_edge_values(op):
    for operands, attrs in on_edges(op):
        with np.errstate(all="ignore"):
            assert op.kernel(np, *operands, **attrs).shape == operands.shape[1:]


@each([op for op in ELEMENTWISE if op.failure is Failure.VALUES])
def test_kernels_that_can_fail_do_so_on_edge_values(op):
    with pytest.raises((OpError, *KERNEL_FAILURES)):
        for operands, attrs in on_edges(op):
            with np.errstate(all="ignore"):
                op.kernel(np, *operands, **attrs)


@each([op for op in all_ops() if not op.elementwise and op.failure is not Failure.VALUES])
def test_static_shapes_keep_kernels_from_failing(op):
    for sample in op.samples:
        inputs, _ = bind(op.name, op.inputs, sample.args)
        groups = [*op.inputs.values()] * len(inputs)
        for position in range(6):
            arrays = [
                tensor.array
                if group in (INDEX, INT32)
                else np.full(tensor.shape, edges(tensor.dtype)[position % 2])
                if tensor.dtype.kind == "b"
                else np.full(tensor.shape, edges(tensor.dtype)[position])
                if tensor.dtype.kind in "iufc"
                else tensor.array
                for tensor, group in zip(inputs, groups, strict=False)
            ]
            with np.errstate(all="ignore"):
                op.kernel(np, *arrays, **sample.attrs)


@each([op for op in all_ops() if op.commutative])
def test_commutative_kernels_take_operands_in_either_order(op):
    for operands, attrs in on_edges(op):
        with np.errstate(all="ignore"):
            one = op.kernel(np, *operands, **attrs)
            other = op.kernel(np, *operands[::-1], **attrs)
        np.testing.assert_array_equal(one, other)


@each([op for op in all_ops() if op.fusable and op.elementwise])
def test_fusable_kernels_give_the_same_in_blocks(op):
    for operands, attrs in on_edges(op):
        if operands.dtype.kind == "c":
            continue  # groups hold real numbers only
        with np.errstate(all="ignore"):
            whole = op.kernel(np, *operands, **attrs)
            parts = [
                op.kernel(np, *(x[at : at + 7] for x in operands), **attrs)
                for at in range(0, max(operands.shape[1], 1), 7)
            ]
        np.testing.assert_array_equal(np.concatenate(parts), whole)


NEW = [op for op in all_ops() if op.storage in (Storage.NEW, Storage.REDUCED)]


@each(NEW)
def test_new_arrays_share_no_memory_with_inputs(op):
    for sample in op.samples:
        inputs, _ = bind(op.name, op.inputs, sample.args)
        arrays = [np.array(tensor.array) for tensor in inputs]
        result = op.kernel(np, *arrays, **sample.attrs)
        if op.storage is Storage.NEW or np.size(result) < np.size(arrays[0]):
            assert not any(np.shares_memory(result, array) for array in arrays)


PYTHON = [op for op in ELEMENTWISE if op.python is not None and op.name != "Identity"]
EXACT = [op for op in PYTHON if op.python.overflow is not Overflow.UNLIKE]


@each(EXACT)
def test_python_operators_compute_what_kernels_compute(op):
    overflow = op.python.overflow
    for operands, attrs in on_edges(op):
        if operands.dtype.kind not in "bi" or operands.dtype.itemsize not in (1, 4, 8):
            continue
        for column in operands.T:
            try:
                exact = op.python.apply(*column.tolist())
            except ArithmeticError:
                continue
            fits = isinstance(exact, bool) or in_range(exact, column.dtype)
            if overflow is Overflow.NEVER:
                assert fits, (op, column)
            scalars = [np.asarray(number) for number in column]
            if overflow is Overflow.RAISES and not fits:
                with pytest.raises(tf.errors.InvalidArgumentError):
                    op.kernel(np, *scalars, **attrs)
                continue
            with np.errstate(all="ignore"):
                found = op.kernel(np, *scalars, **attrs)
            if not fits:
                exact = np.array(exact & (1 << 8 * found.itemsize) - 1, object)
                exact = exact.astype(f"u{found.itemsize}").astype(found.dtype)
            assert found == exact, (op, column)


def in_range(number, dtype):
    if dtype.kind == "b":
        return True
    return np.iinfo(dtype).min <= number <= np.iinfo(dtype).max


@each([op for op in PYTHON if op.python.infix and isinstance(op.kernel, Ufunc)])
def test_infix_operators_on_arrays_are_kernels(op):
    for operands, attrs in on_edges(op):
        if operands.dtype.kind not in "iuf":
            continue
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(
                op.python.apply(*operands), op.kernel(np, *operands, **attrs)
            )


def test_facts_of_op_types_that_are_not_elementwise():
    assert names(lambda op: op.failure is Failure.NEVER) == {
        "Const", "Identity", "Shape", "Size", "Rank", "ZerosLike", "OnesLike",
        "StopGradient", "Later", "NoOp", "Placeholder", "TensorListLength", "TensorListPushBack",
    }  # fmt: skip
    assert names(lambda op: op.failure is Failure.SHAPES and not op.elementwise) >= {
        "BatchMatMulV2", "Cast", "ExpandDims", "MatMul", "Pack", "SelectV2",
        "Squeeze", "Sum", "Mean", "Max", "Min", "Prod", "Any", "All", "Transpose",
    }  # fmt: skip
    assert names(lambda op: op.safe is not None) >= {
        "BroadcastTo", "RangeSize", "Reshape", "StridedSlice", "TensorListReserve",
    }  # fmt: skip
    assert names(lambda op: op.fusable and not op.elementwise) == {"Cast", "SelectV2"}
    assert names(lambda op: op.storage is Storage.VIEW) >= {
        "ExpandDims", "GatherV2", "Identity", "Reshape", "Squeeze", "StridedSlice", "Transpose",
    }  # fmt: skip
    assert names(lambda op: op.storage is Storage.REDUCED) >= {
        "Sum", "Mean", "Max", "Min", "Prod", "Any", "All",
    }  # fmt: skip
    assert names(lambda op: op.debug) == {"Assert", "CheckNumerics", "PrintV2"}
    assert names(lambda op: op.staged_raise) == {"Assert", "RaiseWhen"}
    assert names(lambda op: op.reads is Reads.SHAPE) == {"Shape", "Size", "ZerosLike", "OnesLike"}
    assert names(lambda op: op.reads is Reads.RANK) == {"Rank"}
    assert names(lambda op: op.commutative) >= {
        "AddV2", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Equal", "LogicalAnd", "LogicalOr",
        "Maximum", "Minimum", "Mul", "NotEqual", "SquaredDifference",
    }  # fmt: skip
    scatters = names(lambda op: op.name.startswith("ResourceScatter"))
    assert names(lambda op: op.storage is Storage.IN_PLACE) == scatters


def test_every_op_type_with_graphs_says_how_it_runs_them():
    assert names(lambda op: op.control is not None) == {
        "If", "StatelessIf", "Case", "StatelessCase", "While", "StatelessWhile",
        "PartitionedCall", "StatefulPartitionedCall", "Recursion", "Recur", "StatefulRecur",
    }  # fmt: skip
