"""Lists as tables: their items as the rows of one tensor, and those of lists in a list as entries.

Before:  rows = [[1, 2], [3, 4]]
After:   table_of_rows(rows) is the tensor [[1, 2], [3, 4]]

>>> import runtime as tf
>>> table_of([1, 2.5]).numpy().tolist(), table_of([1, "one"])
([1.0, 2.5], None)
>>> table_of_rows([[1, 2], [3, 4]]).numpy().tolist()
[[1, 2], [3, 4]]
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from runtime.control_flow.values import forms, joins, layouts
from runtime.control_flow.values.forms import Form, Leaf, Stack
from runtime.control_flow.values.growing import GrowingList
from runtime.control_flow.values.stacks import stack_of
from runtime.core.tensor import Tensor
from runtime.ops.base.convert import constant_of, weakened
from runtime.ops.base.values import PLAIN_NUMBERS


def table_of(items: Sequence[Any], leaf: Leaf | None = None) -> Tensor | None:
    """Stack the elements as the rows of one tensor; None without a common dtype and shape.

    `leaf` is a form that covers them, if it is known.
    """
    leaf = leaf or _leaf_of(items)
    if leaf is None:
        return None
    if isinstance(items, GrowingList):
        return layouts.tensors(Stack(leaf, len(items)), items)[0]
    convert = partial(layouts.element_tensor, leaf)
    return stack_of(items, leaf.spec.dtype, leaf.weak, convert)


def has_list_of_graph(rows: Sequence[Any]) -> bool:
    """Return whether one of several lists is a list of the graph."""
    return any(isinstance(each, GrowingList) for each in rows)


def table_of_rows(rows: Sequence[Any], leaf: Leaf | None = None) -> Tensor | None:
    """Return the items of lists of equal length as one tensor, or None.

    `leaf` is a form that covers them, if it is known.
    """
    leaf = leaf or leaf_of_rows(rows)
    if leaf is None:
        return None
    if not has_list_of_graph(rows) and all(
        type(item) in PLAIN_NUMBERS for each in rows for item in each
    ):
        return weakened(constant_of(np.array(rows, leaf.spec.dtype.numpy_dtype)), leaf.weak)
    return table_of([table_of(each, leaf) for each in rows])


def leaf_of_rows(rows: Sequence[Any], *values: object) -> Leaf | None:
    """Return the leaf that covers all items of lists, and further values, or None."""
    found: list[Form] = []
    for each in rows:
        leaf = _leaf_of(each)
        if leaf is None:
            return None
        found.append(leaf)
    return joins.common_leaf([*found, *map(forms.form_of, values)])


def _leaf_of(items: Any) -> Leaf | None:
    """Return the leaf that covers all items of a list, or None."""
    if isinstance(items, GrowingList):
        element = getattr(forms.form_of(items), "element", None)
        return element if isinstance(element, Leaf) else None
    return joins.common_leaf_of(items)
