"""Datasets: where elements come from."""

import numpy as np
import pytest

import runtime as tf

Dataset = tf.data.Dataset
Counter = tf.data.experimental.Counter


PAIRS = Dataset.from_tensor_slices((np.arange(10, dtype=np.float32), np.arange(10)))


@pytest.mark.parametrize("stop", [2.5, "a"])
def test_a_range_of_something_else_than_integers_is_refused(stop):
    with pytest.raises(TypeError, match="`stop` has to be an integer"):
        tf.data.Dataset.range(stop)
    assert [int(x) for x in tf.data.Dataset.range(1, tf.constant(7), np.int32(3))] == [1, 4]


def test_printing_an_element_spec_shows_the_constructor_call():
    spec = tf.data.Dataset.range(3).batch(2).element_spec
    assert str(spec) == "TensorSpec(shape=(None,), dtype=tf.int64, name=None)"
    assert f"{spec}" == "int64[?]"


def test_rows_have_to_be_as_many_and_scalars_have_none():
    with pytest.raises(ValueError, match="Dimensions 2 and 3 are not compatible"):
        Dataset.from_tensor_slices(([1, 2], [1, 2, 3]))
    with pytest.raises(ValueError, match="rank >= 1"):
        Dataset.from_tensor_slices(1)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda d: d.batch(0), "batch_size"),
        (lambda d: d.shuffle(0), "buffer_size"),
        (lambda d: d.map(3), "takes a function"),
        (lambda d: d.filter(lambda x: x), "scalar boolean"),
        (lambda d: d.flat_map(lambda x: x), "must return a `Dataset`"),
        (lambda d: d.concatenate(d.map(lambda x: "a")), "different kinds"),
        (lambda d: d.map(lambda x: x, num_parallel_calls=0), "num_parallel_calls"),
        (lambda d: d.interleave(lambda x: d, cycle_length=1.5), "`cycle_length` has to be an int"),
        (lambda d: d.interleave(lambda x: d, block_length=-1), "block_length"),
        (lambda d: d.window(float("inf")), "`size` has to be an integer; got inf"),
        (lambda d: d.window(2, shift=0), "`shift` must be greater than zero"),
        (lambda d: d.map(lambda x: tf.TensorSpec([2])), "TensorSpec"),
        (lambda d: PAIRS.padded_batch(2, padded_shapes=([],)), "the structure of an element"),
        (lambda d: d.padded_batch(2, padded_shapes=[2]), "needs the rank of its tensors, 0"),
        (lambda d: PAIRS.padded_batch(2, padding_values=0), "`padding_values` has to have the str"),
        (lambda d: d.shuffle(2, seed=0.5), "`seed` has to be an integer; got 0.5"),
        (lambda d: Dataset.zip(d, 3), "datasets"),
        (lambda d: Dataset.from_tensors(tf.TensorSpec([2])), "Attempt to convert .*TensorSpec"),
        (lambda d: Dataset.from_tensor_slices(tf.TensorSpec([2])), "TensorSpec"),
        (lambda d: Dataset.from_tensor_slices(d), "takes tensors, not <Dataset"),
        (lambda d: Dataset.sample_from_datasets([d, 1]), "datasets, not 1"),
        (lambda d: Dataset.sample_from_datasets([]), "should not be empty"),
    ],
)
def test_bad_arguments_are_named(make, text):
    with pytest.raises((TypeError, ValueError), match=text):
        make(Dataset.range(3))


# ---- loops in functions ----


def found(dataset):
    for x, y in dataset:
        if x * x > 20.0:
            return y
    return tf.constant(-1, tf.int64)


def test_functions_take_other_datasets_of_one_kind_without_a_new_trace():
    traces = []

    @tf.function
    def summed(dataset):
        traces.append(1)
        s = np.int64(0)
        for x in dataset:
            s += x
        return s

    assert [int(summed(Dataset.range(n))) for n in (3, 5)] == [3, 10]
    assert len(traces) == 1


def test_datasets_are_made_in_functions():
    @tf.function
    def inside(n):
        s = np.int64(0)
        for x in Dataset.range(n).map(lambda v: v * n).filter(lambda v: v > 2):
            s += x
        return s

    assert [int(inside(tf.constant(n, tf.int64))) for n in (5, 3)] == [50, 9]


def test_a_loop_over_a_dataset_trains():
    w = tf.Variable(1.0)

    @tf.function
    def train(dataset):
        for x, _ in dataset:
            with tf.GradientTape() as tape:
                loss = (w * x - 3.0 * x) ** 2
            w.assign_sub(0.01 * tape.gradient(loss, w))

    train(PAIRS.repeat(10))
    assert float(w) == pytest.approx(3.0, abs=1e-4)


ZEROS = [b"a\0", b"\0\0", b"", b"b"]


def records(home):
    with tf.io.TFRecordWriter(f"{home}/records") as writer:
        for each in ZEROS:
            writer.write(each)
    return tf.data.TFRecordDataset(f"{home}/records")


def lines(home):
    (home / "lines").write_bytes(b"\n".join(ZEROS))
    return tf.data.TextLineDataset(str(home / "lines"))


def columns(home):
    (home / "table").write_bytes(b"\n".join([each + b",x" for each in ZEROS]))
    return tf.data.experimental.CsvDataset(str(home / "table"), ["", ""]).map(lambda a, b: a)


def saved(home):
    tf.data.Dataset.from_tensor_slices(ZEROS).save(str(home / "saved"))
    return tf.data.Dataset.load(str(home / "saved"))


@pytest.mark.parametrize(
    "make",
    [
        *(records, lines, columns, saved),
        lambda home: tf.data.Dataset.from_tensor_slices(ZEROS),
        lambda home: tf.data.Dataset.from_tensors(ZEROS).unbatch(),
        lambda home: tf.data.Dataset.from_tensor_slices(ZEROS).batch(3).unbatch(),
        lambda home: tf.data.Dataset.from_generator(lambda: ZEROS, tf.string),
        lambda home: tf.data.Dataset.from_tensor_slices(ZEROS).shuffle(1).cache().repeat(1),
    ],
)
def test_strings_keep_the_zeros_at_their_ends(make, tmp_path):
    dataset, sizes = make(tmp_path), [len(each) for each in ZEROS]
    assert list(dataset.as_numpy_iterator()) == ZEROS
    assert [int(tf.strings.length(each)) for each in dataset] == sizes
    assert [int(each) for each in dataset.map(tf.strings.length)] == sizes
    rows = [each.numpy().tolist() for each in dataset.map(lambda s: tf.expand_dims(s, 0))]
    assert rows == [[each] for each in ZEROS]

    @tf.function
    def summed(strings):
        found = 0
        for each in strings:
            found += tf.strings.length(each)
        return found

    assert int(summed(dataset)) == sum(sizes)


def test_layers_that_run_python_map_scalar_strings():
    lookup = tf.keras.layers.StringLookup(vocabulary=["a", "b"])
    dataset = tf.data.Dataset.from_tensor_slices(["b", "x", "a"])
    assert list(dataset.map(lookup).as_numpy_iterator()) == [2, 0, 1]


def test_a_method_that_is_left_out_says_what_to_do_instead():
    with pytest.raises(AttributeError, match=r"'shard', which few .*use `enumerate` and `filter`"):
        tf.data.Dataset.range(3).shard(2, 0)
    with pytest.raises(AttributeError, match=r"has no attribute 'shrad'$"):
        tf.data.Dataset.range(3).shrad(2, 0)


def test_a_counter_counts_without_end_from_any_number_by_any_step():
    assert [int(x) for x in Counter(10, -3).take(4)] == [10, 7, 4, 1]
    assert Counter().cardinality() == tf.data.INFINITE_CARDINALITY
    assert Counter(dtype=tf.int32).element_spec == tf.TensorSpec([], tf.int32)
    assert [x.numpy().dtype.name for x in Counter(dtype="int32").take(1)] == ["int32"]


def test_a_counter_counts_whole_numbers_only():
    with pytest.raises((TypeError, ValueError)):
        Counter(0.5)
