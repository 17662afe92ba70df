"""Quantiles, histograms, interpolation, convolution and logarithms compute what NumPy does."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.runtime.numpy_programs.comparison import (
    MATRIX,
    VECTOR,
    Program,
    check_refused,
    difference,
    each,
)


def logarithms(x):
    return np.log2(x), np.log10(x)


def digits(n):
    return int(np.log2(n)), int(np.log10(n)), np.floor(np.log10(n))


def quantiles(x):
    few = np.percentile(x, 30), np.quantile(x, 0.25), np.percentile(x, np.array([0.0, 100.0]))
    return *few, np.percentile(x, [2.5, 50, 97.5]), np.quantile(x[x > 1], (0.1, 0.9))


def quantiles_of_rows(x):
    return np.percentile(x, 30, axis=0), np.percentile(x, [10, 20], axis=1)


def drops_outliers(x):
    low, high = np.percentile(x, [25, 75])
    return x[(x >= low - 1.5 * (high - low)) & (x <= high + 1.5 * (high - low))]


def quantile_at(x, share):
    return np.percentile(x, share)


def interpolates(x, places, values):
    at = np.interp(x, places, values), np.interp(x, places, values, left=-1, right=9)
    return *at, np.interp(x, places[places >= 0], values[places >= 0])


def histograms(x):
    few = np.histogram(x), np.histogram(x, bins=4), np.histogram(x, 3, (0, 2))
    return *few, np.histogram(x, bins=5, density=True)


def histograms_of_edges(x, edges):
    return np.histogram(x, bins=edges), np.histogram(x, [0, 1, 2, 5], density=True)


def convolves(x, y):
    return np.convolve(x, y), np.convolve(x, y, "same"), np.convolve(x, y, mode="valid")


def moving_average(x, width):
    return np.convolve(x[x > 0], np.ones(width) / width, mode="valid")


def of_each_pair(x, y):
    return np.add.outer(x, y), np.subtract.outer(x, x), np.multiply.outer(x, 2)


def at_least(x, y):
    return np.atleast_1d(x, y), np.atleast_2d(x, y, 3)


def bins_of(x, edges):
    return np.digitize(x, edges), np.digitize(x, edges, right=True), np.digitize(x[0], edges)


def covariances(x, y):
    return np.cov(x), np.cov(x, bias=True), np.cov(x, y), np.cov(x, ddof=0, rowvar=False)


def correlations(x, y):
    return np.corrcoef(x, y), np.corrcoef(x, y)[0, 1], np.corrcoef(x)


POWERS_OF_TEN = np.array([float(f"1e{k}") for k in range(-307, 309)])
POWERS_OF_TWO = np.array([2.0**k for k in range(-1074, 1024)])
ODD = np.array([1, 1000, 0, -1, np.inf, np.nan], np.float32)
KNOTS = np.array([0.0, 1.0, 1.0, 2.0])
VALUES = np.array([1, 3, 5, 2])


@each(
    (logarithms, (POWERS_OF_TEN,)),
    (logarithms, (POWERS_OF_TWO[60:],)),
    (logarithms, (ODD,)),
    (logarithms, (8,)),
    (digits, (1000,)),
    (digits, (2**29,)),
    (digits, (5.5,)),
    (quantiles, (5 * VECTOR,)),
    (quantiles, (np.array([3, 1, 2, 9]),)),
    (quantiles, (5 * VECTOR.astype(np.float32),)),
    (quantiles, (np.array([1.0, np.nan, 2.0]),)),
    (quantiles_of_rows, (MATRIX,)),
    (quantiles_of_rows, (np.array([[1, 5, 2], [3, 3, 9]]),)),
    (drops_outliers, (np.array([1, 2, 3, 99, 2, 1]),)),
    (quantile_at, (VECTOR, 33.3)),
    (quantile_at, (VECTOR, 101)),
    (quantile_at, (VECTOR, [-1, 3])),
    (interpolates, (np.array([0.5, 1.0, 1.5, 9.0, -3.0, np.nan]), KNOTS, VALUES)),
    (interpolates, (1.5, KNOTS, VALUES)),
    (interpolates, (np.array([[1, 2], [0, 5]]), KNOTS, VALUES)),
    (interpolates, (np.array([np.nan, 2.0]), KNOTS[:1], VALUES[:1])),
    (interpolates, (VECTOR, KNOTS, VALUES[:3])),
    (histograms, (VECTOR,)),
    (histograms, (np.array([1, 2, 4, 4]),)),
    (histograms, (VECTOR.astype(np.float32),)),
    (histograms, (np.array([2, 2]),)),
    (histograms_of_edges, (3 * VECTOR, np.array([-1.0, 0.0, 0.5, 2.0]))),
    (histograms_of_edges, (np.array([1, 2, 4, 4]), [0, 2, 4])),
    (histograms_of_edges, (VECTOR, [1, 2, 1])),
    (convolves, (np.array([1, 2, 3]), np.array([0, 1, 0.5]))),
    (convolves, (np.array([1, 2]), [1, 1, 1])),
    (convolves, (np.array([1 + 2j, 3]), np.array([1, 2j]))),
    (convolves, (np.array([]), VECTOR)),
    (bins_of, (VECTOR, np.array([0.2, 0.5, 0.9]))),
    (bins_of, (VECTOR, np.array([0.9, 0.5, 0.2]))),
    (bins_of, (VALUES, [1, 3, 3])),
    (bins_of, (VALUES, [1, 3, 2])),
    (covariances, (VECTOR, VECTOR**2)),
    (covariances, (MATRIX, MATRIX)),
    (covariances, (VALUES, VALUES[::-1].copy())),
    (correlations, (VECTOR, VECTOR**2)),
    (correlations, (MATRIX, MATRIX**2)),
    (moving_average, (VECTOR - 0.5, 3)),
    (of_each_pair, (np.arange(3), VECTOR[:2])),
    (at_least, (1, VECTOR)),
)
def test_functions_of_samples_agree(program: Program, arguments: tuple[Any, ...]) -> None:
    assert difference(program, *arguments) == ""


def test_a_weighted_histogram_is_refused_at_the_line() -> None:
    def weighted(x):
        return np.histogram(x, weights=x)

    check_refused(weighted, (VECTOR,), "`np.histogram .*weights", 1)
