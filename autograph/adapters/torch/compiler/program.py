"""`torch.compile`: a converted function as a graph that TorchDynamo reads in place of its code.

TorchDynamo reads the bytecode of a program, and cannot read the operators of converted code. When
it meets a converted function, it calls `_traced` with the values of that call. That traces the
function as an export does. TorchDynamo then reads the graph: its control flow is that of
PyTorch's operators. `call` is code that TorchDynamo reads, so it is plain.

- All tensors that the function can reach are inputs of the graph, parameters included.
- All other values that functions can read which the trace runs are guarded: TorchDynamo compiles
  anew if one of them is another at a later call.
- A function that changes Python objects is refused, as its graph does not: besides attributes of
  modules that hold tensors, which are assigned after it.
- A function that stages nothing is compiled as it is written.

>>> import autograph
>>> space = autograph.exec("def f(x):\\n    while x < 100:\\n        x = 2 * x\\n    return x\\n")
>>> double = autograph.convert()(space["f"])
>>> torch.compile(double, fullgraph=True, backend="eager")(torch.tensor(7))
tensor(112)
"""

from __future__ import annotations

import os
import threading
import traceback
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from operator import is_not
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

import torch

# No public name: TorchDynamo passes no other error on with its class.
from torch._dynamo.exc import UserError, UserErrorType

# No public way: with TorchDynamo's symbols for sizes, `cond` refuses branches of convolutions.
from torch._guards import tracing

# Documented, despite its name: without these settings gradients of loops are wrong.
from torch._inductor import config as inductor
from torch.fx.experimental.proxy_tensor import make_fx

from autograph.adapters.names import CONVERSION_ERRORS
from autograph.adapters.possibly import Held, read_outside
from autograph.adapters.refusals import place_of, refusal
from autograph.adapters.torch.compiler.passed import passing
from autograph.adapters.torch.compiler.reachable import (
    CONSTANTS,
    CONTEXT,
    FUNCTION,
    IDENTITY,
    LENGTH,
    NAMES,
    REFERENT,
    VALUES,
    Reachable,
    Slot,
)
from autograph.adapters.torch.compiler.running import Running
from autograph.adapters.torch.compiler.written import read_inputs, work_on_copies
from autograph.adapters.torch.gradients import transformation_inside
from autograph.adapters.torch.histories import as_assigned
from autograph.adapters.torch.objects import Walk, place_of_function
from autograph.adapters.torch.outside import program as traced_program
from autograph.adapters.torch.outside import staged_statements
from autograph.boundary import public_error
from autograph.conversion.guard import as_written
from autograph.errors import StagingError
from autograph.reach.places import Place

if TYPE_CHECKING:
    from autograph.adapters.compiling import Compiled

Structure = Any
"""A tuple of a class and its parts, or the position of a leaf."""


class _Around(threading.local):
    """What the trace of the function around has shown: TorchDynamo reads it as a variable.

    Attributes:
      stages_nothing: whether it stages nothing, nor do the functions that it calls.
    """

    def __init__(self) -> None:
        self.stages_nothing = False


_around = _Around()


# ---- read by TorchDynamo ----


def call(function: Compiled, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a converted function."""
    leaves: list[Any] = []
    if _around.stages_nothing:
        _keep_as_written(function)
        return function.programs[0](*args, **kwargs)
    structure = (flatten(args, leaves), flatten(kwargs, leaves))
    if any(isinstance(each, deque) for each in leaves):
        _refuse_deque(function)
    number = _traced(function, structure, *leaves)
    if number == 0:
        _around.stages_nothing = True
        try:
            return function.programs[0](*args, **kwargs)
        finally:
            _around.stages_nothing = False
    program = function.programs[number]
    _guard(program, *[_constant(value_at(slot, leaves)) for slot in program.guarded])
    tensors = [value_at(slot, leaves) for slot in program.tensors]
    for tensor, shape in zip(tensors, _shapes(function, number)):  # noqa: B905
        if tuple(tensor.shape) != shape:
            _refuse_shape()
    for slot in program.aliases:
        torch.is_tensor(value_at(slot, leaves))
    outputs = program.graph(*tensors)
    results = [result_of(each, leaves, outputs) for each in program.results]
    values = [result_of(each, leaves, outputs) for _, each in program.assigned]
    for (slot, _), value in zip(program.assigned, values):  # noqa: B905
        setattr(slot.owner, slot.key, value)
    return unflatten(program.structure, results)


def flatten(value: Any, leaves: list[Any]) -> Structure:
    """Append the leaves of nested tuples, lists, dicts and partials; return the structure."""
    kind = type(value)
    if kind is list or isinstance(value, tuple):
        return (kind, *[flatten(each, leaves) for each in value])
    if kind is dict:
        return (dict, *[(key, flatten(each, leaves)) for key, each in value.items()])
    if kind is partial:
        return (
            partial,
            *[flatten(each, leaves) for each in (value.func, value.args, value.keywords)],
        )
    leaves.append(_constant(value))
    return len(leaves) - 1


def unflatten(structure: Structure, leaves: Sequence[Any]) -> Any:
    """Return the nested value with these leaves."""
    if isinstance(structure, int):
        return leaves[structure]
    kind, *parts = structure
    if kind is dict:
        return {key: unflatten(each, leaves) for key, each in parts}
    values = [unflatten(each, leaves) for each in parts]
    if kind is list:
        return values
    if kind is partial:
        function, args, kwargs = values
        return partial(function, *args, **kwargs)
    return kind(*values) if hasattr(kind, "_fields") else kind(values)


def _constant(value: object) -> Any:
    """Return the value; a number as one of which TorchDynamo makes no variable."""
    if type(value) is int or type(value) is float:
        return next(iter(frozenset((value,))))
    return value


def value_at(slot: Slot, leaves: Sequence[Any]) -> Any:
    """Return what a slot holds now."""
    if slot.kind == "leaf":
        value = leaves[slot.key]
    elif slot.kind == "variable":
        value = slot.owner()
    elif slot.kind == "attribute":
        value = getattr(slot.owner, slot.key)
    else:
        value = slot.owner.get(slot.key)
    for key in slot.path:
        if key is LENGTH:
            value = len(value)
        elif key is FUNCTION:
            value = value.__func__
        elif key is REFERENT:
            value = value()
        elif key is CONTEXT:
            value = value.get(None)
        elif key is VALUES:
            value = tuple(value.values())
        elif key is NAMES:
            value = tuple(value)
        elif key is IDENTITY:
            value = id(value)
        else:
            value = value[key]
    return value


def result_of(result: Result, leaves: Sequence[Any], outputs: Sequence[Any]) -> Any:
    """Return a leaf of what the function returns."""
    if result.slot is not None:
        return value_at(result.slot, leaves)
    return result.constant if result.output is None else outputs[result.output]


# ---- what a trace leaves ----


@dataclass(frozen=True, eq=False)
class Result:
    """A leaf of what a function returns: from a slot, an output of the graph, or a constant."""

    slot: Slot | None = None
    output: int | None = None
    constant: Any = None


@dataclass(eq=False)
class Program:
    """A traced function.

    Attributes:
      tensors: where its tensors are found.
      shapes: the shapes of these.
      aliases: where they are found, too.
      guarded: where other values are found that the function can read.
      graph: a function of the tensors.
      structure: that of what it returns.
      results: the leaves of that.
      assigned: the attributes of modules that hold other tensors afterwards, with these.
    """

    tensors: list[Slot]
    shapes: list[tuple[int, ...]]
    aliases: list[Slot]
    guarded: list[Slot]
    graph: Any = None
    structure: Structure = None
    results: list[Result] = field(default_factory=list)
    assigned: list[tuple[Slot, Result]] = field(default_factory=list)


# ---- called by TorchDynamo while it compiles ----


@torch.compiler.assume_constant_result
def _guard(program: Program, *values: object) -> None:
    """Guard the values: constants, and the identity of objects."""
    for slot, value in zip(program.guarded, values, strict=True):
        expected = id(slot.value) if slot.path[-1:] == (IDENTITY,) else slot.value
        if value is not expected and (type(value) is not type(expected) or value != expected):
            _refuse_change(slot.label)


@torch.compiler.assume_constant_result
def _shapes(function: Compiled, number: int) -> list[tuple[int, ...]]:
    """Return the shapes of the tensors: TorchDynamo would make symbols of numbers that it reads."""
    return function.programs[number].shapes


@torch.compiler.assume_constant_result
def _refuse_shape() -> None:
    _refuse_change("a tensor")


@torch.compiler.assume_constant_result
def _refuse_deque(function: Compiled) -> None:
    error = refusal(
        "a compiled function takes a deque, of which TorchDynamo does not see the `maxlen`.",
        "Pass a list.",
        place=place_of_function(function.written),
    )
    raise _public(public_error(error))


@torch.compiler.assume_constant_result
def refuse_conversion() -> None:
    """Refuse to convert a function in a compiled program."""
    text = "a compiled program converts a function: convert it outside, and call the result here."
    raise _public(TypeError(text))


def _refuse_change(label: str) -> None:
    error = refusal(
        f"`{label}` is changed in the same compiled program, before a converted function reads it.",
        f"Pass `{label}` to the function, or convert the function around the call.",
    )
    raise _public(public_error(error))


@torch.compiler.assume_constant_result
def _traced(function: Compiled, structure: Structure, *leaves: object) -> int:
    """Trace a function; return the number of its program; 0: it stages nothing."""
    try:
        program = _trace(function, structure, leaves)
    except StagingError as error:
        raise _public(public_error(error)) from None
    except Exception as error:
        raise _public(error) from error
    if program is None:
        _keep_as_written(function)
        return 0
    number = max(function.programs, default=0) + 1
    function.programs[number] = program
    return number


@torch.compiler.assume_constant_result
def _keep_as_written(function: Compiled) -> None:
    """Keep what the user wrote as program 0, which TorchDynamo reads."""
    # The test at the start of adopted code reads a set that traces change.
    written = function.written
    function.programs[0] = as_written(written) if isinstance(written, FunctionType) else written


def _public(error: Exception) -> Exception:
    """Return an error, of the same kind if it is one of Python's, that TorchDynamo passes on."""
    kind, text = type(error), str(error)
    if kind.__name__ in CONVERSION_ERRORS:
        text = text.partition("\n")[0]  # the rest are lines of PyTorch and of this package
    text = "\n".join((text, *getattr(error, "__notes__", ())))
    place = str(place_of(error) or "")
    if place not in text:
        text = f"{text}\n  {place}"
    if kind.__module__ != "builtins" or issubclass(kind, OSError):
        kind, text = RuntimeError, f"{kind.__name__}: {text}"
    public = type(kind.__name__, (UserError, kind), {"__module__": kind.__module__})
    made = public(UserErrorType.INVALID_INPUT, text)
    # TorchDynamo appends the lines of what it is reading to the text.
    own = [each for each in made.real_stack if not each.filename.startswith(_OWN_FILES)]
    made.real_stack = traceback.StackSummary.from_list(own)
    return made


_OWN_FILES = str(Path(__file__).parents[3]) + os.sep


def _trace(function: Compiled, structure: Structure, leaves: Sequence[Any]) -> Program | None:
    return _Trace(function, structure, leaves).program()


class _Trace:
    """A function that becomes a program; see `_traced`."""

    def __init__(self, function: Compiled, structure: Structure, leaves: Sequence[Any]) -> None:
        self._function = function
        self._structure = structure
        self._leaves = leaves
        self._place = place_of_function(function.written)
        named = dict(zip(_names(function, structure, len(leaves)), leaves, strict=True))
        self._named = named
        self._walk = walk = Walk(function.written, named)
        self._reachable = found = Reachable(walk, named, self._place, walk.reads)
        shapes = [tuple(slot.value.shape) for slot in found.tensors]
        self._program = Program(found.tensors, shapes, found.aliases, found.guarded)
        self._errors: list[StagingError | None] = []
        self._written: list[int] = []

    def program(self) -> Program | None:
        """Return the program; None for a function that PyTorch compiles as it is written.

        Raises: StagingError for what no graph does.
        """
        if transformation_inside() == "Jvp":
            # PyTorch cannot trace a tensor with a tangent, whatever the function does with it.
            raise self._refusal(*_WITH_TANGENT)
        program = self._program
        walk, running = self._walk, Running()
        self._before = before = walk.snapshot()
        tensors = [slot.value for slot in program.tensors]
        try:
            # TorchDynamo's own trace would give this one its symbols for shapes.
            caches = walk.clean_caches()
            # Functions that are compiled in the program are parts of it.
            inlined = torch.compiler.set_stance("force_eager")
            names = _named_failures()
            noted = running.noted()
            with caches, staged_statements() as count, names, inlined, tracing(None), noted:
                graph = self._graph(tensors, pre_dispatch=True)
                if graph is None or (count() and _holds_traced_tensors(graph)):
                    # PyTorch records what `torch.func.grad` computes below gradients only.
                    graph = self._graph(tensors, pre_dispatch=False)
            errors = [*self._errors, *map(self._changes, walk.changed(before))]
        finally:
            before.restore()
        if _holds_traced_tensors(graph):
            errors.append(self._refusal(*_TRANSFORMED))
        error = next(filter(None, errors), None)
        read = read_inputs(graph, self._written) if self._saves() else []
        if not count() and (error or self._reachable.refused or not read):
            return None
        reads = walk.reads_of(running.has_run), walk.recalled_reads()
        found = Reachable(walk, self._named, self._place, *reads)
        error = error or found.refused
        if error is not None:
            raise error
        program.aliases = found.tensors + found.aliases
        program.guarded = [*found.guarded, *found.missing()]
        work_on_copies(graph, read, self._place)
        program.graph = _plain(graph)
        if torch.ops.higher_order.while_loop in _operators(graph):
            # Up to PyTorch 2.15 Inductor lets a loop write to the buffers that it starts with, and
            # gives them to other tensors, while they are in use: gradients were wrong.
            inductor.allow_buffer_reuse = inductor.inplace_buffers = False
        return program

    def _saves(self) -> bool:
        """Return whether gradients reach the tensors."""
        tensors = [slot.value for slot in self._program.tensors]
        return torch.is_grad_enabled() and any(tensor.requires_grad for tensor in tensors)

    def _graph(self, tensors: Sequence[Any], pre_dispatch: bool) -> Any:
        """Return the graph; None where PyTorch cannot record `torch.func.grad` of `x * 2`."""
        try:
            return make_fx(self._run, tracing_mode="fake", pre_dispatch=pre_dispatch)(*tensors)
        except RuntimeError as error:
            if pre_dispatch and str(error).startswith("Cannot access data pointer"):
                return None
            raise

    def _run(self, *inputs: Any) -> list[Any]:
        program = self._program
        found = _Inputs(program.tensors, inputs)
        given = list(map(found.of_leaf, self._leaves))
        args, kwargs = (unflatten(each, given) for each in self._structure)
        with traced_program(found.pairs(), found.own) as scope:
            with passing((args, kwargs), self._before.holds):
                value = self._function.enter(*args, **kwargs)
            self._errors = [scope.left_out]
            if self._saves():
                self._errors.append(scope.without_backward)
            self._written = [
                number
                for number, slot in enumerate(program.tensors)
                if id(slot.value) in scope.changed
            ]
            results: list[Any] = []
            program.structure = flatten(value, results)
            outputs: list[Any] = []
            program.results = [self._result(each, found, outputs) for each in results]
            program.assigned = [
                (slot, self._result(value, found, outputs))
                for slot, value in self._assignments(found)
            ]
        now: list[Any] = []
        same = self._structure == (flatten(args, now), flatten(kwargs, now))
        if not same or any(map(is_not, now, given)):
            self._errors.append(self._changes("a list or dict among the arguments"))
        return [scope.take(each) for each in outputs]

    def _assignments(self, inputs: _Inputs) -> list[tuple[Slot, Any]]:
        """Return the attributes of modules that hold other tensors now, and undo that."""
        slots = [
            slot
            for slot in (*self._program.tensors, *self._program.aliases)
            if slot.kind == "attribute" and not slot.path
        ]
        found = [
            (slot, value)
            for slot in slots
            if isinstance(slot.owner, torch.nn.Module)
            and torch.is_tensor(value := getattr(slot.owner, slot.key, None))
            and value is not slot.value
        ]
        for slot, _ in found:
            setattr(slot.owner, slot.key, slot.value)
        return [(slot, inputs.as_assigned(value)) for slot, value in found]

    def _result(self, value: object, inputs: _Inputs, outputs: list[Any]) -> Result:
        if isinstance(value, Held):
            value = read_outside(value)
        slot = inputs.slot(value) or self._reachable.slot_of(value)
        if slot is not None:
            return Result(slot)
        if isinstance(value, torch.Tensor):
            number = next((n for n, each in enumerate(outputs) if each is value), len(outputs))
            outputs[number:] = outputs[number:] or [value]
            return Result(output=number)
        if not isinstance(value, CONSTANTS):
            self._errors.append(
                self._refusal(
                    f"a compiled function returns a {type(value).__name__} that it makes.",
                    "Return tensors, numbers, and tuples, lists and dicts of these.",
                )
            )
        return Result(constant=value)

    def _changes(self, changed: Place | str) -> StagingError:
        return self._walk.refusal("a compiled function", changed)

    def _refusal(self, what: str, remedy: str, public: type[Exception] = TypeError) -> StagingError:
        return refusal(what, remedy, public, self._place)


_TRANSFORMED = (
    "a compiled function calls a transformation of `torch.func` on a function with staged "
    "statements.",
    "Convert that function only, and transform it outside.",
    RuntimeError,
)

_WITH_TANGENT = (
    "a compiled program calls a converted function inside of torch.func.jvp.",
    "Call torch.func.jvp of the converted function without torch.compile.",
    RuntimeError,
)


def _names(function: Compiled, structure: Structure, count: int) -> list[str]:
    """Return what messages call the leaves of the arguments."""
    names = [f"argument {number}" for number in range(count)]
    (_, *args), (_, *kwargs) = structure
    code = getattr(function.written, "__code__", None)
    for name, part in (*zip(code.co_varnames if code else (), args, strict=False), *kwargs):
        if isinstance(part, int):
            names[part] = name
    return names


def _operators(graph: torch.fx.GraphModule) -> set[Any]:
    graphs = (each.graph for each in graph.modules() if isinstance(each, torch.fx.GraphModule))
    return {node.target for each in graphs for node in each.nodes}


def _holds_traced_tensors(graph: torch.fx.GraphModule) -> bool:
    """Return whether a graph took a tensor of its trace for a constant."""
    held = [value for each in graph.modules() for value in vars(each).values()]
    kinds = {type(value) for value in held if isinstance(value, torch.Tensor)}
    buffers = {type(each) for each in graph.buffers()}
    return not (kinds | buffers) <= {torch.Tensor, torch.nn.Parameter}


class _Inputs:
    """The inputs of a graph that is being traced, with the slots of what they represent."""

    def __init__(self, slots: Sequence[Slot], inputs: Sequence[Any]) -> None:
        self._slots = dict(zip(map(id, inputs), slots, strict=True))
        self._all = list(zip(slots, inputs, strict=True))
        arguments = [(slot.value, each) for slot, each in self._all if slot.kind == "leaf"]
        self._of_leaves = {id(value): each for value, each in arguments}
        self.own = list(self._of_leaves.values())

    def of_leaf(self, leaf: object) -> Any:
        """Return what the program is given for an argument."""
        return self._of_leaves.get(id(leaf), leaf)

    def pairs(self) -> list[tuple[Any, Any]]:
        """Return the tensors, each with its input."""
        return [(slot.value, each) for slot, each in self._all]

    def as_assigned(self, value: torch.Tensor) -> Any:
        """Return a tensor that a module keeps, which may be one of a slot."""
        if self.slot(value) is not None or not value.requires_grad:
            return value
        constants = [each for slot, each in self._all if not slot.value.requires_grad]
        return as_assigned(value, constants)

    def slot(self, value: object) -> Slot | None:
        """Return the slot of an input; None for other values."""
        return self._slots.get(id(value))


@contextmanager
def _named_failures() -> Iterator[None]:
    """Say what a transformation of `torch.func` cannot take."""
    try:
        yield
    except AssertionError as error:
        if "FakeTensor" not in str(error):
            raise
        raise refusal(
            "a transformation of `torch.func` in a compiled function takes a tensor from outside.",
            "Pass the tensor to the compiled function as an argument.",
            place=place_of(error),
        ) from None


def _plain(graph: torch.fx.GraphModule) -> torch.fx.GraphModule:
    """Return the same graph with code of its own, which TorchDynamo reads.

    The code is in files of the same names each time: TorchDynamo compares them when it begins
    anew, for instance because a number among the arguments has changed.
    """
    plain = _recompiled(graph)
    parts = [each for each in plain.modules() if isinstance(each, torch.fx.GraphModule)]
    for number, part in enumerate(parts):
        forward: Any = type(part).forward
        forward.__code__ = forward.__code__.replace(
            co_filename=f"<eval_with_key>.autograph.{number}"
        )
    return plain


def _recompiled(graph: torch.fx.GraphModule) -> torch.fx.GraphModule:
    for name, child in graph.named_children():
        if isinstance(child, torch.fx.GraphModule):
            setattr(graph, name, _recompiled(child))
    return torch.fx.GraphModule(graph, graph.graph)
