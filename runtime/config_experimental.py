"""`runtime.config.experimental`: more about devices, and what runs functions."""

from runtime.core.devices import get_device_details as get_device_details
from runtime.core.devices import get_memory_growth as get_memory_growth
from runtime.core.devices import get_visible_devices as get_visible_devices
from runtime.core.devices import list_logical_devices as list_logical_devices
from runtime.core.devices import list_physical_devices as list_physical_devices
from runtime.core.devices import set_memory_growth as set_memory_growth
from runtime.core.devices import set_visible_devices as set_visible_devices
from runtime.engines.engine import get_engine as get_engine
from runtime.engines.engine import set_engine as set_engine
