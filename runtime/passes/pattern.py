"""Patterns of operations, and rules that replace them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from runtime.core.dtypes import DType
from runtime.core.errors import InternalError
from runtime.core.operation import Operation
from runtime.core.shapes import element_count
from runtime.core.spec import without_repetition
from runtime.core.symbolic import SymbolicTensor
from runtime.passes.evaluate import constant_value
from runtime.passes.rewriting import Rewriting, fits


@dataclass(frozen=True)
class Any_:
    """A pattern for any tensor; equal names match the same tensor."""

    name: str


@dataclass(frozen=True)
class Filled:
    """A pattern for a constant with all elements equal to a number; 0.0 and -0.0 differ."""

    number: float


class Node:
    """A pattern for the only output of an operation, with patterns for its inputs.

    Operands of a commutative op match in either order.
    """

    def __init__(self, type_name: str, *operands: Pattern) -> None:
        self.type = type_name
        self.operands = operands


Pattern = Any_ | Filled | Node


def node(type_name: str, *operands: str | Pattern) -> Node:
    """Return a node; a string is a pattern for any tensor of that name."""
    return Node(type_name, *(Any_(o) if isinstance(o, str) else o for o in operands))


class Match:
    """A match of a pattern.

    Attributes:
      op: the operation to replace, in the copy.
      ops: all operations of the match; the one to replace is the first.
    """

    def __init__(self, rewriting: Rewriting, like: Operation, op: Operation) -> None:
        """Start without bindings."""
        self._rewriting = rewriting
        self._like = like
        self.op = op
        self.ops: list[Operation] = []
        self.found: dict[str, SymbolicTensor] = {}

    def __getitem__(self, name: str) -> SymbolicTensor:
        return self.found[name]

    def add(self, type_name: str, *inputs: SymbolicTensor, **attrs: object) -> SymbolicTensor:
        """Add an operation; return its only output."""
        return self._rewriting.add(type_name, inputs, attrs, self._like).outputs[0]

    @property
    def dtype(self) -> DType:
        """Dtype of the replaced tensor."""
        return self.op.outputs[0].spec.dtype

    def search(self, pattern: Pattern, tensor: SymbolicTensor) -> bool:
        """Match a pattern whose last output is a tensor."""
        if isinstance(pattern, Any_):
            return self.found.setdefault(pattern.name, tensor) is tensor
        if isinstance(pattern, Filled):
            return _is_filled(constant_value(tensor), pattern.number)
        op = tensor.op
        if op.type != pattern.type or len(op.inputs) != len(pattern.operands):
            return False
        self.ops.append(op)
        return any(self._operands(pattern, order) for order in _orders(op))

    def _operands(self, pattern: Node, inputs: tuple[SymbolicTensor, ...]) -> bool:
        found, ops = dict(self.found), list(self.ops)
        if all(map(self.search, pattern.operands, inputs)):
            return True
        self.found, self.ops = found, ops
        return False


def _orders(op: Operation) -> Iterator[tuple[SymbolicTensor, ...]]:
    yield op.inputs
    if op.definition.commutative:
        yield op.inputs[::-1]


def _is_filled(array: Any, number: float) -> bool:
    if array is None or array.dtype.kind not in "biuf" or not array.size:
        return False
    array = without_repetition(array)
    same_sign = np.signbit(array) == np.signbit(number) if array.dtype.kind == "f" else True
    return bool(np.all((array == number) & same_sign))


LONGEST = 32
"""Replacements of one tensor after which the rules count as undoing one another."""

Becomes = Callable[[Match], SymbolicTensor | None]


def always(match: Match) -> bool:
    """Return True: no further condition."""
    return True


def integers(match: Match) -> bool:
    """Return whether a dtype is integer."""
    return match.dtype.is_integer


def floats(match: Match) -> bool:
    """Return whether a dtype is floating-point."""
    return match.dtype.is_floating


def reals(match: Match) -> bool:
    """Return whether a dtype is not complex: complex products mix real and imaginary parts."""
    return match.dtype.kind in "iuf"


@dataclass(frozen=True)
class Rule:
    """One identity.

    Attributes:
      name: name in logs.
      words: the algebra, with the reason why the result is the same bit for bit.
      pattern: pattern of the operations to replace.
      becomes: returns the replacement, or None to keep the operations.
      when: a further condition.
    """

    name: str
    words: str
    pattern: Node
    becomes: Becomes
    when: Callable[[Match], bool] = always

    def apply(
        self, rewriting: Rewriting, like: Operation, tensor: SymbolicTensor
    ) -> SymbolicTensor | None:
        """Return the replacement of a tensor of the copy; None if the rule does not apply."""
        match = Match(rewriting, like, tensor.op)
        if not match.search(self.pattern, tensor) or not self.when(match):
            return None
        new = self.becomes(match)
        return new if new is not None and fits(tensor, new) else None


def whole(name: str) -> Becomes:
    """Return a tensor of the match, if it has exactly the shape of the result.

    Broadcasting against a constant or another operand can make the result larger.
    """

    def becomes(match: Match) -> SymbolicTensor | None:
        tensor = match[name]
        others = [t for t in match.op.inputs if t is not tensor]
        if element_count(tensor.spec.dims) is not None:
            same = tensor.spec == match.op.outputs[0].spec
        else:
            same = all(_keeps_shape(tensor, other) for other in others)
        return tensor if same else None

    return becomes


def _keeps_shape(tensor: SymbolicTensor, other: SymbolicTensor) -> bool:
    """Return whether broadcasting a tensor against another keeps its shape, whatever that is."""
    own, dims = tensor.spec.dims, other.spec.dims
    if dims is None or any(dim != 1 for dim in dims):
        return False
    return not dims or (own is not None and len(dims) <= len(own))


def moved(name: str, type_name: str, attrs: Mapping[str, Any] | None = None) -> Becomes:
    """Return a rule's replacement: one operation on one tensor of the match."""
    given = dict(attrs or {})
    return lambda match: match.add(type_name, match[name], **given)


@dataclass
class Library:
    """Rules, indexed by the op type that they replace."""

    rules: tuple[Rule, ...]
    by_type: dict[str, list[Rule]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for rule in self.rules:
            self.by_type.setdefault(rule.pattern.type, []).append(rule)

    def simplified(
        self, rewriting: Rewriting, like: Operation, tensor: SymbolicTensor
    ) -> SymbolicTensor:
        """Return the replacement of a tensor after all rules that apply, or the tensor itself.

        Raises: InternalError that names the rules, if they undo one another.
        """
        applied: list[str] = []
        while len(applied) < LONGEST:
            rule, found = self._first(rewriting, like, tensor)
            if found is None:
                return tensor
            applied.append(rule)
            tensor = found
        rules = ", ".join(dict.fromkeys(applied[LONGEST // 2 :]))
        raise InternalError.of(f"the rules {rules} do not settle at {like.name}", like)

    def _first(
        self, rewriting: Rewriting, like: Operation, tensor: SymbolicTensor
    ) -> tuple[str, SymbolicTensor | None]:
        """Return the first rule that applies, and its replacement."""
        for rule in self.by_type.get(tensor.op.type, ()):
            found = rule.apply(rewriting, like, tensor)
            if found is not None:
                return rule.name, found
        return "", None
