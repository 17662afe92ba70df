"""The names of classes in the table of `summary`."""

import pytest

import runtime as tf

keras = tf.keras


class Marked(keras.layers.Layer):
    kind = "an attribute of the program"

    def call(self, inputs):
        return inputs


@pytest.mark.parametrize(
    ("layer", "title"),
    [
        (lambda: keras.layers.MaxPooling2D(name="pool"), "pool (MaxPooling2D)"),
        (lambda: Marked(name="own"), "own (Marked)"),
    ],
)
def test_a_row_names_the_class_of_its_layer(layer, title):
    lines = []
    model = keras.Sequential([keras.Input((4, 4, 1)), layer()])
    model.summary(print_fn=lambda line, **_: lines.append(line))
    assert title in "\n".join(lines)
