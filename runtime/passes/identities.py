"""Apply the algebraic identities of the runtime, each with its proof in words.

Before:  a = -x; b = y + a; c = b * 1       After:  b = y - x

All of them preserve the result bit for bit: NaN stays NaN, -0.0 stays -0.0, integers wrap around as
before.

>>> import runtime as tf
>>> f = tf.function(lambda x, y: (y + -x) * 1.0, autograph=False)
>>> graph = f.get_concrete_function(*[tf.TensorSpec([], tf.float32)] * 2).graph
>>> [op.type for op in graph.operations]
['Placeholder', 'Placeholder', 'Neg', 'AddV2', 'Const', 'Mul', 'Identity']
>>> print(simplify(graph))
graph <lambda>(x: float32[], y: float32[]) -> float32[]
  add = Sub y x : float32[]
  return add
"""

from __future__ import annotations

from typing import Any

from runtime.core.graph import Graph
from runtime.core.operation import Operation
from runtime.core.shapes import element_count
from runtime.core.symbolic import SymbolicTensor
from runtime.passes.pattern import (
    Filled,
    Library,
    Match,
    Rule,
    floats,
    integers,
    moved,
    node,
    reals,
    whole,
)
from runtime.passes.prune import prune
from runtime.passes.rewriting import Rewriting
from runtime.passes.safety import fits, is_pure


def _same_dtype(match: Match) -> bool:
    return match["x"].spec.dtype is match.dtype


def _round_trip(match: Match) -> SymbolicTensor | None:
    """Remove a cast to a dtype that represents every value of the first, and back."""
    x, between = match["x"], match.ops[1].outputs[0].spec.dtype
    source = x.spec.dtype
    if source is not match.dtype:
        return None
    exact = {
        "bool": "iuf", "int8": "if", "int16": "if", "int32": "i", "uint8": "iuf", "uint16": "u",
        "uint32": "u", "float16": "f", "float32": "f",
    }.get(source.name, "")  # fmt: skip
    wide_float = between.name == "float64" and source.name in ("int32", "uint32", "int16", "uint16")
    larger = between.size > source.size or source.is_bool
    return x if wide_float or (larger and between.kind in exact) else None


def _order(perm: Any, rank: int | None) -> tuple[int, ...] | None:
    if perm is not None:
        return tuple(perm)
    return None if rank is None else tuple(reversed(range(rank)))


def _transposed_twice(match: Match) -> SymbolicTensor | None:
    outer, inner = match.ops
    rank = match["x"].shape.rank
    second, first = (_order(op.attrs.get("perm"), rank) for op in (outer, inner))
    if outer.attrs.get("conjugate") or inner.attrs.get("conjugate") or not first or not second:
        return None
    joined = tuple(first[axis] for axis in second)
    if joined == tuple(range(len(joined))):
        return match["x"]
    return match.add("Transpose", match["x"], **{**outer.attrs, "perm": joined})


def _known(tensor: SymbolicTensor) -> bool:
    return element_count(tensor.spec.dims) is not None


def _unmoved(match: Match) -> SymbolicTensor | None:
    x = match["x"]
    return x if _known(x) and x.spec == match.op.outputs[0].spec else None


def _unmoved_reshape(match: Match) -> SymbolicTensor | None:
    """Remove a reshape to the same static shape; an unknown entry of `shape` may still not fit."""
    return _unmoved(match) if fits(match.op) else None


def _reshaped_twice(match: Match) -> SymbolicTensor | None:
    """Merge two reshapes, if the first cannot fail."""
    if not fits(match.ops[1]):
        return None
    return match.add("Reshape", match["x"], match["shape"])


def _flipped(flag: str, other: str) -> Any:
    def becomes(match: Match) -> SymbolicTensor | None:
        product, transpose = match.ops
        rank = match["x"].shape.rank
        plain = rank == 2 and not transpose.attrs.get("conjugate")
        if not plain or _order(transpose.attrs.get("perm"), 2) != (1, 0):
            return None
        attrs = {**product.attrs, flag: not product.attrs[flag]}
        inputs = {flag: match["x"], other: match["y"]}
        return match.add("MatMul", inputs["transpose_a"], inputs["transpose_b"], **attrs)

    return becomes


def _squeezed_expansion(match: Match) -> SymbolicTensor | None:
    squeeze, expansion = match.ops
    rank, axis = match["x"].shape.rank, expansion.attrs.get("axis")
    gone = squeeze.attrs.get("axis")
    if rank is None or not isinstance(axis, int) or not gone or len(gone) != 1:
        return None
    return match["x"] if axis % (rank + 1) == gone[0] % (rank + 1) else None


def _reversed_twice(match: Match) -> SymbolicTensor | None:
    outer, inner = match.ops
    return match["x"] if outer.attrs == inner.attrs else None


def _plus_slice(match: Match) -> SymbolicTensor | None:
    addition, spread = match.ops
    x = match["x"]
    if not _known(x) or x.spec != addition.outputs[0].spec or x.spec != spread.outputs[0].spec:
        return None
    place = (match[name] for name in ("begin", "end", "strides"))
    return match.add("StridedSliceAdd", x, *place, match["dy"], **spread.attrs)


def _division(op: str) -> Rule:
    return Rule(
        f"{op} by a constant",
        "a constant that is not zero, nor -1 for integers, divides every number",
        node(f"Checked{op}", "x", "y"),
        lambda match: match.add(op, match["x"], match["y"]),
        lambda match: fits(match.op),
    )


RULES = (
    *map(_division, ("RealDiv", "FloorDiv", "FloorMod")),
    Rule(
        "times one",
        "x * 1 = x: one is neutral, also for NaN and infinity",
        node("Mul", "x", Filled(1)),
        whole("x"),
        reals,
    ),
    Rule(
        "over one",
        "x / 1 = x: the quotient is exact",
        node("RealDiv", "x", Filled(1)),
        whole("x"),
        reals,
    ),
    Rule(
        "whole quotient by one",
        "x // 1 = x for integers; a float would lose its fraction",
        node("FloorDiv", "x", Filled(1)),
        whole("x"),
        integers,
    ),
    Rule(
        "plus zero",
        "x + 0 = x for integers; for floats -0.0 + 0.0 is 0.0, so it is left",
        node("AddV2", "x", Filled(0)),
        whole("x"),
        integers,
    ),
    Rule(
        "plus negative zero",
        "x + -0.0 = x for floats: -0.0 is the neutral one, 0.0 is not",
        node("AddV2", "x", Filled(-0.0)),
        whole("x"),
        floats,
    ),
    Rule(
        "minus zero",
        "x - 0 = x: for floats it is adding -0.0",
        node("Sub", "x", Filled(0)),
        whole("x"),
        reals,
    ),
    Rule(
        "times minus one",
        "x * -1 = -x for integers, wrapped alike; a float NaN would change its sign",
        node("Mul", "x", Filled(-1)),
        moved("x", "Neg"),
        integers,
    ),
    Rule(
        "negated twice",
        "--x = x: the sign flips back; the smallest integer is its own negative",
        node("Neg", node("Neg", "x")),
        lambda match: match["x"],
    ),
    Rule(
        "plus a negative",
        "x + -y = x - y: subtraction is defined so, for floats and for wrapping integers",
        node("AddV2", "x", node("Neg", "y")),
        lambda match: match.add("Sub", match["x"], match["y"]),
        reals,
    ),
    Rule(
        "minus a negative",
        "x - -y = x + y",
        node("Sub", "x", node("Neg", "y")),
        lambda match: match.add("AddV2", match["x"], match["y"]),
        reals,
    ),
    Rule(
        "length of a negative",
        "|-x| = |x|: the sign is dropped anyway",
        node("Abs", node("Neg", "x")),
        moved("x", "Abs"),
        reals,
    ),
    Rule(
        "length of a length",
        "||x|| = |x|; the smallest integer stays what it is both times",
        node("Abs", node("Abs", "x")),
        lambda match: match.ops[1].outputs[0],
        reals,
    ),
    Rule(
        "square of a negative",
        "(-x)^2 = x^2: the signs cancel",
        node("Square", node("Neg", "x")),
        moved("x", "Square"),
        reals,
    ),
    Rule(
        "square of a length",
        "|x|^2 = x^2: the signs cancel",
        node("Square", node("Abs", "x")),
        moved("x", "Square"),
        reals,
    ),
    Rule(
        "second power",
        "x ** 2 = x * x for integers; for floats the power function rounds otherwise",
        node("Pow", "x", Filled(2)),
        lambda match: match.add("Square", match["x"]) if whole("x")(match) is not None else None,
        integers,
    ),
    Rule(
        "first power",
        "x ** 1 = x for integers",
        node("Pow", "x", Filled(1)),
        whole("x"),
        integers,
    ),
    Rule(
        "not twice",
        "not not x = x",
        node("LogicalNot", node("LogicalNot", "x")),
        lambda match: match["x"],
    ),
    Rule("and true", "x and true = x", node("LogicalAnd", "x", Filled(1)), whole("x")),
    Rule("or false", "x or false = x", node("LogicalOr", "x", Filled(0)), whole("x")),
    Rule("and itself", "x and x = x", node("LogicalAnd", "x", "x"), lambda match: match["x"]),
    Rule("or itself", "x or x = x", node("LogicalOr", "x", "x"), lambda match: match["x"]),
    Rule(
        "larger of itself",
        "max(x, x) = x, also for NaN",
        node("Maximum", "x", "x"),
        lambda match: match["x"],
    ),
    Rule(
        "smaller of itself",
        "min(x, x) = x, also for NaN",
        node("Minimum", "x", "x"),
        lambda match: match["x"],
    ),
    Rule(
        "either way the same",
        "x where c, else x = x, if c does not make the result larger",
        node("SelectV2", "c", "x", "x"),
        whole("x"),
    ),
    Rule(
        "cast to its own dtype",
        "a cast to the dtype that there is changes nothing",
        node("Cast", "x"),
        lambda match: match["x"],
        _same_dtype,
    ),
    Rule(
        "cast there and back",
        "a cast to a dtype that holds every value of the first loses nothing on the way back",
        node("Cast", node("Cast", "x")),
        _round_trip,
    ),
    Rule(
        "transposed twice",
        "two orders of dimensions are one; undone if the second puts back what the first moved",
        node("Transpose", node("Transpose", "x")),
        _transposed_twice,
    ),
    Rule(
        "transposed first factor",
        "a product that transposes its operand itself needs no transposed operand",
        node("MatMul", node("Transpose", "x"), "y"),
        _flipped("transpose_a", "transpose_b"),
    ),
    Rule(
        "transposed second factor",
        "the same for the second operand",
        node("MatMul", "y", node("Transpose", "x")),
        _flipped("transpose_b", "transpose_a"),
    ),
    Rule(
        "reshaped twice",
        "only the last shape counts, if the first is known to fit",
        node("Reshape", node("Reshape", "x", "between"), "shape"),
        _reshaped_twice,
    ),
    Rule(
        "reshaped to its own shape",
        "a reshape to the shape that there is changes nothing",
        node("Reshape", "x", "shape"),
        _unmoved_reshape,
    ),
    Rule(
        "broadcast to its own shape",
        "nothing has to be repeated",
        node("BroadcastTo", "x", "shape"),
        _unmoved,
    ),
    Rule(
        "ensured shape that is known",
        "a check of a shape that is known before the graph runs cannot fail",
        node("EnsureShape", "x"),
        _unmoved,
    ),
    Rule(
        "squeezed expansion",
        "a dimension that is put in and taken out again",
        node("Squeeze", node("ExpandDims", "x")),
        _squeezed_expansion,
    ),
    Rule(
        "plus a slice",
        "only the slice changes: the gradient of a slice is zero elsewhere",
        node("AddV2", "x", node("StridedSliceGrad", "shape", "begin", "end", "strides", "dy")),
        _plus_slice,
    ),
    Rule(
        "reversed twice",
        "reversed along the same axes twice is the order of before",
        node("ReverseV2", node("ReverseV2", "x")),
        _reversed_twice,
    ),
)
"""The rules, in the order in which they are tried."""

LIBRARY = Library(RULES)


def simplify(graph: Graph, library: Library = LIBRARY) -> Graph:
    """Return the graph and its subgraphs after rewriting by every rule that applies."""
    return prune(_simplified(graph, library))


def _simplified(graph: Graph, library: Library) -> Graph:
    rewriting = Rewriting(graph, lambda carried: _simplified(carried, library))
    for op in graph.operations:
        new = rewriting.keep(op)
        if len(op.outputs) == 1 and is_pure(op):
            _replace(rewriting, op, new, library)
    return rewriting.finish()


def _replace(rewriting: Rewriting, op: Operation, new: Operation, library: Library) -> None:
    before = len(rewriting.copy.operations)
    simpler = library.simplified(rewriting, op, new.outputs[0])
    if simpler is new.outputs[0]:
        return
    rewriting.replace(op, [simpler])
    if simpler.op in rewriting.copy.operations[before:]:
        # The replacement does the work now, so it keeps the name that the program knows.
        new.name, simpler.op.name = simpler.op.name, new.name
