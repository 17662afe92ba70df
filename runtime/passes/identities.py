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
from runtime.passes.pattern import Filled, Library, Match, Rule, integers, moved, node, reals, whole
from runtime.passes.prune import prune
from runtime.passes.rewriting import Rewriting
from runtime.passes.safety import fits, is_pure


def _same_dtype(match: Match) -> bool:
    return match["x"].spec.dtype is match.dtype


def _order(perm: Any, rank: int | None) -> tuple[int, ...] | None:
    if perm is not None:
        return tuple(perm)
    return None if rank is None else tuple(reversed(range(rank)))


def _known(tensor: SymbolicTensor) -> bool:
    return element_count(tensor.spec.dims) is not None


def _unmoved(match: Match) -> SymbolicTensor | None:
    x = match["x"]
    return x if _known(x) and x.spec == match.op.outputs[0].spec else None


def _unmoved_if_safe(match: Match) -> SymbolicTensor | None:
    """Remove an op to the same static shape; an unknown entry of `shape` may still not fit."""
    return _unmoved(match) if fits(match.op) else None


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


def _plus_slice(match: Match) -> SymbolicTensor | None:
    addition, spread = match.ops
    x = match["x"]
    if not _known(x) or x.spec != addition.outputs[0].spec or x.spec != spread.outputs[0].spec:
        return None
    place = (match[name] for name in ("begin", "end", "strides"))
    return match.add("StridedSliceAdd", x, *place, match["dy"], **spread.attrs)


def _covers(match: Match) -> bool:
    """Return whether an index with steps of one has every element."""
    masks, (count,) = match.op.attrs, match["begin"].spec.dims or (None,)
    if count is None or masks["new_axis_mask"] or masks["shrink_axis_mask"]:
        return False
    open_ends = masks["begin_mask"] & masks["end_mask"] | masks["ellipsis_mask"]
    return bool(open_ends == (1 << count) - 1)


def _assigned(match: Match) -> SymbolicTensor | None:
    value = match["value"]
    return value if _known(value) and value.spec == match.op.outputs[0].spec else None


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
        "plus a negative",
        "x + -y = x - y: subtraction is defined so, for floats and for wrapping integers",
        node("AddV2", "x", node("Neg", "y")),
        lambda match: match.add("Sub", match["x"], match["y"]),
        reals,
    ),
    Rule(
        "length of a negative",
        "|-x| = |x|: the sign is dropped anyway; an unsigned -x is wrapped, and has none",
        node("Abs", node("Neg", "x")),
        moved("x", "Abs"),
        lambda match: reals(match) and not match.dtype.is_unsigned,
    ),
    Rule(
        "second power",
        "x ** 2 = x * x for integers; for floats the power function rounds otherwise",
        node("Pow", "x", Filled(2)),
        lambda match: match.add("Square", match["x"]) if whole("x")(match) is not None else None,
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
    Rule(
        "cast to its own dtype",
        "a cast to the dtype that there is changes nothing",
        node("Cast", "x"),
        lambda match: match["x"],
        _same_dtype,
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
        "reshaped to its own shape",
        "a reshape to the shape that there is changes nothing",
        node("Reshape", "x", "shape"),
        _unmoved_if_safe,
    ),
    Rule(
        "broadcast to its own shape",
        "nothing has to be repeated",
        node("BroadcastTo", "x", "shape"),
        _unmoved_if_safe,
    ),
    Rule(
        "ensured shape that is known",
        "a check of a shape that is known before the graph runs cannot fail",
        node("EnsureShape", "x"),
        _unmoved,
    ),
    Rule(
        "assignment to every element",
        "x[:] = y leaves nothing of x, where y has its shape",
        node("TensorStridedSliceUpdate", "x", "begin", "end", Filled(1), "value"),
        _assigned,
        _covers,
    ),
    Rule(
        "plus a slice",
        "only the slice changes: the gradient of a slice is zero elsewhere",
        node("AddV2", "x", node("StridedSliceGrad", "shape", "begin", "end", "strides", "dy")),
        _plus_slice,
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
    return rewriting.result()


def _replace(rewriting: Rewriting, op: Operation, new: Operation, library: Library) -> None:
    before = len(rewriting.copy.operations)
    simpler = library.simplified(rewriting, op, new.outputs[0])
    if simpler is new.outputs[0]:
        return
    rewriting.replace(op, [simpler])
    new.strict = False  # it is computed in another way
    if simpler.op in rewriting.copy.operations[before:]:
        # The replacement does the work now, so it keeps the name that the program knows.
        new.name, simpler.op.name = simpler.op.name, new.name
