"""Pipelines as values: a position in one is saved, and goes on in another."""

import pytest

import runtime as tf


def rows(iterator):
    return [element.numpy().tolist() for element in iterator]


def test_an_iterator_created_later_goes_on_where_the_saved_one_was(tmp_path):
    iterator = iter(tf.data.Dataset.range(5))
    next(iterator)
    path = tf.train.Checkpoint(it=iterator).write(tmp_path / "c")
    checkpoint = tf.train.Checkpoint()
    status = checkpoint.restore(path)
    checkpoint.it = iter(tf.data.Dataset.range(5))
    assert rows(checkpoint.it) == [1, 2, 3, 4]
    status.assert_consumed()


def test_the_position_in_a_python_generator_is_refused(tmp_path):
    data = tf.data.Dataset.from_generator(lambda: iter(range(3)), output_types=tf.int32)
    with pytest.raises(tf.errors.FailedPreconditionError, match="Python generator"):
        tf.train.Checkpoint(it=iter(data.batch(2))).write(tmp_path / "c")


OTHER_DATASETS = [
    (tf.data.Dataset.range(3).shuffle(2), "shuffled otherwise"),
    (tf.data.Dataset.range(1), "2 elements were taken, and the dataset has 1"),
]


@pytest.mark.parametrize("data, text", OTHER_DATASETS, ids=["shuffled", "short"])
def test_a_position_in_a_dataset_made_otherwise_is_refused(tmp_path, data, text):
    iterator, v = iter(tf.data.Dataset.range(3)), tf.Variable(1.0)
    next(iterator)
    next(iterator)
    path = tf.train.Checkpoint(it=iterator, v=v).write(tmp_path / "c")
    v.assign(0.0)
    with pytest.raises(ValueError, match=text):
        tf.train.Checkpoint(it=iter(data), v=v).restore(path)
    assert v.numpy() == 0.0
