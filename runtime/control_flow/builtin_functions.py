"""Python's built-in functions on tensors, with Python's semantics.

Each returns NotImplemented if Python's own function applies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from runtime.control_flow.iterables import (
    Enumerate,
    Map,
    Range,
    Reversed,
    Zip,
    as_iterable,
    flat,
)
from runtime.control_flow.truth import truth
from runtime.control_flow.values.growing import GrowingList
from runtime.control_flow.values.partial_dicts import PartialDict
from runtime.control_flow.values.staged_iterable import StagedIterable
from runtime.control_flow.values.tuples import GrowingTuple
from runtime.core import dtypes
from runtime.core.dispatch import execute
from runtime.core.errors import StagingError
from runtime.core.places import called
from runtime.core.spec import Mixed
from runtime.core.symbolic import int_or_float
from runtime.core.tensor import Tensor, TensorLike, is_operand
from runtime.ops.array.dimensions import shape
from runtime.ops.array.joining import stack
from runtime.ops.base.convert import CAST, convert_to_tensor, strong, weakened, weakness
from runtime.ops.effects import output
from runtime.ops.items.indexing import getitem
from runtime.ops.math import arithmetic, elementwise
from runtime.ops.math.casting import cast
from runtime.ops.math.complexes import complex as complex_of
from runtime.ops.math.logic import equal
from runtime.ops.math.python_numbers import FUNCTIONS, call_python, round_to
from runtime.ops.reduce import reduction
from runtime.ops.reduce.ordering import argmax
from runtime.ops.strings import texts
from runtime.ops.strings.joining import reduce_join

# ---- numbers ----


def _number(value: TensorLike, dtype: dtypes.DType) -> Tensor:
    """Return a weak tensor that represents the Python number."""
    return execute(CAST, (convert_to_tensor(value),), {"dtype": dtype}, weak=True)[0]


def _int(value: Any = 0, base: Any = None) -> Any:
    if base is not None:
        raise StagingError(
            f"`int` with the base {base} reads a text that is known when the graph runs.",
            public=TypeError,
            remedy="Compute the number from the digits in a loop.",
        )
    if texts.is_text(value):
        return texts.number_in(value, dtypes.int32)
    tensor = _real(value, int)
    may_not_fit = tensor.dtype.is_floating or tensor.dtype is dtypes.uint64
    if may_not_fit and tensor.shape.rank == 0:
        return call_python("int", tensor)
    is_narrow = tensor.dtype.size < 4 or tensor.dtype is dtypes.int32
    return _number(value, dtypes.int32 if is_narrow else dtypes.int64)


def _float(value: Any = 0.0) -> Any:
    if texts.is_text(value):
        return texts.number_in(value, dtypes.float64)
    return _number(_real(value, float), dtypes.float64)


def _complex(real: TensorLike = 0.0, imag: TensorLike = 0.0) -> Any:
    if texts.is_text(real) or convert_to_tensor(imag).dtype.is_complex:
        return NotImplemented
    if convert_to_tensor(real).dtype.is_complex:
        return _number(real, dtypes.complex128) + _float(imag) * 1j
    return weakened(complex_of(_float(real), _float(imag)))


def _real(value: TensorLike, kind: type) -> Tensor:
    """Return a number as a tensor.

    Raises: Python's TypeError for a complex number of Python's, and for several numbers.
    """
    tensor = convert_to_tensor(value)
    if tensor.shape.rank:
        raise TypeError(
            "only 0-dimensional arrays can be converted to Python scalars: "
            f"{kind.__name__}() of {tensor.spec}"
        )
    if weakness(value) and tensor.dtype.is_complex:
        kind(0j)
    return tensor


def _bool(value: object = False) -> Any:
    return _number(truth(value), dtypes.bool)


def _round(number: TensorLike, ndigits: Any = None) -> Any:
    if isinstance(ndigits, Tensor) or convert_to_tensor(number).shape.rank:
        return NotImplemented
    return call_python("round", number) if ndigits is None else round_to(number, ndigits)


def _pow(base: TensorLike, exp: TensorLike, mod: TensorLike = None) -> Any:
    return NotImplemented if mod is None else call_python("pow", base, exp, mod)


def _modf(x: TensorLike) -> tuple[Tensor, Tensor]:
    return call_python("the fraction of math.modf", x), call_python("the integer of math.modf", x)


def _frexp(x: TensorLike) -> tuple[Tensor, Tensor]:
    parts = "the mantissa of math.frexp", "the exponent of math.frexp"
    return call_python(parts[0], x), call_python(parts[1], x)


def _dist(p: Sequence[TensorLike], q: Sequence[TensorLike]) -> Tensor:
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    return call_python("math.dist", *p, *q)


def _fsum(values: Sequence[TensorLike]) -> Tensor:
    return call_python("math.fsum", *values)


def _divmod(a: TensorLike, b: TensorLike) -> tuple[Tensor, Tensor]:
    return arithmetic.floordiv(a, b), arithmetic.floormod(a, b)


# ---- iterables ----


def _length(value: object) -> Any:
    if isinstance(value, GrowingList) and value.known_length is not None:
        return value.known_length
    if isinstance(value, (GrowingList, PartialDict)):
        return weakened(value.size())
    if isinstance(value, StagedIterable):
        return value.length()
    tensor = convert_to_tensor(value)
    dims = tensor.spec.dims
    if texts.is_text(tensor):
        return texts.count_characters(tensor)
    if dims == ():
        raise TypeError("a scalar tensor has no len()")
    if dims is not None and dims[0] is not None:
        return dims[0]
    return weakened(getitem(shape(tensor), 0))


def _join(separator: str, items: Any) -> Any:
    """Join a string, or a growing list of strings, with a separator."""
    if isinstance(items, StagedIterable):
        return NotImplemented
    if texts.is_text(items):
        items = texts.characters(items)
    whole = items.stack() if isinstance(items, GrowingList) else convert_to_tensor(items)
    if whole.dtype is not dtypes.string or whole.shape.rank not in (1, None):
        return NotImplemented
    return weakened(reduce_join(whole, separator=separator))


def _range(*bounds: TensorLike) -> Range:
    return Range.of_python(0, *bounds) if len(bounds) == 1 else Range.of_python(*bounds)


def _enumerate(iterable: object, start: TensorLike = 0) -> Enumerate:
    return Enumerate(as_iterable(iterable), start)


def _zip(*iterables: object, strict: bool = False) -> Any:
    parts = list(map(as_iterable, iterables))
    if strict:
        lengths = [part.length() for part in parts]
        for position, length in enumerate(lengths[1:], 2):
            text = f"zip() argument {position} has another length than argument 1"
            _raise_unless(equal(length, lengths[0]), ValueError(text))
    return Zip(*parts)


def _raise_unless(condition: Tensor, error: Exception) -> None:
    output.raise_when(elementwise.logical_not(condition), error)


def _map(function: Callable[..., Any], *iterables: object) -> Map:
    return Map(function, *map(as_iterable, iterables))


def _reversed(iterable: object) -> Reversed:
    return Reversed(as_iterable(iterable))


# ---- elements ----


def _sum(iterable: object, start: TensorLike = 0) -> Any:
    value = iterable.stack() if isinstance(iterable, GrowingList) else iterable
    if not is_operand(value):
        return NotImplemented
    elements = convert_to_tensor(value)
    if elements.dtype is dtypes.bool:
        elements = weakened(cast(elements, dtypes.int32), weakness(elements))
    total = weakened(reduction.reduce_sum(strong(elements), axis=0), weakness(elements))
    return total if isinstance(start, int) and start == 0 else arithmetic.add(total, start)


def _quantified(name: str, reduce: Callable[..., Tensor]) -> Callable[[Any], Any]:
    def function(iterable: object) -> Any:
        elements = flat(name, iterable)
        if elements is NotImplemented:
            return NotImplemented
        return weakened(reduce(cast(elements, dtypes.bool)))

    return function


def _index(tests: Sequence[Any], value: object) -> Tensor:
    """Return the index of the first true test, one test for each element of the list."""
    whole = stack([truth(test) for test in tests])
    error = ValueError(f"{value} is not in list" if not is_operand(value) else "not in list")
    _raise_unless(reduction.reduce_any(whole), error)
    return weakened(cast(argmax(cast(whole, dtypes.int32), axis=0), dtypes.int32))


def _count(tests: Sequence[Any]) -> Tensor:
    whole = stack([truth(test) for test in tests])
    return weakened(reduction.reduce_sum(cast(whole, dtypes.int32)))


def text(value: object, conversion: str, spec: object) -> Tensor:
    """Return the text of a tensor, variable or growing list; see `texts.text_of`.

    Raises: StagingError for other staged values, which have no text.
    """
    if isinstance(value, StagedIterable):
        raise StagingError(
            f"a {type(value).__name__} of tensors would become text, but its items are known only "
            "when the graph runs.",
            public=TypeError,
            remedy="Append them to a list, and make text of that.",
        )
    if isinstance(value, GrowingTuple):
        value.refuse("becomes text")
    _refuse_mixed(value, conversion, spec)
    return texts.text_of(
        convert_to_tensor(value), conversion, spec, listed=isinstance(value, GrowingList)
    )


_SAME_TEXT = tuple("eEfFgG%")
"""Ends of format specifications with which an int and a float of one value have one text."""


def _refuse_mixed(value: object, conversion: str, spec: object) -> None:
    """Raise StagingError for the text of numbers that may be ints or floats."""
    columns = value.columns if isinstance(value, GrowingList) else [value]
    if not any(isinstance(getattr(each, "weak", None), Mixed) for each in columns):
        return
    if isinstance(value, Tensor) and not value.dtype.is_floating:
        return
    if conversion in ("", "%") and isinstance(spec, str) and spec.endswith(_SAME_TEXT):
        return
    what = "the value"
    raise int_or_float(called(value, what) if isinstance(value, Tensor) else what, "text")


BUILTINS: dict[str, Callable[..., Any]] = {
    **{name: partial(call_python, name) for name in FUNCTIONS if name.startswith("math.")},
    "abs": abs,
    "all": _quantified("all", reduction.reduce_all),
    "any": _quantified("any", reduction.reduce_any),
    "bool": _bool,
    "complex": _complex,
    "count": _count,
    "divmod": _divmod,
    "enumerate": _enumerate,
    "float": _float,
    "index": _index,
    "int": _int,
    "join": _join,
    "len": _length,
    "map": _map,
    "math.dist": _dist,
    "math.frexp": _frexp,
    "math.fsum": _fsum,
    "math.modf": _modf,
    "pow": _pow,
    "range": _range,
    "reversed": _reversed,
    "round": _round,
    "sum": _sum,
    "zip": _zip,
    **{each: partial(text, conversion=each, spec="") for each in ("bin", "chr", "hex", "oct")},
}
"""Implementations for the converter, by name; those that put values in order are in `ordering`."""
