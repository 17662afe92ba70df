"""Windows of drawn lengths, shuffled positions, bounded normal numbers, points that fill a cube."""

import math

import numpy as np
import pytest

import runtime as tf

IMAGE = np.arange(98.0).reshape(1, 7, 7, 2)
RATIOS = [1.0, 1.5, 1.4, 1.0]


@pytest.mark.parametrize("overlapping", [False, True])
@pytest.mark.parametrize("pseudo_random", [False, True])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_fractional_pools_are_made_of_the_windows_that_they_tell(pseudo_random, overlapping, seed):
    for pool, function in (
        (tf.nn.fractional_max_pool, np.max),
        (tf.nn.fractional_avg_pool, np.mean),
    ):
        found, rows, columns = pool(IMAGE, RATIOS, pseudo_random, overlapping, seed=seed)
        assert found.shape == [1, 4, 5, 2]
        for ends, count in ((rows.numpy(), 4), (columns.numpy(), 5)):
            assert len(ends) == count + 1 and ends[0] == 0 and ends[-1] == 7
            assert set(np.diff(ends)) <= {1, 2}
        for i, j in np.ndindex(4, 5):
            more = int(overlapping)
            down = slice(int(rows[i]), int(rows[i + 1]) + more)
            right = slice(int(columns[j]), int(columns[j + 1]) + more)
            expected = function(IMAGE[:, down, right], axis=(1, 2))
            np.testing.assert_allclose(found[:, i, j], expected)


def test_a_seed_repeats_windows_and_none_does_not():
    def ends(seed):
        pools = [tf.nn.fractional_max_pool(IMAGE, 1.5, seed=seed) for _ in range(12)]
        return {tuple(pool.row_pooling_sequence.numpy().tolist()) for pool in pools}

    assert len(ends(5)) == 1
    assert len(ends(0)) > 1


@pytest.mark.parametrize(
    ("pool", "ratio", "error", "words"),
    [
        (tf.nn.fractional_max_pool, 0.5, ValueError, "should be >= 1.0"),
        (tf.nn.fractional_max_pool, [1.2, 1.5], ValueError, "first and last elements with value 1"),
        (tf.nn.fractional_max_pool, "a", ValueError, "an int or a list of ints"),
        (tf.nn.fractional_max_pool, 8.0, ValueError, "higher than input dimension size"),
        (tf.nn.fractional_avg_pool, 1.5, TypeError, "Expected list for 'pooling_ratio'"),
        (
            tf.nn.fractional_avg_pool,
            [2.0, 1.5, 1.5, 1.0],
            tf.errors.UnimplementedError,
            "on the batch nor channel dimension",
        ),
        (
            tf.nn.fractional_avg_pool,
            [1.0, 0.5, 1.5, 1.0],
            tf.errors.InvalidArgumentError,
            "cannot be smaller than 1, got: 0.5",
        ),
    ],
)
def test_factors_that_there_are_not_are_refused(pool, ratio, error, words):
    with pytest.raises(error, match=words):
        pool(IMAGE, ratio, seed=1)


@pytest.mark.parametrize("dtype", [tf.int32, tf.int64])
@pytest.mark.parametrize("last", [0, 1, 5, 20, 300])
def test_shuffled_positions_are_all_positions(last, dtype):
    found = tf.random.experimental.index_shuffle(tf.range(last + 1, dtype=dtype), [1, 2], last)
    assert found.dtype is dtype
    assert sorted(found.numpy().tolist()) == list(range(last + 1))
    one = tf.random.experimental.index_shuffle(tf.constant(last, dtype), [1, 2], last)
    assert one.shape == [] and int(one) == int(found[last])


def test_seeds_shuffle_differently_and_evenly():
    seeds = np.stack([np.full(6000, 7), np.arange(6000), np.arange(6000) * 3], 1)
    where = np.array([2] * 6000)
    found = tf.random_index_shuffle(where, seeds, np.array(9)).numpy()
    np.testing.assert_allclose(np.bincount(found, minlength=10) / 6000, 0.1, atol=0.02)


def test_each_index_may_have_a_last_one_of_its_own():
    found = tf.random.experimental.index_shuffle([0, 1], [1, 2], [10, 5]).numpy()
    assert found[0] <= 10 and found[1] <= 5


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((30, [1, 2, 3], 10), "max_index must be >= index, but 10 < 30"),
        ((-1, [1, 2, 3], 10), "index must be >= 0 but was -1"),
        ((3, [1, 2], 10), r"vector of size \[3\] or a matrix of size \[1, 3\] but got \[2\]"),
        (([[0, 1]], [1, 2, 3], 10), "must be a scalar or vector"),
    ],
)
def test_positions_that_do_not_fit_are_refused(arguments, words):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        tf.random_index_shuffle(*arguments)


BOUNDED = tf.random.stateless_parameterized_truncated_normal


@pytest.mark.parametrize(
    ("mean", "spread", "low", "high"),
    [
        (0.0, 1.0, -2.0, 2.0),
        (1.0, 2.0, -np.inf, np.inf),
        (3.0, 0.5, 4.0, 9.0),
        (0.0, 1.0, 6.0, np.inf),
        (0.0, 2.0, -1e3, -100.0),
        (0.0, 1.0, 40.0, 41.0),
    ],
)
def test_bounded_numbers_have_their_mean(mean, spread, low, high):
    parameters = (np.float64(value) for value in (mean, spread, low, high))
    drawn = BOUNDED([40000], [1, 2], *parameters).numpy()
    assert (drawn >= low).all() and (drawn <= high).all()
    a, b = max((low - mean) / spread, -60.0), min((high - mean) / spread, 60.0)
    near = 0.0 if a < 0 < b else min(abs(a), abs(b))
    x = np.linspace(a, b, 2_000_001)
    weights = np.exp((near * near - x * x) / 2)
    expected = mean + spread * np.sum(x * weights) / np.sum(weights)
    assert abs(drawn.mean() - expected) < 5 * drawn.std() / math.sqrt(40000) + 1e-9


def test_bounded_numbers_follow_parameters_that_broadcast():
    drawn = BOUNDED([500, 2], [3, 4], [0.0, 10.0], 1.0, [-1.0, 9.0], [1.0, 12.0]).numpy()
    assert (abs(drawn[:, 0]) <= 1).all() and (abs(drawn[:, 1] - 10.5) <= 1.5).all()
    again = BOUNDED([500, 2], [3, 4], [0.0, 10.0], 1.0, [-1.0, 9.0], [1.0, 12.0])
    np.testing.assert_array_equal(drawn, again.numpy())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"minvals": 3.0, "maxvals": 1.0}, "Invalid parameters"),
        ({"stddevs": -1.0}, "Invalid parameters"),
        ({"means": [0.0, 1.0]}, "must end with broadcasted shape"),
    ],
)
def test_bounds_that_make_no_sense_are_refused(arguments, words):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        BOUNDED([5], [1, 2], **arguments)


def test_points_of_a_cube_are_as_known():
    expected = [
        [0.5, 0.5, 0.5], [0.75, 0.25, 0.25], [0.25, 0.75, 0.75], [0.375, 0.375, 0.625],
        [0.875, 0.875, 0.125],
    ]  # fmt: skip
    assert tf.math.sobol_sample(3, 5).numpy().tolist() == expected
    later = tf.math.sobol_sample(2, 3, skip=4, dtype=tf.float64)
    assert later.numpy().tolist() == [[0.875, 0.875], [0.625, 0.125], [0.125, 0.625]]


def test_points_of_a_cube_fill_each_side_evenly():
    points = tf.math.sobol_sample(161, 1023).numpy()
    for side in points.T:
        assert (np.bincount((side * 64).astype(int), minlength=64) >= 15).all()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0, 3), "dim must be at least one"),
        ((162, 3), "dim must be at most 161, got 162"),
        ((2, 0), "num_results must be at least one"),
        ((2, 3, -1), "skip must be non-negative"),
        ((2, 3, 0, tf.float16), "half is not in the list of allowed values: float, double"),
    ],
)
def test_cubes_that_there_are_not_are_refused(arguments, words):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        tf.math.sobol_sample(*arguments)
