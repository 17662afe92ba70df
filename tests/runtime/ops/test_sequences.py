"""Losses of unaligned sequences, sequences that only fall, rankings: known values and searches."""

from itertools import groupby, product

import numpy as np
import pytest

import runtime as tf

RANDOM = np.random.default_rng(5)
LOGITS = RANDOM.normal(size=(4, 2, 3))


def by_search(logits, labels, blank):
    """The chance of all ways through time that spell the labels."""
    chances = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    total = 0.0
    for way in product(range(logits.shape[1]), repeat=len(logits)):
        spelt = [label for label, _ in groupby(way) if label != blank]
        if spelt == list(labels):
            total += np.prod(chances[np.arange(len(way)), way])
    with np.errstate(divide="ignore"):
        return -np.log(total)


@pytest.mark.parametrize("blank", [0, 1, -1])
@pytest.mark.parametrize("labels", [[0, 0], [2, 0], [1, 2], [], [1, 1, 1]])
@pytest.mark.parametrize("steps", [4, 2, 0])
def test_a_loss_is_that_of_all_ways_to_spell_the_labels(labels, blank, steps):
    own = [label for label in labels if label != blank % 3]
    rows = np.zeros((2, 3), np.int32)
    rows[:, : len(own)] = own
    found = tf.nn.ctc_loss(rows, LOGITS, [len(own)] * 2, [steps, 4], blank_index=blank).numpy()
    expected = [
        by_search(LOGITS[:count, row], own, blank % 3) for row, count in enumerate([steps, 4])
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_time_may_come_second():
    batch = tf.transpose(LOGITS, [1, 0, 2])
    arguments = [1, 2], [4, 4]
    first = tf.nn.ctc_loss([[1, 0], [1, 2]], LOGITS, *arguments)
    second = tf.nn.ctc_loss([[1, 0], [1, 2]], batch, *arguments, logits_time_major=False)
    np.testing.assert_array_equal(first.numpy(), second.numpy())


def test_losses_of_sequences_are_as_known():
    steps = np.array([[0.1257, -0.1321, 0.6404, 0.1049], [-0.7037, -1.2654, -0.6233, 0.0413]])
    logits = np.float32(np.stack([steps, steps[::-1]]))
    labels = [[1, 2], [3, 0]]
    unique = tf.nn.ctc_unique_labels(labels)
    found = tf.nn.ctc_loss(labels, logits, [2, 1], [2, 2], unique=unique)
    expected = [by_search(logits[:, 0], [1, 2], 0), by_search(logits[:, 1], [3], 0)]
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert found.dtype is tf.float32


@pytest.mark.parametrize(
    ("labels", "counts", "lengths", "words"),
    [
        ([[3], [0]], [1, 1], [4, 4], r"label 3 is not in \[0, 3\)"),
        ([[1], [1]], [2, 1], [4, 4], r"label_length 2 is not in \[0, 1\]"),
        ([[1], [1]], [1, 1], [4, 5], r"logit_length 5 is not in \[0, 4\]"),
        ([[1]], [1], [4], "logits of 2 sequences need as many labels"),
    ],
)
def test_sequences_that_do_not_fit_are_refused(labels, counts, lengths, words):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        tf.nn.ctc_loss(labels, LOGITS, counts, lengths)


def test_labels_that_do_not_count_may_be_anything():
    found = tf.nn.ctc_loss([[1, 99], [1, -1]], LOGITS, [1, 1], [4, 4])
    assert np.isfinite(found.numpy()).all()


def test_repeated_labels_are_collapsed_row_by_row():
    rows, lengths = tf.nn.collapse_repeated([[1, 1, 2, 2, 1], [3, 3, 3, 0, 0]], [5, 3])
    assert rows.numpy().tolist() == [[1, 2, 1], [3, 0, 0]]
    assert lengths.numpy().tolist() == [3, 1]

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.int64)])
    def graph(labels):
        return tf.nn.collapse_repeated(labels, tf.constant([2]))

    rows, lengths = graph([[7, 8, 8]])
    assert rows.numpy().tolist() == [[7, 8]] and lengths.numpy().tolist() == [2]


def test_different_labels_come_in_their_order():
    values, places = tf.nn.ctc_unique_labels([[1, 1, 2, 0], [3, 4, 3, 0]])
    assert values.numpy().tolist() == [[1, 2, 0, 0], [3, 4, 0, 0]]
    assert places.numpy().tolist() == [[0, 0, 1, 2], [0, 1, 0, 2]]


@pytest.mark.parametrize(
    ("dtype", "wanted"),
    [("float16", "float16"), ("int8", "float32"), ("int32", "float64"), ("float64", "float64")],
)
def test_sequences_that_fall_are_as_known(dtype, wanted):
    values, parts = tf.nn.isotonic_regression(np.array([3, 1, 2, 4, 5, 1], dtype))
    assert values.dtype == wanted and values.numpy().tolist() == [3, 3, 3, 3, 3, 1]
    assert parts.numpy().tolist() == [0, 1, 1, 1, 1, 2]


def test_sequences_may_rise_and_go_along_any_axis():
    matrix = np.array([[3.0, 1.0, 2.0], [1.0, 2.0, 3.0]])
    values, parts = tf.nn.isotonic_regression(matrix, decreasing=False)
    assert values.numpy().tolist() == [[2, 2, 2], [1, 2, 3]]
    assert parts.numpy().tolist() == [[0, 0, 1], [0, 1, 2]]
    values, _ = tf.nn.isotonic_regression(matrix, axis=0)
    assert values.numpy().tolist() == [[3, 1.5, 2.5], [1, 1.5, 2.5]]


def test_no_sequence_that_falls_is_nearer():
    x = RANDOM.normal(size=(3, 12))
    values = tf.nn.isotonic_regression(x)[0].numpy()
    assert (np.diff(values) <= 0).all()
    for _ in range(200):
        other = np.sort(values + RANDOM.normal(scale=0.1, size=x.shape))[:, ::-1]
        assert (np.sum((x - other) ** 2, 1) >= np.sum((x - values) ** 2, 1)).all()


def test_the_largest_and_smallest_come_first():
    rows = np.array([[3.0, 1.0, 2.0, 5.0], [1.0, 2.0, 3.0, 0.0]])
    largest = tf.nn.approx_max_k(rows, 2)
    assert largest.values.numpy().tolist() == [[5, 3], [3, 2]]
    assert largest.indices.numpy().tolist() == [[3, 0], [2, 1]]
    smallest = tf.math.approx_min_k(rows, 1, reduction_dimension=0)
    assert smallest.values.numpy().tolist() == [[1, 1, 2, 0]]
    assert smallest.indices.numpy().tolist() == [[1, 0, 0, 1]]


def test_there_are_not_more_largest_than_elements():
    with pytest.raises(tf.errors.InvalidArgumentError, match="Had 2, needed 3"):
        tf.approx_top_k([1.0, 2.0], 3)
