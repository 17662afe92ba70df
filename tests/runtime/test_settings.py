"""Switches of the process."""

import traceback

import pytest

import runtime as tf


@pytest.fixture
def unfiltered():
    tf.debugging.disable_traceback_filtering()
    yield
    tf.debugging.enable_traceback_filtering()


def files_of_error():
    @tf.function
    def f(x):
        return [x, x][5]

    with pytest.raises(IndexError) as caught:
        f(tf.constant(1))
    return [frame.filename for frame in traceback.extract_tb(caught.tb)]


def test_tracebacks_show_the_program_alone():
    assert tf.debugging.is_traceback_filtering_enabled()
    assert set(files_of_error()) == {__file__}


def test_tracebacks_show_the_package_on_request(unfiltered):
    assert not tf.debugging.is_traceback_filtering_enabled()
    assert any(name.endswith("polymorphic.py") for name in files_of_error())
