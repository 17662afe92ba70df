"""Variables of graphs built by hand: a handle in the graph, a value in each Session."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.errors import FailedPreconditionError
from runtime.core.opdef import Effect, sample
from runtime.core.shapes import Dims
from runtime.core.spec import spec_of
from runtime.core.tensor import EagerTensor
from runtime.ops.base.define import define_op
from runtime.state.cells import HANDLE, RESOURCE, Cell


class NamedCell(Cell):
    """The storage of one variable in a Session."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        """Create empty storage for the variable `name`."""
        super().__init__()
        self.name = name

    def read(self) -> Any:
        """Return the array. Raises FailedPreconditionError before the variable is initialized."""
        value = self.peek()
        if value is None:
            raise FailedPreconditionError.of(
                f"Could not find variable {self.name}. This could mean that the variable has been "
                "deleted. In TF1, it can also mean the variable is uninitialized. Attempting to "
                f"use uninitialized value {self.name}: run its initializer in this Session first, "
                "for instance with sess.run(runtime.compat.v1.global_variables_initializer()).",
            )
        return value


def _new_cell(xp: object, shared_name: str, dtype: DType, shape: Dims) -> Cell:
    return NamedCell(shared_name)


VAR_HANDLE = define_op(
    "VarHandleOp",
    {},
    lambda shared_name, dtype, shape: RESOURCE,
    _new_cell,
    boxed=True,
    samples=(sample(shared_name="v", dtype=dtypes.float32, shape=()),),
)
IS_INITIALIZED = define_op(
    "VarIsInitializedOp",
    {"resource": HANDLE},
    lambda cell: spec_of(dtypes.bool, ()),
    lambda xp, cell: xp.array(cell.peek() is not None),
    effect=Effect.READ,
    samples=(sample(EagerTensor(Cell(np.float32(1)), RESOURCE)),),
)
