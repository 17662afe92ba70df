"""GPUs that an installed array library (CuPy or JAX) reports, and logical CPUs."""

from __future__ import annotations

import functools
import importlib
import importlib.util
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np

HERE = "/job:localhost/replica:0/task:0"
"""Prefix of all device names of this process, in TensorFlow's format."""


@dataclass(frozen=True, eq=False)
class Accelerator:
    """A device with its own array namespace.

    Attributes:
      index: the number of the device.
      xp: the namespace for kernels.
      put: copies a NumPy array to the device.
      fetch: copies an array of the device to NumPy.
      scope: a context in which kernels run there.
      kind: `GPU` or `CPU`.
    """

    index: int
    xp: Any
    put: Callable[[Any], Any]
    fetch: Callable[[Any], Any]
    scope: Callable[[], AbstractContextManager[Any]] = nullcontext
    kind: str = "GPU"

    @property
    def name(self) -> str:
        """The full device name."""
        return f"{HERE}/device:{self.kind}:{self.index}"


@functools.cache
def logical_cpu(index: int) -> Accelerator:
    """Return a CPU with index > 0. It shares memory and kernels with CPU 0."""
    quiet = functools.partial(np.errstate, all="ignore")
    return Accelerator(index, np, np.asarray, np.asarray, quiet, kind="CPU")


def _cupy_accelerators() -> tuple[Accelerator, ...]:
    cupy = importlib.import_module("cupy")
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError:
        return ()  # CuPy is installed on a computer without a GPU

    def one(index: int) -> Accelerator:
        def put(array: object) -> Any:
            with cupy.cuda.Device(index):
                return cupy.asarray(array)

        return Accelerator(
            index, cupy, put, cupy.asnumpy, functools.partial(cupy.cuda.Device, index)
        )

    return tuple(map(one, range(count)))


def _jax_accelerators() -> tuple[Accelerator, ...]:
    jax = importlib.import_module("jax")
    try:
        found = jax.devices("gpu")
    except RuntimeError:
        return ()  # JAX is installed on a computer without a GPU, or without support for it

    def one(index: int, gpu: object) -> Accelerator:
        @contextmanager
        def scope() -> Iterator[None]:
            # Without this JAX narrows 64-bit numbers to 32 bits.
            with jax.experimental.enable_x64(), jax.default_device(gpu):
                yield

        def put(array: object) -> Any:
            with scope():
                return jax.device_put(array, gpu)

        return Accelerator(index, jax.numpy, put, np.asarray, scope)

    return tuple(one(index, gpu) for index, gpu in enumerate(found))


_LIBRARIES = {"cupy": _cupy_accelerators, "jax": _jax_accelerators}


@functools.cache
def accelerators() -> tuple[Accelerator, ...]:
    """Return the GPUs of the first installed library that reports any."""
    for library, find in _LIBRARIES.items():
        if importlib.util.find_spec(library) is not None:
            found = find()
            if found:
                return found
    return ()
