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


class Twice(keras.layers.Dense):
    def call(self, inputs):
        return 2.0 * super().call(inputs)


class Stated(Marked):
    def compute_output_shape(self, input_shape):
        return (*input_shape[:-1], 7)


@pytest.mark.parametrize(
    ("inner", "shape"),
    [
        (lambda: Marked(), "?"),
        (lambda: Twice(3), "(2, 3)"),
        (lambda: Stated(), "(2, 7)"),
        (lambda: keras.Sequential([keras.layers.Dense(5)]), "(2, 5)"),
    ],
)
def test_shapes_of_classes_of_the_program_are_those_that_they_state(inner, shape):
    class Outer(keras.Model):
        def __init__(self):
            super().__init__()
            self.inner = inner()

        def call(self, inputs):
            return self.inner(inputs)

    lines = []
    model = Outer()
    model(tf.ones([2, 4]))
    model.summary(print_fn=lambda line, **_: lines.append(line))
    assert f"│ {shape} " in "\n".join(lines)


@pytest.mark.parametrize(
    ("samples", "batch", "shape"),
    [
        (8, "arrays", "(4, 2)"),
        (6, "arrays", "(None, 2)"),
        (8, "dataset", "(None, 2)"),
        (8, "whole batches", "(4, 2)"),
    ],
)
@pytest.mark.parametrize("nested", [False, True])
def test_a_model_that_fit_builds_shows_the_batch_size_if_all_batches_have_it(
    samples, batch, shape, nested
):
    dense = keras.layers.Dense(2)
    model = keras.Sequential([keras.Sequential([dense]) if nested else dense])
    model.compile("sgd", "mse")
    x, y = tf.ones([samples, 3]), tf.ones([samples, 2])
    if batch == "arrays":
        model.fit(x, y, batch_size=4, verbose=0)
    else:
        data = tf.data.Dataset.from_tensor_slices((x, y))
        model.fit(data.batch(4, drop_remainder=batch == "whole batches"), verbose=0)
    for each in [model, *(model.layers if nested else [])]:
        lines = []
        each.summary(print_fn=lines.append)
        assert f"│ {shape} " in "".join(lines)
