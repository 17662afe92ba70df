"""PyTorch: what converted code does with tensors while a program is exported.

That is under `torch.export.export(module, args)` and under `make_fx`. Everywhere else tensors have
values, and take the plain Python path. `torch.export(strict=True)` and `torch.compile` read the
bytecode of a program themselves: they cannot read converted code.

A staged branch or loop changes tensors of the program around it as PyTorch does: what it changes
is written back behind it, and every other name of the tensor sees that. Where it depends on what
runs whether two names are those of one tensor, changing it is refused.

>>> import autograph
>>> from torch.fx.experimental.proxy_tensor import make_fx
>>> space = autograph.exec("def f(x):\\n    while x < 100:\\n        x = 2 * x\\n    return x\\n")
>>> print(make_fx(autograph.to_graph(space["f"]))(torch.tensor(3))(torch.tensor(7)))
tensor(112)
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import torch

from autograph.adapters import torch_control_flow
from autograph.adapters.iterables import (
    Enumerate,
    Items,
    Listed,
    Map,
    Range,
    Reversed,
    Rows,
    Zip,
)
from autograph.adapters.loops import for_loop
from autograph.adapters.possibly import Possibly, negation
from autograph.adapters.refusals import Unsettled, no_other_way, refusal
from autograph.adapters.torch_arrays import TorchPossibly, truth
from autograph.adapters.torch_control_flow import WAYS
from autograph.adapters.torch_outside import (
    in_function,
    is_position,
    is_traced,
    outermost,
    position,
)
from autograph.staging import register

Outputs = tuple[Any, ...]


class TorchStaging:
    """The staging library of PyTorch; see `autograph.staging.StagingLibrary`."""

    name = "torch"

    def stages(self, value: Any) -> bool:
        """Whether the value is a tensor of a program that is being exported."""
        return is_traced(value) or isinstance(value, Items)

    def around_call(self) -> AbstractContextManager[None]:
        """Sees what a program does to tensors around its staged statements."""
        return outermost()

    def cond(
        self,
        test: Any,
        if_fn: Callable[[], Outputs],
        else_fn: Callable[[], Outputs],
        names: tuple[str, ...],
    ) -> Outputs:
        """The outputs of one of two branches."""
        return torch_control_flow.cond(test, if_fn, else_fn, names)

    def while_loop(
        self,
        test_fn: Callable[..., Any],
        body_fn: Callable[..., Outputs],
        init: Outputs,
        names: tuple[str, ...],
        options: Mapping[str, Any],
    ) -> Outputs:
        """The state after a loop."""
        with no_other_way():
            return torch_control_flow.while_loop(test_fn, body_fn, init, names, options)

    def for_loop(
        self,
        iterable: Any,
        body_fn: Callable[..., Outputs],
        extra_test: Callable[..., Any] | None,
        init: Outputs,
        names: tuple[str, ...],
        options: Mapping[str, Any],
    ) -> Outputs:
        """The state after a loop over items."""
        items = _as_items(iterable)
        with no_other_way():
            return for_loop(WAYS, items, body_fn, extra_test, init, names, options)

    def and_(self, a: Any, b: Callable[[], Any]) -> Any:
        """`a and b()`."""
        return self.cond(a, lambda: (b(),), lambda: (a,), ("the result of `and`",))[0]

    def or_(self, a: Any, b: Callable[[], Any]) -> Any:
        """`a or b()`."""
        return self.cond(a, lambda: (a,), lambda: (b(),), ("the result of `or`",))[0]

    def not_(self, a: Any) -> Any:
        """`not a`."""
        value = _value(a)
        return negation(value, torch.logical_not(truth(value)))

    def contains(self, container: Any, item: Any) -> Any:
        """`item in container`."""
        container, item = _value(container), _value(item)
        if isinstance(container, torch.Tensor):
            return (container == item).any()
        if isinstance(container, str):
            return item in container
        found: Any = torch.full((), False)
        for member in container:
            same = True if member is item else truth(member == item)
            found = torch.logical_or(found, torch.as_tensor(same))
        return found

    def assert_(self, test: Any, message: Callable[[], Any]) -> None:
        """A check when the program runs, which raises RuntimeError."""
        if in_function():
            raise refusal(
                "an assert stands in a staged branch or loop, where PyTorch keeps no check.",
                "Put it before or behind the statement, or test a Python value.",
            )
        torch._assert_async(truth(test), str(message()))

    def raise_when(self, condition: Any, error: BaseException) -> None:
        """Raises RuntimeError with this error's text when the program runs."""
        if in_function():
            raise refusal(
                f"`raise {type(error).__name__}` stands in nested staged statements, where PyTorch "
                f"keeps no check. Its text is: {error}",
                "Raise it before or behind the outer statement.",
            )
        text = f"{type(error).__name__}: {error}"
        torch._assert_async(torch.logical_not(truth(condition)), text)

    def builtin(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """The built-in function on tensors; NotImplemented for Python's own."""
        function = _BUILTINS.get(name)
        if function is None:
            return NotImplemented
        return function(*map(_value, args), **kwargs)

    def set_item(self, target: Any, index: Any, value: Any) -> Any:
        """The tensor, with other elements."""
        tensor = _value(target)
        if is_position(index):
            rows = torch.as_tensor(value, dtype=tensor.dtype).expand(tensor.shape[1:])
            return tensor.index_copy_(0, position(tensor, index), rows.unsqueeze(0))
        tensor[index] = value
        return tensor


def _value(value: Any) -> Any:
    return value.read() if isinstance(value, Possibly) else value


# ---- what loops go through ----


class _Range(Range):
    """`range` of tensors."""


class _Enumerate(Enumerate):
    """`enumerate` of tensors."""


class _Zip(Zip):
    """`zip` of tensors."""


class _Map(Map):
    """`map` over tensors."""


class _Reversed(Reversed):
    """`reversed` of tensors."""


def _as_items(value: Any) -> Items:
    value = _value(value)
    if isinstance(value, Items):
        return value
    if isinstance(value, torch.Tensor):
        return Rows(value)
    if isinstance(value, range):
        return Range(value.start, value.stop, value.step, lambda *_: len(value))
    if hasattr(value, "__len__") and hasattr(value, "__iter__"):
        return Listed(value if isinstance(value, (list, tuple)) else list(value), _stacked)
    raise refusal(
        f"a {type(value).__name__} goes together with tensors in one loop, but it does not tell "
        "how many items it has.",
        "Make a list of it.",
    )


def _stacked(items: Sequence[Any]) -> Any:
    if all(isinstance(item, (torch.Tensor, bool, int, float, complex)) for item in items):
        tensors = [torch.as_tensor(item) for item in items]
        if len({(tensor.shape, tensor.dtype) for tensor in tensors}) == 1:
            return torch.stack(tensors)
    raise Unsettled("the items of a list do not make one tensor")


def _count(start: Any, stop: Any, step: Any) -> Any:
    for bound in (start, stop, step):
        if isinstance(bound, torch.Tensor) and bound.dtype.is_floating_point:
            raise TypeError(f"range takes integers, not a tensor of {bound.dtype}")
    if isinstance(step, torch.Tensor):
        raise refusal("the step of a range is a tensor.", "Use a Python int.")
    if step == 0:
        raise ValueError("range() arg 3 must not be zero")
    steps = -torch.floor_divide(torch.as_tensor(start - stop), step)
    return torch.clamp(steps, min=0)


def _shortest(lengths: list[Any]) -> Any:
    least = lengths[0]
    for length in lengths[1:]:
        if isinstance(least, torch.Tensor) or isinstance(length, torch.Tensor):
            least = torch.minimum(torch.as_tensor(least), torch.as_tensor(length))
        else:
            least = min(least, length)
    return least


def _range(*bounds: Any) -> Range:
    start, stop, step = (0, *bounds, 1) if len(bounds) == 1 else (*bounds, 1)[:3]
    return _Range(start, stop, step, _count)


def _enumerate(iterable: Any, start: Any = 0) -> Enumerate:
    return _Enumerate(_as_items(iterable), start)


def _zip(*iterables: Any, strict: bool = False) -> Zip:
    parts = [_as_items(iterable) for iterable in iterables]
    lengths = [part.length() for part in parts]
    if strict and not all(isinstance(length, int) for length in lengths):
        raise refusal(
            "zip(strict=True) compares lengths that are known only when the program runs.",
            "Leave strict out.",
        )
    if strict and len(set(lengths)) > 1:
        raise ValueError(f"zip() arguments have different lengths: {lengths}")
    return _Zip(parts, _shortest)


def _map(function: Callable[..., Any], *iterables: Any) -> Map:
    return _Map(function, _zip(*iterables))


def _reversed(iterable: Any) -> Reversed:
    return _Reversed(_as_items(iterable), lambda column: torch.flip(column, (0,)))


def _refused(name: str, remedy: str) -> Callable[..., Any]:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise refusal(f"{name} needs the values of a tensor of an exported program.", remedy)

    return refuse


# ---- numbers and elements ----


def _number(name: str, dtype: Callable[[], Any]) -> Callable[..., Any]:
    def convert(value: Any, *rest: Any) -> Any:
        if rest or value.numel() != 1:
            raise TypeError(f"{name}() takes a tensor of one element")
        return value.reshape(()).to(dtype())

    return convert


def _round(number: Any, ndigits: int | None = None) -> Any:
    if ndigits is None:
        return torch.round(number).to(torch.int64)
    return torch.round(number, decimals=ndigits)


def _length(value: Any) -> Any:
    if isinstance(value, Items):
        return value.length()
    if value.dim() == 0:
        raise TypeError("len() of a 0-d tensor")
    return value.shape[0]


def _elements(name: str, value: Any) -> Any:
    if isinstance(value, Items):
        value = torch.stack(list(value))
    if value.dim() != 1:
        raise refusal(
            f"{name} goes over a tensor of shape {tuple(value.shape)}, the rows of which have no "
            "single truth.",
            f"Use the function of torch with a dimension in place of {name}.",
            RuntimeError if value.dim() else TypeError,
        )
    return value


def _extreme(name: str, reduce: Any, least: Any, replaces: Any) -> Callable[..., Any]:
    def over(value: Any) -> Any:
        tensor = _elements(name, value)
        if not tensor.dtype.is_floating_point:
            return reduce(tensor)
        # As in Python, which compares in order, NaN wins at the first place only.
        others = torch.where(torch.isnan(tensor), torch.full_like(tensor, least), tensor)
        return torch.where(torch.isnan(tensor[0]), tensor[0], reduce(others))

    def function(*args: Any, **options: Any) -> Any:
        if options:
            raise refusal(
                f"{name} with {', '.join(options)} chooses among values that are not known yet.",
                "Use torch.argmin or torch.argmax of the keys as an index.",
            )
        if len(args) == 1:
            return over(args[0])
        best = args[0]
        for value in args[1:]:
            best = torch.where(truth(replaces(value, best)), value, best)
        return best

    return function


def _sum(iterable: Any, start: Any = 0) -> Any:
    if not isinstance(iterable, torch.Tensor):
        return builtins.sum(iterable, start)
    if iterable.dim() == 0:
        raise TypeError("iteration over a 0-d tensor")
    return start + torch.sum(iterable, dim=0)


def _quantified(name: str, reduce: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda iterable: reduce(_elements(name, iterable) != 0)


def _sorted(iterable: Any, *, key: Any = None, reverse: bool = False) -> list[Any]:
    if key is not None:
        raise refusal("sorted with a key compares traced values.", "Index with torch.argsort.")
    return list(torch.sort(_elements("sorted", iterable), descending=reverse).values)


_BUILTINS: dict[str, Callable[..., Any]] = {
    "all": _quantified("all", torch.all),
    "any": _quantified("any", torch.any),
    "bool": truth,
    "enumerate": _enumerate,
    "filter": _refused("filter", "Loop with an `if` inside, or use torch.where."),
    "float": _number("float", torch.get_default_dtype),
    "int": _number("int", lambda: torch.int64),
    "len": _length,
    "map": _map,
    "max": _extreme("max", torch.max, -torch.inf, lambda value, best: value > best),
    "min": _extreme("min", torch.min, torch.inf, lambda value, best: value < best),
    "print": _refused("print", "Return the value, and print it outside of the program."),
    "range": _range,
    "reversed": _reversed,
    "round": _round,
    "sorted": _sorted,
    "sum": _sum,
    "zip": _zip,
}

LIBRARY = TorchStaging()
"""The staging library of PyTorch's tensors."""

for _kind in (TorchPossibly, _Range, _Enumerate, _Zip, _Map, _Reversed):
    register(_kind, LIBRARY)
