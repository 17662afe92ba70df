"""The op types of the IR itself: arguments, constants and aliases."""

from __future__ import annotations

from typing import NoReturn

import numpy as np

from runtime.core.errors import InternalError
from runtime.core.opdef import (
    ANY,
    PASSED_ON,
    Emit,
    Failure,
    OpDef,
    Overflow,
    PythonOperator,
    Storage,
    register,
    sample,
)
from runtime.core.spec import TensorSpec, spec_of_array

CONSTANT_LIMIT = 128
"""A graph embeds a captured eager tensor with at most this many elements as a constant."""


def _unfed(xp: object, spec: TensorSpec) -> NoReturn:
    raise InternalError.of(f"an argument of the graph ({spec}) was not given")


PLACEHOLDER = register(OpDef("Placeholder", {}, lambda spec: spec, _unfed, failure=Failure.NEVER))

CONST = register(
    OpDef(
        "Const",
        {},
        lambda value: spec_of_array(value),
        lambda xp, value: value,
        samples=(sample(value=np.float32(2)), sample(value=np.arange(3))),
        failure=Failure.NEVER,
        emit=Emit.CONSTANT,
    )
)

IDENTITY = register(
    OpDef(
        "Identity",
        {"input": ANY},
        lambda x: x.spec,
        lambda xp, x: x,
        elementwise=True,
        grad=PASSED_ON,
        samples=(sample(3.0), sample([1, 2]), sample("text")),
        failure=Failure.NEVER,
        python=PythonOperator("{}", lambda x: x, Overflow.NEVER),
        storage=Storage.VIEW,
        emit=Emit.ALIAS,
    )
)
