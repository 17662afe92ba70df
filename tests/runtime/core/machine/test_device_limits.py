"""Names of devices in parts, and what can be set of devices."""

import pytest

import runtime as tf

CPU = tf.config.list_physical_devices("CPU")[0]


class TestLogicalDevices:
    def test_one_without_limits(self):
        tf.config.set_logical_device_configuration(CPU, [tf.config.LogicalDeviceConfiguration()])
        assert len(tf.config.list_logical_devices("CPU")) == 1

    def test_others_are_refused(self):
        one = tf.config.LogicalDeviceConfiguration
        with pytest.raises(ValueError, match="has to appear as one device or more"):
            tf.config.set_logical_device_configuration(CPU, [])
        with pytest.raises(ValueError, match="memory limit on CPU"):
            tf.config.set_logical_device_configuration(CPU, [one(memory_limit=5)])
        with pytest.raises(ValueError, match="Unrecognized device: 'x'"):
            tf.config.set_logical_device_configuration("x", [])


def test_scopes_and_graphs():
    assert tf.get_current_name_scope() == ""
    with tf.name_scope("a"), tf.name_scope("b"):
        assert tf.get_current_name_scope() == "a/b"
    assert not tf.is_symbolic_tensor(tf.constant(1)) and not tf.is_symbolic_tensor(3)
    with tf.Graph().as_default(), tf.name_scope("a"):
        assert tf.get_current_name_scope() == "a"
        assert tf.is_symbolic_tensor(tf.constant(1))


def test_versions():
    assert tf.Graph().as_graph_def().versions.producer == tf.version.GRAPH_DEF_VERSION
