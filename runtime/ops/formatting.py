"""Texts that show tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.opdef import MIXED, sample
from runtime.core.spec import spec_of
from runtime.ops.define import define_op
from runtime.ops.output import format_value


def _format(xp: Any, *values: Any, template: str, placeholder: str, summarize: int) -> Any:
    first, *rest = template.split(placeholder)
    if len(rest) != len(values):
        raise ValueError(f"{template!r} has {len(rest)} places for {len(values)} tensors")
    shown = [format_value(value, summarize) for value in values]
    text = first + "".join(a + b for a, b in zip(shown, rest, strict=True))
    return np.array(text.encode(), object)


STRING_FORMAT = define_op(
    "StringFormat",
    {"*inputs": MIXED},
    lambda *inputs, **attrs: spec_of(dtypes.string, ()),
    _format,
    samples=(sample(1.5, [1, 2], template="{} and {}", placeholder="{}", summarize=3),),
)
