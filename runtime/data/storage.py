"""Files of elements, for `Dataset.save`, `cache(filename)` and `snapshot`.

A file of elements begins with a line of JSON: `format`, `version`, and the element `spec`. Blocks
of elements follow, and an empty block at the end. A block is its size in bytes, the number of its
elements, the CRC-32 of its bytes (each little-endian uint64), and its bytes: the arrays `NUMBER` of
the values of each component, as `runtime.io.value_file` packs them. Of components without a static
shape, the values of all elements are in one dimension, and `NUMBER.shapes` are their shapes, padded
with -1.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain, pairwise
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from runtime.core import dtypes, nest
from runtime.core.errors import DataLossError, FailedPreconditionError, NotFoundError
from runtime.core.spec import TensorSpec, spec_of
from runtime.data.pipelines import Element, Pipeline, rows
from runtime.io import file_system
from runtime.io.value_file import packed, replacing, unpacked, writing

_FILE = "elements.data"
_FORMAT, _VERSION = "autograph-numpy elements", 2
_HEAD = struct.Struct("<QQQ")
_END = _HEAD.pack(0, 0, 0)

_ELEMENTS, _BYTES = 1024, 1 << 24
"""Numbers of elements and of bytes after which a block is written."""


def file_of(directory: file_system.Named) -> str:
    """Return the file that `Dataset.save` and `snapshot` write in a directory."""
    return os.path.join(os.fsdecode(directory), _FILE)


def plain_spec(spec: object) -> Any:
    """Return an element spec for JSON.

    Raises:
      TypeError: for elements that hold anything but tensors, tuples, and dicts with text as keys.

    >>> plain_spec((spec_of(dtypes.int32, ()), {"a": spec_of(dtypes.string, None)}))
    [{'dtype': 'int32', 'shape': []}, {'parts': {'a': {'dtype': 'string', 'shape': None}}}]
    """
    if isinstance(spec, TensorSpec):
        return {"dtype": spec.dtype.name, "shape": None if spec.dims is None else list(spec.dims)}
    if type(spec) is tuple:
        return [plain_spec(part) for part in spec]
    if isinstance(spec, dict) and all(isinstance(key, str) for key in spec):
        return {"parts": {key: plain_spec(part) for key, part in spec.items()}}
    raise TypeError(
        "Elements in files are tensors, tuples, and dicts with text as keys, but there is "
        f"{spec!r}: convert the elements by `map`."
    )


def _spec(plain: Any) -> Any:
    if isinstance(plain, list):
        return tuple(_spec(part) for part in plain)
    if "parts" in plain:
        return {key: _spec(part) for key, part in plain["parts"].items()}
    shape = plain["shape"]
    return spec_of(dtypes.as_dtype(plain["dtype"]), None if shape is None else tuple(shape))


def _is_static(spec: TensorSpec) -> bool:
    return spec.dims is not None and None not in spec.dims


def _arrays(elements: Sequence[Element], specs: Sequence[TensorSpec]) -> dict[str, Any]:
    """Return the components of several elements as arrays."""
    found: dict[str, Any] = {}
    for number, (column, spec) in enumerate(zip(zip(*elements, strict=True), specs, strict=True)):
        kind = object if spec.dtype is dtypes.string else None
        parts = [np.asarray(part, kind) for part in column]
        if not _is_static(spec):
            ranks = [part.ndim for part in parts]
            shapes = np.full((len(parts), max(ranks)), -1)
            for row, part in zip(shapes, parts, strict=True):
                row[: part.ndim] = part.shape
            found[f"{number}.shapes"] = shapes
        values = np.concatenate([part.ravel() for part in parts])
        if spec.dims is not None and _is_static(spec):
            values = values.reshape(len(parts), *spec.dims)
        found[f"{number}"] = values
    return found


def _column(arrays: Mapping[str, Any], number: int) -> Any:
    """Return the values of one component."""
    values, shapes = arrays[f"{number}"], arrays.get(f"{number}.shapes")
    if shapes is None:
        return values
    stops = accumulate(np.where(shapes < 0, 1, shapes).prod(1).tolist(), initial=0)
    rows = ([size for size in row if size >= 0] for row in shapes.tolist())
    pairs = zip(pairwise(stops), rows, strict=True)
    return [values[a:b].reshape(shape) for (a, b), shape in pairs]


def _size(part: Any) -> int:
    """Return the number of bytes of a component."""
    return sum(map(len, part.ravel())) if part.dtype == object else int(part.nbytes)


class _Block(NamedTuple):
    length: int
    at: int
    size: int
    checksum: int


class Elements:
    """The elements in a file, of the element spec `spec`.

    Raises: NotFoundError if there is no such file; DataLossError if it is damaged.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        with file_system.opened(path, "rb") as file:
            self.spec = self._header(file.readline())
            self._blocks = list(self._heads(file))
        self._components = len(nest.flatten(self.spec))

    def _header(self, line: bytes) -> Any:
        try:
            header = json.loads(line)
            if (header["format"], header["version"]) != (_FORMAT, _VERSION):
                raise ValueError(f"its format is {header['format']!r} {header['version']!r}")
            return _spec(header["spec"])
        except (LookupError, TypeError, ValueError) as error:
            raise self._lost(f"the first line is not an element spec: {error}") from None

    def _heads(self, file: BinaryIO) -> Iterator[_Block]:
        end = os.fstat(file.fileno()).st_size
        while (head := file.read(_HEAD.size)) != _END:
            at = file.tell()
            if len(head) < _HEAD.size:
                raise self._lost("it is cut off")
            size, count, checksum = _HEAD.unpack(head)
            if size > end - at:
                raise self._lost(f"the block at byte {at} is cut off")
            yield _Block(count, at, size, checksum)
            file.seek(at + size)

    def _lost(self, reason: str) -> DataLossError:
        return DataLossError.of(f"{self._path} is damaged, or no such file: {reason}")

    def pipeline(self) -> Pipeline:
        """Return the elements."""
        begin = lambda: chain.from_iterable(map(self._read, self._blocks))  # noqa: E731
        return Pipeline(begin, sum(block.length for block in self._blocks))

    def _read(self, block: _Block) -> Iterator[Element]:
        with file_system.opened(self._path, "rb") as file:
            file.seek(block.at)
            data = file.read(block.size)
        if len(data) < block.size or zlib.crc32(data) != block.checksum:
            raise self._lost(f"the checksum of the block at byte {block.at} is wrong")
        arrays = unpacked(data)
        return zip(*(rows(_column(arrays, i)) for i in range(self._components)), strict=True)


class _Writer:
    """Writes blocks of elements."""

    def __init__(self, file: BinaryIO, path: str, spec: object) -> None:
        header = {"format": _FORMAT, "version": _VERSION, "spec": plain_spec(spec)}
        file.write(json.dumps(header).encode() + b"\n")
        self._file, self._path = file, path
        self._specs = nest.flatten(spec)
        self._elements: list[Element] = []
        self._size = 0

    def add(self, element: Element) -> None:
        """Add an element to the current block; write the block when it is full."""
        self._elements.append(element)
        self._size += sum(map(_size, element))
        if len(self._elements) >= _ELEMENTS or self._size >= _BYTES:
            self._flush()

    def _flush(self) -> None:
        data = packed(_arrays(self._elements, self._specs))
        with writing(self._path):
            self._file.write(_HEAD.pack(len(data), len(self._elements), zlib.crc32(data)) + data)
        self._elements, self._size = [], 0

    def close(self) -> None:
        """Write the remaining elements, and the end."""
        if self._elements:
            self._flush()
        self._file.write(_END)


def write(path: str, spec: object, elements: Iterator[Element]) -> Iterator[Element]:
    """Yield elements and write them to a file, which appears when they are all there."""
    plain_spec(spec)
    file_system.makedirs(os.path.dirname(path) or ".")
    with replacing(path) as file:
        writer = _Writer(file, path, spec)
        for element in elements:
            writer.add(element)
            yield element
        writer.close()


def saved(directory: file_system.Named) -> Elements:
    """Return the elements that `Dataset.save` wrote to a directory.

    Raises: NotFoundError if nothing was saved there.
    """
    path = file_of(directory)
    if not os.path.exists(path):
        raise NotFoundError.of(f"No dataset was saved to {os.fsdecode(directory)}: no {path}.")
    return Elements(path)


def file_cache(source: Pipeline, path: str, spec: object) -> Pipeline:
    """Keep the elements of the first complete loop in a file."""
    plain_spec(spec)

    def begin() -> Iterator[Element]:
        if not os.path.exists(path):
            return write(path, spec, iter(source))
        found = Elements(path)
        if found.spec != _spec(plain_spec(spec)):
            raise FailedPreconditionError.of(
                f"{path} holds elements {found.spec}, but those of the dataset are {spec}. Delete "
                "the file, or give another name."
            )
        return iter(found.pipeline())

    return Pipeline(begin, source.count)
