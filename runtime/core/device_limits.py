"""What can be set of devices and of how operations run, and what is always so."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from runtime.core.device_names import DeviceName
from runtime.core.devices import PhysicalDevice, list_physical_devices, set_logical_cpus
from runtime.core.errors import UnimplementedError


class LogicalDeviceConfiguration(NamedTuple):
    """How a physical device appears to programs.

    >>> LogicalDeviceConfiguration().memory_limit is None
    True
    """

    memory_limit: float | None = None
    experimental_priority: int | None = None
    experimental_device_ordinal: int | None = None


_CONFIGURED: dict[PhysicalDevice, list[LogicalDeviceConfiguration]] = {}


def _require_known(device: Any) -> None:
    if device not in list_physical_devices():
        raise ValueError(f"Unrecognized device: {device!r}")


def get_logical_device_configuration(
    device: PhysicalDevice,
) -> list[LogicalDeviceConfiguration] | None:
    """What `set_logical_device_configuration` was told, or None.

    Raises: ValueError for something that is no device of this computer.

    >>> import runtime as tf
    >>> for gpu in tf.config.list_physical_devices("GPU"):
    ...     assert get_logical_device_configuration(gpu) in (None, [LogicalDeviceConfiguration()])
    """
    _require_known(device)
    return _CONFIGURED.get(device)


def set_logical_device_configuration(
    device: PhysicalDevice, logical_devices: Sequence[LogicalDeviceConfiguration]
) -> None:
    """Say how a physical device appears: a CPU as one or several devices, a GPU as one.

    Logical CPUs share memory and kernels, so programs for several devices run on one.

    Args:
      device: a device of this computer.
      logical_devices: one entry for each device that programs can ask for.

    Raises: ValueError for something that is no device of this computer, for limits of a CPU, and
      for no devices; UnimplementedError for several devices, or limits, of a GPU.

    >>> import runtime as tf
    >>> cpu = tf.config.list_physical_devices("CPU")[0]
    >>> set_logical_device_configuration(cpu, [LogicalDeviceConfiguration()] * 2)
    >>> with tf.device("CPU:1"):
    ...     print(tf.constant(1.0).device)
    /job:localhost/replica:0/task:0/device:CPU:1
    >>> set_logical_device_configuration(cpu, [LogicalDeviceConfiguration()])
    """
    _require_known(device)
    wanted = list(logical_devices)
    limited = [entry for entry in wanted if entry != LogicalDeviceConfiguration()]
    if limited and device.device_type == "CPU":
        raise ValueError("Setting memory limit on CPU virtual devices is currently not supported")
    if not wanted:
        raise ValueError(
            f"{device.name} has to appear as one device or more; logical_devices is []"
        )
    if limited or (len(wanted) > 1 and device.device_type != "CPU"):
        raise UnimplementedError(
            None,
            None,
            f"{device.name} appears as one device without limits; CuPy and JAX have settings of "
            "their own for the memory that they use",
        )
    if device.device_type == "CPU":
        set_logical_cpus(len(wanted))
    _CONFIGURED[device] = wanted


def get_device_policy() -> str:
    """What happens to an operand on another device: "silent", it is copied.

    >>> get_device_policy()
    'silent'
    """
    return "silent"


def set_device_policy(device_policy: str | None) -> None:
    """Says what happens to an operand on another device: only that it is copied.

    Args:
      device_policy: None or "silent".

    Raises: UnimplementedError for another policy; ValueError for a text that is none.

    >>> set_device_policy("silent")
    """
    if device_policy in ("explicit", "warn", "silent_for_int32"):
        raise UnimplementedError(
            None, None, f"operands on other devices are copied silently, not {device_policy!r}"
        )
    if device_policy not in (None, "silent"):
        raise ValueError(f"Invalid argument `device_policy`: {device_policy!r}. There is 'silent'.")


def get_synchronous_execution() -> bool:
    """Whether an operation has run when its call ends: always.

    >>> get_synchronous_execution()
    True
    """
    return True


def set_synchronous_execution(enable: bool | None) -> None:
    """Says that an operation has run when its call ends.

    Raises: UnimplementedError for False.

    >>> set_synchronous_execution(True)
    """
    if enable is not None and not enable:
        raise UnimplementedError(None, None, "operations run one after another, at their calls")


def get_memory_info(device: str) -> dict[str, int]:
    """How many bytes of memory are in use, of the CPU those of the whole process.

    Args:
      device: its name, for instance "CPU:0".

    Returns: `current` and `peak`.
    Raises: ValueError for a text that names no device of this computer; UnimplementedError where
      the system does not tell.

    >>> sorted(get_memory_info("CPU:0"))
    ['current', 'peak']
    """
    _require_measured(device)
    found = _process_memory()
    return {"current": found["VmRSS"], "peak": found["VmHWM"]}


def _require_measured(device: str) -> None:
    if _named(device).kind != "CPU" or not sys.platform.startswith("linux"):
        raise UnimplementedError(
            None, None, f"the memory in use on {device} is not known here; ask the system"
        )


def _process_memory() -> dict[str, int]:
    with open(f"/proc/{os.getpid()}/status") as status:
        lines = [line.split() for line in status]
    return {line[0][:-1]: int(line[1]) * 1024 for line in lines if line[-1] == "kB"}


def reset_memory_stats(device: str) -> None:
    """Has the `peak` of `get_memory_info` begin again with what is in use now.

    Args:
      device: its name, for instance "CPU:0".

    Raises: ValueError for a text that names no device of this computer; UnimplementedError where
      the system does not tell, or does not let the process begin again.

    >>> reset_memory_stats("CPU:0")
    """
    _require_measured(device)
    try:
        with open(f"/proc/{os.getpid()}/clear_refs", "w") as peaks:
            peaks.write("5")
    except OSError as error:
        raise UnimplementedError(
            None, None, f"the system does not let this process reset its peak of memory: {error}"
        ) from error


def get_memory_usage(device: str) -> int:
    """The bytes in use; see `get_memory_info`.

    >>> get_memory_usage("CPU:0") > 0
    True
    """
    return get_memory_info(device)["current"]


def _named(device: str) -> DeviceName:
    try:
        name = DeviceName.parse(device)
    except ValueError:
        name = DeviceName()
    if name.kind is None or name.number is None:
        raise ValueError(
            f"Failed parsing device name: {device!r}. Note a valid device string should at least "
            'contain a device type and a device index, like "GPU:0".'
        )
    physical = f"/physical_device:{name.kind}:{name.number}"
    if physical not in [found.name for found in list_physical_devices()]:
        raise ValueError(f"No matching devices found for {device!r}")
    return name
