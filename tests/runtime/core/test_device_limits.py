"""Names of devices in parts, and what can be set of devices."""

import subprocess
import sys

import pytest

import runtime as tf

experimental = tf.config.experimental
CPU = tf.config.list_physical_devices("CPU")[0]


class TestDeviceSpec:
    def test_texts(self):
        spec = tf.DeviceSpec("w", 0, 1, "gpu", 2)
        assert spec.to_string() == "/job:w/replica:0/task:1/device:GPU:2"
        assert tf.DeviceSpec.from_string(spec.to_string()) == spec
        assert tf.DeviceSpec.from_string("/cpu:0").to_string() == "/device:CPU:0"
        assert tf.DeviceSpec().to_string() == ""
        assert tf.DeviceSpec(job="w", device_type="CPU").to_string() == "/job:w/device:CPU:*"
        assert repr(tf.DeviceSpec(job="w")) == (
            "<DeviceSpec(job=w, replica=None, task=None, device_type=None, device_index=None)>"
        )

    def test_parts(self):
        spec = tf.DeviceSpec("w", 0, 1, "CPU", 2)
        parts = (spec.job, spec.replica, spec.task, spec.device_type, spec.device_index)
        assert parts == ("w", 0, 1, "CPU", 2)

    def test_others_of_it(self):
        spec = tf.DeviceSpec(job="a", task=2)
        assert spec.make_merged_spec(tf.DeviceSpec(task=1)).to_string() == "/job:a/task:1"
        assert spec.replace(job="b").to_string() == "/job:b/task:2"
        assert spec.parse_from_string("/job:c").to_string() == "/job:c"
        assert spec != tf.DeviceSpec(job="a") and len({spec, spec.replace()}) == 1

    def test_refused(self):
        with pytest.raises(ValueError, match="Unknown attribute 'foo'"):
            tf.DeviceSpec.from_string("/foo:0")
        with pytest.raises(ValueError, match="Multiple device types"):
            tf.DeviceSpec.from_string("/cpu:0/gpu:0")

    def test_asks_for_a_device(self):
        with tf.device(tf.DeviceSpec(device_type="CPU", device_index=0)):
            assert tf.constant(1).device.endswith("CPU:0")
        with tf.Graph().as_default(), tf.device(tf.DeviceSpec(device_type="CPU")):
            assert tf.constant(1).op.device == "/device:CPU:*"


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
    def test_what_is_always_so(self):
        experimental.set_device_policy(None)
        experimental.set_synchronous_execution(True)
        assert experimental.get_device_policy() == "silent"
        assert experimental.get_synchronous_execution()

    @pytest.mark.parametrize(
        ("call", "kind", "text"),
        [
            (lambda: experimental.set_device_policy("warn"), "Unimplemented", "not 'warn'"),
            (lambda: experimental.set_synchronous_execution(False), "Unimplemented", "one after"),
        ],
    )
    def test_what_cannot_be(self, call, kind, text):
        with pytest.raises(getattr(tf.errors, f"{kind}Error"), match=text):
            call()

    def test_no_policy(self):
        with pytest.raises(ValueError, match="Invalid argument `device_policy`: 'x'"):
            experimental.set_device_policy("x")

    @pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the system does not tell")
    def test_memory_of_the_process(self):
        found = experimental.get_memory_info("CPU:0")
        assert 0 < found["current"] <= found["peak"]
        assert experimental.get_memory_usage("CPU:0") > 0

    def test_memory_of_no_device(self):
        with pytest.raises(ValueError, match="Failed parsing device name: 'foo'"):
            experimental.get_memory_info("foo")
        with pytest.raises(ValueError, match="No matching devices found for 'CPU:7'"):
            experimental.get_memory_info("CPU:7")

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
