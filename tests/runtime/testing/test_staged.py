"""Checks inside of functions."""

import pytest

import runtime as tf


class TestInFunctions:
    def test_checks_run_with_the_function(self, case):
        @tf.function
        def check(x):
            case.assertAllClose(x, [1.0, 2.0])
            return x

        check(tf.constant([1.0, 2.0]))
        with pytest.raises(AssertionError, match="not close"):
            check(tf.constant([1.0, 3.0]))

    def test_checks_of_known_values_run_at_once(self, case):
        @tf.function
        def check():
            case.assertAllEqual([1], [2])

        with pytest.raises(AssertionError, match="not equal"):
            check()
