"""Datasets of the values of a Python generator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from runtime.core import dtypes, nest
from runtime.core.spec import TensorSpec
from runtime.data.elements import aligned, aligned_argument, as_element, flat
from runtime.data.pipelines import Element, Pipeline
from runtime.ops.base.convert import convert_to_tensor


class Generated:
    """Creates a pipeline of the values of a Python generator."""

    def __init__(self, generator: Callable[..., Any], spec: object) -> None:
        self._generator = generator
        self._spec = spec

    def __call__(self, *args: object) -> Pipeline:
        """Return the pipeline of a generator with these arguments."""

        def elements() -> Iterator[Element]:
            values = self._generator(*args)
            if not (hasattr(values, "__iter__") or hasattr(values, "__getitem__")):
                raise TypeError(
                    f"`generator` returned {values!r}: it has to yield elements, or to return an "
                    "iterable."
                )
            yield from map(self._components, iter(values))

        return Pipeline(elements)

    def _components(self, given: object) -> Element:
        try:
            parts = aligned(self._spec, given)
        except (KeyError, TypeError, ValueError):
            raise TypeError(
                "`generator` yielded an element that did not match the expected structure. The "
                f"expected structure was {self._spec}, but the yielded element was {given!r}."
            ) from None
        pairs = zip(parts, flat(self._spec), strict=True)
        return tuple(_component(leaf, spec) for leaf, spec in pairs)


def _component(leaf: object, spec: TensorSpec) -> Any:
    try:
        array = convert_to_tensor(leaf, spec.dtype).array  # type: ignore[attr-defined]
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"`generator` yielded an element that could not be converted to the expected type. The "
            f"expected type was {spec.dtype.name}, but the yielded element was {leaf!r}."
        ) from error
    if not spec.shape.is_compatible_with(np.shape(array)):
        raise TypeError(
            f"`generator` yielded an element of shape {np.shape(array)} where an element of shape "
            f"{spec.shape} was expected."
        )
    return array


def signature_of(types: object, shapes: object, signature: object) -> Any:
    """Return the specs of elements from dtypes and shapes, or from specs."""
    if signature is not None:
        if types is not None or shapes is not None:
            raise TypeError(
                "The `output_types` and `output_shapes` arguments can not be used together with "
                "the `output_signature` argument."
            )
        return as_element(signature, lambda leaf: leaf)
    if types is None:
        raise TypeError("Either `output_signature` or `output_types` must be specified.")
    kinds = nest.map_structure(dtypes.as_dtype, types)
    if shapes is None:
        return nest.map_structure(lambda dtype: TensorSpec(None, dtype), kinds)
    found = aligned_argument("output_shapes", kinds, shapes)
    pairs = zip(found, nest.flatten(kinds), strict=True)
    return nest.pack_sequence_as(kinds, [TensorSpec(dims, dtype) for dims, dtype in pairs])
