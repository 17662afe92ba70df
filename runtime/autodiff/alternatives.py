"""Sources of gradients that are, in Python, the same tensor as another.

`c = a if p else b` makes `c` another name of `a` or of `b` in Python, so a gradient by `c` counts
their uses too. In a graph `c` is a tensor of its own. A gradient that this would make different is
refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from runtime.autodiff.connections import depends_at_each_run
from runtime.autodiff.recording import Tape
from runtime.core import dtypes
from runtime.core.errors import StagingError, VariantError
from runtime.core.graph import Graph
from runtime.core.opdef import PASSED_ON, Control, Emit
from runtime.core.operation import Operation
from runtime.core.places import user_line, user_name, user_place
from runtime.core.structural import PLACEHOLDER
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor
from runtime.core.thread import temporarily
from runtime.ops.base.convert import PACK

_BRANCHES = (Control.IF, Control.CASE)

Tensors = dict[int, Tensor]
"""Tensors by id."""


def require_own_sources(tape: Tape, targets: Sequence[Tensor], sources: Iterable[Tensor]) -> None:
    """Check that each source is a tensor of its own, as far as the gradients of the targets tell.

    Raises: StagingError for a source that a staged statement chose from tensors that the target
      uses too, or of which only some are watched, or that depends on watched tensors only where
      a staged statement goes one way; names it.
    """
    if tape.graph is None:
        return
    own, place = list(sources), user_place()
    _require_own(tape, targets, own)

    def check_again() -> None:
        with temporarily(place=place):
            _require_own(tape, targets, own)

    graph: Graph | None = tape.graph
    while graph is not None:
        if graph.initial:  # a loop body: its arguments are other tensors in later turns
            graph.awaiting.append(check_again)
        graph = graph.outer


def _require_own(tape: Tape, targets: Sequence[Tensor], sources: Sequence[Tensor]) -> None:
    chosen = [each for each in _from_outside(tape, targets) if alternatives(each)]
    for source in sources:
        others = alternatives(source)
        if others:
            _require_one_name(tape, targets, source, others)
        if not tape.is_followed(source):
            _require_unwatched(tape, targets, source)
            continue
        if id(tape.own(source)) not in tape.watched:
            _require_connected(tape, source)
        for each in chosen:
            if tape.own(each) is not tape.own(source) and may_be_same(each, source):
                raise _refusal(source, {id(each): each}, "the target uses it by that name", _OWN)


_OWN = "Make it a tensor of its own before the tape uses it: {0} = runtime.identity({0})."


def _require_one_name(
    tape: Tape, targets: Sequence[Tensor], source: Tensor, others: Tensors
) -> None:
    if any(may_be_same(source, each) for each in _used(tape, targets, source)):
        raise _refusal(
            source,
            others,
            "the target also uses one of them by its other name",
            _OWN,
        )
    single = (each for each in others.values() if tape.sees(each) and not alternatives(each))
    followed = {tape.is_followed(each) for each in single}
    if len(followed) == 2 and id(tape.own(source)) not in tape.watched:
        raise _refusal(
            source,
            others,
            "the tape watches only some of them",
            "Call tape.watch({0}) where it has its value.",
        )


def _require_unwatched(tape: Tape, targets: Sequence[Tensor], source: Tensor) -> None:
    for each in tape.watched.values():
        if may_be_same(each, source):
            why = "the tape watches it by that name alone"
            raise _refusal(source, {id(each): each}, why, "Call tape.watch({0}) too.")
    for each in targets:
        if each is not source and may_be_same(each, source):
            why = "the tape does not watch it"
            raise _refusal(source, {id(each): each}, why, "Call tape.watch({0}).")


def _require_connected(tape: Tape, source: Tensor) -> None:
    own = [tape.own(each) for each in tape.watched.values()]
    if depends_at_each_run(tape.operations(), own, tape.own(source)):
        return
    name = user_name(source)
    raise StagingError(
        f"{f'`{name}`' if name else 'The source of a gradient'} depends on what the tape watches "
        "only if a staged statement goes one way, and Python's gradient depends on which way it "
        f"goes.{user_line()}\nCall tape.watch({name or 'source'}) where it has its value.",
        public=VariantError,
    )


def alternatives(tensor: Tensor) -> Tensors:
    """Return the tensors of which staged branches, loops and indices of lists choose `tensor`."""
    found: Tensors = {}
    carried: Tensors = {}
    if _is_read(tensor):
        return found
    pending = [tensor]
    while pending:
        for each in _passed(pending.pop(), carried):
            if id(each) not in found and each is not tensor:
                found[id(each)] = each
                pending.append(each)
    return found


def may_be_same(one: Tensor, other: Tensor) -> bool:
    """Return whether two tensors of a graph may be the same object in Python."""
    if one is other:
        return True
    x, y = _choice(one), _choice(other)
    if x is not None and y is not None and x.op is y.op:
        ends = (part.outputs for part in x.op.subgraphs())
        return any(may_be_same(each[x.value_index], each[y.value_index]) for each in ends)
    return not {id(one), *alternatives(one)}.isdisjoint({id(other), *alternatives(other)})


def _passed(tensor: Tensor, carried: Tensors) -> Iterator[Tensor]:
    """Yield the tensors one step back that `tensor` may be.

    `carried` maps the arguments of the loops on the way to the results of the loops.
    """
    if not isinstance(tensor, SymbolicTensor):
        return
    op = tensor.op
    outside = op.graph.origin(tensor)
    if outside is not None:
        yield outside
    elif op.definition is PLACEHOLDER:
        maps = (op.graph.initial, op.graph.following, carried)
        yield from (known[id(tensor)] for known in maps if id(tensor) in known)
    elif (chosen := _choice(tensor)) is not None:
        yield from (part.outputs[chosen.value_index] for part in chosen.op.subgraphs())
    elif op.definition.control is Control.WHILE:
        body: Graph = op.attrs["body"]
        carried.update(zip(map(id, body.inputs), op.outputs, strict=False))
        yield op.inputs[tensor.value_index]
        yield body.outputs[tensor.value_index]
    elif _is_item(op):
        yield from op.inputs[0].op.inputs
    elif _is_read(tensor):
        yield op.inputs[0]


def _choice(tensor: Tensor) -> SymbolicTensor | None:
    """Return the output of a branch op that a tensor is, or of which it is the Identity."""
    if not isinstance(tensor, SymbolicTensor):
        return None
    if tensor.op.definition.grad is PASSED_ON and len(tensor.op.inputs) == 1:
        tensor = tensor.op.inputs[0]
    return tensor if tensor.op.definition.control in _BRANCHES else None


def _is_item(op: Operation) -> bool:
    """Return whether an operation reads an item of a Python list at a staged index."""
    inputs = [tensor.op.definition for tensor in op.inputs]
    return len(inputs) == 2 and inputs[0] is PACK and inputs[1].emit is Emit.POSITION


def _is_read(tensor: Tensor) -> bool:
    """Return whether a tensor is the value of a variable."""
    if not isinstance(tensor, SymbolicTensor) or tensor.op.definition.grad is not PASSED_ON:
        return False
    return tensor.op.inputs[0].dtype is dtypes.resource


def _used(tape: Tape, targets: Sequence[Tensor], source: Tensor) -> Iterator[Tensor]:
    """Yield the tensors on which targets depend in other ways than by the source."""
    recorded = set(map(id, tape.operations()))
    seen = {id(tape.own(source))}
    pending = [tape.own(target) for target in targets]
    while pending:
        tensor = pending.pop()
        if id(tensor) in seen:
            continue
        seen.add(id(tensor))
        yield tensor
        if isinstance(tensor, SymbolicTensor) and id(tensor.op) in recorded:
            pending.extend(tensor.op.inputs)


def _from_outside(tape: Tape, targets: Sequence[Tensor]) -> Iterator[Tensor]:
    """Yield the tensors that the tape has not recorded, and on which targets depend."""
    made = {id(output) for op in tape.operations() for output in op.outputs}
    pending = [tape.own(target) for target in targets]
    seen: set[int] = set()
    while pending:
        tensor = pending.pop()
        if id(tensor) in seen or tensor.dtype is dtypes.resource:
            continue
        seen.add(id(tensor))
        if id(tensor) not in made:
            yield tensor
        elif isinstance(tensor, SymbolicTensor):
            pending.extend(tensor.op.inputs)


def _refusal(source: Tensor, others: Tensors, why: str, remedy: str) -> StagingError:
    name = user_name(source)
    known = {*filter(None, map(user_name, others.values()))} - {name}
    among = " or ".join(f"`{each}`" for each in sorted(known)) or "one of several tensors"
    subject = f"`{name}`" if name else "The source of a gradient"
    return StagingError(
        f"{subject} may be {among}, which is known only when the graph runs, and {why}: Python's "
        f"gradient depends on which it is.{user_line()}\n{remedy.format(name or 'source')}",
        public=VariantError,
    )
