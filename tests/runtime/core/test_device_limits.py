"""Names of devices in parts, and what can be set of devices."""

import subprocess
import sys

import pytest

import runtime as tf

CPU = tf.config.list_physical_devices("CPU")[0]


class TestLogicalDevices:
    def test_one_without_limits(self):
        tf.config.set_logical_device_configuration(CPU, [tf.config.LogicalDeviceConfiguration()])
        assert tf.config.get_logical_device_configuration(CPU) == [
            tf.config.LogicalDeviceConfiguration()
        ]

    def test_others_are_refused(self):
        one = tf.config.LogicalDeviceConfiguration
        with pytest.raises(ValueError, match="has to appear as one device or more"):
            tf.config.set_logical_device_configuration(CPU, [])
        with pytest.raises(ValueError, match="memory limit on CPU"):
            tf.config.set_logical_device_configuration(CPU, [one(memory_limit=5)])
        with pytest.raises(ValueError, match="Unrecognized device: 'x'"):
            tf.config.set_logical_device_configuration("x", [])


class TestSwitches:
    def test_determinism_needs_a_seed(self):
        program = (
            "import runtime as tf\n"
            "tf.config.experimental.enable_op_determinism()\n"
            "tf.random.uniform([1], seed=3)\n"
            "try:\n    tf.random.uniform([1])\n"
            "except RuntimeError as error:\n    print(error)\n"
            "tf.random.set_seed(1)\n"
            "print(tf.random.uniform([1]).shape)\n"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        assert "Random ops require a seed to be set" in done.stdout
        assert done.stdout.endswith("(1,)\n")


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


FINGERPRINTS = [
    (["a", "b"], [[227, 117, 223, 182, 101, 66, 69, 179], [22, 241, 200, 94, 33, 96, 178, 163]]),
    ([[1, 2]], [[76, 18, 253, 133, 168, 204, 240, 10]]),
    ([1.5], [[64, 181, 56, 72, 223, 224, 189, 72]]),
    ([[["a"], ["b"]]], [[122, 64, 59, 169, 136, 60, 55, 83]]),
]


@pytest.mark.parametrize(("data", "expected"), FINGERPRINTS)
def test_fingerprints(data, expected):
    assert tf.fingerprint(data).numpy().tolist() == expected


def test_fingerprints_of_nothing_else():
    with pytest.raises(tf.errors.InvalidArgumentError, match="Unsupported fingerprint method: x"):
        tf.fingerprint(["a"], method="x")
    with pytest.raises((ValueError, tf.errors.InvalidArgumentError), match="at least one dimen"):
        tf.function(tf.fingerprint)("a")
