"""Calls of public functions that both libraries have, made from the samples of the op registry."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import runtime
import runtime.saved_model.op_types
from runtime.core.dtypes import DType
from runtime.core.opdef import STRING, Effect, OpDef, Sample, all_ops
from runtime.core.shapes import TensorShape, includes
from runtime.core.tensor import EagerTensor
from tests.runtime.oracle.outcomes import Raised, agree, equal, outcome, shown

SPACES = ("", "math", "linalg", "nn", "strings", "bitwise", "sets", "debugging")
_SIZES = {"int": (8, 16, 32, 64), "uint": (8, 16, 32, 64), "float": (16, 32, 64)}
NUMERIC = [f"{kind}{size}" for kind, sizes in _SIZES.items() for size in sizes]
NUMERIC += ["complex64", "complex128"]
NAMES = {
    "ArgMax": "argmax",
    "ArgMin": "argmin",
    "ArgSort": "argsort",
    "BatchMatMulV2": "matmul",
    "DivNoNan": "math.divide_no_nan",
    "FloorDiv": "math.floordiv",
    "FloorMod": "math.floormod",
    "LinSpace": "linspace",
    "MatMul": "matmul",
    "MatrixBandPart": "linalg.band_part",
    "MatrixDiagPartV3": "linalg.diag_part",
    "MatrixDiagV3": "linalg.diag",
    "MatrixSetDiagV3": "linalg.set_diag",
    "Mul": "multiply",
    "MulNoNan": "math.multiply_no_nan",
    "Neg": "negative",
    "Pack": "stack",
    "RealDiv": "divide",
    "SelectV2": "where",
    "StringLength": "strings.length",
    "StringToNumber": "strings.to_number",
    "Sub": "subtract",
    "TensorScatterAdd": "tensor_scatter_nd_add",
    "TensorScatterMax": "tensor_scatter_nd_max",
    "TensorScatterMin": "tensor_scatter_nd_min",
    "TensorScatterSub": "tensor_scatter_nd_sub",
    "TensorScatterUpdate": "tensor_scatter_nd_update",
    "Unpack": "unstack",
}
DIFFERENT = {
    "LeakyRelu": "TensorFlow rounds `alpha` to single precision, for tensors of doubles too",
    "MatrixDiagV3": "TensorFlow says that the shape is [0, 0] where the length is not known",
    "MaxPool": "TensorFlow makes float32 of arrays in functions, though not eagerly",
    "OneHot": "TensorFlow takes indices of any dtype eagerly, and refuses them in functions",
    "UnicodeDecode": "the characters of several strings would be a ragged tensor",
}
"""Ops that are meant to differ, and why."""

_EAGERLY_SHORTER = ("TensorFlow gives complex64 eagerly, complex128 in functions", ("complex128",))
_FRACTIONS = ("float16", "float32", "float64", "complex64", "complex128")
DIFFERENT_FOR_ARRAYS = {
    "Fill": ("TensorFlow cuts off fractions", _FRACTIONS),
    "Qr": ("TensorFlow computes in half precision, with errors of several units", ("float16",)),
}
"""Ops that are meant to differ for arrays of some dtypes: why, and which."""

DIFFERENT_AT_EDGES = {
    "Erf": "TensorFlow gives NaN for infinite doubles",
    "FloorDiv": "`//` of floats gives what it gives in Python",
    "LeakyRelu": DIFFERENT["LeakyRelu"],
}
"""Ops that are meant to differ at the numbers at which functions are special, and why."""

APART = {"EnsureShape", "PadV2", "PrintV2", "Slice", "StridedSlice", "Tensordot"}
"""Functions that take their arguments in another form than the op of their name."""


@dataclass(frozen=True)
class Call:
    """One call of a public function."""

    function: str
    args: tuple[Any, ...]
    attrs: tuple[tuple[str, Any], ...]

    def __str__(self) -> str:
        shown_args = [_short(arg) for arg in self.args]
        return f"{self.function}({', '.join([*shown_args, *(f'{k}={v}' for k, v in self.attrs)])})"

    def run(self, tf: Any) -> Any:
        """What it gives with one library."""
        return _function(tf, self.function)(*self.args, **self.keywords(tf))

    def keywords(self, tf: Any) -> dict[str, Any]:
        """The attributes in the terms of one library."""
        return {key: _of(tf, value) for key, value in self.attrs}

    def dims(self, tf: Any, known: bool) -> Any:
        """The static shapes of the results in a graph, where those of arrays are known or not."""
        places = [i for i, arg in enumerate(self.args) if isinstance(arg, np.ndarray) and arg.ndim]
        specs = [
            tf.TensorSpec(self.args[i].shape if known else [None] * self.args[i].ndim,
                          tf.as_dtype(self.args[i].dtype))
            for i in places
        ]  # fmt: skip

        def graph(*arrays: Any) -> Any:
            args = list(self.args)
            for i, array in zip(places, arrays, strict=True):
                args[i] = array
            return _function(tf, self.function)(*args, **self.keywords(tf))

        traced = tf.function(graph, autograph=False).get_concrete_function(*specs)
        return [None if t.shape.rank is None else tuple(t.shape) for t in traced.outputs]


def _short(value: Any) -> str:
    if isinstance(value, (np.ndarray, np.generic)):
        return f"{value.dtype} {value.tolist()}"
    return repr(value)


def _of(tf: Any, value: Any) -> Any:
    if isinstance(value, DType):
        return tf.as_dtype(value.name)
    return value.as_list() if isinstance(value, TensorShape) else value


def _function(tf: Any, path: str) -> Callable[..., Any]:
    for part in path.split("."):
        tf = getattr(tf, part)
    return tf  # type: ignore[no-any-return]


def public_name(op: OpDef, tf: Any) -> str | None:
    """The function of both libraries that is the op, if there is one."""
    word = re.sub(r"V\d+$", "", op.name)
    word = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", word).lower()
    words = [NAMES[op.name]] if op.name in NAMES else [word, f"reduce_{word}"]
    for path in (f"{space}.{word}".strip(".") for word in words for space in SPACES):
        try:
            functions = [_function(library, path) for library in (runtime, tf)]
        except AttributeError:
            continue
        if all(map(callable, functions)):
            return path
    return None


def calls(op: OpDef, tf: Any) -> Iterator[Call]:
    """The samples of an op, and the same with arrays of every numeric dtype."""
    name = public_name(op, tf)
    _, left_out = DIFFERENT_FOR_ARRAYS.get(op.name, ("", ()))
    if name is None or op.name in APART or op.boxed or op.effect is not Effect.NONE:
        return
    accepted = set(inspect.signature(_function(runtime, name)).parameters)
    for sample in op.samples:
        if not set(sample.attrs) <= accepted:
            continue
        yield _call(op, name, sample.args, sample)
        for dtype in sorted(set(NUMERIC) - set(left_out)):
            args = _with_dtype(op, sample.args, dtype)
            if args is not None:
                yield _call(op, name, args, sample)


EDGES = (-np.inf, -2.5, -1.0, -0.0, 0.0, 0.5, 1.0, 3.0, 1e30, np.inf, np.nan)
INTEGER_EDGES = (-128, -7, -1, 0, 1, 2, 127)


def edge_calls(op: OpDef, tf: Any) -> Iterator[Call]:
    """Calls of an elementwise op with the numbers at which functions are special, in pairs."""
    name = public_name(op, tf)
    groups = set(op.inputs.values())
    if name is None or not op.elementwise or len(groups) != 1 or len(op.inputs) > 2:
        return
    for dtype, numbers in (("float64", EDGES), ("float32", EDGES), ("int32", INTEGER_EDGES)):
        (group,) = groups
        if runtime.as_dtype(dtype) in group and not group.mixed:
            row = np.array(numbers).astype(dtype)
            rows = (row,) if len(op.inputs) == 1 else (row[:, None], row[None, :])
            yield Call(name, rows, ())


def _call(op: OpDef, name: str, args: tuple[Any, ...], sample: Sample) -> Call:
    plain = tuple(arg.numpy() if isinstance(arg, EagerTensor) else arg for arg in args)
    if any(slot.startswith("*") for slot in op.inputs):
        plain = (list(plain),)
    return Call(name, plain, tuple(sample.attrs.items()))


def _with_dtype(op: OpDef, args: tuple[Any, ...], dtype: str) -> tuple[Any, ...] | None:
    """The arguments with those of the first group of inputs as arrays of a dtype."""
    slots = list(op.inputs.items())
    if not slots or len(slots) != len(args):
        return None
    group = slots[0][1]
    changed = []
    for (_, own), arg in zip(slots, args, strict=True):
        if own is STRING:
            return None
        array = np.asarray(arg.numpy() if isinstance(arg, EagerTensor) else arg)
        if array.dtype.kind not in "iufc":
            return None
        if own is group:
            array = np.abs(array) if dtype.startswith("u") else array
            array = array.astype(dtype) if dtype.startswith("c") else array.real.astype(dtype)
        changed.append(array)
    return tuple(changed)


def differences(call: Call, tf: Any) -> Iterator[str]:
    """What is not as with TensorFlow: values, dtypes, kinds of errors, static shapes."""
    theirs, ours = outcome(call.run, tf), outcome(call.run, runtime)
    if isinstance(theirs, Raised):
        # More dtypes than TensorFlow has kernels for are welcome.
        if isinstance(ours, Raised) and not _has_no_kernel(theirs) and not agree(ours, theirs):
            yield f"{call}: TensorFlow {theirs}; here {ours}"
        return
    if not agree(ours, theirs):
        yield f"{call}: TensorFlow {shown(theirs)}; here {shown(ours)}"
        return
    for known in (True, False):
        yield from _shape_differences(call, tf, known)


def _has_no_kernel(raised: Raised) -> bool:
    """Whether TensorFlow takes the dtype but cannot compute with it, which it says in many ways."""
    return raised.kinds[0] == "AssertionError" or "Could not find device for node" in raised.text


def edge_differences(call: Call, tf: Any) -> Iterator[str]:
    """The pairs of numbers for which the results differ."""
    theirs, ours = outcome(call.run, tf), outcome(call.run, runtime)
    if isinstance(theirs, Raised) or agree(ours, theirs):
        return
    if isinstance(ours, Raised) or ours.dtype != theirs.dtype:
        yield f"{call}: TensorFlow {shown(theirs)}; here {shown(ours)}"
        return
    numbers = np.broadcast_arrays(*call.args)
    for place in np.ndindex(ours.value.shape):
        one, other = ours.value[place], theirs.value[place]
        if not equal(one, other):
            at = ", ".join(str(array[place]) for array in numbers)
            yield f"{call.function}({at}): TensorFlow {other}; here {one}"


def _shape_differences(call: Call, tf: Any, known: bool) -> Iterator[str]:
    try:
        theirs = call.dims(tf, known)
    except (TypeError, ValueError):
        return  # a dtype that TensorFlow takes eagerly only
    for one, other in zip(call.dims(runtime, known), theirs, strict=True):
        if not includes(other, one):
            yield f"{call}: static shape with TensorFlow {other}, here {one}"


def ops_with_calls(tf: Any) -> dict[str, list[Call]]:
    """The calls of every op that has some."""
    found = {op.name: list(calls(op, tf)) for op in all_ops()}
    return {name: made for name, made in found.items() if made}
