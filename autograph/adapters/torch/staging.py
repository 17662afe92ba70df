"""PyTorch: what converted code does with tensors while a program is exported.

That is under `torch.export.export(module, args)` and under `make_fx`. Everywhere else tensors have
values, and take the plain Python path. `torch.export(strict=True)` and `torch.compile` read the
bytecode of a program themselves: they cannot read converted code.

A staged branch or loop changes tensors of the program around it as PyTorch does: what it changes
is written back after it, and every other name of the tensor sees that. Where it depends on what
runs whether two names are those of one tensor, changing it is refused.

>>> import autograph
>>> from torch.fx.experimental.proxy_tensor import make_fx
>>> space = autograph.exec("def f(x):\\n    while x < 100:\\n        x = 2 * x\\n    return x\\n")
>>> print(make_fx(autograph.to_graph(space["f"]))(torch.tensor(3))(torch.tensor(7)))
tensor(112)
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from autograph.adapters.library import Library, value_of
from autograph.adapters.refusals import Unsettled, place_of, refusal
from autograph.adapters.tables import ONE_BY_ONE
from autograph.adapters.torch.arrays import FORMS, tree_map, truth
from autograph.adapters.torch.control_flow import FAILURES, WAYS
from autograph.adapters.torch.gradients import detached
from autograph.adapters.torch.indices import ROW, assigned, row_of
from autograph.adapters.torch.modules import convert_module
from autograph.adapters.torch.numbers import check_fits, is_loose, is_number, loosen
from autograph.adapters.torch.outside import call, entangle, in_function, note_statement
from autograph.adapters.torch.refusals import transformed_inside
from autograph.staging import CannotRoll, trace
from autograph.values import Value

_LISTS = (torch.nn.ModuleList, torch.nn.ParameterList, torch.nn.Sequential)


class _Checks(threading.local):
    """The numbers of the checks of a staged statement, by their texts."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}


_checks = _Checks()


class TorchStaging(Library):
    """The staging library of PyTorch; see `autograph.staging.StagingLibrary`."""

    name = "torch"
    arrays = "tensors"
    namespace = torch
    several_truths = RuntimeError
    tree_map = staticmethod(tree_map)

    @contextmanager
    def around_call(
        self, function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Iterator[Callable[[Any], Any]]:
        """See what a program does to tensors around its staged statements, and to objects."""
        with self.failures.program() as finish_checks, call(function, args, kwargs) as finish:
            yield finish_checks if finish is None else lambda result: finish(finish_checks(result))

    def get_item(self, target: object, index: object) -> Any:
        """`target[index]` of a container of Python's, with a traced index."""
        if trace.rolling:
            raise CannotRoll  # Python would compute with the item in double precision
        if isinstance(target, _LISTS):
            raise refusal(
                f"an item of a {type(target).__name__} is chosen by a tensor.", ONE_BY_ONE
            )
        return super().get_item(target, index)

    def convert_object(self, entity: Any, decorate: Callable[[Any], Any]) -> Any:
        """Convert a module or a class of modules; NotImplemented for other values."""
        kind = entity if isinstance(entity, type) else type(entity)
        if not issubclass(kind, torch.nn.Module):
            return NotImplemented
        return convert_module(entity, decorate)

    def builtin(self, name: str, *args: object, **kwargs: object) -> Any:
        """Call the built-in function on tensors; NotImplemented for Python's own."""
        note_statement()
        result = super().builtin(name, *args, **kwargs)
        if (name in _OF_NUMBERS or name.startswith("math.")) and torch.is_tensor(result):
            result = result.clone()  # It may show elements of an argument.
            loosen(result)
        elif name in _OF_ARGUMENTS and result is not NotImplemented:
            values = args[:1] if name.endswith("_by") else args
            self._are_copies(values, [result], f"what `{name.partition('_')[0]}` gives is a copy")
        return result

    def negated(self, truth: object) -> Any:
        """`not truth`."""
        note_statement()
        return torch.logical_not(truth)

    def flipped(self, array: object) -> Any:
        """Return the tensor with its last row first."""
        return torch.flip(array, (0,))

    def least(self, a: object, b: object) -> Any:
        """Return the smaller of two lengths."""
        return torch.minimum(torch.as_tensor(a), torch.as_tensor(b))

    def stacked(self, items: Sequence[Any]) -> Any:
        """One tensor with these rows. Raises Unsettled."""
        if all(isinstance(item, (torch.Tensor, bool, int, float, complex)) for item in items):
            tensors = [torch.as_tensor(item) for item in items]
            if len({(tensor.shape, tensor.dtype) for tensor in tensors}) == 1:
                return torch.stack(tensors)
        raise Unsettled("the items of a list do not make one tensor")

    def count(self, start: Value, stop: Value, step: Value) -> Any:
        """Return the number of items of a range."""
        for bound in (start, stop, step):
            if isinstance(bound, torch.Tensor) and bound.dtype.is_floating_point:
                raise TypeError(f"range takes integers, not a tensor of {bound.dtype}")
        if isinstance(step, torch.Tensor):
            raise refusal("the step of a range is a tensor.", "Use a Python int.")
        if step == 0:
            raise ValueError("range() arg 3 must not be zero")
        steps = -torch.floor_divide(torch.as_tensor(start - stop), step)
        return torch.clamp(steps, min=0)

    def contains(self, container: Value, item: Value) -> Any:
        """`item in container`."""
        container, item = value_of(container), value_of(item)
        if torch.is_tensor(container):
            return (container == item).any()
        return super().contains(container, item)

    def fail_when(self, condition: object, error: BaseException) -> None:
        """Raise RuntimeError with this error's text; from a staged statement after it."""
        if "PreDispatchTorchFunctionMode" in str(error):  # PyTorch's own, where `vmap` begins
            raise transformed_inside("Vmap", place_of(error))
        note_statement()
        text = _checked_text(error)
        if in_function():
            # A loop may be traced again, with the same numbers.
            numbers = _checks.numbers
            FAILURES.fail(condition, numbers.setdefault(text, len(numbers) + 1))
        else:
            # Public assertions take no text, or need the value now: no check would be in a graph.
            torch._assert_async(torch.logical_not(torch.as_tensor(condition)), text)

    def after_statement(self, failure: object) -> None:
        """PyTorch keeps no check in branches and loops: they are checked here."""
        if in_function():
            return
        numbers, _checks.numbers = _checks.numbers, {}
        for text, number in numbers.items():
            holds = failure != number
            if isinstance(holds, torch.Tensor):
                torch._assert_async(holds, text)
            elif not holds:  # an unrolled loop always raises it
                raise RuntimeError(text)

    def number(self, value: Value) -> Any:
        """Return a scalar in double precision."""
        is_tensor = torch.is_tensor(value)
        return (
            _BUILTINS["float"](value) if is_tensor else torch.full((), value, dtype=torch.float64)
        )

    def scalar_index(self, index: Value) -> Any:
        """Return a copy of an index as an int64 scalar. Raises TypeError for other values."""
        if index.numel() != 1 or index.dtype.is_floating_point or index.dtype.is_complex:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return index.reshape(()).to(torch.int64, copy=True)

    def chosen_between(self, *values: Any) -> Sequence[Any]:
        """Return two values; of numbers alone as tensors, which keep their precision."""
        if all(map(is_number, values)):
            return [each.clone() if torch.is_tensor(each) else each for each in values]
        for each in values:
            check_fits(each, torch.result_type(*values))
        return values

    def stack(self, arrays: Sequence[Any]) -> Any:
        """One tensor with these rows."""
        return torch.stack(tuple(arrays))

    def row(self, array: torch.Tensor, position: Value) -> Any:
        """Return a copy of the row at a position."""
        return row_of(array, position)

    def with_row(self, array: torch.Tensor, position: Value, row: Any) -> Any:
        """Another tensor, with another row."""
        return torch.index_copy(array, 0, position.reshape(1), row.unsqueeze(0))

    def rows_were_read(self, items: Sequence[Any], item: object) -> None:
        """An item is a copy, so changing it is refused; a number gives way to others."""
        self._are_copies(items, [item], ROW)

    def rows_were_replaced(self, olds: Sequence[Any], value: object, news: Sequence[Any]) -> None:
        """The items are copies now: changing one of them, or what they were, is refused."""
        self._are_copies([*olds, value], news, ROW)

    def _are_copies(self, items: Sequence[Any], copies: Sequence[Any], what: str) -> None:
        leaves = [leaf for each in items for leaf in FORMS.leaves(each)]
        tensors = [leaf for leaf in leaves if torch.is_tensor(leaf) and not is_loose(leaf)]
        made = [leaf for each in copies for leaf in FORMS.leaves(each) if torch.is_tensor(leaf)]
        for leaf in made:
            if tensors:
                entangle(leaf, None, what)
            else:
                loosen(leaf, all(map(is_number, leaves)))
        for tensor in tensors:
            for leaf in made:
                entangle(tensor, leaf, what)

    def set_array_item(self, array: torch.Tensor, index: Value, value: Value) -> Any:
        """Return the tensor, with other elements."""
        if not assigned(array, index, value):
            array[index] = value
        return array


def _checked_text(error: BaseException) -> str:
    """Return the text of a check. Inductor writes it into C++ without escapes."""
    place = place_of(error)
    text = f"{type(error).__name__}: {error}" + (f" ({place})" if place else "")
    return text.replace("\n", " ").replace('"', "'").replace("\\", "/")


# ---- functions that are refused ----


def _refused(name: str, remedy: str) -> Callable[..., Any]:
    def refuse(*args: object, **kwargs: object) -> Any:
        raise refusal(f"{name} needs the values of a tensor of an exported program.", remedy)

    return refuse


# ---- numbers and elements ----


def _number(name: str, dtype: torch.dtype) -> Callable[..., Any]:
    def convert(value: Value, *rest: object) -> Any:
        if rest or value.numel() != 1:
            raise TypeError(f"{name}() takes a tensor of one element")
        return detached(value.reshape(())).to(dtype)  # A number of Python's has no gradient.

    return convert


def _round(value: Value, ndigits: int | None = None) -> Any:
    if not is_number(value):
        raise TypeError(f"type {type(value).__name__} doesn't define __round__ method")
    if ndigits is not None:
        raise refusal(
            "round keeps some digits of a number that is known only when the program runs.",
            "Use torch.round(x, decimals=n), which rounds the product with 10**n.",
        )
    return (torch.round(value) if value.dtype.is_floating_point else value).to(torch.int64)


_BUILTINS: dict[str, Callable[..., Any]] = {
    "divmod": lambda a, b: (a // b, a % b),
    "filter": _refused("filter", "Loop with an `if` inside, or use torch.where."),
    "float": _number("float", torch.float64),
    "int": _number("int", torch.int64),
    "round": _round,
}

_OF_NUMBERS = frozenset({"all", "any", "bool", "float", "int", "round"})
"""What gives numbers of Python's there."""

_OF_ARGUMENTS = frozenset({"max", "max_by", "min", "min_by", "sorted", "sorted_by"})
"""What gives one of its arguments, or items of it, there."""

LIBRARY = TorchStaging(WAYS, FAILURES, FORMS, torch.is_tensor, truth, _BUILTINS)
"""The staging library of PyTorch's tensors."""
