"""VGG19: shapes and names; its numbers are compared in `tests/runtime/oracle`."""

from runtime import keras


def test_layers_of_the_net_are_found_by_name():
    model = keras.applications.VGG19(include_top=False, weights=None)
    assert model.get_layer("block4_conv2").output.shape.as_list() == [None, None, None, 512]
    assert model.count_params() == 20_024_384
