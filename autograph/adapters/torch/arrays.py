"""PyTorch's tensors, as `forms` wants to know them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import Any

import torch
from torch import DisableTorchFunction
from torch.fx.experimental.proxy_tensor import disable_proxy_modes_tracing
from torch.utils import _pytree as pytree  # PyTorch's structures have no public module.

from autograph.adapters.forms import NUMBERS, Forms, Leaf
from autograph.adapters.possibly import Held, Maybe, Possibly, read_outside, refuse_outside
from autograph.adapters.refusals import not_one_truth
from autograph.adapters.torch.numbers import KINDS, SAMPLES, check_fits, is_number, kind_of
from autograph.adapters.torch.refusals import refuse_unknown_size
from autograph.operators.moved import Parted
from autograph.operators.variables import Undefined
from autograph.values import Value


class TorchArrays:
    """See `forms.Arrays`. Structures are PyTorch's pytrees."""

    def leaf(self, value: object) -> Leaf | None:
        """Dtype, shape and device."""
        if not isinstance(value, torch.Tensor):
            return None
        with DisableTorchFunction():  # To ask for it is no use of the tensor.
            return Leaf(value.dtype, tuple(value.shape), is_number(value), value.device)

    def number(self, value: object) -> Leaf:
        """What holds a Python number."""
        return Leaf(KINDS[NUMBERS.index(type(value))], (), True, None)

    def join(self, a: Leaf, b: Leaf) -> Leaf | None:
        """Return the dtype that PyTorch promotes both to; None for two devices."""
        with untraced():
            dtype = _promoted(a, b)
        places = {leaf.place for leaf in (a, b)} - {None}
        if len(places) > 1:
            return None
        return Leaf(dtype, a.shape, a.weak and b.weak, places.pop() if places else None)

    def flatten(self, value: object) -> tuple[list[str], list[Any], Any]:
        """Return the leaves of a pytree."""
        entries, tree = pytree.tree_flatten_with_path(value, is_leaf=_is_leaf)
        paths = [pytree.keystr(path) for path, _ in entries]
        return paths, [leaf for _, leaf in entries], tree

    def unflatten(self, tree: object, leaves: list[Any]) -> Any:
        """Return the pytree."""
        return pytree.tree_unflatten(leaves, tree)

    def cast(self, value: object, leaf: Leaf) -> Any:
        """Return a tensor of its own with this dtype: outputs may share no memory with anything."""
        if not isinstance(value, torch.Tensor):
            check_fits(value, leaf.dtype)
            return torch.full((), value, dtype=leaf.dtype, device=leaf.place)
        return copied(value.to(leaf.dtype))

    def placeholder(self, leaf: Leaf) -> Any:
        """Zeros."""
        return torch.zeros(leaf.shape, dtype=leaf.dtype, device=leaf.place)


leaves_in, tree_map = pytree.tree_leaves, pytree.tree_map


def map_tensors(function: Callable[[Any], Any], value: object) -> Any:
    """Return a structure with what a function makes of its tensors."""
    return pytree.tree_map_only(torch.Tensor, function, value)


def tensors_in(value: object) -> list[Any]:
    """Return the tensors of a structure, but those of variables that may have no value."""
    leaves = pytree.tree_leaves(value, is_leaf=_is_not_looked_into)
    return [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]


def _is_not_looked_into(value: object) -> bool:
    return isinstance(value, (Held, Parted))


def untraced() -> AbstractContextManager[Any]:
    """Surround operations that are no part of a trace."""
    return disable_proxy_modes_tracing()


# ---- elements ----


def place(tensor: Any) -> int:
    """What tensors have in common that show the same elements."""
    with DisableTorchFunction():
        try:
            return id(tensor.untyped_storage())
        except NotImplementedError:  # Sparse tensors have none.
            return id(tensor)


def version_of(tensor: Any) -> int:
    """Return how often the elements were changed, which there is no public way to ask for."""
    return 0 if tensor.is_inference() else int(tensor._version)


def copied(tensor: Any) -> Any:
    """Return a copy that may leave a function: contiguous, and without shared memory."""
    if tensor.layout is torch.strided and not _is_zero(tensor.storage_offset()):
        # Inductor drops a clone, and refuses branches whose outputs have different offsets.
        tensor = torch.where(torch.full((), True, device=tensor.device), tensor, tensor)
    return tensor.clone(memory_format=torch.contiguous_format)


def _is_zero(number: object) -> bool:
    return type(number) is int and number == 0  # A symbol may be anything.


def copied_as(layout: Any, tensor: Any) -> Any:
    """Return a copy of the layout of another tensor: it decides which operations give views."""
    if layout.layout is not torch.strided or layout.is_contiguous() or _overlaps(layout):
        return tensor.clone()
    strides = layout.size(), layout.stride()
    return torch.empty_strided(*strides, dtype=tensor.dtype, device=tensor.device).copy_(tensor)


def _overlaps(tensor: Any) -> bool:
    sizes = zip(tensor.shape, tensor.stride(), strict=True)
    return any(size > 1 and not stride for size, stride in sizes)


def apart(tensors: Iterable[Any]) -> list[Any]:
    """Return the tensors; copies where two share elements, as operators refuse."""
    places: set[int] = set()
    operands = []
    for tensor in tensors:
        where = place(tensor)
        operands.append(tensor.clone() if where in places else tensor)
        places.add(where)
    return operands


# ---- dtypes ----


def _promoted(a: Leaf, b: Leaf) -> torch.dtype:
    if a.weak == b.weak:
        return torch.promote_types(a.dtype, b.dtype)
    tensor, number = (b, a) if a.weak else (a, b)
    sample: Any = torch.empty(tensor.shape and (1,), dtype=tensor.dtype, device="meta")
    return torch.result_type(sample, SAMPLES[kind_of(number.dtype)])


def _is_leaf(value: object) -> bool:
    return value is None or isinstance(value, (Undefined, Held))


class TorchPossibly(Possibly):
    """A variable of an exported program that may have no value."""

    __slots__ = ()


class TorchMaybe(Maybe):
    """A variable of an exported program that may be None."""

    __slots__ = ()


FORMS = Forms(TorchArrays(), TorchPossibly, TorchMaybe)


def truth(value: object) -> Any:
    """Return the truth of a value as a bool scalar.

    Raises: StagingError, which surfaces as RuntimeError, for a tensor of several elements.
    """
    if isinstance(value, Held):
        value = value.read()
    if not isinstance(value, torch.Tensor):
        refuse_unknown_size(value)
        return bool(value)
    if value.dim() and value.numel() != 1:
        shown = FORMS.of(value).described()
        raise not_one_truth(f"a tensor {shown}", RuntimeError)
    scalar = value.reshape(())
    return scalar if scalar.dtype is torch.bool else scalar != 0


def _flatten_held(value: Value) -> tuple[list[Any], None]:
    return [read_outside(value)], None


# What leaves an exported function is flattened: a variable without a value is refused there.
for _kind in (TorchPossibly, TorchMaybe):
    pytree.register_pytree_node(
        _kind,
        _flatten_held,
        lambda children, _: next(iter(children)),
        flatten_with_keys_fn=lambda value: ([(pytree.SequenceKey(0), read_outside(value))], None),
        serialized_type_name=f"autograph.{_kind.__name__}",
    )


# A list that refuses every use refuses to leave an exported function, too.
pytree.register_pytree_node(
    Parted,
    refuse_outside,
    lambda _, __: None,
    flatten_with_keys_fn=refuse_outside,
    serialized_type_name="autograph.Parted",
)
