"""Arrays by name, and a structure over them, in one file that is replaced atomically.

The file is a safetensors file (https://github.com/huggingface/safetensors). Its metadata are

- `format`: `autograph-numpy`,
- `version`: `1`; a reader refuses other versions,
- `structure`: a JSON text, whose meaning is that of the writer,
- `encoded`: a JSON object with an entry for each array of a dtype that safetensors lacks:
  its name -> `[dtype, dims]`. A complex array is stored as real numbers with a last dimension
  of 2. An array of strings is stored as its bytes, one string after the other, with the lengths
  of the strings as `.lengths/NAME`.

Nothing in the file is code. A file is written under another name in the same directory, flushed to
the disk and renamed: after a crash there is the whole old file or the whole new one, and possibly
a file `.NAME.PID.NUMBER.part`, which nobody reads, and which the next save of that name removes.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, BinaryIO

import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import load, save

from runtime.core import dtypes
from runtime.core.dtypes import DType, as_dtype, from_numpy
from runtime.core.errors import DataLossError, NotFoundError, ResourceExhaustedError
from runtime.io.file_system import reported

FORMAT, VERSION = "autograph-numpy", "1"

Array = Any
_open: Any = safe_open  # its methods have no types
Dims = tuple[int, ...]

_REAL = {"complex64": np.float32, "complex128": np.float64}
_NUMBERS = itertools.count()
_NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_STORED: dict[str, DType] = {
    "BOOL": dtypes.bool,
    "F16": dtypes.float16,
    "F32": dtypes.float32,
    "F64": dtypes.float64,
    **{f"I{8 * size}": as_dtype(f"int{8 * size}") for size in (1, 2, 4, 8)},
    **{f"U{8 * size}": as_dtype(f"uint{8 * size}") for size in (1, 2, 4, 8)},
}
"""Dtypes by the names that safetensors has for them."""


def write_values(path: str, values: Mapping[str, Array], structure: object) -> None:
    """Write a file, or replace it.

    Args:
      path: the file; its directory exists.
      values: arrays and numbers by name; of strings, bytes, or arrays of them with dtype object.
      structure: whatever JSON can represent.

    Raises: ResourceExhaustedError if there is no space left; another OpError if the file system
      refuses. The old file is still there then.
    """
    stored, encoded = _stored(values)
    metadata = {
        "format": FORMAT,
        "version": VERSION,
        "structure": json.dumps(structure),
        "encoded": json.dumps(encoded),
    }
    replace_file(path, save(stored, metadata))


def packed(values: Mapping[str, Array]) -> bytes:
    """Return arrays as bytes, for `unpacked`."""
    stored, encoded = _stored(values)
    stored[".encoded"] = np.frombuffer(json.dumps(encoded).encode(), np.uint8)
    return save(stored)


def unpacked(data: bytes) -> dict[str, Array]:
    """Return the arrays of which `packed` made bytes.

    >>> unpacked(packed({"a": np.array([1.0 + 2.0j]), "b": np.array([b"x"], object)}))["a"]
    array([1.+2.j])
    """
    stored = load(data)
    encoded = json.loads(stored.pop(".encoded").tobytes())
    return {
        name: _decoded(name, *_entry(encoded[name]), stored.get) if name in encoded else array
        for name, array in stored.items()
        if not name.startswith(".lengths/")
    }


def _stored(values: Mapping[str, Array]) -> tuple[dict[str, Array], dict[str, Any]]:
    """Return the arrays of a file, and how those are encoded that safetensors lacks."""
    stored: dict[str, Array] = {}
    encoded: dict[str, Any] = {}
    for name, value in values.items():
        is_text = isinstance(value, bytes)
        _encode(name, np.asarray(value, object if is_text else None), stored, encoded)
    return stored, encoded


def _decoded(name: str, dtype: DType, dims: Dims, read: Callable[[str], Any]) -> Array:
    stored = read(name)
    if dtype is dtypes.string:
        return _texts(stored.tobytes(), read(f".lengths/{name}").tolist(), dims)
    return np.ascontiguousarray(stored).view(dtype.numpy_dtype).reshape(dims)


def _encode(name: str, array: Array, stored: dict[str, Array], encoded: dict[str, Any]) -> None:
    if array.dtype == object:
        texts = [bytes(text) for text in array.ravel()]
        encoded[name] = ["string", list(array.shape)]
        stored[name] = np.frombuffer(b"".join(texts), np.uint8)
        stored[f".lengths/{name}"] = np.array([len(text) for text in texts], np.int64)
        return
    dtype = from_numpy(array.dtype).name
    if dtype in _REAL:
        encoded[name] = [dtype, list(array.shape)]
        array = np.ascontiguousarray(array).reshape(-1).view(_REAL[dtype]).reshape(-1, 2)
    stored[name] = np.ascontiguousarray(array).reshape(array.shape)


def replace_file(path: str, content: bytes) -> None:
    """Write a file, which gets its name when all of it is on the disk; see `write_values`."""
    with replacing(path) as file, writing(path):
        file.write(content)


@contextlib.contextmanager
def replacing(path: str) -> Iterator[BinaryIO]:
    """Open a new file, which replaces one of this name when the code inside has written it.

    If that code raises an error, the new file is removed.
    """
    directory, name = os.path.split(os.path.abspath(path))
    part = os.path.join(directory, f".{name}.{os.getpid()}.{next(_NUMBERS)}.part")
    _remove_leftovers(directory, name)
    try:
        with writing(path):
            file = open(part, "wb")  # noqa: SIM115 - closed below
        with file:
            yield file
            with writing(path):
                file.flush()
                os.fsync(file.fileno())
        with writing(path):
            os.replace(part, path)
            _flush(directory)
    except BaseException:
        with contextlib.suppress(OSError):
            os.remove(part)
        raise


def _remove_leftovers(directory: str, name: str) -> None:
    """Remove unfinished files of processes that do not run any more."""
    pattern = re.compile(rf"\.{re.escape(name)}\.(\d+)\.\d+\.part")
    with contextlib.suppress(OSError):
        for entry in os.listdir(directory):
            found = pattern.fullmatch(entry)
            if found and not _is_running(int(found[1])):
                os.remove(os.path.join(directory, entry))


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # It is one of another user.
    return True


@contextlib.contextmanager
def writing(path: str) -> Iterator[None]:
    """Report errors of the system as those of operations, a full disk as ResourceExhaustedError."""
    with reported(path):
        try:
            yield
        except OSError as error:
            if error.errno not in _NO_SPACE:
                raise
            raise ResourceExhaustedError.of(f"{path}; {error.strerror}") from error


def _flush(directory: str) -> None:
    """Wait until the entries of a directory are on the disk."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


class ValueFile:
    """A file that `write_values` has written, with arrays that are read when they are asked for.

    Raises: NotFoundError if there is no such file; DataLossError for a file that is truncated,
      damaged, of another version or of another program.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as home:
    ...     write_values(f"{home}/f", {"a": np.array([1.0 + 2.0j])}, {"root": "a"})
    ...     file = ValueFile(f"{home}/f")
    ...     file.structure, list(file), file.spec("a"), file.array("a")
    ({'root': 'a'}, ['a'], (tf.complex128, (1,)), array([1.+2.j]))
    """

    def __init__(self, path: str) -> None:
        """Read everything but the arrays."""
        self.path = path
        if not os.path.isfile(path):
            raise NotFoundError.of(f"{path}; No such file or directory")
        with self._damage():
            self._file: Any = _open(path, framework="numpy")
            metadata: dict[str, str] = self._file.metadata() or {}
            stored = {name: self._stored_spec(name) for name in self._file.keys()}  # noqa: SIM118
        if metadata.get("format") != FORMAT:
            raise self._lost("another program wrote it")
        if metadata.get("version") != VERSION:
            raise self._lost(
                f"it is of version {metadata.get('version')}, and version {VERSION} can be read"
            )
        with self._damage():
            self.structure = json.loads(metadata["structure"])
            self._encoded = {name: _entry(it) for name, it in _object(metadata["encoded"]).items()}
        self._specs = {
            name: self._encoded.get(name, spec)
            for name, spec in stored.items()
            if not name.startswith(".lengths/")
        }

    def _stored_spec(self, name: str) -> tuple[DType, Dims]:
        part = self._file.get_slice(name)
        return _STORED[part.get_dtype()], tuple(part.get_shape())

    @contextlib.contextmanager
    def _damage(self) -> Iterator[None]:
        """Raise DataLossError for whatever a damaged file makes the readers raise."""
        try:
            yield
        except (SafetensorError, OSError, LookupError, RecursionError, TypeError, ValueError) as e:
            raise self._lost(str(e) or type(e).__name__) from e

    def _lost(self, reason: str) -> DataLossError:
        return DataLossError.of(f"{self.path} is damaged, or another kind of file: {reason}")

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the arrays."""
        return iter(self._specs)

    def __contains__(self, name: object) -> bool:
        """Return whether there is an array of that name."""
        return name in self._specs

    def spec(self, name: str) -> tuple[DType, Dims]:
        """Return dtype and shape of an array. Raises KeyError if there is none of that name."""
        return self._specs[name]

    def array(self, name: str) -> Array:
        """Read an array.

        Raises: KeyError if there is none of that name; DataLossError if it is damaged.
        """
        dtype, dims = self._specs[name]
        with self._damage():
            if name not in self._encoded:
                return np.array(self._file.get_tensor(name))
            return _decoded(name, dtype, dims, self._file.get_tensor)


def _object(text: str) -> dict[str, Any]:
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError(f"{text[:40]} is not a JSON object")
    return value


def _entry(value: Any) -> tuple[DType, Dims]:
    name, dims = value
    if name not in (*_REAL, "string"):
        raise ValueError(f"no array is encoded as {name!r}")
    if not all(type(dim) is int and dim >= 0 for dim in dims):
        raise ValueError(f"{dims!r} is not a shape")
    return as_dtype(name), tuple(dims)


def _texts(held: bytes, lengths: Iterable[int], dims: Dims) -> Array:
    texts, at = [], 0
    for length in lengths:
        if not 0 <= length <= len(held) - at:
            raise ValueError("the lengths of its strings do not add up")
        texts.append(held[at : at + length])
        at += length
    if at != len(held):
        raise ValueError("the lengths of its strings do not add up")
    array = np.empty(len(texts), object)
    array[:] = texts
    return array.reshape(dims)
