"""The namespaces of `keras` offer what programs use, and nothing that they import themselves."""

import inspect

import pytest

from runtime import keras
from runtime.keras.families import documented

OFFERED = {
    "callbacks": "Callback EarlyStopping History LambdaCallback ModelCheckpoint TensorBoard",
    "losses": "Loss Huber BinaryCrossentropy MSE Reduction get sparse_categorical_crossentropy",
    "metrics": "Metric Mean AUC Precision RootMeanSquaredError binary_accuracy get",
    "models": "Input Model Sequential clone_model load_model model_from_json",
    "optimizers": "Adam Nadam Optimizer RMSprop SGD LossScaleOptimizer get schedules",
    "saving": "register_keras_serializable",
    "utils": "custom_object_scope get_file plot_model set_random_seed",
}


REST = {"options", "kwargs"}
"""Further arguments: those of `Layer` for a model, those of the function for a mean metric."""


@pytest.mark.parametrize("name", OFFERED)
def test_a_namespace_shows_the_names_that_programs_use_and_no_imports(name):
    module = getattr(keras, name)
    names = set(dir(module))
    assert set(OFFERED[name].split()) <= names
    modules = {each for each in names if inspect.ismodule(getattr(module, each))}
    assert modules <= {"schedules"}
    assert not names & {"Any", "Callable", "Family", "tf", "np", "annotations"}
    assert not [each for each in names if each.startswith("_")]


def public_classes():
    for module in (keras, keras.layers, keras.losses, keras.metrics, keras.optimizers):
        for name in dir(module):
            if inspect.isclass(getattr(module, name)):
                yield pytest.param(getattr(module, name), id=f"{module.__name__}.{name}")


@pytest.mark.parametrize("kind", [*public_classes()])
def test_a_class_shows_its_real_parameters_and_documents_each(kind):
    parameters = inspect.signature(kind).parameters
    assert "args" not in parameters
    missing = parameters.keys() - documented(kind.__doc__).keys() - REST
    assert not missing


@pytest.mark.parametrize("name", ["add", "concatenate"])
def test_a_function_of_layers_shows_the_parameters_of_its_layer(name):
    parameters = inspect.signature(getattr(keras.layers, name)).parameters
    assert next(iter(parameters)) == "inputs"
    assert ("axis" in parameters) == (name == "concatenate")
    assert parameters["dtype"].kind is inspect.Parameter.KEYWORD_ONLY


def test_the_constructor_of_a_program_is_the_one_that_readers_see():
    class Mine(keras.layers.Layer):
        def __init__(self, units, **options):
            super().__init__(**options)

    class Signs(keras.optimizers.SGD):
        def __init__(self, rate):
            super().__init__(rate)

    assert [*inspect.signature(Mine).parameters] == ["units", "options"]
    assert [*inspect.signature(Signs).parameters] == ["rate"]


@pytest.mark.parametrize(
    ("module", "name", "text"),
    [
        (keras.callbacks, "LearningRateScheduler", "from `keras.callbacks.Callback`"),
        (keras.optimizers, "Adagrad", "with `update_step`"),
        (keras.optimizers.schedules, "CosineDecay", "from `LearningRateSchedule`"),
        (keras.losses, "Hinge", "a function of labels and outputs"),
        (keras.layers, "MultiHeadAttention", "from `keras.layers.Layer`"),
        (keras.layers, "Dens", "Did you mean 'Dense'"),
        (keras.layers, "SimpleRNNCell", "Did you mean 'SimpleRNN'"),
        (keras.saving, "load_model", "`keras.models.load_model`"),
        (keras.utils, "save_img", "write a function"),
    ],
)
def test_a_name_that_is_left_out_says_what_to_write_instead(module, name, text):
    with pytest.raises(AttributeError, match=text):
        getattr(module, name)
    assert not hasattr(module, "_hidden")
