"""`torch.compile`: a converted function as a graph that TorchDynamo reads in place of its code.

TorchDynamo reads the bytecode of a program, and cannot read the operators of converted code. When
it meets a converted function, it calls `_traced` with the values of that call. That traces the
function as an export does. TorchDynamo then reads the graph: its control flow is that of
PyTorch's operators. `call` is code that TorchDynamo reads, so it is plain.

- All tensors that the function can reach are inputs of the graph, parameters included.
- All other values that the function can read are guarded: TorchDynamo compiles anew if one of them
  is another at a later call.
- A function that changes Python objects is refused: its graph does not.
- A function that stages nothing is compiled as it is written.

>>> import autograph
>>> space = autograph.exec("def f(x):\\n    while x < 100:\\n        x = 2 * x\\n    return x\\n")
>>> double = autograph.convert()(space["f"])
>>> torch.compile(double, fullgraph=True, backend="eager")(torch.tensor(7))
tensor(112)
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import is_not
from typing import TYPE_CHECKING, Any

import torch
from torch._dynamo.exc import UserError, UserErrorType
from torch.fx.experimental.proxy_tensor import make_fx

from autograph.adapters.refusals import Place, refusal
from autograph.adapters.torch_outside import lifted, staged_statements
from autograph.adapters.torch_reachable import CONSTANTS, LENGTH, Reachable, Slot
from autograph.errors import StagingError
from autograph.reach.walk import Reach

if TYPE_CHECKING:
    from autograph.adapters.compiling import Compiled

Structure = Any
"""A tuple of a class and its parts, or the position of a leaf."""


# ---- read by TorchDynamo ----


def call(function: Compiled, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a converted function."""
    leaves: list[Any] = []
    structure = (flatten(args, leaves), flatten(kwargs, leaves))
    number = _traced(function, structure, *leaves)
    if number == 0:
        return function.written(*args, **kwargs)
    program = function.programs[number]
    _guard(program, *[_constant(value_at(slot, leaves)) for slot in program.guarded])
    tensors = [value_at(slot, leaves) for slot in program.tensors]
    for tensor, shape in zip(tensors, program.shapes):  # noqa: B905
        if tensor.shape != shape:
            _refuse_shape()
    for slot in program.aliases:
        torch.is_tensor(value_at(slot, leaves))
    outputs = program.graph(*tensors)
    results = [_result(each, leaves, outputs) for each in program.results]
    return unflatten(program.structure, results)


def flatten(value: Any, leaves: list[Any]) -> Structure:
    """Append the leaves of nested tuples, lists and dicts; return the structure around them."""
    kind = type(value)
    if kind is list or isinstance(value, tuple):
        return (kind, *[flatten(each, leaves) for each in value])
    if kind is dict:
        return (dict, *[(key, flatten(each, leaves)) for key, each in value.items()])
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
    return kind(*values) if hasattr(kind, "_fields") else kind(values)


def _constant(value: Any) -> Any:
    """Return the value; a number as one of which TorchDynamo makes no variable."""
    if type(value) is int or type(value) is float:
        return next(iter(frozenset((value,))))
    return value


def value_at(slot: Slot, leaves: Sequence[Any]) -> Any:
    """Return what a slot holds now."""
    if slot.kind == "leaf":
        value = leaves[slot.key]
    elif slot.kind == "cell":
        value = slot.owner()
    elif slot.kind == "attribute":
        value = getattr(slot.owner, slot.key)
    else:
        value = slot.owner.get(slot.key)
    for key in slot.path:
        value = len(value) if key is LENGTH else value[key]
    return value


def _result(result: Result, leaves: Sequence[Any], outputs: Sequence[Any]) -> Any:
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
    """

    tensors: list[Slot]
    shapes: list[torch.Size]
    aliases: list[Slot]
    guarded: list[Slot]
    graph: Any = None
    structure: Structure = None
    results: list[Result] = field(default_factory=list)


# ---- called by TorchDynamo while it compiles ----


@torch.compiler.assume_constant_result
def _guard(program: Program, *values: object) -> None:
    """Guard the values: constants, and the identity of objects."""
    for slot, value in zip(program.guarded, values, strict=True):
        expected = slot.value
        if value is not expected and (type(value) is not type(expected) or value != expected):
            _refuse_change(slot.label)


@torch.compiler.assume_constant_result
def _refuse_shape() -> None:
    _refuse_change("a tensor")


def _refuse_change(label: str) -> None:
    error = refusal(
        f"`{label}` is changed in the same compiled program, before a converted function reads it.",
        f"Pass `{label}` to the function, or convert the function around the call.",
    )
    raise _public(error.surface())


@torch.compiler.assume_constant_result
def _traced(function: Compiled, structure: Structure, *leaves: Any) -> int:
    """Trace a function; return the number of its program; 0: it stages nothing."""
    try:
        program = _trace(function, structure, leaves)
    except StagingError as error:
        raise _public(error.surface()) from None
    except Exception as error:
        raise _public(error) from error
    if program is None:
        return 0
    number = len(function.programs) + 1
    function.programs[number] = program
    return number


def _public(error: Exception) -> Exception:
    """Return an error of the same kind that TorchDynamo passes on as it is."""
    kind = type(error)
    try:
        public = type(kind.__name__, (UserError, kind), {"__module__": kind.__module__})
    except TypeError:  # the kind has a memory layout of its own
        return _public(RuntimeError(f"{kind.__name__}: {error}"))
    made = public(UserErrorType.INVALID_INPUT, str(error))
    # TorchDynamo appends the lines of what it is reading to the text.
    own = [each for each in made.real_stack if not each.filename.startswith(_OWN_FILES)]
    made.real_stack = traceback.StackSummary.from_list(own)
    return made


_OWN_FILES = os.path.dirname(os.path.dirname(__file__)) + os.sep


def _trace(function: Compiled, structure: Structure, leaves: Sequence[Any]) -> Program | None:
    reachable = Reachable(function.written, leaves)
    args, kwargs = (unflatten(each, leaves) for each in structure)
    before = Reach([function.written], reachable.values())
    tensors = [slot.value for slot in reachable.tensors]
    program = Program(
        reachable.tensors,
        [tensor.shape for tensor in tensors],
        reachable.aliases,
        reachable.guarded,
    )

    def run(*inputs: Any) -> list[Any]:
        with lifted(zip(tensors, inputs, strict=True)) as stand_in:
            value = function.enter(*args, **kwargs)
            found: list[Any] = []
            program.structure = flatten(value, found)
            outputs: list[Any] = []
            program.results = [_result_of(each, reachable, outputs) for each in found]
            return [stand_in(each) for each in outputs]

    try:
        with staged_statements() as count:
            graph = make_fx(run, tracing_mode="fake", pre_dispatch=True)(*tensors)
        changed = [place.label for place in before.changed()]
    finally:
        before.restore()
    if not count():
        return None
    now: list[Any] = []
    if structure != (flatten(args, now), flatten(kwargs, now)) or any(map(is_not, now, leaves)):
        changed.append("a list or dict among the arguments")
    if changed:
        code = getattr(function.written, "__code__", _trace.__code__)
        raise refusal(
            f"`{changed[0]}` is changed by a compiled function, once, while it is traced.",
            "Return the new value, and assign it outside of the function.",
            place=Place(code.co_filename, code.co_firstlineno, code.co_name),
        )
    program.graph = _plain(graph)
    return program


def _result_of(value: Any, reachable: Reachable, outputs: list[Any]) -> Result:
    known = reachable.slot_of(value)
    if known is not None:
        return Result(known)
    if isinstance(value, torch.Tensor):
        outputs.append(value)
        return Result(output=len(outputs) - 1)
    if isinstance(value, CONSTANTS):
        return Result(constant=value)
    raise refusal(
        f"a compiled function returns a {type(value).__name__} that it makes.",
        "Return tensors, numbers, and tuples, lists and dicts of these.",
    )


def _plain(graph: torch.fx.GraphModule) -> torch.fx.GraphModule:
    """Return the same graph with code of its own, which TorchDynamo reads."""
    for name, child in graph.named_children():
        if isinstance(child, torch.fx.GraphModule):
            setattr(graph, name, _plain(child))
    return torch.fx.GraphModule(graph, graph.graph)
