from runtime.core.machine.device_limits import (
    LogicalDeviceConfiguration,
    set_logical_device_configuration,
)
from runtime.core.machine.devices import list_logical_devices as list_logical_devices
from runtime.core.machine.devices import list_physical_devices as list_physical_devices
from runtime.core.machine.devices import set_memory_growth as set_memory_growth
from runtime.engines.engine import get_engine as get_engine
from runtime.engines.engine import set_engine as set_engine

VirtualDeviceConfiguration = LogicalDeviceConfiguration
set_virtual_device_configuration = set_logical_device_configuration
