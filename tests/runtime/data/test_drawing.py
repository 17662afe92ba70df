"""Random orders and draws: what a seed decides."""

import pytest

import runtime as tf
from tests.runtime.data.shown import values

Dataset = tf.data.Dataset


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


def test_datasets_are_drawn_from():
    tf.random.set_seed(2)
    parts = [Dataset.from_tensors(i).repeat() for i in range(3)]
    drawn = values(Dataset.sample_from_datasets(parts, [0.0, 0.5, 0.5], seed=1).take(50))
    assert set(drawn) == {1, 2}


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
