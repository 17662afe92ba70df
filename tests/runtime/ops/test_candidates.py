"""Classes that are drawn to stand for many: how likely they are, and losses made of them."""

import numpy as np
import pytest

import runtime as tf

TRUE = np.array([[1, 4], [0, 7]])
SAMPLERS = [
    tf.random.uniform_candidate_sampler,
    tf.random.log_uniform_candidate_sampler,
    tf.random.learned_unigram_candidate_sampler,
]


def frequencies(sampler, count, *arguments, **more):
    drawn = sampler(TRUE, 2, count, False, *arguments, seed=3, **more).sampled_candidates
    return np.bincount(drawn.numpy(), minlength=10) / count


def test_uniform_candidates_are_equally_likely():
    found = frequencies(tf.random.uniform_candidate_sampler, 20000, 10)
    np.testing.assert_allclose(found, 0.1, atol=0.01)


def test_logarithmic_candidates_are_rarer_the_higher_they_are():
    found = frequencies(tf.random.log_uniform_candidate_sampler, 20000, 10)
    expected = np.log((np.arange(10) + 2) / (np.arange(10) + 1)) / np.log(11)
    np.testing.assert_allclose(found, expected, atol=0.01)


def test_fixed_candidates_are_as_frequent_as_their_counts(tmp_path):
    counts = np.arange(1.0, 11.0)
    sampler = tf.random.fixed_unigram_candidate_sampler
    found = frequencies(sampler, 20000, 10, unigrams=list(counts))
    np.testing.assert_allclose(found, counts / counts.sum(), atol=0.01)
    found = frequencies(sampler, 20000, 10, unigrams=list(counts), distortion=0.5)
    np.testing.assert_allclose(found, counts**0.5 / np.sum(counts**0.5), atol=0.01)
    path = tmp_path / "words"
    path.write_text("".join(f"word {count},{count}\n" for count in counts[:8]))
    found = frequencies(sampler, 20000, 10, vocab_file=str(path), num_reserved_ids=2)
    np.testing.assert_allclose(found[2:], counts[:8] / counts[:8].sum(), atol=0.01)
    assert not found[:2].any()


def test_shards_have_every_other_class():
    drawn = tf.random.fixed_unigram_candidate_sampler(
        [[0]], 1, 2, True, 2, unigrams=[1.0, 0.0, 3.0, 2.0], num_shards=2, shard=1, distortion=0.0
    )
    assert sorted(drawn.sampled_candidates.numpy().tolist()) == [0, 1]


def test_learned_candidates_become_as_frequent_as_the_true_ones():
    sampler = tf.random.learned_unigram_candidate_sampler
    first = sampler(TRUE, 2, 5, False, 10, seed=8)
    np.testing.assert_allclose(first.true_expected_count, 0.5)
    second = sampler(TRUE, 2, 5, False, 10, seed=8)
    np.testing.assert_allclose(second.true_expected_count, 5 * 2 / 14)
    other = sampler(TRUE, 2, 5, False, 10, seed=9)
    np.testing.assert_allclose(other.true_expected_count, 0.5)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_candidates_may_have_to_be_different(sampler):
    drawn = sampler(TRUE, 2, 10, True, 10, seed=3)
    assert sorted(drawn.sampled_candidates.numpy().tolist()) == list(range(10))
    assert drawn.sampled_candidates.dtype is tf.int64
    assert (drawn.sampled_expected_count.numpy() <= 1).all()


def test_expected_counts_are_as_known():
    drawn = tf.random.log_uniform_candidate_sampler(TRUE, 2, 5, False, 10)
    expected = [[0.84546041, 0.38016999], [1.4453243, 0.24559671]]
    np.testing.assert_allclose(drawn.true_expected_count, expected, rtol=1e-6)
    chances = np.log((np.arange(10) + 2) / (np.arange(10) + 1)) / np.log(11)
    tf.random.set_seed(1)
    drawn = tf.random.log_uniform_candidate_sampler(TRUE, 2, 8, True, 10, seed=2)
    rarest = drawn.true_expected_count.numpy()[1, 1]
    tries = round(float(np.log1p(-rarest) / np.log1p(-chances[7])))
    assert tries > 8
    expected = 1 - (1 - chances[TRUE]) ** tries
    np.testing.assert_allclose(drawn.true_expected_count, expected, rtol=1e-6)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_a_seed_repeats_candidates(sampler):
    tf.random.set_seed(1)
    first = sampler(TRUE, 2, 5, False, 10)
    second = sampler(TRUE, 2, 5, False, 10)
    tf.random.set_seed(1)
    again = sampler(TRUE, 2, 5, False, 10)
    np.testing.assert_array_equal(first[0].numpy(), again[0].numpy())
    assert not np.array_equal(first[0].numpy(), second[0].numpy())


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((TRUE, 2, 11, True, 10), "range is too small"),
        ((TRUE, 3, 5, True, 10), "must have num_true columns, expected: 2 was: 3"),
        ((TRUE, 2, 5, True, 0), "'range_max' of 0 must be at least minimum 1"),
        ((TRUE, 2, 5, False, 7), r"out of range \[0, 7\), received 7"),
        ((TRUE[0], 2, 5, False, 10), "true_classes must be a matrix"),
    ],
)
def test_candidates_that_do_not_fit_are_refused(sampler, arguments, words):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        sampler(*arguments)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "either vocab_file or unigrams"),
        ({"unigrams": [1.0], "vocab_file": "x"}, "only provide one of vocab_file and unigrams"),
        ({"unigrams": [1.0]}, "range is 10 must be equal to weights size  1"),
    ],
)
def test_fixed_candidates_need_their_counts(arguments, words):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        tf.random.fixed_unigram_candidate_sampler(TRUE, 2, 3, False, 10, **arguments)


def test_all_candidates_are_there_once():
    drawn = tf.random.all_candidate_sampler(TRUE, 2, 10, True)
    assert drawn.sampled_candidates.numpy().tolist() == list(range(10))
    assert drawn.true_expected_count.numpy().tolist() == [[1, 1], [1, 1]]


def test_candidates_that_are_true_are_found():
    hits = tf.nn.compute_accidental_hits(TRUE, [0, 1, 7, 4, 9], 2)
    assert hits.indices.numpy().tolist() == [0, 0, 1, 1]
    assert hits.ids.numpy().tolist() == [1, 3, 0, 2]
    assert (hits.weights.numpy() == np.finfo(np.float32).min).all()
    none = tf.nn.compute_accidental_hits(TRUE, [9, 8], 2)
    assert [part.shape.as_list() for part in none] == [[0], [0], [0]]


WEIGHTS = np.float32(
    [
        [-1.259, 1.514, 1.346], [0.781, 0.264, -0.314], [1.458, 1.96, 1.802],
        [1.315, 0.357, -1.208], [-0.004, 0.656, -1.288], [0.395, 0.43, 0.696],
        [-1.184, -0.662, -0.436], [-1.17, 1.739, -0.496], [0.329, -0.259, 1.583],
        [1.32, 0.633, -2.204],
    ]
)  # fmt: skip
BIASES = np.float32([0.052, 0.684, 1.004, -0.618, 1.822, -1.32, -0.662, 0.935, 0.049, 2.002])
INPUTS = np.float32([[0.189, -0.633, -0.378], [-1.091, -1.278, 0.63]])
DRAWN = (
    np.array([0, 1, 7, 4, 1]),
    np.float32([[0.3, 0.4], [0.5, 0.6]]),
    np.float32([0.1, 0.2, 0.3, 0.4, 0.5]),
)


@pytest.mark.parametrize(
    ("loss", "without_hits", "expected"),
    [
        (tf.nn.nce_loss, False, [12.0012836, 8.7712717]),
        (tf.nn.nce_loss, True, [7.4515143, 4.8338380]),
        (tf.nn.sampled_softmax_loss, False, [1.7036724, 2.6826277]),
        (tf.nn.sampled_softmax_loss, True, [1.2775881, 1.7379370]),
    ],
)
def test_losses_of_candidates_are_as_known(loss, without_hits, expected):
    arguments = WEIGHTS, BIASES, TRUE, INPUTS, 5, 10, 2, DRAWN, without_hits
    np.testing.assert_allclose(loss(*arguments), expected, rtol=1e-5)
    parts = [WEIGHTS[:4], WEIGHTS[4:]], *arguments[1:]
    np.testing.assert_allclose(loss(*parts), expected, rtol=1e-5)


def test_losses_draw_candidates_themselves():
    tf.random.set_seed(4)
    graph = tf.function(lambda x: tf.nn.nce_loss(WEIGHTS, BIASES, TRUE, x, 5, 10, 2))
    assert np.isfinite(graph(INPUTS).numpy()).all()
