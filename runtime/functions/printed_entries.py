"""Code for calls like one that a function has served: it checks the arguments and runs one graph.

The checks are printed for the values of that call, together with the guards of the graph, so that a
call takes one Python function.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import is_
from typing import Any

import numpy as np

from autograph.reach.places import Place
from runtime.core.context import SETTINGS
from runtime.core.opdef import Effect
from runtime.core.shapes import element_count
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor, Tensor
from runtime.core.thread import STATE
from runtime.engines.parted import Whole
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.entries import MISS, Entries, Entry
from runtime.state.variable import Variable

_BY_VALUE = (int, bool, str, type(None))
"""Classes of Python values that are equal only if a trace cannot tell them apart."""


class Printer:
    """Prints an entry.

    Args:
      args, kwargs: the arguments of a call that the entry serves.

    Attributes:
      names: the names of the arguments.
      values: the arguments.
      types: what the checks compare.
      feeds: for each array among the arguments, an expression and the argument.
      shapes: by the expression of an array, a condition that is true if it has another shape.
      read: by the identity of a place that the entry reads, the name of the array in it.
      lines: the statements.
    """

    def __init__(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> None:
        """Print the checks of what is not an argument."""
        self.types: list[Any] = []
        self.feeds: list[tuple[str, Any]] = []
        self.shapes: dict[str, str] = {}
        self.read: dict[Any, str] = {}
        self.lines: list[str] = []
        self._names: dict[str, Any] = {
            "__name__": __name__,  # hides its frames from tracebacks
            "EagerTensor": EagerTensor,
            "MISS": MISS,
            "SETTINGS": SETTINGS,
            "STATE": STATE,
            "is_": is_,
            "new": object.__new__,
            "packed": np.ascontiguousarray,
        }
        self._count = 0
        self._order: list[int] | None = None
        self._specs: list[TensorSpec] = []
        self._are_new = False
        self.miss_if("STATE.graph is not None or STATE.tapes or SETTINGS.functions_run_eagerly")
        self.values = [*args, *kwargs.values()]
        self.names = self._unpacked("args", args)
        if kwargs:
            self.names += self._unpacked_values("kwargs", kwargs)
        else:
            self.miss_if("kwargs")

    def bind(self, value: object) -> str:
        """Return a name for a value."""
        name = self._new_name()
        self._names[name] = value
        return name

    def miss_if(self, condition: str) -> None:
        """Leave calls for which an expression is true."""
        self.lines.append(f"if {condition}: return MISS")

    def _new_name(self) -> str:
        self._count += 1
        return f"v{self._count}"

    def _unpacked(self, name: str, values: Iterable[Any], parts: str = "") -> list[str]:
        """Assign the parts of a structure to new names."""
        names = [self._new_name() for _ in values]
        self.types.append(len(names))
        self.miss_if(f"len({name}) != {len(names)}")
        if names:
            self.lines.append(f"{', '.join(names)}, = {parts or name}")
        return names

    def _unpacked_values(self, name: str, value: Mapping[str, Any]) -> list[str]:
        """Check the keys of a dict and assign its values to new names."""
        keys = tuple(value)
        self.types.append(keys)
        names = self._unpacked(name, keys, f"{name}.values()")
        self.miss_if(f"not all(map(is_, {name}, {self.bind(keys)}))")
        return names

    def check(self, name: str, value: Any) -> bool:
        """Check an argument of a program on tensors; return False if no check can be printed."""
        kind = type(value)
        if kind is EagerTensor:
            self.types.append(value.spec)
            spec = self.bind(value.spec)
            self.miss_if(f"type({name}) is not EagerTensor")
            self.miss_if(f"{name}._known is not {spec} and {name}.spec != {spec}")
            self.feeds.append((f"{name}._a", value))
            return True
        if issubclass(kind, Variable):
            self.types += (kind, value._spec)
            self.miss_if(f"type({name}) is not {self.bind(kind)}")
            self.miss_if(f"{name}._spec != {self.bind(value._spec)}")
            self.feeds.append((f"{name}._a", value))
            return True
        if kind is list or kind is tuple:
            self.types.append(kind)
            self.miss_if(f"type({name}) is not {kind.__name__}")
            return all(map(self.check, self._unpacked(name, value), value))
        if kind is dict:
            if any(type(key) not in _BY_VALUE for key in value):
                return False  # to hash it may run code of the program
            self.types.append(kind)
            self.miss_if(f"type({name}) is not dict")
            return all(map(self.check, self._unpacked_values(name, value), value.values()))
        return self.constant(name, value)

    def constant(self, name: str, value: object) -> bool:
        """Check that an argument is a Python value; return False if `==` is not enough for that."""
        kind = type(value)
        if kind not in _BY_VALUE:
            return False
        self.types += (kind, value)
        if value is None or kind is bool:
            self.miss_if(f"{name} is not {value}")
        else:
            self.miss_if(f"type({name}) is not {kind.__name__} or {name} != {value!r}")
        return True

    def run(self, concrete: ConcreteFunction) -> bool:
        """Check what a graph depends on, and run it.

        Returns False if it has no code yet.
        """
        code = concrete.fixed_code()
        if code is None:
            return False
        executable, captured = code
        run = self.bind(executable)
        self.miss_if(f"{self.bind(concrete)}.code is not {run}")
        for condition in () if concrete.guards is None else concrete.guards.broken(self.bind):
            self.miss_if(condition)
        is_pure = concrete.graph.effect is Effect.NONE
        own = [self._captured(each, is_pure) for each in captured]
        feeds = [*(text for text, _ in self.feeds), *own]
        self._specs = [tensor.spec for tensor in concrete.graph.outputs]
        self._are_new = concrete.makes_new
        whole: Whole | None = getattr(executable, "whole", None)
        if whole is not None:
            self._order = whole.order
            self._run_whole(whole, feeds, concrete.graph.inputs)
            return True
        for condition in self.shapes.values():
            self.miss_if(condition)
        self.lines.append(f"found = {run}({', '.join(feeds)})")
        return True

    def _captured(self, value: object, is_pure: bool) -> str:
        """Return the expression of a captured array, or of what a place holds at the call.

        `is_pure`: whether nothing changes while the graph runs.
        """
        if not isinstance(value, Place):
            return self.bind(value)
        name = self.read[value.identity] = self._new_name()
        self.lines.append(f"{name} = {self.bind(value.read)}()")
        copied = f"{name}.copy()"
        return f"({name} if {name}.flags.c_contiguous else {copied})" if is_pure else copied

    def _run_whole(
        self, whole: Whole, feeds: Sequence[str], inputs: Sequence[SymbolicTensor]
    ) -> None:
        """Run code that takes arrays in C order, and returns False where it fails."""
        run = self.bind(whole.code.call)
        taken = [feeds[place] for place in whole.operands]
        packed = [
            each if inputs[place].spec.dims == () else f"packed({each})"
            for each, place in zip(taken, whole.operands, strict=True)
        ]
        checked = taken if whole.code.checks_shapes else ()
        for array, condition in self.shapes.items():
            if array not in checked:
                self.miss_if(condition)
        self.lines += (f"try: found = {run}({', '.join(taken)})", "except ValueError:")
        others = [self.shapes[array] for array in checked if array in self.shapes]
        self.lines += (f"    if {condition}: return MISS" for condition in others)
        self.lines.append(f"    found = {run}({', '.join(packed)})")
        self.miss_if("found is False")

    def output(self, place: int) -> str:
        """Return the expression of the array or scalar of an output."""
        spec = self._specs[place]
        if self._order is not None and spec.dims == ():
            return f"{self.bind(spec.dtype.numpy_dtype.type)}({self._found(place)})"
        return self._found(place)

    def number(self, place: int) -> str:
        """Return the expression of the Python number of an output."""
        found = self._found(place)
        return f"{found}.item()" if self._order is None else found

    def _found(self, place: int) -> str:
        return f"found[{place if self._order is None else self._order[place]}]"

    def outputs(self, first: int = 0) -> str:
        """Return the expression of the outputs from a place on."""
        return f"({''.join([f'{self.output(i)}, ' for i in range(first, len(self._specs))])})"

    def tensor(self, place: int) -> str:
        """Make an eager tensor of an output; return its name."""
        name, spec = self._new_name(), self._specs[place]
        # Code makes arrays of the dtype and shape of the graph; kernels may make others.
        is_known = self._are_new and element_count(spec.dims) is not None
        known = self.bind(spec_of(spec.dtype, spec.dims)) if is_known else None
        self.lines.append(f"{name} = new(EagerTensor)")  # faster than `__init__`
        self.lines.append(f"{name}._a, {name}._known = {self.output(place)}, {known}")
        return name

    def entry(self, value: str) -> Entry:
        """Return the entry, with the expression of the value of the function."""
        text = "\n    ".join(["def entry(args, kwargs):", *self.lines, f"return {value}"])
        exec(compile(text, "<entry of a graph>", "exec"), self._names)  # the text is our own
        return self._names["entry"]  # type: ignore[no-any-return]


def remember(
    entries: Entries,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any],
    concrete: ConcreteFunction,
    tensors: list[Tensor],
) -> None:
    """Add an entry for calls like one of a program on tensors."""
    if concrete.is_bound or concrete.reads_places or not tensors:
        return
    printer = Printer(args, kwargs)
    if not all(map(printer.check, printer.names, printer.values)):
        return
    feeds = [value for _, value in printer.feeds]
    if sum(isinstance(value, Variable) for value in feeds) > 1 or len(feeds) != len(tensors):
        return
    pairs = zip(feeds, tensors, strict=True)
    same = all(value is tensor or isinstance(value, Variable) for value, tensor in pairs)
    if not same or (kwargs and len(set(map(id, feeds))) < len(feeds)):
        return  # the inputs are in another order, or may be
    if not printer.run(concrete):
        return
    count = len(printer.lines)
    value = concrete.value_text(printer.bind, printer.tensor)
    if value is None:
        del printer.lines[count:]
        value = f"{printer.bind(concrete.value)}({printer.outputs()})"
    entries.add(tuple(printer.types), printer.entry(value))
