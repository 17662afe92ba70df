"""Branches and loops of PyTorch: its operators `cond` and `while_loop`.

The operators are higher-order: they trace functions of tensors, and every tensor that a function
takes from outside has to be an operand. So a function runs twice. The first run, outside of the
trace, finds which tensors those are and what the function gives; the second is part of the trace,
and has the operands put in place of the tensors from outside.
"""

from __future__ import annotations

import dis
import operator
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

import torch
from torch._higher_order_ops.cond import cond_op
from torch._higher_order_ops.while_loop import while_loop_op
from torch.fx.experimental.proxy_tensor import disable_proxy_modes_tracing, get_proxy_mode
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree

from autograph.adapters import layout
from autograph.adapters.iterables import Items
from autograph.adapters.layout import Layout, Values
from autograph.adapters.loops import Body, Test, Ways, known_limit, surely
from autograph.adapters.possibly import Possibly, assuming, resolved
from autograph.adapters.refusals import never_settles, refusal
from autograph.adapters.torch_arrays import FORMS, truth
from autograph.operators.variables import update_item

_ROUNDS = 8


class _Inside(threading.local):
    def __init__(self) -> None:
        self.first_runs = 0
        self.table: Mapping[int, Any] = {}
        self.interceptions: list[_Interception] = []


_inside = _Inside()


def is_traced(value: Any) -> bool:
    """Whether the value is a tensor and a trace is running."""
    if isinstance(value, Possibly):
        return True
    if not isinstance(value, torch.Tensor):
        return False
    return _inside.first_runs > 0 or get_proxy_mode() is not None


def in_function() -> bool:
    """Whether a branch or a body is being traced."""
    return bool(_inside.interceptions)


def may_change(tensor: Any) -> bool:
    """Whether a tensor may be changed in place where the trace is now."""
    return not in_function() or _inside.interceptions[-1].may_change(tensor)


# ---- tensors from outside ----

_OUT_OF_PLACE: dict[str, Callable[..., Any]] = {
    "add_": operator.add,
    "sub_": operator.sub,
    "mul_": operator.mul,
    "div_": operator.truediv,
    "floor_divide_": operator.floordiv,
    "remainder_": operator.mod,
    "pow_": operator.pow,
    "__iand__": operator.and_,
    "__ior__": operator.or_,
    "__ixor__": operator.xor,
    "__ilshift__": operator.lshift,
    "__irshift__": operator.rshift,
}
_BINARY_OP = dis.opmap["BINARY_OP"]
_FIRST_IN_PLACE = 13


def _is_assignment(frame: FrameType, tensor: Any) -> bool:
    """Whether the frame is executing `x += y`, which assigns what the operation gives.

    PyTorch cannot tell this from `x.add_(y)`, of which only the effect counts. The effect counts
    for a view too; but that of an item is assigned to the item.
    """
    if frame.f_globals.get("__name__") == update_item.__module__:
        return True
    if tensor._is_view():
        return False
    code, position = frame.f_code.co_code, frame.f_lasti
    return code[position] == _BINARY_OP and code[position + 1] >= _FIRST_IN_PLACE


class _Interception(TorchFunctionMode):
    """Sees every use of a tensor in a function.

    Args:
      own: the arguments of the function.
    """

    def __init__(self, own: Sequence[Any]) -> None:
        super().__init__()
        self._own = {id(tensor): tensor for tensor in own}

    def _stands_for(self, tensor: Any) -> Any:
        """What stands for a tensor; it may be one from outside."""
        raise NotImplementedError

    def _is_made_here(self, tensor: Any) -> bool:
        """Whether the tensor is made in the function."""
        raise NotImplementedError

    def may_change(self, tensor: Any) -> bool:
        """Whether the tensor, and that of which it is a view, are made in the function."""
        return self._is_made_here(tensor._base if tensor._is_view() else tensor)

    def _notice(self, result: Any) -> None:
        """Sees what was made."""

    def taken(self, value: Any) -> Any:
        """A structure with what stands for its tensors."""
        return pytree.tree_map(self._taken, value)

    def _taken(self, leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor) or id(leaf) in self._own:
            return leaf
        return self._stands_for(leaf)

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if args and isinstance(args[0], torch.Tensor) and not self.may_change(args[0]):
            func = _without_change(func, args[0], sys._getframe(1))
        if func is torch.Tensor.__getitem__ and is_position(args[1]):
            func = _row
        result = func(*self.taken(args), **self.taken(kwargs or {}))
        self._notice(result)
        return result


def _without_change(func: Any, tensor: Any, frame: FrameType) -> Any:
    """What gives the same without a change of the tensor. Raises StagingError."""
    name = getattr(func, "__name__", "")
    if name in _OUT_OF_PLACE and _is_assignment(frame, tensor):
        return _OUT_OF_PLACE[name]
    if name in ("__setitem__", "__set__") or (name.endswith("_") and not name.endswith("__")):
        raise refusal(
            f"`{name}` changes a tensor in place that is made outside of this staged statement, "
            "which PyTorch does not export.",
            "Make a new tensor and assign it to the variable, for instance by `x = x + y`.",
        )
    return func


def is_position(index: Any) -> bool:
    """Whether the index is an integer scalar."""
    if not isinstance(index, torch.Tensor) or index.dim():
        return False
    return not index.dtype.is_floating_point and index.dtype is not torch.bool


def position(array: Any, index: Any) -> Any:
    """A scalar index as a tensor of one index that counts from the beginning."""
    return torch.where(index < 0, index + array.shape[0], index).reshape(1)


def _row(array: Any, index: Any) -> Any:
    # Indexing would ask a scalar for its value, which is not known yet.
    return torch.index_select(array, 0, position(array, index)).squeeze(0)


class _Finding(_Interception):
    """The first run: remembers the tensors from outside."""

    def __init__(self, own: Sequence[Any]) -> None:
        super().__init__(own)
        self._made: dict[int, Any] = {}
        self.found: dict[int, Any] = {}

    def _stands_for(self, tensor: Any) -> Any:
        if id(tensor) not in self._made:
            self.found[id(tensor)] = tensor
        return tensor

    def _is_made_here(self, tensor: Any) -> bool:
        return id(tensor) in self._made

    def _notice(self, result: Any) -> None:
        for leaf in pytree.tree_leaves(result):
            if isinstance(leaf, torch.Tensor):
                self._made[id(leaf)] = leaf


class _Replacing(_Interception):
    """The second run: puts operands in place of the tensors from outside."""

    def __init__(self, own: Sequence[Any], operands: Mapping[int, Any]) -> None:
        super().__init__(own)
        self._operands = operands
        self._fixed = {*self._own, *operands, *map(id, operands.values())}

    def _stands_for(self, tensor: Any) -> Any:
        return self._operands.get(id(tensor), tensor)

    def _is_made_here(self, tensor: Any) -> bool:
        return id(tensor) not in self._fixed


@contextmanager
def _first_run() -> Iterator[None]:
    _inside.first_runs += 1
    try:
        with disable_proxy_modes_tracing():
            yield
    finally:
        _inside.first_runs -= 1


@contextmanager
def _intercepting(interception: _Interception) -> Iterator[None]:
    _inside.interceptions.append(interception)
    try:
        with interception:
            yield
    finally:
        _inside.interceptions.pop()


def _replaced(outside: Sequence[Any]) -> tuple[Any, ...]:
    """What stands for these tensors in the function that is being traced."""
    return tuple(_inside.table.get(id(tensor), tensor) for tensor in outside)


class _Found:
    """What a function takes from outside, and what it gives."""

    def __init__(self, function: Callable[..., Values], own: Sequence[Any]) -> None:
        finding = _Finding(own)
        with _intercepting(finding):
            self.values = resolved(function(*own))
            for value in self.values:
                finding.taken(FORMS.leaves(_held(value)))
        self.outside = finding.found


def _held(value: Any) -> Any:
    return value.held if isinstance(value, Possibly) else value


def _replayed(
    function: Callable[..., Any], count: int, outside: Sequence[Any]
) -> Callable[..., Any]:
    """The function of its own arguments and of the tensors from outside."""

    def run(*arrays: Any) -> Any:
        own, operands = arrays[:count], arrays[count:]
        table = {id(tensor): each for tensor, each in zip(outside, operands, strict=True)}
        around, _inside.table = _inside.table, table
        try:
            with _intercepting(_Replacing(own, table)):
                return function(*own)
        finally:
            _inside.table = around

    return run


# ---- branches ----


def cond(
    test: Any,
    if_fn: Callable[[], Values],
    else_fn: Callable[[], Values],
    names: tuple[str, ...],
) -> Values:
    """The outputs of one of two functions.

    Raises: StagingError that names the variable if no form covers both of its values.
    """
    if isinstance(test, Possibly):
        test = test.read()
    decides = truth(test)
    if not is_traced(decides):
        return if_fn() if decides else else_fn()
    with _first_run():
        with assuming(test, True):
            if_found = _Found(if_fn, ())
        with assuming(test, False):
            else_found = _Found(else_fn, ())
        joined = layout.of_branches(FORMS, names, test, if_found.values, else_found.values)
        sample = [FORMS.placeholder(leaf) for leaf in joined.leaves()]
    if get_proxy_mode() is None or not sample:
        _read_all((if_found, else_found))
        return joined.values(sample)
    outside = list({**if_found.outside, **else_found.outside}.values())

    def branch(function: Callable[[], Values], outcome: bool) -> Callable[..., Any]:
        def run() -> list[Any]:
            with assuming(test, outcome):
                return joined.flat(resolved(function()))

        return _replayed(run, 0, outside)

    arrays = cond_op(decides, branch(if_fn, True), branch(else_fn, False), _replaced(outside))
    return joined.values(arrays)


def _read_all(founds: Sequence[_Found]) -> None:
    """Tells the functions around what is taken from outside of them too."""
    for found in founds:
        for tensor in found.outside.values():
            torch.Tensor.size(tensor)


# ---- loops ----


def while_loop(
    test_fn: Test,
    body_fn: Body,
    init: Values,
    names: tuple[str, ...],
    options: Mapping[str, Any],
    first_runs: bool = False,
) -> Values:
    """The state after a loop.

    Args:
      first_runs: whether the test is known to hold at first.

    Raises: StagingError that names the variable if its form does not settle.
    """
    limit = options.get("maximum_iterations")
    if limit is not None:
        most = known_limit(limit, is_traced)

        def limited_test(done: Any, *state: Any) -> Any:
            return torch.logical_and(done < most, _tensor(truth(test_fn(*state))))

        def limited_body(done: Any, *state: Any) -> Values:
            return (done + 1, *body_fn(*state))

        named = ("the number of the iteration", *names)
        return while_loop(limited_test, limited_body, (0, *init), named, {})[1:]
    with _first_run():
        carried, body = _settled(body_fn, init, names)
        own = [FORMS.placeholder(leaf) for leaf in carried.leaves()]
        test = _Found(lambda *arrays: (_tested(test_fn, carried, arrays),), own)
    final = layout.once_run(carried, body.values) if first_runs else carried
    if get_proxy_mode() is None:
        _read_all((body, test))
        carried.flat(init)
        with _first_run():
            return final.values([FORMS.placeholder(leaf) for leaf in carried.leaves()])
    outside = list({**body.outside, **test.outside}.values())

    def step(*arrays: Any) -> tuple[Any, ...]:
        return tuple(carried.flat(resolved(body_fn(*carried.values(arrays)))))

    count = len(own)
    arrays = while_loop_op(
        _replayed(lambda *arrays: _tested(test_fn, carried, arrays), count, outside),
        _replayed(step, count, outside),
        tuple(carried.flat(init)),
        _replaced(outside),
    )
    return final.values(arrays)


def _tested(test_fn: Test, carried: Layout, arrays: Sequence[Any]) -> Any:
    return _tensor(truth(test_fn(*carried.values(arrays)))).clone()


def _tensor(value: Any) -> Any:
    return value if isinstance(value, torch.Tensor) else torch.full((), value, dtype=torch.bool)


def _settled(body_fn: Body, init: Values, names: tuple[str, ...]) -> tuple[Layout, _Found]:
    """Runs the body until the forms of the variables stay."""
    carried = layout.of_loop(FORMS, names, init)
    for _ in range(_ROUNDS):
        before = carried
        own = [FORMS.placeholder(leaf) for leaf in before.leaves()]

        def step(*arrays: Any, before: Layout = before) -> Values:
            return body_fn(*before.values(arrays))

        found = _Found(step, own)
        carried = layout.after_iteration(before, init, found.values)
        if carried == before:
            return carried, found
    raise never_settles(carried.described())


def _over_rows(
    items: Items,
    start: int,
    stop: int,
    body_fn: Body,
    extra_test: Test | None,
    init: Values,
    names: tuple[str, ...],
) -> Values:
    return _counting(items, start, stop, body_fn, extra_test, init, names, {}, stop > start)


def _counted(
    items: Items,
    count: Any,
    body_fn: Body,
    extra_test: Test | None,
    init: Values,
    names: tuple[str, ...],
    options: Mapping[str, Any],
) -> Values:
    # A symbolic dimension cannot be an operand, a tensor can.
    stop = count if isinstance(count, torch.Tensor) else torch.full((), count)
    return _counting(items, 0, stop, body_fn, extra_test, init, names, options, False)


def _counting(
    items: Items,
    start: int,
    stop: Any,
    body_fn: Body,
    extra_test: Test | None,
    init: Values,
    names: tuple[str, ...],
    options: Mapping[str, Any],
    runs: bool,
) -> Values:
    columns = list(items.columns)

    def test(index: Any, *state: Any) -> Any:
        more = index < stop
        if extra_test is None:
            return more
        return torch.logical_and(more, _tensor(truth(extra_test(*state))))

    def body(index: Any, *state: Any) -> Values:
        rows = [_row(column, index) for column in columns]
        return (index + 1, *body_fn(items.item(rows, index), *state))

    named = ("the number of the iteration", *names)
    runs = runs and surely(extra_test, init, is_traced)
    return while_loop(test, body, (start, *init), named, options, runs)[1:]


WAYS = Ways(is_traced, cond, _over_rows, _counted)
