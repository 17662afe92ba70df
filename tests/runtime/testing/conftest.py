"""A test to ask, and the end of a class of one test."""

import io
import unittest

import pytest

import runtime as tf


@pytest.fixture
def case():
    class Case(tf.test.TestCase):
        def runTest(self):
            """Stands for a test."""

    one = Case()
    one.setUp()
    yield one
    one.tearDown()
    one.doCleanups()


@pytest.fixture(scope="session")
def outcome():
    """What a class of one test ends with."""

    def run(body):
        class Case(tf.test.TestCase):
            test = body

        tests = unittest.defaultTestLoader.loadTestsFromTestCase(Case)
        assert tests.countTestCases() == 1
        return unittest.TextTestRunner(io.StringIO()).run(tests)

    return run
