"""Devices: which there are, which one a program asks for, and tensors that are not in the
computer's own memory.

The kernels are written against an array namespace. On the CPU that is NumPy; on a GPU it is CuPy
or JAX, where one of them is installed and finds a GPU. A program asks for one with `device`; what
it does not ask for stays on the CPU.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, NamedTuple

import numpy as np

from runtime.core.accelerators import (
    HERE,
    Accelerator,
    accelerators,
    logical_cpu,
)
from runtime.core.device_names import DeviceName
from runtime.core.dtypes import from_numpy
from runtime.core.errors import InvalidArgumentError
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import CPU_NAME, EagerTensor, Tensor, bind_operators
from runtime.core.thread import STATE


class PhysicalDevice(NamedTuple):
    """A device of this computer.

    >>> PhysicalDevice("/physical_device:CPU:0", "CPU").device_type
    'CPU'
    """

    name: str
    device_type: str


class LogicalDevice(NamedTuple):
    """A device as programs name it.

    >>> LogicalDevice("/device:CPU:0", "CPU").name
    '/device:CPU:0'
    """

    name: str
    device_type: str


class _Settings:
    def __init__(self) -> None:
        self.soft_placement = True
        self.visible: tuple[PhysicalDevice, ...] | None = None
        self.memory_growth: dict[PhysicalDevice, bool] = {}
        self.cpus = 1


_SETTINGS = _Settings()


class PlacedTensor(EagerTensor):
    """A tensor with a value on an accelerator or a logical CPU; it is copied when needed."""

    __slots__ = ("_array", "_host", "_on")

    def __init__(self, array: Any, on: Accelerator) -> None:
        """Wraps an array of the accelerator."""
        self._array = array
        self._on = on
        self._host: Any = None
        self._spec: TensorSpec = spec_of(
            from_numpy(np.dtype(array.dtype)), tuple(map(int, array.shape))
        )

    @property
    def _a(self) -> Any:
        if self._host is None:
            self._host = np.asarray(self._on.fetch(self._array))
        return self._host

    @property
    def device(self) -> str:
        """The full name of the device that holds the value."""
        return self._on.name

    def array_on(self, accelerator: Accelerator) -> Any:
        """The value as an array of that accelerator."""
        return self._array if accelerator is self._on else accelerator.put(self._a)

    def cpu(self) -> EagerTensor:
        """The tensor on the CPU."""
        return EagerTensor(self._a, self._spec)


# What users see in Python's own messages, wherever the value lies.
PlacedTensor.__name__ = PlacedTensor.__qualname__ = "EagerTensor"


class _Cpu:
    """Stands for the CPU where a program asks for it."""


_CPU = _Cpu()


def accelerator_for(inputs: Sequence[Tensor]) -> Accelerator | None:
    """Where an op runs: the device that the program asks for, else a GPU that holds an input."""
    asked = STATE.device
    if asked is not None:
        return asked if isinstance(asked, Accelerator) else None
    for tensor in inputs:
        if isinstance(tensor, PlacedTensor) and tensor._on.kind == "GPU":
            return tensor._on
    return None


def name_of_asked_cpu() -> str:
    """The full name of the CPU that the program asks for; of the first one if it asks for none."""
    asked = STATE.device
    return asked.name if isinstance(asked, Accelerator) and asked.kind == "CPU" else CPU_NAME


def set_logical_cpus(count: int) -> None:
    """Set the number of CPUs that programs can ask for; they share memory and kernels."""
    _SETTINGS.cpus = count


def placed(array: Any) -> EagerTensor:
    """The tensor of a NumPy array, on the device that the program asks for."""
    asked = STATE.device
    if isinstance(asked, Accelerator) and array.dtype.kind != "O":
        return PlacedTensor(asked.put(array), asked)
    return EagerTensor(array)


def array_on(accelerator: Accelerator, tensor: EagerTensor) -> Any:
    """The value of a tensor as an array of the accelerator."""
    if isinstance(tensor, PlacedTensor):
        return tensor.array_on(accelerator)
    return accelerator.put(tensor._a)


def _to_gpu(tensor: EagerTensor, gpu_index: int = 0) -> EagerTensor:
    found = _visible_accelerators()
    if not 0 <= gpu_index < len(found):
        raise RuntimeError(
            f"GPU:{gpu_index} unknown device. There are {len(found)} GPUs that CuPy or JAX find "
            "and that are visible."
        )
    return PlacedTensor(array_on(found[gpu_index], tensor), found[gpu_index])


bind_operators({"gpu": _to_gpu})


def _resolved(name: DeviceName) -> Any:
    """The device of that name: an accelerator, or the CPU. Raises InvalidArgumentError if none."""
    if not name.is_here:
        raise InvalidArgumentError.of(f"{name} unknown device.")
    index = name.number or 0
    if name.kind == "GPU":
        found = _visible_accelerators()
        if index < len(found):
            return found[index]
    elif index == 0:
        return None if name.kind is None else _CPU
    elif index < _SETTINGS.cpus:
        return logical_cpu(index)
    if _SETTINGS.soft_placement:
        return _CPU
    available = ", ".join(f"{HERE}{device.name}" for device in list_logical_devices())
    raise InvalidArgumentError.of(
        f"Could not satisfy device specification '{HERE}/device:{name.kind}:{index}'. "
        f"enable_soft_placement=0. All available devices [{available}]. Ask for one of these, or "
        "call runtime.config.set_soft_device_placement(True).",
    )


@contextmanager
def device(device_name: Any) -> Iterator[None]:
    """Runs the operations inside on a device.

    Args:
      device_name: for instance `/cpu:0` or `/gpu:0`, or a `DeviceSpec`; None: no wish.

    Where there is no such device, or where an operation cannot be computed there, operations run on
    the CPU, unless `config.set_soft_device_placement(False)` was called. In a graph the wish is
    noted in the operations.

    Raises: ValueError for a text that names no device; InvalidArgumentError for a device that does
      not exist here, if placement is not soft.

    >>> import runtime as tf
    >>> with tf.device("/cpu:0"):
    ...     x = tf.constant(1.0)
    >>> x.device
    '/job:localhost/replica:0/task:0/device:CPU:0'
    """
    asked = device_name.to_string() if hasattr(device_name, "to_string") else device_name
    if asked is not None and not isinstance(asked, str):
        raise ValueError(f"Expecting a string device_name, received {device_name!r}.")
    name = DeviceName.parse(asked or "")
    wanted = _resolved(name)
    before = STATE.device
    STATE.device = wanted
    graph = STATE.graph
    try:
        with nullcontext() if graph is None else graph.device(str(name)):
            yield
    finally:
        STATE.device = before


def _visible_accelerators() -> tuple[Accelerator, ...]:
    names = {device.name for device in get_visible_devices("GPU")}
    return tuple(a for a in accelerators() if f"/physical_device:GPU:{a.index}" in names)


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices of this computer.

    Args:
      device_type: `CPU` or `GPU`; None: all.

    >>> list_physical_devices("CPU")
    [PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')]
    """
    devices = [PhysicalDevice("/physical_device:CPU:0", "CPU")]
    if device_type != "CPU":
        devices += [
            PhysicalDevice(f"/physical_device:GPU:{a.index}", "GPU") for a in accelerators()
        ]
    return [device for device in devices if device_type in (None, device.device_type)]


def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """The devices that a program can ask for.

    Args:
      device_type: `CPU` or `GPU`; None: all.

    >>> list_logical_devices("CPU")
    [LogicalDevice(name='/device:CPU:0', device_type='CPU')]
    """
    kinds = ("CPU", "GPU") if device_type is None else (device_type,)
    return [
        LogicalDevice(f"/device:{kind}:{index}", kind)
        for kind in kinds
        for index in range(_SETTINGS.cpus if kind == "CPU" else len(get_visible_devices(kind)))
    ]


def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The devices that `set_visible_devices` left visible.

    >>> get_visible_devices("CPU")
    [PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')]
    """
    visible = _SETTINGS.visible
    devices = list_physical_devices(device_type)
    return devices if visible is None else [device for device in devices if device in visible]


def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Hides all devices but these.

    Args:
      devices: a physical device, or a list of them.
      device_type: hides devices of this type only.

    Raises: ValueError for something that is no device of this computer, or of another type;
      RuntimeError if the CPU would be hidden.

    >>> set_visible_devices([], "GPU")
    >>> get_visible_devices("GPU")
    []
    """
    chosen = list(devices) if isinstance(devices, list) else [devices]
    for entry in chosen:
        _require_known(entry)
        if device_type not in (None, entry.device_type):
            raise ValueError(f"{entry} is no device of type {device_type}")
    if device_type != "GPU" and not any(entry.device_type == "CPU" for entry in chosen):
        raise RuntimeError("the CPU cannot be hidden: what no other device can do is done there")
    others = [d for d in get_visible_devices() if device_type not in (None, d.device_type)]
    _SETTINGS.visible = (*others, *chosen)


def _require_known(entry: Any) -> None:
    if not isinstance(entry, PhysicalDevice) or entry not in list_physical_devices():
        raise ValueError(f"Unrecognized device: {entry!r}")


def get_soft_device_placement() -> bool:
    """Whether operations run on the CPU where the device that a program asks for is missing.

    >>> get_soft_device_placement()
    True
    """
    return _SETTINGS.soft_placement


def set_soft_device_placement(enabled: bool) -> None:
    """Says whether operations run on the CPU where the device asked for is missing, or fail.

    >>> set_soft_device_placement(True)
    """
    _SETTINGS.soft_placement = bool(enabled)


def get_memory_growth(device: PhysicalDevice) -> bool | None:
    """What `set_memory_growth` was told, or None. Raises ValueError for anything but a GPU.

    >>> import runtime as tf
    >>> for gpu in tf.config.list_physical_devices("GPU"):
    ...     assert get_memory_growth(gpu) in (None, True, False)
    """
    _require_gpu(device, "get")
    return _SETTINGS.memory_growth.get(device)


def set_memory_growth(device: PhysicalDevice, enable: bool) -> None:
    """Notes whether the memory used on a GPU may grow; CuPy's and JAX's own settings decide.

    Raises: ValueError for anything but a GPU.

    >>> import runtime as tf
    >>> for gpu in tf.config.list_physical_devices("GPU"):
    ...     set_memory_growth(gpu, True)
    """
    _require_gpu(device, "set")
    _SETTINGS.memory_growth[device] = bool(enable)


def _require_gpu(device: PhysicalDevice, verb: str) -> None:
    _require_known(device)
    if device.device_type != "GPU":
        raise ValueError(f"Cannot {verb} memory growth on non-GPU and non-Pluggable devices")


def get_device_details(device: PhysicalDevice) -> dict[str, Any]:
    """What more is known of a device: nothing of a CPU, the namespace of a GPU's arrays.

    >>> import runtime as tf
    >>> get_device_details(tf.config.list_physical_devices("CPU")[0])
    {}
    """
    _require_known(device)
    if device.device_type == "CPU":
        return {}
    index = int(device.name.rpartition(":")[2])
    return {"array_namespace": accelerators()[index].xp.__name__}


def is_gpu_available(cuda_only: bool = False, min_cuda_compute_capability: Any = None) -> bool:
    """Whether a GPU can be asked for.

    Args:
      cuda_only, min_cuda_compute_capability: taken, but every GPU that is found counts.

    >>> is_gpu_available() in (True, False)
    True
    """
    return bool(_visible_accelerators())


def gpu_device_name() -> str:
    """The name of the first GPU, or an empty string.

    >>> isinstance(gpu_device_name(), str)
    True
    """
    gpus = list_logical_devices("GPU")
    return gpus[0].name if gpus else ""
