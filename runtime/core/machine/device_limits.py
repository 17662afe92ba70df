"""Logical devices: how a physical device appears to programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from runtime.core.errors import UnimplementedError
from runtime.core.machine.devices import PhysicalDevice, require_known, set_logical_cpus


class LogicalDeviceConfiguration(NamedTuple):
    """Configuration of one logical device.

    Args:
      memory_limit: accepted for TensorFlow's signature; only None is supported.
      experimental_priority, experimental_device_ordinal: the same.

    >>> LogicalDeviceConfiguration().memory_limit is None
    True
    """

    memory_limit: float | None = None
    experimental_priority: int | None = None
    experimental_device_ordinal: int | None = None


def set_logical_device_configuration(
    device: PhysicalDevice, logical_devices: Sequence[LogicalDeviceConfiguration]
) -> None:
    """Set the logical devices of a physical device: one or more for a CPU, one for a GPU.

    Logical CPUs share memory and kernels, so programs for several devices run on one.

    Args:
      device: a physical device.
      logical_devices: one entry for each logical device.

    Raises:
      ValueError: if `device` is not a device of this computer, for a memory limit of a CPU, or for
        an empty list.
      UnimplementedError: for several logical devices, or limits, of a GPU.

    >>> import runtime as tf
    >>> cpu = tf.config.list_physical_devices("CPU")[0]
    >>> set_logical_device_configuration(cpu, [LogicalDeviceConfiguration()] * 2)
    >>> with tf.device("CPU:1"):
    ...     print(tf.constant(1.0).device)
    /job:localhost/replica:0/task:0/device:CPU:1
    >>> set_logical_device_configuration(cpu, [LogicalDeviceConfiguration()])
    """
    require_known(device)
    wanted = list(logical_devices)
    limited = [entry for entry in wanted if entry != LogicalDeviceConfiguration()]
    if limited and device.device_type == "CPU":
        raise ValueError("Setting memory limit on CPU virtual devices is currently not supported")
    if not wanted:
        raise ValueError(
            f"{device.name} has to appear as one device or more; logical_devices is []"
        )
    if limited or (len(wanted) > 1 and device.device_type != "CPU"):
        raise UnimplementedError.of(
            f"{device.name} appears as one device without limits; CuPy and JAX have settings of "
            "their own for the memory that they use",
        )
    if device.device_type == "CPU":
        set_logical_cpus(len(wanted))
