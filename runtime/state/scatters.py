"""Ops that update rows or slices of a variable atomically."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from runtime.core.opdef import ANY, INDEX, NUMERIC, DTypes, Effect, Storage, sample
from runtime.core.tensor import EagerTensor
from runtime.ops.base.define import Op, define_op
from runtime.ops.items.scattering import Put, at_once, put_checked, replace
from runtime.state.cells import HANDLE, RESOURCE, Cell

_PUTS: dict[str, tuple[Put, DTypes]] = {
    "Update": (replace, ANY),
    "Add": (at_once("add"), NUMERIC),
    "Sub": (at_once("subtract"), NUMERIC),
}


def _change_rows(put: Put, xp: Any, cell: Cell, indices: Any, updates: Any) -> tuple[()]:
    def put_rows(array: Any) -> None:
        rows = updates
        if not np.ndim(rows):
            rows = xp.broadcast_to(rows, (*indices.shape, *array.shape[1:]))
        put_checked(put, xp, array, xp.expand_dims(indices, -1), rows)

    cell.change(put_rows)
    return ()


def _change_slices(put: Put, xp: object, cell: Cell, indices: object, updates: object) -> tuple[()]:
    cell.change(lambda array: put_checked(put, xp, array, indices, updates))
    return ()


def _define(name: str, resource: str, group: DTypes, kernel: Any, indices: object) -> Op:
    cell = EagerTensor(Cell(np.array([4.0, 2.0], np.float32)), RESOURCE)
    return define_op(
        name,
        {resource: HANDLE, "indices": INDEX, "updates": group},
        lambda cell, indices, updates: (),
        kernel,
        outputs=0,
        effect=Effect.WRITE,
        storage=Storage.IN_PLACE,
        samples=(sample(cell, indices, [1.0]),),
    )


ROWS = {
    name: _define(f"ResourceScatter{name}", "resource", group, partial(_change_rows, put), [1])
    for name, (put, group) in _PUTS.items()
}
"""Ops that update rows at positions along the first axis."""

SLICES = {
    name: _define(f"ResourceScatterNd{name}", "ref", group, partial(_change_slices, put), [[1]])
    for name, (put, group) in _PUTS.items()
}
"""Ops that update slices at index tuples."""
