"""Checkpoints: what is saved comes back, in the same objects, in new ones, and in later ones."""

import os
import threading

import numpy as np
import pytest

import runtime as tf
from runtime.train.format import SUFFIX
from tests.runtime.train.networks import Dense, Net, keys


class Late(tf.Module):
    """A module whose variables are created by its first call."""

    def __init__(self):
        super().__init__()
        self.kernel = None

    def __call__(self, x):
        if self.kernel is None:
            self.kernel = tf.Variable([0.0, 0.0])
            self.inner = {"bias": [tf.Variable(0.0)]}
        return x * self.kernel + self.inner["bias"][0]


def test_values_return_to_a_program_that_makes_its_objects_anew(tmp_path):
    net = Net()
    net.layers[1].kernel.assign([1.0, 2.0, 3.0])
    net.table["scale"].assign(-1.0)
    path = tf.train.Checkpoint(net=net, step=tf.Variable(5)).save(tmp_path / "ckpt")
    fresh, step = Net(), tf.Variable(0)
    status = tf.train.Checkpoint(net=fresh, step=step).restore(path)
    status.assert_consumed().assert_nontrivial_match()
    assert fresh.layers[1].kernel.numpy().tolist() == [1.0, 2.0, 3.0]
    assert fresh.table["scale"].numpy() == -1.0
    assert step.numpy() == 5


def test_keys_of_a_root_have_no_name_before_them(tmp_path):
    assert keys(tf.train.Checkpoint(Dense(1), extra=tf.Variable(0)).write(tmp_path / "c")) == [
        "bias",
        "extra",
        "kernel",
    ]


def test_objects_of_the_program_are_walked_without_being_modules(tmp_path):
    class Trainer:
        __slots__ = ("__weakref__", "net")

        def __init__(self):
            self.net = {"w": (tf.Variable(1.0),)}

    path = tf.train.Checkpoint(t=Trainer()).write(tmp_path / "c")
    assert keys(path) == ["t/net/w/0"]


def test_a_shared_variable_is_saved_once_and_restored_to_all_its_names(tmp_path):
    v = tf.Variable(3.0)
    path = tf.train.Checkpoint(a=[v], b={"v": v}).write(tmp_path / "c")
    assert keys(path) == ["a/0"]
    a, b = tf.Variable(0.0), tf.Variable(0.0)
    tf.train.Checkpoint(a=[a], b={"v": b}).restore(path).assert_consumed()
    assert (a.numpy(), b.numpy()) == (3.0, 3.0)


def test_one_variable_for_two_saved_values_is_an_error(tmp_path):
    path = tf.train.Checkpoint(a=tf.Variable(1.0), b=tf.Variable(2.0)).write(tmp_path / "c")
    v = tf.Variable(0.0)
    with pytest.raises(ValueError, match="two values for it"):
        tf.train.Checkpoint(a=v, b=v).restore(path)
    assert v.numpy() == 0.0


def test_cycles_are_walked_once(tmp_path):
    first, second = tf.Module(), tf.Module()
    first.other, second.other, second.v = second, first, tf.Variable(4)
    path = tf.train.Checkpoint(first).write(tmp_path / "c")
    second.v.assign(0)
    tf.train.Checkpoint(first).restore(path).assert_consumed()
    assert second.v.numpy() == 4


DTYPES = [
    *(tf.float16, tf.float32, tf.float64, tf.int8, tf.int16, tf.int32, tf.int64),
    *(tf.uint8, tf.uint16, tf.uint32, tf.uint64, tf.bool, tf.complex64, tf.complex128),
]


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.name)
@pytest.mark.parametrize("shape", [(), (0,), (3, 2)], ids=str)
def test_every_dtype_comes_back_bit_by_bit(tmp_path, dtype, shape):
    values = np.random.default_rng(1).integers(0, 2, shape).astype(dtype.as_numpy_dtype)
    v = tf.Variable(values)
    path = tf.train.Checkpoint(v=v).write(tmp_path / "c")
    v.assign(tf.zeros(shape, dtype))
    tf.train.Checkpoint(v=v).restore(path).assert_consumed()
    assert v.numpy().tobytes() == values.tobytes()
    assert v.dtype is dtype


def test_strings_come_back_with_all_their_bytes(tmp_path):
    v = tf.Variable([[b"a\0", b""], ["ä".encode(), b"\xff"]])
    path = tf.train.Checkpoint(v=v).write(tmp_path / "c")
    w = tf.Variable([["", ""], ["", ""]])
    tf.train.Checkpoint(v=w).restore(path).assert_consumed()
    assert w.numpy().tolist() == [[b"a\0", b""], ["ä".encode(), b"\xff"]]


def test_a_scalar_string_comes_back(tmp_path):
    v = tf.Variable("x")
    path = tf.train.Checkpoint(v=v).write(tmp_path / "c")
    v.assign("")
    tf.train.Checkpoint(v=v).restore(path)
    assert v.numpy() == b"x"
    assert (v + "y").numpy() == b"xy"


def test_variables_created_later_have_the_saved_value_at_their_first_use(tmp_path):
    saved = Late()
    saved(1.0)
    saved.kernel.assign([3.0, 4.0])
    saved.inner["bias"][0].assign(5.0)
    path = tf.train.Checkpoint(net=saved).write(tmp_path / "c")
    fresh = Late()
    status = tf.train.Checkpoint(net=fresh).restore(path)
    with pytest.raises(AssertionError, match=r"Unresolved object in checkpoint \(root\)\.net"):
        status.assert_consumed()
    assert fresh(2.0).numpy().tolist() == [11.0, 13.0]
    status.assert_consumed()


def test_variables_created_in_a_traced_call_have_the_saved_value(tmp_path):
    saved = Late()
    saved(1.0)
    saved.kernel.assign([3.0, 4.0])
    path = tf.train.Checkpoint(net=saved).write(tmp_path / "c")
    fresh = Late()
    tf.train.Checkpoint(net=fresh).restore(path)
    assert tf.function(lambda x: fresh(x))(2.0).numpy().tolist() == [6.0, 8.0]


def test_a_later_assignment_wins_over_a_value_that_waited(tmp_path):
    path = tf.train.Checkpoint(v=tf.Variable(1.0)).write(tmp_path / "c")
    checkpoint = tf.train.Checkpoint()
    status = checkpoint.restore(path)
    checkpoint.v = tf.Variable(0.0)
    checkpoint.v.assign(9.0)
    assert checkpoint.v.numpy() == 9.0
    status.assert_consumed()


def test_other_variables_created_later_keep_their_value(tmp_path):
    path = tf.train.Checkpoint(v=tf.Variable(1.0)).write(tmp_path / "c")
    checkpoint = tf.train.Checkpoint()
    checkpoint.restore(path).expect_partial()
    other = tf.Variable(7.0)
    assert other.assign_add(1.0).numpy() == 8.0
    checkpoint.v = tf.Variable(0.0)
    assert checkpoint.v.numpy() == 1.0
    assert other.numpy() == 8.0


@pytest.mark.parametrize("make", [tf.train.Checkpoint, tf.Module, lambda: Dense(1)])
def test_a_later_variable_of_another_shape_is_an_error_where_it_is_assigned(tmp_path, make):
    holder = make()
    holder.extra = tf.Variable(1.0)
    path = tf.train.Checkpoint(holder).write(tmp_path / "c")
    holder = make()
    tf.train.Checkpoint(holder).restore(path).expect_partial()
    with pytest.raises(ValueError, match=r"incompatible tensor with shape .* has extra/\.ATTRIB"):
        holder.extra = tf.Variable([0.0, 0.0])
    assert not hasattr(holder, "extra")
    holder.extra = tf.Variable(0.0)
    assert holder.extra.numpy() == 1.0


def test_a_later_variable_of_a_plain_object_is_an_error_that_names_its_line(tmp_path):
    class Net:
        pass

    net = Net()
    net.extra = tf.Variable(2.0)
    path = tf.train.Checkpoint(net=net).write(tmp_path / "c")
    net = Net()
    tf.train.Checkpoint(net=net).restore(path).expect_partial()
    net.extra = tf.Variable([0.0, 0.0], name="mine")
    line = rf"name mine:0: the checkpoint has net/extra.*created at File \"{__file__}\", line"
    with pytest.raises(ValueError, match=line):
        net.extra.numpy()


def test_nobody_waits_for_an_object_that_is_gone(tmp_path):
    path = tf.train.Checkpoint(net=Dense(1), v=tf.Variable(1)).write(tmp_path / "c")
    module = tf.Module()
    tf.train.Checkpoint(net=module).restore(path).expect_partial()
    del module
    v = tf.Variable(3.0)
    v.read_value()
    assert type(v._cell).__name__ == "Cell"


def test_threads_that_use_a_late_variable_first_all_see_the_saved_value(tmp_path):
    path = tf.train.Checkpoint(v=tf.Variable(1.0)).write(tmp_path / "c")
    for _ in range(20):
        checkpoint = tf.train.Checkpoint()
        checkpoint.restore(path)
        checkpoint.v = tf.Variable(0.0)
        seen = []
        threads = [
            threading.Thread(target=lambda v=checkpoint.v, s=seen: s.append(float(v.numpy())))
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert seen == [1.0] * 8


MISMATCHES = [
    (lambda: tf.Variable([1.0, 2.0]), ValueError, "shape"),
    (lambda: tf.Variable(1), tf.errors.InvalidArgumentError, "dtype int32 does not equal"),
]


@pytest.mark.parametrize("make, error, text", MISMATCHES, ids=["shape", "dtype"])
def test_a_value_that_does_not_fit_changes_no_variable(tmp_path, make, error, text):
    path = tf.train.Checkpoint(a=tf.Variable(1.0), z=tf.Variable(1.0)).write(tmp_path / "c")
    a, z = tf.Variable(0.0), make()
    before = z.numpy().tolist()
    with pytest.raises(error, match=text):
        tf.train.Checkpoint(a=a, z=z).restore(path)
    assert (a.numpy(), z.numpy().tolist()) == (0.0, before)


def test_a_variable_of_unknown_shape_takes_any(tmp_path):
    path = tf.train.Checkpoint(v=tf.Variable([1.0, 2.0])).write(tmp_path / "c")
    v = tf.Variable([0.0], shape=[None])
    tf.train.Checkpoint(v=v).restore(path)
    assert v.numpy().tolist() == [1.0, 2.0]


def test_status_names_what_the_program_lacks(tmp_path):
    path = tf.train.Checkpoint(a=tf.Variable(1), b=[tf.Variable(2)]).write(tmp_path / "c")
    status = tf.train.Checkpoint(a=tf.Variable(0)).restore(path)
    status.assert_existing_objects_matched().assert_nontrivial_match().expect_partial()
    with pytest.raises(AssertionError, match=r"\(root\)\.b\.0.*value b/0/"):
        status.assert_consumed()


def test_status_names_what_the_checkpoint_lacks(tmp_path):
    path = tf.train.Checkpoint(a=tf.Variable(1)).write(tmp_path / "c")
    status = tf.train.Checkpoint(other=tf.Variable(0, name="w")).read(path)
    for check in (status.assert_consumed, status.assert_existing_objects_matched):
        with pytest.raises(AssertionError, match=r"Found 1 Python objects .*'w:0'"):
            check()
    with pytest.raises(AssertionError, match="Nothing except the root object matched"):
        status.assert_nontrivial_match()
    status.expect_partial()


@pytest.mark.parametrize(
    "check", ["assert_consumed", "assert_existing_objects_matched", "assert_nontrivial_match"]
)
def test_restoring_nothing_has_a_status_that_says_so(check):
    status = tf.train.Checkpoint(v=tf.Variable(1)).restore(None)
    assert status.expect_partial() is status
    with pytest.raises(AssertionError, match="No checkpoint specified"):
        getattr(status, check)()


def test_values_that_were_not_restored_are_logged_unless_expected(tmp_path, caplog):
    path = tf.train.Checkpoint(a=tf.Variable(1)).write(tmp_path / "c")
    tf.train.Checkpoint().read(path).expect_partial()
    assert not caplog.messages
    checkpoint = tf.train.Checkpoint()
    checkpoint.read(path)
    del checkpoint
    tf.Variable(0).read_value()
    assert "could not be found in the restored object: (root).a" in caplog.text


def test_save_counts_and_notes_the_newest(tmp_path):
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1))
    paths = [checkpoint.save(f"{tmp_path}/a/ckpt") for _ in range(2)]
    assert [os.path.basename(path) for path in paths] == ["ckpt-1", "ckpt-2"]
    assert tf.train.latest_checkpoint(tmp_path / "a") == paths[1]
    assert checkpoint.save_counter.numpy() == 2
    fresh = tf.train.Checkpoint(v=tf.Variable(0))
    fresh.restore(paths[1])
    assert os.path.basename(fresh.save(f"{tmp_path}/a/ckpt")) == "ckpt-3"


def test_write_counts_nothing(tmp_path):
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1))
    path = checkpoint.write(tmp_path / "c")
    assert path == str(tmp_path / "c")
    assert tf.train.latest_checkpoint(tmp_path) is None
    assert os.listdir(tmp_path) == [f"c{SUFFIX}"]


REFUSED = [
    (lambda: tf.train.Checkpoint(x=3), ValueError, "expecting x to be a trackable object"),
    (lambda: tf.train.Checkpoint(3), ValueError, "expecting root to be a trackable object"),
    (lambda: tf.train.Checkpoint(Dense(1), bias=tf.Variable(1)), ValueError, r"root\.bias"),
]


@pytest.mark.parametrize("make, error, text", REFUSED, ids=["number", "root", "twice"])
def test_what_cannot_be_saved_is_refused_by_name(make, error, text):
    with pytest.raises(error, match=text):
        make()


def test_checkpoints_are_refused_while_a_function_is_recorded(tmp_path):
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1))
    path = checkpoint.save(tmp_path / "c")
    for call in (lambda: checkpoint.restore(path), lambda: checkpoint.save(path)):
        with pytest.raises(RuntimeError, match="while the function `step` is recorded"):
            tf.function(_named(call))()


def _named(call):
    def step():
        call()

    return step


PIPELINES = {
    "plain": lambda: tf.data.Dataset.range(10),
    "mapped": lambda: tf.data.Dataset.range(10).map(lambda x: x * 2).batch(2),
    "shuffled": lambda: tf.data.Dataset.range(10).shuffle(4).repeat(3),
    "shuffled twice": lambda: tf.data.Dataset.range(10).shuffle(4, seed=3).repeat(2).shuffle(5),
    "drawn": lambda: tf.data.Dataset.sample_from_datasets([tf.data.Dataset.range(9)] * 2),
    "sampled": lambda: tf.data.Dataset.sample_from_datasets(
        [tf.data.Dataset.range(9), tf.data.Dataset.range(20, 29)]
    ),
}


def rows(iterator):
    return [element.numpy().tolist() for element in iterator]


@pytest.mark.parametrize("make", PIPELINES.values(), ids=PIPELINES)
@pytest.mark.parametrize("taken", [0, 3])
def test_iterators_go_on_where_they_were(tmp_path, make, taken):
    iterator = iter(make())
    for _ in range(taken):
        next(iterator)
    path = tf.train.Checkpoint(it=iterator).write(tmp_path / "c")
    expected = rows(iterator)
    fresh = iter(make())
    tf.train.Checkpoint(it=fresh).restore(path).assert_consumed()
    assert rows(fresh) == expected


def test_one_variable_for_two_equal_values_is_restored(tmp_path):
    nan = float("nan")
    path = tf.train.Checkpoint(a=tf.Variable([nan]), b=tf.Variable([nan])).write(tmp_path / "c")
    v = tf.Variable([0.0])
    tf.train.Checkpoint(a=v, b=v).restore(path).assert_consumed()
    assert np.isnan(v.numpy()).all()


def network():
    return tf.keras.Sequential([tf.keras.layers.Dense(3, "relu"), tf.keras.layers.Dense(1)])


def trained(model, optimizer, steps):
    inputs = tf.constant([[1.0, 2.0], [0.5, -1.0]])
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(inputs) - 1.0) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
    return float(loss)


@pytest.mark.parametrize("built", [False, True], ids=["restored before the build", "built"])
def test_models_and_optimizers_go_on_where_they_were(tmp_path, built):
    model, optimizer = network(), tf.keras.optimizers.Adam(0.1)
    trained(model, optimizer, 3)
    path = tf.train.Checkpoint(model=model, optimizer=optimizer).write(tmp_path / "c")
    assert keys(path)[:2] == ["model/layers/0/bias", "model/layers/0/kernel"]
    expected = trained(model, optimizer, 3)
    model, optimizer = network(), tf.keras.optimizers.Adam(0.1)
    if built:
        trained(model, optimizer, 1)
    status = tf.train.Checkpoint(model=model, optimizer=optimizer).restore(path)
    assert trained(model, optimizer, 3) == expected
    status.assert_consumed()
