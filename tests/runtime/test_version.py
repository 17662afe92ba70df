"""The version of the surface and of the project."""

import autograph
import runtime as tf


def test_programs_that_compare_versions_find_those_of_tensorflow_2():
    major, minor, *_ = tf.__version__.split(".")
    assert (int(major), int(minor)) >= (2, 0)
    assert tf.__version__ == tf.version.VERSION
    assert tf.__version__.endswith(autograph.__version__)


def test_nothing_but_versions_is_shown():
    assert all(name.isupper() for name in dir(tf.version))
