"""Datasets: where elements come from, what is made of them, and loops over them."""

import collections
import threading

import numpy as np
import pytest

import runtime as tf

Dataset = tf.data.Dataset


def values(dataset):
    def plain(leaf):
        array = leaf.numpy()
        return array.tolist() if hasattr(array, "tolist") else array

    return [tf.nest.map_structure(plain, element) for element in dataset]


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


def test_rows_of_tensors_in_any_structure():
    dataset = Dataset.from_tensor_slices({"x": [[1, 2], [3, 4]], "y": ["a", "b"]})
    assert values(dataset) == [{"x": [1, 2], "y": b"a"}, {"x": [3, 4], "y": b"b"}]
    assert dataset.element_spec["x"] == tf.TensorSpec([2], tf.int32)
    assert len(dataset) == 2


def test_rows_have_to_be_as_many_and_scalars_have_none():
    with pytest.raises(ValueError, match="Dimensions 2 and 3 are not compatible"):
        Dataset.from_tensor_slices(([1, 2], [1, 2, 3]))
    with pytest.raises(ValueError, match="rank >= 1"):
        Dataset.from_tensor_slices(1)


@pytest.mark.parametrize(
    ("make", "wanted"),
    [
        (lambda d: d.batch(4), [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]),
        (lambda d: d.batch(4, drop_remainder=True), [[0, 1, 2, 3], [4, 5, 6, 7]]),
        (lambda d: d.batch(4).unbatch().take(2), [0, 1]),
        (lambda d: d.take(3), [0, 1, 2]),
        (lambda d: d.take(-1).skip(8), [8, 9]),
        (lambda d: d.skip(-1), []),
        (lambda d: d.take(2).repeat(2), [0, 1, 0, 1]),
        (lambda d: d.take(2).repeat().take(5), [0, 1, 0, 1, 0]),
        (lambda d: d.take(0).repeat(), []),
        (lambda d: d.filter(lambda x: x % 4 == 0), [0, 4, 8]),
        (lambda d: d.map(lambda x: x * x).take(3), [0, 1, 4]),
        (lambda d: d.map(lambda x: x * x, num_parallel_calls=3).take(3), [0, 1, 4]),
        (lambda d: d.map(lambda x: x * x, num_parallel_calls=tf.data.AUTOTUNE).skip(8), [64, 81]),
        (lambda d: d.take(2).concatenate(d.skip(9)), [0, 1, 9]),
        (lambda d: d.enumerate(5).take(2), [(5, 0), (6, 1)]),
        (lambda d: d.prefetch(3), list(range(10))),
        (lambda d: d.take(3).flat_map(lambda n: Dataset.range(n)), [0, 0, 1]),
        (lambda d: Dataset.zip(d, d.skip(8)), [(0, 8), (1, 9)]),
        (lambda d: Dataset.zip({"a": d, "b": (d,)}).take(1), [{"a": 0, "b": (0,)}]),
        (lambda d: d.batch(5).map(lambda rows: tf.reduce_sum(rows)), [10, 35]),
    ],
)
def test_what_can_be_made_of_elements(make, wanted):
    made = make(Dataset.range(10))
    assert values(made) == wanted
    assert values(made) == wanted
    count = int(made.cardinality())
    assert count in (len(wanted), tf.data.UNKNOWN_CARDINALITY)


@pytest.mark.parametrize(
    ("cycle", "block", "wanted"),
    [
        (1, 1, [10, 30, 31, 32, 20, 21, 40, 41, 42, 43]),
        (2, 1, [10, 30, 31, 20, 32, 21, 40, 41, 42, 43]),
        (2, 2, [10, 30, 31, 20, 21, 32, 40, 41, 42, 43]),
        (9, 1, [10, 30, 20, 40, 31, 21, 41, 32, 42, 43]),
    ],
)
def test_interleaving_takes_turns(cycle, block, wanted):
    dataset = Dataset.from_tensor_slices(np.int64([1, 3, 2, 0, 4])).interleave(
        lambda n: Dataset.range(n).map(lambda i: n * 10 + i),
        cycle_length=cycle,
        block_length=block,
    )
    assert values(dataset) == wanted


def test_windows_are_datasets():
    windows = Dataset.range(7).window(3, shift=2, stride=2)
    assert [values(window) for window in windows] == [[0, 2, 4], [2, 4, 6], [4, 6], [6]]
    whole = Dataset.range(5).window(3, shift=1, drop_remainder=True)
    flat = whole.flat_map(lambda window: window.batch(3))
    assert values(flat) == [[0, 1, 2], [1, 2, 3], [2, 3, 4]]


def test_padding_makes_one_shape():
    rows = Dataset.range(1, 4).map(lambda n: (tf.fill([n], n), n))
    assert values(rows.padded_batch(2)) == [([[1, 0], [2, 2]], [1, 2]), ([[3, 3, 3]], [3])]
    padded = rows.padded_batch(2, ([4], []), (np.int64(-1), np.int64(0)), drop_remainder=True)
    assert values(padded) == [([[1, -1, -1, -1], [2, 2, -1, -1]], [1, 2])]
    with pytest.raises(tf.errors.InvalidArgumentError, match="smaller size"):
        values(rows.padded_batch(3, ([2], [])))


def test_elements_of_other_shapes_do_not_stack():
    rows = Dataset.range(1, 3).map(lambda n: tf.fill([n], n))
    with pytest.raises(tf.errors.InvalidArgumentError, match="Cannot batch tensors"):
        values(rows.batch(2))


def test_a_shuffle_has_all_elements_in_another_order_for_each_loop():
    tf.random.set_seed(1)
    dataset = Dataset.range(100).shuffle(20)
    first, second = values(dataset), values(dataset)
    assert sorted(first) == sorted(second) == list(range(100))
    assert first != second


def test_a_seed_decides_the_order_of_each_loop():
    def orders(**options):
        tf.random.set_seed(7)
        dataset = Dataset.range(20).shuffle(20, seed=3, **options)
        return [values(dataset) for _ in range(3)]

    assert orders() == orders()
    fixed = orders(reshuffle_each_iteration=False)
    assert fixed[0] == fixed[1] == fixed[2]


def test_an_element_is_drawn_from_the_buffer_only():
    dataset = Dataset.range(100).shuffle(5, seed=1)
    assert all(value <= place + 5 for place, value in enumerate(values(dataset)))


def test_generators_are_called_for_each_loop():
    calls = []

    def numbers(start):
        calls.append(int(start))
        yield from (int(start), int(start) + 1)

    dataset = Dataset.from_generator(
        numbers, args=[5], output_signature=tf.TensorSpec([], tf.int64)
    )
    assert values(dataset) == values(dataset) == [5, 6]
    assert calls == [5, 5]


@pytest.mark.parametrize("given", ["text", [1, 2], (1, 2)])
def test_what_a_generator_gives_has_to_fit(given):
    dataset = Dataset.from_generator(lambda: iter([given]), output_types=tf.int32, output_shapes=[])
    with pytest.raises(TypeError, match="`generator` yielded"):
        values(dataset)


def test_a_generator_that_raises_on_a_thread_raises_in_the_loop():
    def broken():
        yield 1
        raise RuntimeError("no more")

    dataset = Dataset.from_generator(broken, output_types=tf.int32, output_shapes=[])
    with pytest.raises(RuntimeError, match="no more"):
        values(dataset.prefetch(2))


def test_a_loop_that_ends_early_leaves_no_thread():
    before = threading.active_count()
    for _ in Dataset.range(1000).prefetch(2):
        break
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and thread.daemon is False:
            thread.join(0.01)
    for _ in range(100):
        if threading.active_count() <= before:
            break
        threading.Event().wait(0.05)
    assert threading.active_count() <= before


def test_a_cache_asks_its_source_once():
    asked = []

    def note(x):
        asked.append(int(x))
        return x

    noted = Dataset.range(3).map(lambda x: tf.py_function(note, [x], tf.int64)).cache()
    assert values(noted) == values(noted) == [0, 1, 2]
    assert asked == [0, 1, 2]


def test_reduction_goes_through_a_state():
    assert int(Dataset.range(5).reduce(np.int64(0), lambda total, x: total + x)) == 10
    total, count = PAIRS.reduce((0.0, 0), lambda state, pair: (state[0] + pair[0], state[1] + 1))
    assert (float(total), int(count)) == (45.0, 10)
    inside = tf.function(lambda: Dataset.range(5).reduce(np.int64(0), lambda total, x: total + x))
    assert int(inside()) == 10


def test_datasets_are_drawn_from():
    tf.random.set_seed(2)
    parts = [Dataset.from_tensors(i).repeat() for i in range(3)]
    drawn = values(Dataset.sample_from_datasets(parts, [0.0, 0.5, 0.5], seed=1).take(50))
    assert set(drawn) == {1, 2}


def test_counts_and_their_refusals():
    assert len(Dataset.range(10).batch(3)) == 4
    assert int(Dataset.range(3).repeat().cardinality()) == tf.data.INFINITE_CARDINALITY
    with pytest.raises(TypeError, match="infinite"):
        len(Dataset.range(3).repeat())
    with pytest.raises(TypeError, match="unknown"):
        len(Dataset.range(3).filter(lambda x: x > 1))
    assert bool(Dataset.range(0))


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda d: d.batch(0), "batch_size"),
        (lambda d: d.shuffle(0), "buffer_size"),
        (lambda d: d.map(3), "takes a function"),
        (lambda d: d.filter(lambda x: x), "scalar boolean"),
        (lambda d: d.flat_map(lambda x: x), "must return a `Dataset`"),
        (lambda d: d.concatenate(d.map(lambda x: "a")), "different kinds"),
        (lambda d: Dataset.zip(d, 3), "datasets"),
    ],
)
def test_bad_arguments_are_named(make, text):
    with pytest.raises((TypeError, ValueError), match=text):
        make(Dataset.range(3))


def test_errors_of_functions_name_the_user_s_line():
    dataset = Dataset.range(3).map(lambda x: 6 // x)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"(?s)zero.*test_dataset.py"):
        values(dataset)


# ---- loops in functions ----


def total(dataset):
    s = 0.0
    for x, y in dataset:
        if y == 3:
            continue
        if y > 7:
            break
        s += x
    return s


def found(dataset):
    for x, y in dataset:
        if x * x > 20.0:
            return y
    return tf.constant(-1, tf.int64)


def last(dataset):
    x = None
    for x, _ in dataset:  # noqa: B007
        pass
    return tf.constant(-1.0) if x is None else x


def counted(dataset):
    s = 0.0
    for i, (x, _) in enumerate(dataset.batch(4), 1):
        s += tf.reduce_sum(x) * tf.cast(i, tf.float32)
    return s


def side_by_side(dataset):
    s = 0.0
    for (x, _), (z, _) in zip(dataset, dataset.skip(3)):  # noqa: B905
        s += x * z
    return s


@pytest.mark.parametrize("size", [0, 1, 5, 10])
@pytest.mark.parametrize("program", [total, found, last, counted, side_by_side])
def test_a_loop_in_a_function_is_that_of_python(program, size):
    dataset = PAIRS.take(size)
    plain = program(dataset)
    assert float(tf.function(program)(dataset)) == float(plain)
    assert float(tf.function(lambda: program(dataset))()) == float(plain)


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


def test_an_iterator_goes_on_where_it_was():
    @tf.function
    def two(iterator):
        return next(iterator), next(iterator)

    iterator = iter(Dataset.range(5))
    assert int(next(iterator)) == 0
    assert [int(x) for x in two(iterator)] == [1, 2]
    assert [int(x) for x in iterator] == [3, 4]
    with pytest.raises(tf.errors.OutOfRangeError):
        two(iterator)


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


@pytest.mark.parametrize("run", [lambda f: f, tf.function])
def test_gradients_go_through_loops_over_datasets(run):
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            s = x
            for a, _ in PAIRS:
                s = s * 1.1 + x * a
        return tape.gradient(s, x)

    assert float(run(slope)(tf.constant(2.0))) == pytest.approx(61.96799, rel=1e-5)


def test_python_cannot_go_through_a_dataset_of_a_graph():
    @tf.function(autograph=False)
    def unconverted(dataset):
        return list(dataset)

    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="converted"):
        unconverted(Dataset.range(3))


@pytest.mark.parametrize(
    ("weights", "stops", "count"),
    [
        ([1.0, 0.0], False, 3),
        ([1.0, 0.0], True, 3),
        ([0.0, 1.0], False, tf.data.INFINITE_CARDINALITY),
        ([0.5, 0.5], False, tf.data.INFINITE_CARDINALITY),
        ([0.5, 0.5], True, tf.data.UNKNOWN_CARDINALITY),
        (None, True, tf.data.UNKNOWN_CARDINALITY),
    ],
)
def test_how_many_elements_are_drawn(weights, stops, count):
    parts = [Dataset.range(3), Dataset.range(5).repeat()]
    mixed = Dataset.sample_from_datasets(parts, weights, stop_on_empty_dataset=stops)
    assert int(mixed.cardinality()) == count


def test_classes_make_elements_and_datasets():
    Point = collections.namedtuple("Point", "x y")
    points = Dataset.zip(Dataset.range(2), Dataset.range(5, 7)).map(Point)
    assert [(int(p.x), int(p.y)) for p in points] == [(0, 5), (1, 6)]


@pytest.mark.parametrize("make", [lambda: Dataset.range(3), lambda: Dataset.from_tensors((1, [2]))])
def test_scalars_have_no_rows(make):
    with pytest.raises(ValueError, match="Cannot unbatch an input with scalar components"):
        make().unbatch()


def test_components_with_other_numbers_of_rows_have_no_rows_in_common():
    def uneven():
        yield [1, 2], [3, 4]
        yield [1, 2], [3, 4, 5]

    spec = tf.TensorSpec([None], tf.int32)
    rows = Dataset.from_generator(uneven, output_signature=(spec, spec)).unbatch()
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"shapes \(2,\), \(3,\)"):
        values(rows)
    assert values(rows.take(2)) == [(1, 3), (2, 4)]


@pytest.mark.parametrize("join", [lambda d: d.batch(2), lambda d: d.padded_batch(2)])
@pytest.mark.parametrize("spec", [tf.TensorSpec([], tf.string), tf.TensorSpec(None, tf.string)])
def test_scalar_strings_of_generators_are_batched_as_strings(join, spec):
    data = tf.data.Dataset.from_generator(lambda: iter(["a", "bb"]), output_signature=spec)
    if spec.shape.rank is None:
        data = data.map(lambda text: tf.ensure_shape(text, []))
    (batch,) = join(data.map(tf.strings.upper))
    assert batch.numpy().tolist() == [b"A", b"BB"]
    assert tf.strings.length(batch).numpy().tolist() == [1, 2]


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
    def total(strings):
        found = 0
        for each in strings:
            found += tf.strings.length(each)
        return found

    assert int(total(dataset)) == sum(sizes)


def test_layers_that_run_python_map_scalar_strings():
    lookup = tf.keras.layers.StringLookup(vocabulary=["a", "b"])
    dataset = tf.data.Dataset.from_tensor_slices(["b", "x", "a"])
    assert list(dataset.map(lookup).as_numpy_iterator()) == [2, 0, 1]


def test_a_list_that_a_function_returns_is_a_tuple():
    rows = tf.data.Dataset.from_tensor_slices(["1,x", "2,y"])
    parsed = rows.map(lambda line: tf.io.decode_csv(line, [0, ""]))
    assert [spec.dtype for spec in parsed.element_spec] == [tf.int32, tf.string]
    assert [(int(a), b.numpy()) for a, b in parsed] == [(1, b"x"), (2, b"y")]
    pairs = tf.data.Dataset.range(2).map(lambda x: [x, [x, x]])
    assert [spec.shape.rank for spec in pairs.element_spec] == [0, 1]


def test_a_list_inside_what_a_function_returns_is_a_tensor():
    pairs = tf.data.Dataset.range(2).map(lambda x: {"a": [x, x + 1]})
    assert pairs.element_spec["a"].shape == [2]


def test_a_method_that_is_left_out_says_what_to_do_instead():
    with pytest.raises(AttributeError, match=r"'shard', which few .*use `enumerate` and `filter`"):
        tf.data.Dataset.range(3).shard(2, 0)
    with pytest.raises(AttributeError, match=r"has no attribute 'shrad'$"):
        tf.data.Dataset.range(3).shrad(2, 0)
