"""Datasets of Python generators: called anew, checked, and closed."""

import pytest

import runtime as tf
from tests.runtime.data.shown import values

Dataset = tf.data.Dataset


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


def test_a_function_that_gives_nothing_to_iterate_over_is_an_error():
    dataset = Dataset.from_generator(lambda: 3, output_types=tf.int32)
    with pytest.raises(TypeError, match="`generator` returned 3: it has to yield elements, or"):
        values(dataset)


def test_an_error_before_the_first_element_arrives_as_it_was_raised():
    def opened(path):
        return open(path)

    dataset = Dataset.from_generator(lambda: opened(3.5), output_types=tf.string)
    with pytest.raises(TypeError) as caught:
        values(dataset)
    assert type(caught.value) is TypeError


@pytest.mark.parametrize("join", [lambda d: d.batch(2), lambda d: d.padded_batch(2)])
@pytest.mark.parametrize("spec", [tf.TensorSpec([], tf.string), tf.TensorSpec(None, tf.string)])
def test_scalar_strings_of_generators_are_batched_as_strings(join, spec):
    data = tf.data.Dataset.from_generator(lambda: iter(["a", "bb"]), output_signature=spec)
    if spec.shape.rank is None:
        data = data.map(lambda text: tf.ensure_shape(text, []))
    (batch,) = join(data.map(tf.strings.upper))
    assert batch.numpy().tolist() == [b"A", b"BB"]
    assert tf.strings.length(batch).numpy().tolist() == [1, 2]
