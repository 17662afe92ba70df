"""Switches of the process, and what the package says of how it was built."""

import logging
import sys
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


@pytest.fixture
def logged():
    tf.debugging.set_log_device_placement(True)
    yield
    tf.debugging.set_log_device_placement(False)


def test_devices_of_operations_are_logged(logged, caplog):
    assert tf.debugging.get_log_device_placement()
    with caplog.at_level(logging.WARNING, "runtime"):
        tf.add(tf.constant(1), 2)
    assert "Executing op AddV2 in device" in caplog.text
    assert "CPU:0" in caplog.text


def test_devices_are_logged_where_numbers_are_checked(logged, caplog):
    tf.debugging.enable_check_numerics()
    try:
        with pytest.raises(tf.errors.InvalidArgumentError, match="Tensor had -Inf values"):
            tf.math.log(tf.constant(0.0))
    finally:
        tf.debugging.disable_check_numerics()
    assert "Executing op Log " in caplog.text
    assert tf.debugging.get_log_device_placement()


def test_devices_are_not_logged_unasked(caplog):
    assert not tf.debugging.get_log_device_placement()
    tf.add(tf.constant(1), 2)
    assert "Executing" not in caplog.text


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the system does not tell")
def test_the_peak_of_memory_begins_again():
    info = tf.config.experimental.get_memory_info
    held = bytearray(200_000_000)
    held[::4096] = b"x" * len(held[::4096])
    high = info("CPU:0")["peak"]
    del held
    tf.config.experimental.reset_memory_stats("CPU:0")
    assert info("CPU:0")["peak"] < high


def test_memory_of_what_is_not_there():
    with pytest.raises(ValueError, match="No matching devices found"):
        tf.config.experimental.reset_memory_stats("GPU:77")


def test_nothing_was_compiled():
    assert not any(tf.sysconfig.get_build_info().values())
    assert tf.sysconfig.get_compile_flags() == tf.sysconfig.get_link_flags() == []
