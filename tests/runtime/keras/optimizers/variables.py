"""Variables to optimize."""

import runtime as tf


def variable(*values, name="w", **options):
    return tf.Variable(values, name=name, dtype=options.pop("dtype", "float32"), **options)
