import contextlib

import numpy as np
import pytest

import runtime as tf
from runtime.core.dispatch import PlacedTensor
from runtime.core.machine import devices
from runtime.core.machine.accelerators import Accelerator
from runtime.core.machine.devices import DeviceName

CPU = "/job:localhost/replica:0/task:0/device:CPU:0"
GPU = "/job:localhost/replica:0/task:0/device:GPU:0"


class GpuArray(np.ndarray):
    """Stands for an array of another library; functions of `GpuNamespace` give and take it."""


class GpuNamespace:
    """NumPy's functions on `GpuArray`, in so far as the kernels under test need them."""

    called: list[str] = []

    @classmethod
    def asarray(cls, value):
        return np.asarray(value).view(GpuArray)

    def __getattr__(self, name):
        function = getattr(np, name)
        if name in ("sort", "argsort"):
            raise AttributeError(f"there is no {name}")
        if not callable(function) or isinstance(function, type):
            return function

        def on_gpu(*args, **options):
            arrays = [arg for arg in args if isinstance(arg, np.ndarray)]
            assert all(isinstance(array, GpuArray) for array in arrays)
            self.called.append(name)
            return self.asarray(function(*map(np.asarray, args), **options))

        return on_gpu


@pytest.fixture
def gpu(monkeypatch):
    namespace = GpuNamespace()
    namespace.called.clear()
    accelerator = Accelerator(0, namespace, namespace.asarray, np.array, contextlib.nullcontext)
    monkeypatch.setattr(devices, "accelerators", lambda: (accelerator,))
    monkeypatch.setattr(devices, "_SETTINGS", devices._Settings())
    return namespace


@pytest.fixture
def no_gpu(monkeypatch):
    monkeypatch.setattr(devices, "accelerators", tuple)
    monkeypatch.setattr(devices, "_SETTINGS", devices._Settings())


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("/cpu:0", (None, None, None, "CPU", 0)),
        ("cpu", (None, None, None, "CPU", None)),
        ("GPU:1", (None, None, None, "GPU", 1)),
        ("/device:GPU:*", (None, None, None, "GPU", None)),
        (CPU, ("localhost", 0, 0, "CPU", 0)),
        ("/job:worker/task:3", ("worker", None, 3, None, None)),
        ("", (None, None, None, None, None)),
    ],
)
def test_names(text, parts):
    assert tuple(DeviceName.parse(text)) == parts


@pytest.mark.parametrize("text", ["/foo:0", "cpu:x", "/job:a/tusk:1", "/task:x"])
def test_texts_that_name_no_device(text):
    with pytest.raises(ValueError, match=r"Unknown attribute '\w+' is encountered"):
        DeviceName.parse(text)


def test_a_name_that_is_no_text():
    with (
        pytest.raises(ValueError, match="Expecting a string device_name, received 3"),
        tf.device(3),
    ):
        pass


def test_everything_is_on_the_cpu_unless_asked():
    x = tf.constant([1.0]) + 1.0
    assert x.device == tf.identity(x).device == CPU
    assert x.cpu() is x


@pytest.mark.parametrize("name", ["/cpu:0", "CPU:0", CPU, None, "/gpu:0", "/gpu:7", "/cpu:1"])
def test_soft_placement_uses_the_cpu(name, no_gpu):
    with tf.device(name):
        assert (tf.constant(1) + 1).device == CPU


def test_another_process_is_unknown():
    with (
        pytest.raises(tf.errors.InvalidArgumentError, match="unknown device"),
        tf.device("/task:1"),
    ):
        pass


def test_no_gpu_to_copy_to(no_gpu):
    with pytest.raises(RuntimeError, match="GPU:0 unknown device"):
        tf.constant(1).gpu()


def test_graphs_note_the_device():
    @tf.function
    def f(x):
        with tf.device("/cpu:0"):
            y = x + 1
        return y * 2

    graph = f.get_concrete_function(tf.constant(1)).graph
    asked = {op.type: op.device for op in graph.get_operations()}
    assert asked["AddV2"] == "/device:CPU:0"
    assert asked["Mul"] == ""
    assert int(f(tf.constant(1))) == 4


def test_operations_run_with_the_namespace_of_the_gpu(gpu):
    with tf.device("/gpu:0"):
        x = tf.constant([1.0, 4.0])
        y = tf.sqrt(x) + 1.0
    assert x.device == y.device == GPU
    assert gpu.called == ["sqrt", "add"]
    assert isinstance(y, PlacedTensor)
    np.testing.assert_array_equal(y.numpy(), [2.0, 3.0])
    assert str(y) == "tf.Tensor([2. 3.], shape=(2,), dtype=float32)"


def test_tensors_stay_where_they_are(gpu):
    with tf.device("/gpu:0"):
        x = tf.constant([1.0, 4.0])
    y = x * tf.constant(2.0)
    assert y.device == GPU
    with tf.device("/cpu:0"):
        assert tf.identity(y).device == CPU
    assert y.cpu().device == CPU
    assert tf.constant([1.0]).gpu().device == GPU
    assert (tf.constant([1.0]) + 1.0).device == CPU


def test_functions_take_tensors_of_the_gpu(gpu):
    with tf.device("/gpu:0"):
        x = tf.constant([1.0, 4.0])
    np.testing.assert_array_equal(tf.function(lambda v: v + 1.0)(x).numpy(), [2.0, 5.0])


def test_texts_stay_on_the_cpu(gpu):
    with tf.device("/gpu:0"):
        assert (tf.constant("a") + "b").device == CPU


def test_what_the_gpu_cannot_do_is_done_by_the_cpu(gpu):
    with tf.device("/gpu:0"):
        result = tf.sort(tf.constant([3, 1, 2]))
    assert result.device == CPU
    assert result.numpy().tolist() == [1, 2, 3]


def test_errors_of_the_program_stay_what_they_are(gpu):
    with tf.device("/gpu:0"), pytest.raises(tf.errors.InvalidArgumentError, match="Incompatible"):
        tf.constant([1.0, 2.0]) + tf.constant([1.0, 2.0, 3.0])


def test_lists_of_devices(gpu):
    assert [d.device_type for d in tf.config.list_physical_devices()] == ["CPU", "GPU"]
    assert [d.name for d in tf.config.list_logical_devices("GPU")] == ["/device:GPU:0"]


def test_memory_growth(gpu):
    experimental = tf.config.experimental
    (cpu,), (card,) = (experimental.list_physical_devices(kind) for kind in ("CPU", "GPU"))
    with pytest.raises(ValueError, match="non-GPU"):
        experimental.set_memory_growth(cpu, True)
    experimental.set_memory_growth(card, True)


@pytest.fixture
def two_cpus(no_gpu):
    (cpu,) = tf.config.list_physical_devices("CPU")
    one = tf.config.LogicalDeviceConfiguration()
    tf.config.set_logical_device_configuration(cpu, [one, one])
    yield [device.name for device in tf.config.list_logical_devices("CPU")]
    tf.config.set_logical_device_configuration(cpu, [one])


def of(name):
    return f"/job:localhost/replica:0/task:0{name}"


def test_one_cpu_appears_as_two(two_cpus):
    assert len(tf.config.list_physical_devices("CPU")) == 1
    assert two_cpus == ["/device:CPU:0", "/device:CPU:1"]


def test_what_is_asked_for_on_the_second_cpu_is_there(two_cpus):
    with tf.device("CPU:1"):
        x, v = tf.constant([1.0, 2.0]), tf.Variable(3.0)
        y = x * v
        text = tf.constant("text")
    assert [each.device for each in (x, y, v)] == [of("/device:CPU:1")] * 3
    assert (y.numpy().tolist(), text.numpy()) == ([3.0, 6.0], b"text")
    assert (y + 1.0).device == of("/device:CPU:0")
    assert y.cpu().device == of("/device:CPU:0")
    v.assign_add(1.0)
    assert float(v) == 4.0


def test_programs_for_two_devices_train(two_cpus):
    weights = []
    for name in two_cpus:
        with tf.device(name):
            weights.append(tf.Variable(1.0))

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.constant(0.0)
            for name, weight in zip(two_cpus, weights, strict=True):
                with tf.device(name):
                    loss += weight * x
        for weight, slope in zip(weights, tape.gradient(loss, weights), strict=True):
            weight.assign_sub(0.5 * slope)
        return loss

    assert float(step(tf.constant(1.0))) == 2.0
    assert [float(weight) for weight in weights] == [0.5, 0.5]
    with tf.GradientTape() as tape, tf.device(two_cpus[1]):
        loss = weights[0] * weights[1]
    assert [float(each) for each in tape.gradient(loss, weights)] == [0.5, 0.5]


def test_there_is_no_third_cpu(two_cpus):
    with tf.device("CPU:2"):
        assert tf.constant(1.0).device == of("/device:CPU:0")


def test_a_gpu_appears_as_one_without_limits(gpu):
    (card,) = tf.config.list_physical_devices("GPU")
    one = tf.config.LogicalDeviceConfiguration
    for wanted in ([one(), one()], [one(memory_limit=10)]):
        with pytest.raises(tf.errors.UnimplementedError, match="appears as one device"):
            tf.config.set_logical_device_configuration(card, wanted)
