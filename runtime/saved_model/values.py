"""Python values as JSON: those of attributes of operations, of arguments and of results.

None, bools, ints and texts are themselves. Everything else is an object with one entry, whose name
says what the value is: see `_ENCODERS`. Arrays are in the file of values, small ones in the text.
What has no entry here is not saved; reading makes nothing else than what is listed here.
"""

from __future__ import annotations

import builtins
import math
from collections import OrderedDict, namedtuple
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from runtime.core import errors
from runtime.core.dtypes import DType, as_dtype, from_numpy
from runtime.core.shapes import TensorShape
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.structure import rebuild
from runtime.core.tensor import EagerTensor, Tensor
from runtime.ops.random.seeds import Draws
from runtime.state.variable_type import VariableType

INLINE_BYTES = 64
"""Largest array, in bytes, stored in the JSON text: an array in the file adds about 80 bytes."""

PLAIN_DEPTH = 50
"""Maximum depth of structures of plain values."""

Json = Any


class CannotBeSaved(Exception):
    """A value that has no form in the file; the text says which one."""


class Writer:
    """Encodes values.

    Attributes:
      arrays: the arrays that go to the file of values, by name.
    """

    def __init__(self) -> None:
        self.arrays: dict[str, Any] = {}

    def encode(self, value: object) -> Json:
        """Encode a value. Raises CannotBeSaved if there is no form for it."""
        if value is None or type(value) in (bool, int, str):
            return value
        for kind, name, encode in _ENCODERS:
            if isinstance(value, kind):
                return {name: encode(self, value)}
        raise CannotBeSaved(f"a {type(value).__name__} cannot be saved: {value!r}")

    def array(self, value: object) -> Json:
        """Encode an array: in the text, or as the name that it has in the file."""
        array = np.asarray(value)
        if array.dtype != object and array.nbytes <= INLINE_BYTES:
            return [from_numpy(array.dtype).name, list(array.shape), array.tobytes().hex()]
        name = f"array/{len(self.arrays)}"
        self.arrays[name] = array
        return name


class Reader:
    """Decodes values."""

    def __init__(self, array: Callable[[str], Any]) -> None:
        self._array = array

    def decode(self, value: Json) -> Any:
        """Decode a value. Raises LookupError, TypeError or ValueError for any other text."""
        if value is None or type(value) in (bool, int, str):
            return value
        ((name, held),) = value.items()
        return _DECODERS[name](self, held)

    def array(self, held: Json) -> Any:
        """Decode an array."""
        if isinstance(held, str):
            return self._array(held)
        name, dims, text = held
        content = np.frombuffer(bytes.fromhex(text), as_dtype(name).numpy_dtype)
        return content.reshape(dims).copy()


def is_plain(value: Any, depth: int = 0) -> bool:
    """Return whether a value is a number, a string, None, bytes or a structure of them.

    >>> is_plain({"sizes": [1, 2.5], "name": "net"}), is_plain([object()])
    (True, False)
    """
    if value is None or type(value) in (bool, int, float, complex, str, bytes):
        return True
    if depth >= PLAIN_DEPTH or type(value) not in (list, tuple, dict):
        return False
    parts = (*value, *value.values()) if isinstance(value, dict) else value
    return all(is_plain(part, depth + 1) for part in parts)


def _items(writer: Writer, value: Any) -> Json:
    return [writer.encode(part) for part in value]


def _pairs(writer: Writer, value: Mapping[Any, Any]) -> Json:
    if type(value) not in (dict, OrderedDict):
        raise CannotBeSaved(f"a {type(value).__name__} cannot be saved; use a dict")
    return [[writer.encode(key), writer.encode(part)] for key, part in value.items()]


def _tuple(writer: Writer, value: tuple[Any, ...]) -> Json:
    fields = getattr(type(value), "_fields", None)
    if type(value) is not tuple and fields is None:
        raise CannotBeSaved(f"a {type(value).__name__} cannot be saved; use a tuple")
    named = None if fields is None else [type(value).__name__, list(fields)]
    return [named, _items(writer, value)]


def tuple_class(named: Json) -> type:
    """Return the class of a tuple: `tuple`, or a new class of named tuples."""
    return tuple if named is None else _named(*named)


_named: Any = namedtuple


def _dims(held: Json) -> Any:
    if held is None:
        return None
    if not all(dim is None or (type(dim) is int and dim >= 0) for dim in held):
        raise ValueError(f"{held!r} is not a shape")
    return tuple(held)


def encode_spec(spec: TensorSpec) -> Json:
    """Encode dtype, shape and name."""
    return [spec.dtype.name, None if spec.dims is None else list(spec.dims), spec.name]


def decode_spec(held: Json) -> TensorSpec:
    """Decode what `encode_spec` encoded."""
    name, dims, label = held
    plain = spec_of(as_dtype(name), _dims(dims))
    return plain if label is None else TensorSpec(plain.dims, plain.dtype, label)


def _error(writer: Writer, error: BaseException) -> Json:
    name = type(error).__name__
    if _ERRORS.get(name) is not type(error):
        raise CannotBeSaved(
            f"the exception class {name} is the program's own, and a process that has only the "
            "saved model does not know it; raise one of Python's own"
        )
    return [name, writer.encode(error.args), writer.encode(vars(error))]


def _made_error(reader: Reader, held: Json) -> BaseException:
    name, args, own = held
    kind = _ERRORS[name]
    made: BaseException = kind.__new__(kind)
    made.args = reader.decode(args)
    vars(made).update(reader.decode(own))
    return made


def _errors_of(module: object) -> dict[str, type[BaseException]]:
    found = {name: kind for name, kind in vars(module).items() if isinstance(kind, type)}
    return {name: kind for name, kind in found.items() if issubclass(kind, BaseException)}


_ERRORS = {**_errors_of(errors), **_errors_of(builtins)}


def _float(value: float) -> Json:
    return value if math.isfinite(value) else repr(value)


_ENCODERS: tuple[tuple[Any, str, Callable[[Writer, Any], Json]], ...] = (
    (np.generic, "scalar", lambda writer, value: writer.array(value)),
    (np.ndarray, "array", lambda writer, value: writer.array(value)),
    (float, "float", lambda writer, value: _float(value)),
    (complex, "complex", lambda writer, value: [_float(value.real), _float(value.imag)]),
    (bytes, "bytes", lambda writer, value: value.hex()),
    (list, "list", _items),
    (tuple, "tuple", _tuple),
    (OrderedDict, "ordered dict", _pairs),
    (dict, "dict", _pairs),
    (DType, "dtype", lambda writer, value: value.name),
    (TensorShape, "shape", lambda writer, value: None if value.dims is None else list(value.dims)),
    (TensorSpec, "spec", lambda writer, value: encode_spec(value)),
    (
        VariableType,
        "variable",
        lambda writer, value: [encode_spec(value.spec), value.trainable, value.alias],
    ),
    (Draws, "draws", lambda writer, value: list(value.seeds)),
    (BaseException, "error", _error),
    (Tensor, "tensor", lambda writer, value: None),
)
"""Classes of values, the name of each, and how it is encoded.

`tensor` occurs in exceptions only: the running graph puts a value there.
"""

_DECODERS: dict[str, Callable[[Reader, Json], Any]] = {
    "scalar": lambda reader, held: reader.array(held)[()],
    "array": lambda reader, held: reader.array(held),
    "float": lambda reader, held: float(held),
    "complex": lambda reader, held: complex(float(held[0]), float(held[1])),
    "bytes": lambda reader, held: bytes.fromhex(held),
    "list": lambda reader, held: [reader.decode(part) for part in held],
    "tuple": lambda reader, held: rebuild(
        tuple_class(held[0]), None, [reader.decode(part) for part in held[1]]
    ),
    "dict": lambda reader, held: {reader.decode(k): reader.decode(p) for k, p in held},
    "ordered dict": lambda reader, held: OrderedDict(_DECODERS["dict"](reader, held)),
    "dtype": lambda reader, held: as_dtype(held),
    "shape": lambda reader, held: TensorShape(_dims(held)),
    "spec": lambda reader, held: decode_spec(held),
    "variable": lambda reader, held: VariableType(
        decode_spec(held[0]), bool(held[1]), int(held[2])
    ),
    "draws": lambda reader, held: Draws((int(held[0]), int(held[1]))),
    "error": _made_error,
    "tensor": lambda reader, held: EagerTensor(np.zeros((), np.float32)),
}
