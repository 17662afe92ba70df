"""Operands of slices as indices of NumPy arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import EllipsisType

MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")


Entry = int | slice | EllipsisType | None


def numpy_index(
    begin: Sequence[int], end: Sequence[int], strides: Sequence[int], masks: Mapping[str, int]
) -> tuple[Entry, ...]:
    """Return the index that a NumPy array takes for the operands of a slice.

    >>> numpy_index([1, 0], [2, 9], [1, 2], dict.fromkeys(MASKS, 0))
    (slice(1, 2, 1), slice(0, 9, 2))
    """
    index: list[Entry] = []
    for i in range(len(begin)):
        bit = 1 << i
        if masks["ellipsis_mask"] & bit:
            index.append(Ellipsis)
        elif masks["new_axis_mask"] & bit:
            index.append(None)
        elif masks["shrink_axis_mask"] & bit:
            index.append(int(begin[i]))
        else:
            start = None if masks["begin_mask"] & bit else int(begin[i])
            stop = None if masks["end_mask"] & bit else int(end[i])
            index.append(slice(start, stop, int(strides[i])))
    return tuple(index)
