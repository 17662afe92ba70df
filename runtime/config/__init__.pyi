from runtime.config import experimental as experimental
from runtime.config import optimizer as optimizer
from runtime.config import threading as threading
from runtime.core.context import functions_run_eagerly as functions_run_eagerly
from runtime.core.context import run_functions_eagerly as run_functions_eagerly
from runtime.core.machine.device_limits import (
    LogicalDeviceConfiguration as LogicalDeviceConfiguration,
)
from runtime.core.machine.device_limits import (
    set_logical_device_configuration as set_logical_device_configuration,
)
from runtime.core.machine.devices import LogicalDevice as LogicalDevice
from runtime.core.machine.devices import PhysicalDevice as PhysicalDevice
from runtime.core.machine.devices import list_logical_devices as list_logical_devices
from runtime.core.machine.devices import list_physical_devices as list_physical_devices
from runtime.engines.engine import get_engine as get_engine
from runtime.engines.engine import set_engine as set_engine
