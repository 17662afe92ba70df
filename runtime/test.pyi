from runtime.testing.case import TestCase as TestCase
from runtime.testing.case import main as main
