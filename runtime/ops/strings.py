"""Strings: tensors of bytes."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.errors import InvalidArgumentError, UnimplementedError
from runtime.core.opdef import INDEX, MIXED, STRING, sample
from runtime.core.shapes import TensorShape, broadcast
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import rules
from runtime.ops.arguments import static_ints
from runtime.ops.convert import cast_to, convert_to_tensor
from runtime.ops.define import Op, define_op
from runtime.ops.hashing import fingerprint64, murmur64
from runtime.ops.output import format_value

_UNITS = ("BYTE", "UTF8_CHAR")
_NUMBERS = (
    dtypes.float32,
    dtypes.float64,
    dtypes.int32,
    dtypes.int64,
    dtypes.uint32,
    dtypes.uint64,
)


def _each(function: Callable[..., Any], dtype: Any, *arrays: Any) -> Any:
    """Applies a function of Python values to each element of arrays that broadcast."""
    joint = np.broadcast(*(np.asarray(array) for array in arrays))
    result = np.empty(joint.shape, dtype=dtype)
    flat = result.reshape(-1)
    for position, elements in enumerate(joint):
        flat[position] = function(*elements)
    return result


def _text(data: bytes) -> str:
    return data.decode(errors="surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")


def _on_strings(name: str, function: Callable[..., bytes], *samples: Any) -> Op:
    """An op that makes one string of each."""
    return define_op(
        name,
        {"input": STRING},
        lambda x, **attrs: x.spec,
        lambda xp, x, **attrs: _each(functools.partial(function, **attrs), object, x),
        samples=samples,
    )


def _as_bytes(element: Any, layout: str, integer: str) -> bytes:
    if isinstance(element, (bool, np.bool_)):
        return b"true" if element else b"false"
    if isinstance(element, bytes):
        return _bytes(integer.replace("d", "s") % _text(element))
    if isinstance(element, (complex, np.complexfloating)):
        return f"({layout % element.real},{layout % element.imag})".encode()
    if isinstance(element, (float, np.floating)):
        return (layout % float(element)).encode()
    return (integer % int(element)).encode()


_AS_STRING = define_op(
    "AsString",
    {"input": MIXED},
    lambda x, **attrs: x.spec.with_dtype(dtypes.string),
    lambda xp, x, **attrs: _each(functools.partial(_as_bytes, **_layouts(**attrs)), object, x),
    samples=(
        sample([1, 2], precision=-1, scientific=False, shortest=False, width=-1, fill=""),
        sample(1.5, precision=2, scientific=True, shortest=False, width=9, fill="0"),
        sample([True], precision=-1, scientific=False, shortest=False, width=-1, fill=""),
    ),
)


def _layouts(
    precision: int, scientific: bool, shortest: bool, width: int, fill: str
) -> dict[str, str]:
    space = f"{fill}{width}" if width > -1 else ""
    digits = f".{precision}" if precision > -1 else ""
    kind = "e" if scientific else "g" if shortest else "f"
    return {"layout": f"%{space}{digits}{kind}", "integer": f"%{space}d"}


def as_string(
    input: TensorLike,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
    name: str | None = None,
) -> Tensor:
    """Numbers and truth values as text.

    Args:
      input: numbers, truth values or strings.
      precision: how many digits stand behind the point; -1: six.
      scientific: whether floats have an exponent.
      shortest: whether floats take the shorter form, with an exponent or without.
      width: how many characters there are at least.
      fill: what fills them: "0"; " ", "+" (before the number) or "-" (behind it).
      name: the name of the operation.

    Raises: InvalidArgumentError for another `fill`, and for options that do not fit.

    >>> print(as_string([1, 2]), as_string(3.14159, precision=2))
    tf.Tensor([b'1' b'2'], shape=(2,), dtype=string) tf.Tensor(b'3.14', shape=(), dtype=string)
    """
    x = convert_to_tensor(input)
    if scientific and shortest:
        raise _invalid("Cannot select both scientific and shortest notation")
    if not (x.dtype.is_floating or x.dtype.is_complex):
        if precision > -1:
            raise _invalid(f"precision not supported for datatype {x.dtype.name}")
        if scientific or shortest:
            raise _invalid(
                f"scientific and shortest format not supported for datatype {x.dtype.name}"
            )
    if len(fill) > 1:
        raise _invalid("Fill string must be one or fewer characters")
    if fill not in ("", " ", "+", "-", "0"):
        raise _invalid(f'Fill argument not supported: "{fill}"')
    return _AS_STRING(
        x,
        precision=precision,
        scientific=scientific,
        shortest=shortest,
        width=width,
        fill=fill,
        name=name,
    )


def _invalid(text: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, text)


def _number(data: bytes, out_type: DType) -> Any:
    text = _text(data).strip()
    try:
        if "_" in text:
            raise ValueError
        if not out_type.is_integer:
            return float(text)
        value = int(text)
        if not out_type.min <= value <= out_type.max:
            raise ValueError
        return value
    except ValueError:
        raise _invalid(
            f"StringToNumberOp could not correctly convert string: {_text(data)}"
        ) from None


_TO_NUMBER = define_op(
    "StringToNumber",
    {"string_tensor": STRING},
    lambda x, out_type: x.spec.with_dtype(out_type),
    lambda xp, x, out_type: _each(
        functools.partial(_number, out_type=out_type), out_type.numpy_dtype, x
    ),
    samples=(sample(["1", "2.5"], out_type=dtypes.float32),),
)


def to_number(input: TensorLike, out_type: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """The numbers that strings hold.

    Args:
      input: strings.
      out_type: float32, float64, int32, int64, uint32 or uint64.
      name: the name of the operation.

    Raises: InvalidArgumentError if a string holds none, or for another `out_type`.

    >>> print(to_number("2.5"))
    tf.Tensor(2.5, shape=(), dtype=float32)
    """
    wanted = dtypes.as_dtype(out_type)
    if wanted not in _NUMBERS:
        names = ", ".join(dtype.name for dtype in _NUMBERS)
        raise _invalid(
            f"Value for attr 'out_type' of {wanted.name} is not in the list of allowed values: "
            f"{names}"
        )
    return _TO_NUMBER(input, out_type=wanted, name=name)


def _check_unit(unit: str) -> str:
    if unit not in _UNITS:
        raise _invalid(
            f"Value for attr 'unit' of \"{unit}\" is not in the list of allowed values: "
            '"BYTE", "UTF8_CHAR"'
        )
    return unit


_LENGTH = define_op(
    "StringLength",
    {"input": STRING},
    lambda x, unit: x.spec.with_dtype(dtypes.int32),
    lambda xp, x, unit: _each(
        len if unit == "BYTE" else lambda data: len(_text(data)), np.int32, x
    ),
    samples=(sample(["a", "bcd"], unit="BYTE"), sample(["é"], unit="UTF8_CHAR")),
)


def length(input: TensorLike, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """The length of each string.

    Args:
      input: strings.
      unit: "BYTE", or "UTF8_CHAR" for characters.
      name: the name of the operation.

    Raises: InvalidArgumentError for another unit.

    >>> print(length("abc"))
    tf.Tensor(3, shape=(), dtype=int32)
    """
    return _LENGTH(input, unit=_check_unit(unit), name=name)


_LOWER = _on_strings(
    "StringLower",
    lambda data, encoding: _bytes(_text(data).lower()) if encoding else data.lower(),
    sample(["Ab", "É"], encoding="utf-8"),
)
_UPPER = _on_strings(
    "StringUpper",
    lambda data, encoding: _bytes(_text(data).upper()) if encoding else data.upper(),
    sample(["Ab", "é"], encoding=""),
)
_STRIP = _on_strings("StringStrip", lambda data: data.strip(), sample([" a b\n"]))


def _check_encoding(encoding: str) -> str:
    if encoding not in ("", "utf-8"):
        raise _invalid(f"only utf-8 or '' (no encoding) is supported, received {encoding}")
    return encoding


def lower(input: TensorLike, encoding: str = "", name: str | None = None) -> Tensor:
    """The strings in lower case.

    Args:
      input: strings.
      encoding: "": only the letters of ASCII change; "utf-8": all letters do.
      name: the name of the operation.

    Raises: InvalidArgumentError for another encoding.

    >>> print(lower("ABC"))
    tf.Tensor(b'abc', shape=(), dtype=string)
    """
    return _LOWER(input, encoding=_check_encoding(encoding), name=name)


def upper(input: TensorLike, encoding: str = "", name: str | None = None) -> Tensor:
    """The strings in upper case; arguments as in `lower`.

    >>> print(upper("abc"))
    tf.Tensor(b'ABC', shape=(), dtype=string)
    """
    return _UPPER(input, encoding=_check_encoding(encoding), name=name)


def strip(input: TensorLike, name: str | None = None) -> Tensor:
    """The strings without white space at their ends.

    >>> print(strip("  a b  "))
    tf.Tensor(b'a b', shape=(), dtype=string)
    """
    return _STRIP(input, name=name)


def _part(data: bytes, pos: int, size: int, unit: str) -> bytes:
    whole: Any = data if unit == "BYTE" else _text(data)
    start = pos + len(whole) if pos < 0 else pos
    if not 0 <= start <= len(whole):
        raise _invalid(f"pos {pos} out of range for string {data!r}")
    found = whole[start : start + max(size, 0)]
    return found if unit == "BYTE" else _bytes(found)


def _part_spec(x: Tensor, pos: Tensor, size: Tensor, unit: str) -> TensorSpec:
    if not pos.shape.is_compatible_with(size.shape):
        raise ValueError(
            f"pos and len should have the same shape, got: {pos.shape} vs. {size.shape}"
        )
    return x.spec.with_dims(broadcast(x.spec.dims, pos.spec.dims))


_SUBSTR = define_op(
    "Substr",
    {"input": STRING, "pos": INDEX, "len": INDEX},
    _part_spec,
    lambda xp, x, pos, size, unit: _each(
        lambda data, start, count: _part(data, int(start), int(count), unit), object, x, pos, size
    ),
    samples=(sample(["hello", "you"], 1, 2, unit="BYTE"), sample("né", -1, 1, unit="UTF8_CHAR")),
)


def substr(
    input: TensorLike,
    pos: TensorLike,
    len: TensorLike,
    unit: str = "BYTE",
    name: str | None = None,
) -> Tensor:
    """Parts of strings.

    Args:
      input: strings.
      pos: where the parts begin; negative ones count from the end.
      len: how long they are at most; of the dtype and shape of `pos`.
      unit: what is counted: "BYTE" or "UTF8_CHAR".
      name: the name of the operation.

    Raises: InvalidArgumentError if a part begins outside of its string.

    >>> print(substr("hello", 1, 3))
    tf.Tensor(b'ell', shape=(), dtype=string)
    """
    return _SUBSTR(input, pos, len, unit=_check_unit(unit), name=name)


def _join_spec(*inputs: Tensor, separator: str) -> TensorSpec:
    shape = TensorShape(None)
    for tensor in inputs:
        if tensor.shape.rank == 0:
            continue
        if not shape.is_compatible_with(tensor.shape):
            raise ValueError(f"Input shapes do not match: {shape} vs. {tensor.shape}")
        shape = shape.merge_with(tensor.shape)
    if all(tensor.shape.rank == 0 for tensor in inputs):
        shape = TensorShape([])
    return spec_of(dtypes.string, shape.dims)


_JOIN = define_op(
    "StringJoin",
    {"*inputs": STRING},
    _join_spec,
    lambda xp, *inputs, separator: _each(
        lambda *parts: separator.encode().join(parts), object, *inputs
    ),
    samples=(sample(["a", "b"], "c", separator="-"), sample("a", separator="")),
)


def join(inputs: Sequence[TensorLike], separator: str = "", name: str | None = None) -> Tensor:
    """Strings put together element by element.

    Args:
      inputs: tensors of strings, of one shape; scalars fit every shape.
      separator: what stands between the strings.
      name: the name of the operation.

    Raises: InvalidArgumentError if the shapes differ.

    >>> print(join([["a", "b"], "c"], separator="-"))
    tf.Tensor([b'a-c' b'b-c'], shape=(2,), dtype=string)
    """
    tensors = [convert_to_tensor(part, dtypes.string) for part in inputs]
    ranked = [tensor.shape for tensor in tensors if tensor.shape.rank != 0]
    for shape in ranked[1:]:
        if not shape.is_compatible_with(ranked[0]):
            raise _invalid(f"Input shapes do not match: {ranked[0]} vs. {shape}")
    return _JOIN(*tensors, separator=separator, name=name)


def _reduced(xp: Any, x: Any, axis: tuple[int, ...], keepdims: bool, separator: str) -> Any:
    places = [rules.normal_axis(entry, x.ndim) for entry in axis]
    kept = [i for i in range(x.ndim) if i not in places]
    rows = np.transpose(x, [*kept, *reversed(places)]).reshape(*(x.shape[i] for i in kept), -1)
    result = np.empty(rows.shape[:-1], object)
    for position in np.ndindex(result.shape):
        result[position] = separator.encode().join(rows[position])
    if keepdims:
        return result.reshape([1 if i in places else n for i, n in enumerate(x.shape)])
    return result


_REDUCE_JOIN = define_op(
    "ReduceJoin",
    {"inputs": STRING},
    lambda x, axis, keepdims, separator: x.spec.with_dims(
        rules.reduced_dims(x.spec.dims, axis, keepdims)
    ),
    _reduced,
    samples=(
        sample([["a", "b"], ["c", "d"]], axis=(0,), keepdims=False, separator="+"),
        sample([["a", "b"], ["c", "d"]], axis=(1, 0), keepdims=True, separator=""),
    ),
)


def reduce_join(
    inputs: TensorLike,
    axis: Any = None,
    keepdims: bool = False,
    separator: str = "",
    name: str | None = None,
) -> Tensor:
    """The strings along axes put together.

    Args:
      inputs: strings.
      axis: an int, or several in the order in which they are joined; None: all, the last first.
      keepdims: whether the reduced dimensions stay, with length 1.
      separator: what stands between the strings.
      name: the name of the operation.

    Raises: InvalidArgumentError if there is no such axis; ValueError if all axes are meant, but
      their number is not known.

    >>> print(reduce_join([["a", "b"], ["c", "d"]], axis=0, separator="+"))
    tf.Tensor([b'a+c' b'b+d'], shape=(2,), dtype=string)
    """
    x = convert_to_tensor(inputs, dtypes.string)
    if axis is not None:
        chosen = static_ints("axis", axis)
    elif x.shape.rank is not None:
        chosen = tuple(reversed(range(x.shape.rank)))
    else:
        raise ValueError("reduce_join over all axes needs to know how many there are; give `axis`")
    return _REDUCE_JOIN(x, axis=chosen, keepdims=bool(keepdims), separator=separator, name=name)


@functools.lru_cache(256)
def _pattern(source: str) -> re.Pattern[str]:
    try:
        return re.compile(_in_python(source), re.ASCII)
    except re.error as error:
        raise _invalid(f"Invalid pattern: {source}, error: {error}") from None


def _in_python(source: str) -> str:
    """A pattern in Python's syntax: `$` and `\\z` mean the very end of the text."""
    if "(?m" in source:
        return source
    tokens = re.findall(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", source, re.DOTALL)
    return "".join({"$": r"\Z", r"\z": r"\Z"}.get(token, token) for token in tokens)


def _rewritten(match: re.Match[str], rewrite: str) -> str:
    def referred(found: re.Match[str]) -> str:
        mark = found.group(1)
        return mark if mark == "\\" else match.group(int(mark)) or ""

    return re.sub(r"\\([0-9\\])", referred, rewrite)


def _replaced(data: bytes, pattern: str, rewrite: str, replace_global: bool) -> bytes:
    text, rule = _text(data), _pattern(pattern)
    if any(int(number) > rule.groups for number in re.findall(r"\\([0-9])", rewrite)):
        return data
    parts: list[str] = []
    place, last = 0, -1
    while (found := rule.search(text, place)) is not None:
        if found.start() == found.end() == last:
            if place >= len(text):
                break
            parts.append(text[place])
            place, last = place + 1, -1
            continue
        parts += [text[place : found.start()], _rewritten(found, rewrite)]
        place = last = found.end()
        if not replace_global:
            break
    return _bytes("".join([*parts, text[place:]]))


_REPLACE = _on_strings(
    "StaticRegexReplace",
    _replaced,
    sample(["aXb"], pattern="X", rewrite="y", replace_global=True),
)
_FULL_MATCH = define_op(
    "StaticRegexFullMatch",
    {"input": STRING},
    lambda x, pattern: x.spec.with_dtype(dtypes.bool),
    lambda xp, x, pattern: _each(
        lambda data: _pattern(pattern).fullmatch(_text(data)) is not None, np.bool_, x
    ),
    samples=(sample(["abc", "x"], pattern="abc?"),),
)


def _static_text(name: str, value: Any) -> str:
    known = static_value(value) if isinstance(value, Tensor) else value
    if known is None:
        raise ValueError(f"`{name}` has to be known while the graph is recorded; got {value}")
    known = known.item() if isinstance(known, np.ndarray) else known
    return _text(known) if isinstance(known, bytes) else str(known)


def regex_replace(
    input: TensorLike,
    pattern: str,
    rewrite: str,
    replace_global: bool = True,
    name: str | None = None,
) -> Tensor:
    r"""The strings with what matches a pattern replaced.

    Args:
      input: strings.
      pattern: a regular expression, in the part of the syntax that RE2 and Python share.
      rewrite: the replacement; `\1` to `\9` stand for groups, `\0` for all that matched.
      replace_global: whether all matches are replaced, or the first only.
      name: the name of the operation.

    Raises: InvalidArgumentError for a pattern that is none.

    >>> print(regex_replace("one two", r"(\w+) (\w+)", r"\2 \1"))
    tf.Tensor(b'two one', shape=(), dtype=string)
    """
    source = _static_text("pattern", pattern)
    _pattern(source)
    return _REPLACE(
        input,
        pattern=source,
        rewrite=_static_text("rewrite", rewrite),
        replace_global=replace_global,
        name=name,
    )


def regex_full_match(input: TensorLike, pattern: str, name: str | None = None) -> Tensor:
    """Whether strings match a pattern from their beginning to their end.

    Args:
      input: strings.
      pattern: a regular expression, in the part of the syntax that RE2 and Python share.
      name: the name of the operation.

    Raises: InvalidArgumentError for a pattern that is none.

    >>> print(regex_full_match(["ab", "abc"], "ab?"))
    tf.Tensor([ True False], shape=(2,), dtype=bool)
    """
    source = _static_text("pattern", pattern)
    _pattern(source)
    return _FULL_MATCH(input, pattern=source, name=name)


def _hashing(name: str, function: Callable[[bytes], int]) -> Op:
    return define_op(
        name,
        {"input": STRING},
        lambda x, num_buckets: x.spec.with_dtype(dtypes.int64),
        lambda xp, x, num_buckets: _each(lambda data: function(data) % num_buckets, np.int64, x),
        samples=(sample(["a", "some longer text, longer than 64 bytes" * 2], num_buckets=100),),
    )


_BUCKET = _hashing("StringToHashBucket", murmur64)
_BUCKET_FAST = _hashing("StringToHashBucketFast", fingerprint64)


def _check_buckets(num_buckets: int) -> int:
    if num_buckets < 1:
        raise _invalid(f"Value for attr 'num_buckets' of {num_buckets} must be at least minimum 1")
    return int(num_buckets)


def to_hash_bucket_fast(input: TensorLike, num_buckets: int, name: str | None = None) -> Tensor:
    """A number for each string, the same on every machine: its fingerprint modulo `num_buckets`.

    Args:
      input: strings.
      num_buckets: how many numbers there are, at least 1.
      name: the name of the operation.

    >>> print(to_hash_bucket_fast(["a", "hello"], 1000))
    tf.Tensor([939 296], shape=(2,), dtype=int64)
    """
    return _BUCKET_FAST(input, num_buckets=_check_buckets(num_buckets), name=name)


def to_hash_bucket(input: TensorLike, num_buckets: int, name: str | None = None) -> Tensor:
    """A number for each string, by another hash function than `to_hash_bucket_fast`.

    >>> print(to_hash_bucket(["a", "hello"], 1000))
    tf.Tensor([868 938], shape=(2,), dtype=int64)
    """
    return _BUCKET(input, num_buckets=_check_buckets(num_buckets), name=name)


def _formatted(xp: Any, *inputs: Any, template: str, placeholder: str, summarize: int) -> Any:
    parts = template.split(placeholder)
    shown = [format_value(value, summarize, quoted=True) for value in inputs]
    text = parts[0] + "".join(a + b for a, b in zip(shown, parts[1:], strict=True))
    return np.array(_bytes(text), object)


_FORMAT = define_op(
    "StringFormat",
    {"*inputs": MIXED},
    lambda *inputs, **attrs: spec_of(dtypes.string, ()),
    _formatted,
    samples=(sample([1, 2], "a", template="{} {}", placeholder="{}", summarize=3),),
)


def format(
    template: str,
    inputs: Any,
    placeholder: str = "{}",
    summarize: int = 3,
    name: str | None = None,
) -> Tensor:
    """A text with tensors in it.

    Args:
      template: the text.
      inputs: a tensor, or a list of them, one for each placeholder.
      placeholder: what stands for a tensor in `template`.
      summarize: how many elements at each end of a dimension are shown; -1: all.
      name: the name of the operation.

    Raises: ValueError if there are more or fewer tensors than placeholders.

    >>> print(format("x = {}", convert_to_tensor([1, 2])))
    tf.Tensor(b'x = [1 2]', shape=(), dtype=string)
    """
    given = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    count = template.count(placeholder)
    if count != len(given):
        raise ValueError(
            f"The template expects {count} tensors, but the inputs only has {len(given)}. Please "
            "ensure the number of placeholders in template matches inputs length."
        )
    return _FORMAT(
        *given, template=template, placeholder=placeholder, summarize=summarize, name=name
    )


def _cut(data: bytes, sep: str, maxsplit: int) -> list[bytes]:
    return data.split(sep.encode() if sep else None, maxsplit)


def _object_array(parts: list[bytes]) -> Any:
    result = np.empty(len(parts), object)
    result[:] = parts
    return result


_SPLIT = define_op(
    "StringSplitScalar",
    {"input": STRING},
    lambda x, **attrs: x.spec.with_dims((None,)),
    lambda xp, x, sep, maxsplit: _object_array(_cut(np.asarray(x).item(), sep, maxsplit)),
    samples=(sample("a b c", sep="", maxsplit=-1),),
)
_BYTES_SPLIT = define_op(
    "StringBytesSplitScalar",
    {"input": STRING},
    lambda x: x.spec.with_dims((None,)),
    lambda xp, x: _object_array([bytes([byte]) for byte in np.asarray(x).item()]),
    samples=(sample("abc"),),
)


def _scalar(function: str, input: TensorLike) -> Tensor:
    x = convert_to_tensor(input, dtypes.string)
    if x.shape.rank != 0:
        raise UnimplementedError(
            None,
            None,
            f"{function} of {x.spec}: the parts of several strings have different numbers, and "
            "there are no ragged tensors; split one string at a time, for instance in a loop that "
            "appends to a list, or cut strings of one length with runtime.strings.substr",
        )
    return x


def split(
    input: TensorLike, sep: str | None = None, maxsplit: int = -1, name: str | None = None
) -> Tensor:
    """The parts of one string.

    Args:
      input: a string, a scalar.
      sep: what stands between the parts; None or "": any white space.
      maxsplit: how often it is split at most; -1: as often as possible.
      name: the name of the operation.

    Raises: UnimplementedError for several strings, whose parts would make a ragged tensor.

    >>> print(split("a b c"))
    tf.Tensor([b'a' b'b' b'c'], shape=(3,), dtype=string)
    """
    separator = "" if sep is None else _static_text("sep", sep)
    return _SPLIT(_scalar("strings.split", input), sep=separator, maxsplit=maxsplit, name=name)


def bytes_split(input: TensorLike, name: str | None = None) -> Tensor:
    """The bytes of one string.

    Raises: UnimplementedError for several strings, whose parts would make a ragged tensor.

    >>> print(bytes_split("abc"))
    tf.Tensor([b'a' b'b' b'c'], shape=(3,), dtype=string)
    """
    return _BYTES_SPLIT(_scalar("strings.bytes_split", input), name=name)


def _segments(xp: Any, x: Any, ids: Any, num_segments: Any, separator: str) -> Any:
    count = int(num_segments)
    if ids.size and (ids.min() < 0 or ids.max() >= count):
        raise ValueError(
            "segment_ids are not allowed to exceed num_segments or to have out of range values"
        )
    rest = x.shape[ids.ndim :]
    rows = x.reshape(-1, *rest)
    result = np.empty((count, *rest), object)
    for number in range(count):
        own = rows[ids.reshape(-1) == number]
        for position in np.ndindex(rest):
            result[(number, *position)] = separator.encode().join(own[(slice(None), *position)])
    return result


def _segments_spec(x: Tensor, ids: Tensor, num_segments: Tensor, separator: str) -> TensorSpec:
    dims, where, count = x.spec.dims, ids.spec.dims, static_value(num_segments)
    if dims is None or where is None:
        return x.spec.with_dims(None)
    return x.spec.with_dims((None if count is None else int(count), *dims[len(where) :]))


_SEGMENT_JOIN = define_op(
    "UnsortedSegmentJoin",
    {"inputs": STRING, "segment_ids": INDEX, "num_segments": INDEX},
    _segments_spec,
    _segments,
    samples=(sample(["a", "b", "c"], [0, 1, 0], 2, separator=":"),),
)


def unsorted_segment_join(
    inputs: TensorLike,
    segment_ids: TensorLike,
    num_segments: TensorLike,
    separator: str = "",
    name: str | None = None,
) -> Tensor:
    """The strings of each segment put together.

    Args:
      inputs: strings.
      segment_ids: the number of the segment for each; its shape begins that of `inputs`.
      num_segments: how many segments there are.
      separator: what stands between the strings.
      name: the name of the operation.

    Raises: InvalidArgumentError if a number is out of range.

    >>> print(unsorted_segment_join(["a", "b", "c"], [0, 1, 0], 2, separator=":"))
    tf.Tensor([b'a:c' b'b'], shape=(2,), dtype=string)
    """
    places = convert_to_tensor(segment_ids)
    count = cast_to(convert_to_tensor(num_segments), places.dtype)
    return _SEGMENT_JOIN(inputs, places, count, separator=separator, name=name)
