"""A log of the device on which each operation runs."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core.logger import get_logger
from runtime.core.opdef import OpDef
from runtime.core.tensor import EagerTensor, Tensor
from runtime.core.thread import STATE


def set_log_device_placement(enabled: bool) -> None:
    """Says whether each operation that runs at once is logged with its device, in this thread.

    Operations in functions are not: a function runs as a whole.

    Args:
      enabled: whether.

    >>> set_log_device_placement(True)
    >>> get_log_device_placement()
    True
    >>> set_log_device_placement(False)
    """
    others = tuple(watch for watch in STATE.watches if watch is not _logged)
    STATE.watches = (*others, _logged) if enabled else others


def get_log_device_placement() -> bool:
    """What `set_log_device_placement` was last told in this thread.

    >>> get_log_device_placement()
    False
    """
    return _logged in STATE.watches


def _logged(op: OpDef, inputs: Sequence[Tensor], outputs: Sequence[Tensor]) -> Sequence[Tensor]:
    if STATE.graph is None:
        devices = [tensor.device for tensor in outputs if isinstance(tensor, EagerTensor)]
        for device in devices[:1]:
            # A program asks for these lines: they are shown at the level that is shown at first.
            get_logger().warning("Executing op %s in device %s", op.name, device)
    return outputs
