"""Print a graph as straight-line Python: one statement per operation, real `if` and `while`.

A tensor is one of six kinds of Python value in the plan. If an operation needs another kind, the
printer emits the conversion.
"""

from __future__ import annotations

import builtins
import enum
import functools
import itertools
import keyword
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from runtime.core import dtypes
from runtime.core.graph import Graph
from runtime.core.list_values import ListValue
from runtime.core.operation import Callee, Operation
from runtime.core.spec import TensorSpec
from runtime.core.structural import PLACEHOLDER
from runtime.core.symbolic import SymbolicTensor
from runtime.engines.interpreter import gives_strings, kernel_of
from runtime.engines.liveness import Liveness
from runtime.engines.ranges import Range

Rule = Callable[["Printer", Operation], bool]
"""Prints an operation; returns False, and prints nothing, if it does not apply."""

DEEPEST = 12
"""Maximum nesting of branches and loops in one plan; deeper ones become separate plans (Python
limits nested blocks to 20).
"""

LONGEST = 100
"""Maximum number of branches of an `elif` chain (Python limits nesting of `elif`); longer choices
call a plan for each.
"""


class Kind(enum.Enum):
    """The Python value that represents a tensor in the plan."""

    ARRAY = "an array or NumPy scalar, as kernels take it"
    INTEGER = "a Python int; for scalars of integers"
    FLOAT = "a Python float; for scalars of float64"
    COMPLEX = "a Python complex; for scalars of complex128"
    TRUTH = "a Python bool; for scalars of bool"
    LIST = "a Python list; for a list that a loop owns"


_ARRAYS = itertools.repeat(Kind.ARRAY)


class Step(NamedTuple):
    """The operation of a line of the plan.

    Attributes:
      op: the operation.
      operands: expressions for the inputs as arrays, if the line does not call the kernel; else
        None.
    """

    op: Operation
    operands: tuple[str, ...] | None


class Recursive(NamedTuple):
    """A recursive function of the plan.

    Attributes:
      name: its name in the code.
      takes, gives: the kinds of its arguments and results.
      call: the function itself, if an enclosing plan defines it.
    """

    name: str
    takes: tuple[Kind, ...]
    gives: tuple[Kind, ...]
    call: Callable[..., Any] | None = None


@dataclass
class Line:
    """A line of the plan."""

    depth: int
    code: str
    step: Step | None = None


def kind_of(tensor: SymbolicTensor) -> Kind:
    """Return the kind of a tensor in branches and loops, unless a loop owns it."""
    return kind_of_spec(tensor.spec)


def kind_of_spec(spec: TensorSpec) -> Kind:
    """Return the kind of tensors, or entries of lists, with a spec."""
    return _SCALARS.get(spec.dtype, Kind.ARRAY) if spec.dims == () else Kind.ARRAY


_SCALARS = {
    **{dtype: Kind.INTEGER for dtype in dtypes.ALL if dtype.is_integer},
    dtypes.float64: Kind.FLOAT,
    dtypes.complex128: Kind.COMPLEX,
    dtypes.bool: Kind.TRUTH,
}

LIMITS = {dtype: Range(int(dtype.min), int(dtype.max)) for dtype in dtypes.ALL if dtype.is_integer}
"""The range of each dtype of integers."""

_FUNCTIONS = {
    Kind.INTEGER: "int",
    Kind.FLOAT: "float",
    Kind.COMPLEX: "complex",
    Kind.TRUTH: "bool",
}
"""The function of Python that converts an array of one element to each kind."""


NUMPY_NAMES = {
    dtype: dtype.name if dtype is not dtypes.bool else "bool_"
    for dtype in dtypes.ALL
    if dtype.kind != "O"
}
"""The name of NumPy's type of each dtype."""


_ZEROS = {Kind.INTEGER: "0", Kind.FLOAT: "0.0", Kind.COMPLEX: "0j", Kind.TRUTH: "False"}
"""An entry that was not written, as a number of Python."""


_NUMPY_TYPES = {name: dtype.as_numpy_dtype for dtype, name in NUMPY_NAMES.items()}

RESERVED = ("wrap", "block_rows", "all_rows", "numpy_index", "math", "array_of_strings")
"""Functions, and the module, that emitted code uses."""


class Printer:
    """Prints one graph.

    Attributes:
      lines: lines of the current function; `functions`: the finished ones.
      bound: the globals of the plan: values of the names it does not define.
      entries: the specs of the entries of Python lists, by their names.
      parts: for the text of a row without a name, the array and the beginning of an index.
      filled: ids of lists that the plan represents as arrays of all their entries.
      rows: the part of such an array to write to, by the id of the written tensor.
      in_place: the tensors whose arrays are updated, by the ids of those that are the same arrays
        afterwards.
      recursive: the functions that may call themselves.
      left_out: ids of operations that another line performs, and of tensors already in their place
        in `rows`.
      wanted: names for what branches give, by the ids of the tensors.
      unwrapped: ids of integers that may be out of the range of their dtype.
    """

    def __init__(
        self,
        graph: Graph,
        rule_for: Callable[[Operation], Rule | None],
        part: Callable[[Graph, Mapping[Callee, Recursive]], Callable[..., Any]],
        around: Mapping[Callee, Recursive] = MappingProxyType({}),
    ) -> None:
        """Print the graph inside of the recursive functions `around`.

        `rule_for` returns the emit rule of an operation, None to call the kernel; `part` compiles a
        subgraph.
        """
        self.lines: list[Line] = []
        self.functions: list[Line] = []
        self.bound: dict[str, Any] = {"np": np, **_NUMPY_TYPES}
        self.notes: list[str] = []
        self._rule_for = rule_for
        self._part = part
        self._same_array: dict[int, tuple[str, ...]] = {}  # names of what a result was written over
        self._depth = 0
        self._taken = {*keyword.kwlist, *dir(builtins), *self.bound, *RESERVED}
        self._names: set[str] = set()
        self._outer_names: list[set[str]] = []
        self._scopes: list[dict[tuple[int, Kind], str]] = [{}]
        self._same: dict[int, int] = {}
        self._numbers: dict[str, str] = {}
        self.entries: dict[str, TensorSpec] = {}
        self.parts: dict[str, tuple[str, str]] = {}
        self.filled: set[int] = set()
        self.rows: dict[int, str] = {}
        self.left_out: set[int] = set()
        self._ranges: dict[int, Range] = {}
        self.in_place: dict[int, SymbolicTensor] = {}
        self.unwrapped: set[int] = set()
        self.wanted: dict[int, str] = {}
        self.recursive: dict[Callee, Recursive] = dict(around)
        self.liveness = Liveness(graph)
        self.name = self.new_function(graph.name)
        with self.function():
            self.head(self.name, graph)
            with self.block():
                self.body(graph)
                self.give_back(graph)

    @contextmanager
    def using(self, rule_for: Callable[[Operation], Rule | None]) -> Iterator[None]:
        """Print by other rules while the context is active."""
        before, self._rule_for = self._rule_for, rule_for
        try:
            yield
        finally:
            self._rule_for = before

    # Names

    def new_name(self, wanted: str) -> str:
        """Return an unused name close to the wanted one."""
        # ASCII only: Python normalizes other identifiers and does not accept every letter.
        base = re.sub(r"[^0-9A-Za-z_]", "_", wanted).strip("_").lower() or "value"
        base = f"v{base}" if base[0].isdigit() else base
        name, number = base, 2
        while name in self._names or name in self._taken:
            name, number = f"{base}_{number}", number + 1
        self._names.add(name)
        return name

    def new_function(self, wanted: str) -> str:
        """Return an unused name for a function of the plan."""
        name = self.new_name(wanted)
        self._taken.add(name)
        return name

    def bind(self, wanted: str, value: object) -> str:
        """Bind a value that the plan does not compute; return its name."""
        name = self.new_name(wanted)
        while any(name in names for names in self._outer_names):
            name = self.new_name(wanted)
        self._taken.add(name)
        self.bound[name] = value
        return name

    def bind_kernel(self, op: Operation) -> str:
        """Bind the kernel of an operation to the name of its op type; return the name."""
        # Names of values are lower case, so they differ from this one.
        name = re.sub(r"[^0-9A-Za-z_]", "_", op.type)
        name = name if name[:1].isupper() else f"Op_{name}"
        if gives_strings(op):
            name = f"{name}_Strings"
        self.bound[name] = functools.partial(kernel_of(op), np)
        return name

    # Values

    def define(
        self, tensor: SymbolicTensor, text: str, kind: Kind, values: Range | None = None
    ) -> None:
        """Record the name and kind of a tensor, and its range if it is smaller than its dtype's."""
        root = self._root(tensor)
        self._scopes[-1][root, kind] = text
        if values is None:
            self._ranges.pop(root, None)
        else:
            self._ranges[root] = values

    def alias(self, tensor: SymbolicTensor, of: SymbolicTensor) -> None:
        """Record that two tensors have the same value."""
        self._same[id(tensor)] = self._root(of)

    def _root(self, tensor: SymbolicTensor) -> int:
        return self._same.get(id(tensor), id(tensor))

    def is_same(self, one: SymbolicTensor, other: SymbolicTensor) -> bool:
        """Return whether two tensors are known to have the same value."""
        return self._root(one) == self._root(other)

    def find(self, tensor: SymbolicTensor, kind: Kind) -> str | None:
        """Return the name of a tensor as a kind, or None."""
        key = (self._root(tensor), kind)
        for scope in reversed(self._scopes):
            if key in scope:
                return scope[key]
        return None

    def range_of(self, tensor: SymbolicTensor) -> Range:
        """Return the range of an integer."""
        return self._ranges.get(self._root(tensor), LIMITS[tensor.spec.dtype])

    def array(self, tensor: SymbolicTensor, *, runs: bool = True) -> str:
        """Return an expression for a tensor as an array; it `runs` unless only errors need it."""
        found = self.find(tensor, Kind.ARRAY)
        if found is not None:
            return found
        listed = self.find(tensor, Kind.LIST)
        if listed is not None:
            return self._boxed_list(tensor, listed, runs)
        kind = kind_of(tensor)
        number = self.find(tensor, kind)
        assert number is not None, tensor
        if kind is Kind.TRUTH:
            return f"bool_({number})"
        if number.isidentifier() or not runs:
            return f"{tensor.spec.dtype.name}({number})"
        return self._bound_number(tensor, kind, number)

    def not_written(self, listed: str) -> str:
        """Return an expression for an entry of a Python list that nothing wrote: zeros."""
        entry = self.entries[listed]
        kind = kind_of_spec(entry)
        if kind is not Kind.ARRAY:
            return _ZEROS[kind]
        dims = [size or 0 for size in entry.dims or ()]
        return self.bind("not_written", np.zeros(dims, entry.dtype.numpy_dtype)[()])

    def _boxed_list(self, tensor: SymbolicTensor, listed: str, runs: bool) -> str:
        entry = self.entries[listed]
        is_array = kind_of_spec(entry) is Kind.ARRAY
        self.bound["ListValue"] = ListValue
        entries = listed if is_array else f"map({NUMPY_NAMES[entry.dtype]}, {listed})"
        text = f"ListValue.of({entries})"
        if not runs:
            return text
        name = self.new_name(tensor.op.name)
        self.line(f"{name} = {text}")
        self.define(tensor, name, Kind.ARRAY)
        return name

    def _bound_number(self, tensor: SymbolicTensor, kind: Kind, number: str) -> str:
        """Return the name of the NumPy scalar of a literal, bound once."""
        dtype = tensor.spec.dtype
        key = re.sub(r"\W", "_", f"{dtype.name}_{number}".replace("-", "minus_"))
        if key not in self._numbers:
            value = float(number) if kind is Kind.FLOAT else int(number)
            self._numbers[key] = self.bind(key, dtype.as_numpy_dtype(value))
            self.notes.append(f"{self._numbers[key]} = {number} : {tensor.spec}")
        return self._numbers[key]

    def operand(self, tensor: SymbolicTensor) -> str:
        """Return an expression for a tensor where the other operand is an array with axes: a float
        of Python is an operand of NumPy.
        """
        number = self.find(tensor, Kind.FLOAT)
        return self.array(tensor) if number is None else number

    def integer(self, tensor: SymbolicTensor) -> str:
        """Return an expression for an integer as a Python int."""
        return self._unboxed(tensor, Kind.INTEGER)

    def truth(self, tensor: SymbolicTensor) -> str:
        """Return an expression for a bool scalar as a Python bool."""
        return self._unboxed(tensor, Kind.TRUTH)

    def _unboxed(self, tensor: SymbolicTensor, kind: Kind) -> str:
        found = self.find(tensor, kind)
        if found is not None:
            return found
        held, function = self.find(tensor, Kind.ARRAY), _FUNCTIONS[kind]
        assert held is not None, tensor
        name = self.new_name(f"{held}_{function}" if held.isidentifier() else tensor.op.name)
        self.line(f"{name} = {function}({held})")
        self.define(tensor, name, kind)
        return name

    def as_kind(self, tensor: SymbolicTensor, kind: Kind) -> str:
        """Return an expression for a tensor as a kind."""
        return self.array(tensor) if kind is Kind.ARRAY else self._unboxed(tensor, kind)

    def condition(self, tensor: SymbolicTensor) -> str:
        """Return the condition of an `if`; an array of one element has a truth value too."""
        found = self.find(tensor, Kind.TRUTH)
        return self.array(tensor) if found is None else found

    def moved(self, tensor: SymbolicTensor, word: str) -> tuple[str, Step | None]:
        """Return the expression and the step of the line before, which goes.

        Only if it computes a tensor that one operation reads, the one of the next line; else the
        `word` for the tensor.
        """
        last, head = self.lines[-1], f"{word} = "
        step = last.step if last.depth == self._depth and last.code.startswith(head) else None
        if step is None or step.op is not tensor.op or len(self.liveness.all_readers(tensor)) != 1:
            return word, None
        self.lines.pop()
        return last.code.removeprefix(head), step

    def target(self, op: Operation) -> str | None:
        """Return the array that the only output of an operation should be written to, or None."""
        row = self.rows.get(id(op.outputs[0]))
        if row is not None:
            self.left_out.add(id(op.outputs[0]))
            return row
        reused = self.liveness.reusable(op)
        if reused is None:
            return None
        name = self.array(reused)
        self._same_array[id(op.outputs[0])] = (name, *self._names_of_array(reused))
        return name

    def _names_of_array(self, tensor: SymbolicTensor) -> tuple[str, ...]:
        """Return the other names of the array of a tensor, which was written over theirs."""
        return self._same_array.get(self._root(tensor), ())

    # Lines

    def line(self, code: str, step: Step | None = None) -> None:
        """Emit one line."""
        self.lines.append(Line(self._depth, code, step))

    def result(
        self,
        op: Operation,
        expression: str,
        kind: Kind = Kind.ARRAY,
        *,
        called: bool = False,
        values: Range | None = None,
    ) -> str:
        """Emit the assignment of the only output of an operation; return its name."""
        name = self.wanted.pop(id(op.outputs[0]), None) or self.new_name(op.name)
        self.line(f"{name} = {expression}", self.step(op, called))
        self.define(op.outputs[0], name, kind, values)
        return name

    def step(self, op: Operation, called: bool = False) -> Step:
        """Return the `Step` of a line that computes an operation."""
        return Step(op, None if called else tuple(self.array(t, runs=False) for t in op.inputs))

    @contextmanager
    def function(self) -> Iterator[None]:
        """Emit a separate function before the current one while the context is active."""
        before = self.lines, self._depth, self._scopes
        self.lines, self._depth, self._scopes = [], 0, [{}]
        self._outer_names.append(self._names)
        self._names = set()
        try:
            yield
            blank = [Line(0, "")] * (2 if self.functions else 0)
            self.functions += [*blank, *self.lines]
        finally:
            self.lines, self._depth, self._scopes = before
            self._names = self._outer_names.pop()

    @contextmanager
    def block(self) -> Iterator[None]:
        """Emit an indented block; its definitions are local to it."""
        self._scopes.append({})
        try:
            with self.indented():
                yield
        finally:
            self._scopes.pop()

    @contextmanager
    def indented(self) -> Iterator[None]:
        """Indent lines while the context is active."""
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    # Graphs

    def head(self, name: str, graph: Graph, kinds: Iterable[Kind] = _ARRAYS) -> list[str]:
        """Emit the `def` of a function for a graph; return the names of the inputs."""
        names = [self.new_name(tensor.op.name) for tensor in graph.inputs]
        for tensor, own, kind in zip(graph.inputs, names, kinds, strict=False):
            self.define(tensor, own, kind)
        self.line(f"def {name}({', '.join(names)}):")
        return names

    def give_back(self, graph: Graph, kinds: Iterable[Kind] = _ARRAYS) -> None:
        """Emit the `return` of a function."""
        outputs = [self.as_kind(*pair) for pair in zip(graph.outputs, kinds, strict=False)]
        self.line(f"return ({joined(outputs)})")

    def results(
        self, op: Operation, call: str, kinds: Iterable[Kind] = _ARRAYS, step: Step | None = None
    ) -> None:
        """Emit the assignment of all outputs of an operation."""
        names = [self.new_name(op.name) for _ in op.outputs]
        self.line(f"{joined(names)} = {call}" if names else call, step)
        for tensor, name, kind in zip(op.outputs, names, kinds, strict=False):
            self.define(tensor, name, kind)

    def body(self, graph: Graph) -> None:
        """Emit the operations of a graph."""
        outer, liveness = self.liveness, Liveness(graph)
        self.liveness = liveness
        for op in graph.operations:
            if op.definition is PLACEHOLDER or liveness.is_idle(op) or id(op) in self.left_out:
                continue
            rule = self._rule_for(op)
            if rule is None or not rule(self, op):
                self.call_kernel(op)
            self._forget(liveness.dying(op))
        self.liveness = outer

    def inline(self, op: Operation, graph: Graph) -> None:
        """Emit the operations of a graph that an operation calls."""
        for inner, outer in zip(graph.inputs, op.inputs, strict=True):
            self.alias(inner, outer)
        self.body(graph)
        for inner, outer in zip(graph.outputs, op.outputs, strict=True):
            self.alias(outer, inner)

    def _forget(self, tensors: Sequence[SymbolicTensor]) -> None:
        """Emit `del` of dead large arrays."""
        names = [self.find(tensor, Kind.ARRAY) for tensor in tensors]
        names += [name for tensor in tensors for name in self._names_of_array(tensor)]
        known = [name for name in names if name is not None and name not in self.bound]
        known = [name for name in known if name.isidentifier()]
        if known:
            self.line(f"del {', '.join(known)}")

    def call_kernel(self, op: Operation, plain: Sequence[int] = ()) -> None:
        """Emit a call of the kernel.

        `plain` are indices of integer operands that the kernel also accepts as Python ints.
        """
        words = [
            self.integer(tensor) if i in plain else self.array(tensor)
            for i, tensor in enumerate(op.inputs)
        ]
        words += [f"{key}={self.attribute(op, key)}" for key in op.attrs]
        call = f"{self.bind_kernel(op)}({', '.join(words)})"
        if op.definition.outputs == 1:
            self.result(op, call, called=True)
            return
        self.results(op, call, step=self.step(op, called=True))

    def callee(self, callee: Callee) -> Recursive:
        """Return the target of a recursive call."""
        function = self.recursive[callee]
        if function.call is not None:
            name = self.bind(function.name, function.call)
            function = self.recursive[callee] = function._replace(name=name, call=None)
        return function

    def _callable(self, function: Recursive) -> Recursive:
        """Return a function for a subgraph; it is defined after all code is printed."""
        if function.call is not None:
            return function
        return function._replace(call=lambda *args: self.bound[function.name](*args))

    def attribute(self, op: Operation, key: str) -> str:
        """Return an expression for an attribute."""
        value = op.attrs[key]
        if isinstance(value, Graph):
            around = {callee: self._callable(each) for callee, each in self.recursive.items()}
            name = self.bind(f"{op.name}_{key}", self._part(value, around))
            self.notes.append(f"{name}: the graph {value.name}, a plan of its own")
            return name
        if _is_literal(value):
            return repr(value)
        return self.bind(f"{op.name}_{key}", value)

    # Text

    def source(self) -> str:
        """Return the text, with the user's lines as comments."""
        return "".join(f"{text}\n" for text in _commented(self.functions))

    def commented_notes(self) -> str:
        """Return comments that describe the bound names."""
        return "".join(f"# {on_one_line(note)}\n" for note in self.notes)

    @property
    def depth(self) -> int:
        """Nesting depth of the current block."""
        return self._depth


def joined(words: Sequence[str]) -> str:
    """Return the text of a tuple, without parentheses.

    >>> joined(["x"]), joined(["x", "y"])
    ('x,', 'x, y')
    """
    return f"{', '.join(words)}{',' * (len(words) == 1)}"


def _is_literal(value: object) -> bool:
    if type(value) is tuple:
        return all(map(_is_literal, value))
    if isinstance(value, float):
        return bool(np.isfinite(value)) and type(value) is float
    return value is None or (type(value) in (int, bool, str) and len(repr(value)) < 60)


def on_one_line(text: str) -> str:
    """Return a name unchanged if it is printable, else its ASCII literal: it may contain anything.

    >>> on_one_line("größe.py"), on_one_line("a\\nimport os")
    ('größe.py', "'a\\\\nimport os'")
    """
    return text if text.isprintable() else ascii(text)


def _commented(lines: Sequence[Line]) -> Iterator[str]:
    shown = None
    for line in lines:
        text = "    " * line.depth + line.code if line.code else ""
        place = line.step.op.place if line.step is not None else None
        if place is not None and place != shown:
            shown = place
            text = f"{text}  # {on_one_line(Path(place.filename).name)}:{place.lineno}"
        yield text
