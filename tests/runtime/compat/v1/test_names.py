"""Names of version 1 beside those of version 2."""

import numpy as np
import pytest

import runtime
import runtime.compat.v1 as tf


class TestLists:
    def test_local_variables(self):
        with tf.Graph().as_default():
            v = tf.get_variable(
                "v", [2], trainable=False, collections=[tf.GraphKeys.LOCAL_VARIABLES]
            )
            assert tf.local_variables() == [v]
            assert tf.global_variables() == [] == tf.trainable_variables()


class TestInitializers:
    @pytest.mark.parametrize(
        "name",
        [
            "glorot_normal", "glorot_uniform", "random_normal", "random_uniform",
            "truncated_normal", "variance_scaling",
        ],
    )  # fmt: skip
    def test_seeds_fix_the_numbers(self, name):
        def draw(seed):
            runtime.random.set_seed(1)
            return getattr(tf, f"{name}_initializer")(seed=seed)([3, 4]).numpy()

        np.testing.assert_array_equal(draw(3), draw(3))
        assert (draw(3) != draw(4)).any()

    @pytest.mark.parametrize("distribution", ["uniform", "truncated_normal", "untruncated_normal"])
    def test_variance_is_scaled_by_the_inputs(self, distribution):
        scaled = tf.variance_scaling_initializer(3.0, "fan_in", distribution, seed=1)
        assert 0.9 < np.var(scaled([3, 10_000]).numpy()) < 1.1

    def test_arguments_out_of_range_are_refused(self):
        for name, value in {"scale": 0.0, "mode": "fan", "distribution": "even"}.items():
            with pytest.raises(ValueError, match=f"Argument `{name}`"):
                tf.variance_scaling_initializer(**{name: value})


def test_names_of_both_versions_are_listed():
    assert {"matmul", "reduce_sum", "Session"} <= set(dir(tf))
    assert "where" not in dir(tf)
    assert tf.matmul is runtime.matmul
    with pytest.raises(AttributeError, match="no attribute 'no_such_op'"):
        tf.no_such_op  # noqa: B018


@pytest.mark.parametrize(
    "name", ["where", "nn", "math", "random", "cond", "while_loop", "gradients", "initializers"]
)
def test_a_name_that_means_something_else_in_version_1_is_refused(name):
    with pytest.raises(AttributeError, match=f"in version 1. Use `runtime.{name}`, with"):
        getattr(tf, name)
