"""`TestCase`: values, comparisons, exceptions and files, where they hold and where not."""

import runtime as tf


def test_a_class_of_tests_runs(outcome):
    assert outcome(lambda self: self.assertAllEqual(tf.range(3), [0, 1, 2])).wasSuccessful()
    assert outcome(lambda self: self.assertAllEqual(tf.range(3), [0, 1, 3])).failures
