"""Python's operators on symbolic tensors are operations that configs of models hold."""

import numpy as np
import pytest

from runtime import keras

X = np.array([[1.0, -2.0, 3.0]], np.float32)

OPERATORS = {
    "sums": (lambda x: (x + 1.0) - x * 0.5, X + 1 - X / 2),
    "reflected": (lambda x: 2.0 / (1.0 - x + 8.0), 2 / (9 - X)),
    "power and sign": (lambda x: -(x**2), -(X**2)),
    "items": (lambda x: x[:, ::2] + x[..., -1:], X[:, ::2] + X[:, -1:]),
}


@pytest.mark.parametrize(("program", "expected"), OPERATORS.values(), ids=OPERATORS)
def test_a_model_of_operators_comes_back_from_its_config(program, expected):
    inputs = keras.Input((3,))
    model = keras.Model(inputs, program(inputs))
    again = keras.models.model_from_json(model.to_json())
    for each in (model, again):
        np.testing.assert_allclose(each(X), expected, rtol=1e-6)
