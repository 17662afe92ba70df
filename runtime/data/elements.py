"""Elements of datasets as programs see them: tuples and dicts of tensors; lists become tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from runtime.core import dtypes, nest
from runtime.core.shapes import generalize
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.structure import rebuild
from runtime.core.tensor import Tensor
from runtime.ops.base.convert import convert_to_tensor


def as_element(value: object, leaf: Callable[[Any], Any] = convert_to_tensor) -> Any:
    """Convert each leaf to a tensor; tuples, dicts and attrs classes are structures.

    >>> as_element({"a": [1, 2]})["a"].shape
    TensorShape([2])
    """
    if isinstance(value, Mapping):
        parts = [as_element(part, leaf) for part in value.values()]
        return rebuild(type(value), tuple(value), parts, value)
    if isinstance(value, tuple):
        parts = [as_element(part, leaf) for part in value]
        return rebuild(type(value), len(parts), parts)
    if isinstance(value, Tensor) or hasattr(type(value), "element_spec"):
        return value
    return leaf(value)


def specs_of(element: object) -> Any:
    """Return the specs of an element, in its structure."""
    return nest.map_structure(_spec, element)


def _spec(leaf: Any) -> Any:
    return leaf.spec if isinstance(leaf, Tensor) else leaf._type_spec


def packer(spec: object) -> Callable[[Iterable[Any]], Any]:
    """Return the function from the components of an element to the element."""
    if isinstance(spec, TensorSpec):
        return lambda components: next(iter(components))
    if type(spec) is tuple and all(isinstance(part, TensorSpec) for part in spec):
        return tuple
    return lambda components: nest.pack_sequence_as(spec, list(components))


def flat(spec: object) -> list[Any]:
    """Return the specs of the components."""
    return list(nest.flatten(spec))


def aligned(structure: Any, given: Any) -> list[Any]:
    """Return the argument for each component, in their structure; None: None for all.

    >>> aligned((1, {"a": 2}), ([3, None], {"a": [4]}))
    [[3, None], [4]]
    """
    if given is None:
        return [None] * len(nest.flatten(structure))
    if isinstance(structure, Mapping):
        return [each for key in sorted(structure) for each in aligned(structure[key], given[key])]
    if isinstance(structure, tuple):
        pairs = zip(structure, given, strict=True)
        return [each for part, own in pairs for each in aligned(part, own)]
    return [given]


def aligned_argument(name: str, structure: Any, given: Any) -> list[Any]:
    """Return the same for an argument. Raises TypeError unless it has that structure."""
    try:
        return aligned(structure, given)
    except (KeyError, TypeError, ValueError):
        raise TypeError(
            f"`{name}` has to have the structure of an element, {structure}, but it is {given!r}."
        ) from None


def value_of(spec: object, components: Sequence[Tensor]) -> Any:
    """Return the element of these components."""
    parts = iter(components)
    return nest.map_structure(
        lambda each: next(parts) if isinstance(each, TensorSpec) else each.of(next(parts)), spec
    )


def tensor_of(leaf: Any) -> Tensor:
    """Return the tensor that represents a part of an element; a dataset has one too."""
    return leaf if isinstance(leaf, Tensor) else leaf.variant_tensor


def tensor_spec(leaf: object) -> TensorSpec:
    """Return the spec of that tensor."""
    return leaf if isinstance(leaf, TensorSpec) else spec_of(dtypes.variant, ())


def common_spec(a: object, b: object) -> Any:
    """Return the spec that includes both. Raises TypeError for elements of different kinds."""
    try:
        return nest.map_structure(_common, a, b)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"the elements of the datasets are of different kinds: {a} and {b}."
        ) from error


def _common(a: TensorSpec, b: TensorSpec) -> TensorSpec:
    if a.dtype is not b.dtype:
        raise TypeError(f"{a.dtype.name} and {b.dtype.name}")
    return a.with_dims(generalize(a.dims, b.dims))
