"""`TestCase`: values, comparisons, exceptions and files, where they hold and where not."""

import os

import runtime as tf


def test_a_class_of_tests_runs(outcome):
    assert outcome(lambda self: self.assertAllEqual(tf.range(3), [0, 1, 2])).wasSuccessful()
    assert outcome(lambda self: self.assertAllEqual(tf.range(3), [0, 1, 3])).failures


def test_a_directory_for_one_test_is_gone_after_it(case, outcome):
    assert case.get_temp_dir() == case.get_temp_dir()
    kept = []
    outcome(lambda self: kept.append(self.get_temp_dir()))
    assert not os.path.exists(kept[0])
