"""Code for calls of a NumPy program like one that it has served; see `printed_entries`."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from runtime.core.tensor import Tensor
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.entries import Entries
from runtime.functions.printed_entries import Printer
from runtime.numpy_programs.results import Text


def remember(
    entries: Entries,
    args: tuple[Any, ...],
    concrete: ConcreteFunction,
    tensors: list[Tensor],
    name: str,
) -> None:
    """Add an entry for calls with arrays, scalars and numbers like these, which are `tensors`."""
    printer = Printer(args, {})
    if not all(map(partial(_check, printer), printer.names, printer.values)):
        return
    if len(printer.feeds) != len(tensors):
        return  # an array is the default of a parameter
    arrays, are_new = [text for text, _ in printer.feeds], concrete.makes_new
    if not are_new:  # code says so if an array is not in C order
        printer.feeds = [(_contiguous(*each), each[1]) for each in printer.feeds]
    if not printer.run(concrete):
        return
    text = Text(printer, arrays, name, are_new)
    value = text.outcome(concrete.result) if concrete.keeps_order else None
    if value is None:
        held = f"({''.join([f'{each}, ' for each in arrays])})"
        value = f"{printer.bind(concrete.value)}({printer.outputs()}).for_caller({held}, {name!r})"
    entries.add(tuple(printer.types), printer.entry(value))


def _contiguous(text: str, value: Any) -> str:
    """Return the expression of an array in C order."""
    is_array = isinstance(value, np.ndarray)
    return f"({text} if {text}.flags.c_contiguous else {text}.copy())" if is_array else text


def _check(printer: Printer, name: str, value: Any) -> bool:
    """Check an argument; return False if no check can be printed."""
    kind = type(value)
    if kind is float:
        printer.types += (kind, repr(value))
        usual = 0 < abs(value) < np.inf
        is_same = f"{name} == {value!r}" if usual else f"repr({name}) == {repr(value)!r}"
        printer.miss_if(f"type({name}) is not float or not {is_same}")
        return True
    if not issubclass(kind, (np.ndarray, np.generic)):
        return printer.constant(name, value)
    is_array = kind is np.ndarray
    usual = value.dtype.isnative and value.dtype.kind in "biufc"
    if not usual or bool(value.ndim) != is_array:
        return False
    printer.types += (kind, value.dtype, value.shape)
    printer.feeds.append((name, value))
    printer.miss_if(f"type({name}) is not {printer.bind(kind)}")
    if is_array:
        dtype = printer.bind(value.dtype)
        printer.miss_if(f"{name}.dtype is not {dtype} and {name}.dtype != {dtype}")
        printer.shapes[name] = f"{name}.shape != {value.shape}"
    return True
