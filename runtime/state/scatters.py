"""Ops that update rows or slices of a variable atomically."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import ANY, INDEX, NUMERIC, REAL, DTypes, Effect, Storage, sample
from runtime.core.tensor import EagerTensor
from runtime.ops.base.define import Op, define_op
from runtime.ops.items.scattering import Put, at_once, put_checked, replace
from runtime.state.cells import HANDLE, RESOURCE, Cell


def _divide(xp: Any, result: Any, index: Any, updates: Any) -> None:
    """Divide once for each occurrence of an index: a product of divisors may overflow.

    Integer quotients are rounded toward zero.
    """
    if not xp.all(updates):
        raise InvalidArgumentError.of("updates must not contain 0")
    if result.dtype.kind not in "iu":
        xp.divide.at(result, index, updates)
        return
    positions = [np.ravel(each) for each in index]
    rows = updates.reshape(-1, *result.shape[len(index) :])
    for *position, row in zip(*positions, rows, strict=True):
        old = result[tuple(position)]
        down = old // row
        result[tuple(position)] = down + ((down * row != old) & ((old < 0) != (row < 0)))


_PUTS: dict[str, tuple[Put, DTypes]] = {
    "Update": (replace, ANY),
    "Add": (at_once("add"), NUMERIC),
    "Sub": (at_once("subtract"), NUMERIC),
    "Min": (at_once("minimum"), REAL),
    "Max": (at_once("maximum"), REAL),
    "Mul": (at_once("multiply"), NUMERIC),
    "Div": (_divide, NUMERIC),
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
    if name not in ("Mul", "Div")
}
"""Ops that update slices at index tuples."""
