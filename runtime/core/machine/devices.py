"""Devices: discovery and selection.

Kernels use an array namespace: NumPy on the CPU; CuPy or JAX on a GPU, if one of them is installed
and finds a GPU. A program selects a device with `device`; everything else stays on the CPU.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, NamedTuple

from runtime.core.dispatch import PlacedTensor, array_on
from runtime.core.errors import InvalidArgumentError
from runtime.core.machine.accelerators import Accelerator, accelerators, logical_cpu
from runtime.core.tensor import CPU_NAME, EagerTensor
from runtime.core.thread import STATE, temporarily

_PART = re.compile(r"(job|replica|task|device):(.+)", re.IGNORECASE)
_SHORT = re.compile(r"(cpu|gpu)(?::(\d+|\*))?", re.IGNORECASE)


class DeviceName(NamedTuple):
    """The parts of a device name; None for a missing part."""

    job: str | None = None
    replica: int | None = None
    task: int | None = None
    kind: str | None = None
    number: int | None = None

    @classmethod
    def parse(cls, text: str) -> DeviceName:
        """Parse a name such as `/cpu:0`, `GPU:1` or `/job:localhost/replica:0/task:0/device:CPU:0`.

        Raises: ValueError if the text is not a device name.

        >>> DeviceName.parse("/gpu:1")
        DeviceName(job=None, replica=None, task=None, kind='GPU', number=1)
        """
        fields: dict[str, Any] = {}
        for part in text.strip("/").split("/") if text.strip("/") else ():
            fields.update(_parsed_part(part, text))
        return cls(**fields)

    def __str__(self) -> str:
        """Return the form that graphs store, `/device:CPU:0`."""
        parts = [("job", self.job), ("replica", self.replica), ("task", self.task)]
        text = "".join(f"/{name}:{value}" for name, value in parts if value is not None)
        if self.kind is None:
            return text
        return f"{text}/device:{self.kind}:{'*' if self.number is None else self.number}"

    @property
    def is_here(self) -> bool:
        """True if the name can refer to a device of this process."""
        return self.job in (None, "localhost") and not self.replica and not self.task


def _parsed_part(part: str, text: str) -> dict[str, Any]:
    long = _PART.fullmatch(part)
    name, value = (long[1].lower(), long[2]) if long else ("device", part)
    if name == "device":
        short = _SHORT.fullmatch(value)
        if short:
            number = short[2]
            return {
                "kind": short[1].upper(),
                "number": None if number in (None, "*") else int(number),
            }
    elif name == "job":
        return {"job": value}
    elif value.isdigit():
        return {name: int(value)}
    raise ValueError(
        f"Unknown attribute '{part.partition(':')[0]}' is encountered while parsing the device "
        f"spec: '{text}'. There are names like '/cpu:0' and '/gpu:0'."
    )


class PhysicalDevice(NamedTuple):
    """A device of this computer.

    Attributes:
      name: for instance `/physical_device:CPU:0`.
      device_type: `CPU` or `GPU`.

    >>> PhysicalDevice("/physical_device:CPU:0", "CPU").device_type
    'CPU'
    """

    name: str
    device_type: str


class LogicalDevice(NamedTuple):
    """A device that a program can select.

    Attributes:
      name: for instance `/device:CPU:0`.
      device_type: `CPU` or `GPU`.

    >>> LogicalDevice("/device:CPU:0", "CPU").name
    '/device:CPU:0'
    """

    name: str
    device_type: str


class _Settings:
    def __init__(self) -> None:
        self.cpus = 1


_SETTINGS = _Settings()


class _Cpu:
    """The explicit selection of CPU 0."""


_CPU = _Cpu()


def name_of_asked_cpu() -> str:
    """Return the full name of the selected CPU; CPU 0 if none is selected."""
    asked = STATE.device
    return asked.name if isinstance(asked, Accelerator) and asked.kind == "CPU" else CPU_NAME


def set_logical_cpus(count: int) -> None:
    """Set the number of logical CPUs; they share memory and kernels."""
    _SETTINGS.cpus = count


def to_gpu(tensor: EagerTensor, gpu_index: int = 0) -> EagerTensor:
    """Return a copy on an accelerator. Raises RuntimeError if there is none of that number."""
    found = accelerators()
    if not 0 <= gpu_index < len(found):
        raise RuntimeError(
            f"GPU:{gpu_index} unknown device. There are {len(found)} GPUs that CuPy or JAX find."
        )
    return PlacedTensor(array_on(found[gpu_index], tensor), found[gpu_index])


def _resolved(name: DeviceName) -> Any:
    """Return the accelerator or CPU with a name. Raises InvalidArgumentError if there is none."""
    if not name.is_here:
        raise InvalidArgumentError.of(f"{name} unknown device.")
    index = name.number or 0
    if name.kind == "GPU":
        found = accelerators()
        if index < len(found):
            return found[index]
    elif index == 0:
        return None if name.kind is None else _CPU
    elif index < _SETTINGS.cpus:
        return logical_cpu(index)
    return _CPU


@contextmanager
def device(device_name: object) -> Iterator[None]:
    """Run the operations inside on a device.

    If the device does not exist, or cannot run an operation, the operation runs on the CPU. A graph
    stores the device name in its operations.

    Args:
      device_name: for instance `/cpu:0` or `/gpu:0`; None: no selection.

    Returns: A context manager.

    Raises:
      ValueError: if `device_name` is not a device name.
      InvalidArgumentError: if the device is one of another process.

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
    graph = STATE.graph
    in_graph = nullcontext() if graph is None else graph.device(str(name))
    with temporarily(device=_resolved(name)), in_graph:
        yield


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """Return the physical devices of this computer.

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
    """Return the devices that a program can select.

    Args:
      device_type: `CPU` or `GPU`; None: all.

    >>> list_logical_devices("CPU")
    [LogicalDevice(name='/device:CPU:0', device_type='CPU')]
    """
    kinds = ("CPU", "GPU") if device_type is None else (device_type,)
    return [
        LogicalDevice(f"/device:{kind}:{index}", kind)
        for kind in kinds
        for index in range(_SETTINGS.cpus if kind == "CPU" else len(list_physical_devices(kind)))
    ]


def require_known(entry: object) -> None:
    """Raise ValueError unless the argument is a device of this computer."""
    if not isinstance(entry, PhysicalDevice) or entry not in list_physical_devices():
        raise ValueError(f"Unrecognized device: {entry!r}")


def set_memory_growth(device: PhysicalDevice, enable: bool) -> None:
    """Check that a device is a GPU. CuPy's and JAX's own settings decide how its memory grows.

    Args:
      device: a GPU.
      enable: ignored.

    Raises: ValueError if `device` is not a GPU.

    >>> import runtime as tf
    >>> for gpu in tf.config.list_physical_devices("GPU"):
    ...     set_memory_growth(gpu, True)
    """
    require_known(device)
    if device.device_type != "GPU":
        raise ValueError("Cannot set memory growth on non-GPU and non-Pluggable devices")
