"""`runtime.test`: questions that tests ask."""

from runtime.core.devices import gpu_device_name as gpu_device_name
from runtime.core.devices import is_gpu_available as is_gpu_available
