"""Names of layers and of variables: counted by class, and different."""

from runtime import keras
from tests.runtime.keras.base.own_layers import Affine, Branching


def test_variables_without_a_name_get_different_ones():
    keras.backend.clear_session()
    layer = keras.layers.Layer()
    made = [layer.add_weight((2,)), layer.add_weight((2,), name="own"), layer.add_weight((2,))]
    assert [each.path for each in made] == ["layer/variable", "layer/own", "layer/variable_1"]


def test_names_count_the_layers_of_a_class():
    keras.backend.clear_session()
    assert [Affine(1).name, Affine(1).name, Branching().name] == ["affine", "affine_1", "branching"]


def test_a_functional_model_of_a_class_of_the_program_is_named_after_it():
    class Pair(keras.Model):
        """A model of a program, between its inputs and outputs."""

    keras.backend.clear_session()
    x = keras.Input((2,))
    names = [kind(x, x + 1.0).name for kind in (Pair, keras.Model, Pair, keras.Model)]
    assert names == ["pair", "functional", "pair_1", "functional_1"]
