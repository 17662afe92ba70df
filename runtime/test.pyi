from runtime.testing.benchmark import Benchmark as Benchmark
from runtime.testing.case import TestCase as TestCase
from runtime.testing.case import main as main
