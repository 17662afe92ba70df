"""Constructors that follow from a table: signatures, docstrings, configs."""

import inspect

import pytest

import runtime as tf
from runtime import keras

layers = keras.layers


ARGUMENTS = {
    "misspelt": (lambda: layers.Dense(unit=2), "Dense has no argument 'unit'. .* 'units'"),
    "of a recurrent layer": (
        lambda: layers.LSTM(2, return_sequence=True), "LSTM .* Did you mean 'return_sequences'"
    ),
    "missing": (lambda: layers.Conv2D(3), "Conv2D: missing a required argument: 'kernel_size'"),
    "too many": (lambda: layers.LeakyReLU(1, 2, 3, 4), "LeakyReLU: too many positional arguments"),
    "not created": (
        lambda: layers.Flatten(tf.ones([2, 3])),
        r"Create it first, and call it on a tensor: Flatten\(...\)\(x\)\.",
    ),
    "given twice": (lambda: layers.Dense(2, units=3), "multiple values for argument 'units'"),
}  # fmt: skip


@pytest.mark.parametrize(("use", "text"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_arguments_that_do_not_fit_the_signature_are_refused(use, text):
    with pytest.raises(TypeError, match=text):
        use()


def test_signatures_and_docstrings_name_all_parameters():
    parameters = inspect.signature(layers.Dense).parameters
    assert [*parameters][:4] == ["units", "activation", "use_bias", "kernel_initializer"]
    assert parameters["bias_initializer"].default == "zeros"
    assert parameters["name"].kind is inspect.Parameter.KEYWORD_ONLY
    assert "kernel_initializer, bias_initializer: " in layers.Dense.__doc__
    assert "trainable, dtype, autocast, name, input_shape, " in layers.Dense.__doc__
    assert "recurrent_activation" in layers.GRU.__doc__
    assert "recurrent_activation" not in layers.SimpleRNN.__doc__
    members = (getattr(layers, name) for name in dir(layers))
    assert "{" not in "".join(each.__doc__ for each in members if inspect.isclass(each))


class Ten(layers.Dense):
    def __init__(self, scale=2.0, **kwargs):
        super().__init__(10, **kwargs)
        self.scale = scale

    def call(self, inputs):
        return super().call(inputs) * self.scale


class Described(layers.Dense):
    def get_config(self):
        return {**super().get_config(), "use_bias": False}


def test_derived_layers_come_back_from_their_configs():
    config = Ten(3.0, activation="relu", name="ten").get_config()
    assert (config["scale"], config["name"], config["activation"]) == (3.0, "ten", "relu")
    assert Ten.from_config(config).scale == 3.0
    again = Described.from_config(Described(4, name="d").get_config())
    assert (again.units, again.use_bias, again.name) == (4, False, "d")
