from runtime.core.device_limits import (
    LogicalDeviceConfiguration,
    get_logical_device_configuration,
    set_logical_device_configuration,
)
from runtime.core.device_precision import (
    enable_tensor_float_32_execution as enable_tensor_float_32_execution,
)
from runtime.core.device_precision import (
    tensor_float_32_execution_enabled as tensor_float_32_execution_enabled,
)
from runtime.core.devices import get_device_details as get_device_details
from runtime.core.devices import get_memory_growth as get_memory_growth
from runtime.core.devices import get_visible_devices as get_visible_devices
from runtime.core.devices import list_logical_devices as list_logical_devices
from runtime.core.devices import list_physical_devices as list_physical_devices
from runtime.core.devices import set_memory_growth as set_memory_growth
from runtime.core.devices import set_visible_devices as set_visible_devices
from runtime.engines.engine import get_engine as get_engine
from runtime.engines.engine import set_engine as set_engine
from runtime.ops.random.seeds import enable_op_determinism as enable_op_determinism

VirtualDeviceConfiguration = LogicalDeviceConfiguration
get_virtual_device_configuration = get_logical_device_configuration
set_virtual_device_configuration = set_logical_device_configuration
