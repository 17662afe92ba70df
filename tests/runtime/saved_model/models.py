"""Models that are saved and loaded."""

import runtime as tf


def model(**attributes):
    made = tf.Module()
    for name, value in attributes.items():
        setattr(made, name, value)
    return made


def reloaded(saved, folder, **options):
    tf.saved_model.save(saved, folder, **options)
    return tf.saved_model.load(folder)
