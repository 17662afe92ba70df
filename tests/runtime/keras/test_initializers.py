"""Initializers: distributions, seeds, shapes, names and configs."""

import numpy as np
import pytest

from runtime.keras import initializers

SHAPE = (60, 80)
FANS = {"in": 60, "avg": 70}


def variance(fan, scale=1.0):
    return scale / FANS[fan]


CASES = {
    "RandomNormal": ({"mean": 1.0, "stddev": 0.5}, 1.0, 0.25, None),
    "RandomUniform": ({"minval": -1.0, "maxval": 3.0}, 1.0, 16 / 12, (-1.0, 3.0)),
    "TruncatedNormal": ({"stddev": 0.5}, 0.0, 0.25 * 0.7737, (-1.0, 1.0)),
    "GlorotNormal": ({}, 0.0, variance("avg"), None),
    "HeUniform": ({}, 0.0, variance("in", 2.0), None),
    "LecunUniform": ({}, 0.0, variance("in"), None),
    "LecunNormal": ({}, 0.0, variance("in"), None),
    "GlorotUniform": ({}, 0.0, variance("avg"), None),
    "HeNormal": ({}, 0.0, variance("in", 2.0), None),
}
EVERY = [*CASES, "Zeros", "Ones", "Constant", "Orthogonal"]


@pytest.mark.parametrize("name", CASES)
def test_samples_have_the_moments_of_their_distribution(name):
    options, mean, spread, bounds = CASES[name]
    values = getattr(initializers, name)(**options, seed=3)(SHAPE).numpy()
    np.testing.assert_allclose(values.mean(), mean, atol=4 * np.sqrt(spread / values.size))
    np.testing.assert_allclose(values.var(), spread, rtol=0.08)
    if bounds is not None:
        assert bounds[0] <= values.min() < values.max() <= bounds[1]


@pytest.mark.parametrize("name", CASES)
def test_calls_of_one_object_agree_and_objects_without_seed_differ(name):
    kind = getattr(initializers, name)
    one, other, same = kind(seed=3), kind(), kind(seed=3)
    np.testing.assert_array_equal(one(SHAPE), one(SHAPE))
    np.testing.assert_array_equal(one(SHAPE), same(SHAPE))
    assert not np.array_equal(one(SHAPE), other(SHAPE))
    assert not np.array_equal(kind.from_config(other.get_config())(SHAPE), other(SHAPE))


@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_values_have_the_dtype_and_shape_asked_for(name, dtype):
    if (name, dtype) == ("Orthogonal", "float16"):
        pytest.skip("decompositions have no kernel for float16")
    values = getattr(initializers, name)()((4, 6), dtype=dtype)
    assert (values.dtype.name, values.shape) == (dtype, (4, 6))


@pytest.mark.parametrize("name", EVERY)
def test_an_initializer_is_created_anew_from_its_config_and_name(name):
    kind = getattr(initializers, name)
    again = initializers.deserialize(initializers.serialize(kind()))
    assert type(again) is kind
    assert again.get_config() == kind().get_config()
    assert type(initializers.get(name)) is kind


def test_fixed_values():
    np.testing.assert_array_equal(initializers.get("zeros")((2,)), [0, 0])
    np.testing.assert_array_equal(initializers.Constant([1, 2])((2, 2)), [[1, 2], [1, 2]])
    np.testing.assert_array_equal(initializers.Ones()((2,), dtype="bool"), [True, True])


@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (2, 3, 4)], ids=str)
def test_an_orthogonal_matrix_has_orthogonal_rows_or_columns(shape):
    q = initializers.Orthogonal(gain=2.0, seed=1)(shape).numpy().reshape(-1, shape[-1])
    q = q if q.shape[0] <= q.shape[1] else q.T
    np.testing.assert_allclose(q @ q.T, 4 * np.eye(len(q)), atol=1e-5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: initializers.get("he_normall"), "'he_normall'. Did you mean 'he_normal'"),
        (lambda: initializers.Orthogonal()((2,)), "at least two axes"),
        (lambda: initializers.get(3), "identifier: 3 of type int"),
    ],
)
def test_bad_arguments_are_errors_that_name_them(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_a_name_in_another_case_is_an_error_that_gives_the_right_one():
    with pytest.raises(AttributeError, match=r"has no attribute 'zeros'\. Did you mean 'Zeros'"):
        initializers.zeros  # noqa: B018
