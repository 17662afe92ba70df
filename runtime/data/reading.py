"""The elements of files, whose names are strings or a dataset of strings."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.data import ops, pipelines
from runtime.data.pipelines import AUTOTUNE, Element, Pipeline
from runtime.data.transformations import Transformable
from runtime.ops.base.convert import convert_to_tensor

FileNames = TensorLike | os.PathLike[str] | Sequence[os.PathLike[str]] | Transformable

_READS_AT_ONCE = 2
"""Files that take turns with `num_parallel_reads=AUTOTUNE`."""


def read_files(
    filenames: FileNames,
    read: Callable[[str], Iterator[Element]],
    num_parallel_reads: int | None = None,
) -> Tensor:
    """Return the variant of a dataset of the elements that `read` yields for each file."""
    cycle = _READS_AT_ONCE if num_parallel_reads == AUTOTUNE else num_parallel_reads
    if cycle is not None and cycle < 1:
        raise ValueError(f"`num_parallel_reads` must be 1 or more, not {num_parallel_reads}.")
    block = sys.maxsize if num_parallel_reads is None else 1

    def elements(name: Any) -> Pipeline:
        return Pipeline(lambda: read(os.fsdecode(np.asarray(name, object).item())))

    def make(names: Pipeline) -> Pipeline:
        return pipelines.interleaved(names, elements, cycle or 1, block)

    return ops.PLAIN(_names(filenames), make=make)


def _names(filenames: FileNames) -> Tensor:
    """Return the variant of a dataset of paths."""
    if isinstance(filenames, Transformable):
        _require_strings(filenames.element_spec)
        return filenames.variant_tensor
    tensor = convert_to_tensor(_plain(filenames))
    _require_strings(tensor.spec.with_dims(()))
    return ops.PLAIN(tensor, make=_flat)


def _flat(names: object) -> Pipeline:
    return pipelines.slices(np.asarray(names, object).ravel())


def _plain(filenames: object) -> Any:
    if isinstance(filenames, (list, tuple)):
        return [_plain(name) for name in filenames]
    return os.fspath(filenames) if isinstance(filenames, os.PathLike) else filenames


def _require_strings(spec: object) -> None:
    if not isinstance(spec, TensorSpec) or spec.dtype is not dtypes.string or spec.dims:
        raise TypeError(f"The `filenames` argument must contain strings, but it contains {spec}.")
