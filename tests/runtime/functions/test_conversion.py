"""Functions are converted before they are traced, and errors show the user's frames."""

import traceback

import pytest

import runtime as tf
from runtime.functions.conversion import TENSORS, converted, end_of_trace, show_user_frames


def sign(x):
    return 1 if x > 0 else -1


def test_a_converted_function_stages_what_tensors_decide():
    signs = tf.function(converted(sign), autograph=False)
    assert [int(signs(tf.constant(x))) for x in (2, -2)] == [1, -1]
    assert converted(sign)(3) == 1
    with pytest.raises(TypeError, match="as a Python `bool` is not allowed"):
        tf.function(sign, autograph=False)(tf.constant(2))


def test_the_mode_of_tensors_converts():
    assert TENSORS.prepared(sign, None)(-3) == -1


def failing(x):
    raise KeyError(x)


@pytest.fixture
def unfiltered():
    tf.debugging.disable_traceback_filtering()
    yield
    tf.debugging.enable_traceback_filtering()


def frames():
    try:
        tf.function(lambda x: failing(x))(tf.constant(1))
    except KeyError as error:
        return {frame.name for frame in traceback.extract_tb(error.__traceback__)}


def test_tracebacks_show_frames_of_the_program():
    assert frames() == {"frames", "<lambda>", "failing"}


def test_all_frames_are_there_on_demand(unfiltered):
    assert "_traced_once" in frames()


def test_an_error_without_frames_of_the_package_is_left_as_it_is():
    try:
        failing(1)
    except KeyError as error:
        show_user_frames(error)
        assert [frame.name for frame in traceback.extract_tb(error.__traceback__)] == [
            "test_an_error_without_frames_of_the_package_is_left_as_it_is",
            "failing",
        ]


def test_errors_become_public_at_the_end_of_the_outermost_trace():
    from runtime.core.errors import StagingError

    inner = StagingError("what", public=ValueError)
    with pytest.raises(StagingError), end_of_trace(False):
        raise inner
    with pytest.raises(ValueError, match="what"), end_of_trace(True):
        raise inner
