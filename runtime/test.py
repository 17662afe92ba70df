"""`runtime.test`: questions that tests ask."""

from runtime.core.devices import gpu_device_name as gpu_device_name
from runtime.core.devices import is_built_with_gpu_support as is_built_with_cuda
from runtime.core.devices import is_built_with_gpu_support as is_built_with_gpu_support
from runtime.core.devices import is_gpu_available as is_gpu_available

__all__ = [
    "gpu_device_name",
    "is_built_with_cuda",
    "is_built_with_gpu_support",
    "is_gpu_available",
]
