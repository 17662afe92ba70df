"""`runtime.test`: test cases, and questions that tests ask."""

from runtime.core.devices import gpu_device_name as gpu_device_name
from runtime.core.devices import is_gpu_available as is_gpu_available
from runtime.testing.benchmark import Benchmark as Benchmark
from runtime.testing.case import TestCase as TestCase
from runtime.testing.program import assert_equal_graph_def as assert_equal_graph_def
from runtime.testing.program import disable_with_predicate as disable_with_predicate
from runtime.testing.program import is_cpu_target_available as is_cpu_target_available
from runtime.testing.program import main as main
from runtime.testing.program import with_eager_op_as_function as with_eager_op_as_function

__all__ = [
    "Benchmark",
    "TestCase",
    "assert_equal_graph_def",
    "disable_with_predicate",
    "gpu_device_name",
    "is_cpu_target_available",
    "is_gpu_available",
    "main",
    "with_eager_op_as_function",
]
