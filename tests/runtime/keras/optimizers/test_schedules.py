"""Learning rates that depend on the step."""

import pytest

import runtime as tf
from runtime.keras import optimizers
from tests.runtime.keras.optimizers.variables import variable


def test_a_compiled_step_follows_a_schedule():
    w = variable(0.0)
    schedule = optimizers.schedules.ExponentialDecay(1.0, decay_steps=1, decay_rate=0.5)
    optimizer = optimizers.SGD(schedule)

    @tf.function
    def step():
        optimizer.apply_gradients([(tf.constant([-1.0]), w)])

    step()
    step()
    assert w.numpy() == 1.5
    with pytest.raises(TypeError, match="is a schedule, so it cannot be set to"):
        optimizer.learning_rate = 0.1


def test_a_staircase_holds_the_rate_between_whole_periods():
    smooth, stairs = (
        optimizers.schedules.ExponentialDecay(0.8, 10, 0.5, staircase=staircase)
        for staircase in (False, True)
    )
    assert [float(stairs(step)) for step in (0, 9, 10)] == pytest.approx([0.8, 0.8, 0.4])
    assert 0.4 < float(smooth(9)) < 0.8
    with pytest.raises(ValueError, match="`decay_steps` must be > 0"):
        optimizers.schedules.ExponentialDecay(0.8, 0, 0.5)
