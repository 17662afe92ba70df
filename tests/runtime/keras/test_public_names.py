"""The namespaces of `keras` offer what programs use, and nothing that they import themselves."""

import inspect

import pytest

from runtime import keras

OFFERED = {
    "callbacks": "Callback EarlyStopping History LambdaCallback ModelCheckpoint TensorBoard",
    "losses": "Loss Huber BinaryCrossentropy MSE Reduction get sparse_categorical_crossentropy",
    "metrics": "Metric Mean AUC Precision Recall RootMeanSquaredError binary_accuracy get",
    "models": "Input Model Sequential clone_model load_model model_from_json",
    "optimizers": "Adam Nadam Optimizer RMSprop SGD LossScaleOptimizer get schedules",
    "saving": "custom_object_scope load_model register_keras_serializable",
    "utils": "custom_object_scope get_file img_to_array load_img plot_model set_random_seed",
}


@pytest.mark.parametrize("name", OFFERED)
def test_a_namespace_shows_the_names_that_programs_use_and_no_imports(name):
    module = getattr(keras, name)
    names = set(dir(module))
    assert set(OFFERED[name].split()) <= names
    modules = {each for each in names if inspect.ismodule(getattr(module, each))}
    assert modules <= {"schedules"}
    assert not names & {"Any", "Callable", "Family", "tf", "np", "annotations"}
    assert not [each for each in names if each.startswith("_")]
