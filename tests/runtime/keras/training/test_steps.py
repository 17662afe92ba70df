"""Steps of training as graphs."""

import numpy as np
import pytest

import runtime as tf


def model(**options):
    tf.keras.utils.set_random_seed(1)
    result = tf.keras.Sequential(
        [tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)]
    )
    result.compile("adam", "mse", **options)
    return result


INPUTS = np.linspace(-1, 1, 48, dtype=np.float32).reshape(12, 4)


def engines(trained):
    """The engines of the graphs of its steps, after one step of each kind."""
    losses = [trained.train_on_batch(INPUTS, INPUTS[:, :1]) for _ in range(3)]
    predicted = trained.predict(INPUTS, verbose=0)
    functions = [f for step in trained._functions.values() for f in step._of_ranks.values()]
    return losses, predicted, {f._engine for f in functions}


def test_jit_compile_runs_steps_in_machine_code():
    pytest.importorskip("llvmlite")
    losses, predicted, used = engines(model(jit_compile=True))
    expected_losses, expected, plan = engines(model())
    np.testing.assert_allclose(losses, expected_losses, rtol=1e-5)
    np.testing.assert_allclose(predicted, expected, rtol=1e-5)
    assert used == {"native"}
    assert plan == {"auto"}


@pytest.mark.parametrize("rates", [(0.01, 0.01), (0.01, 0.02)])
def test_training_does_not_depend_on_when_it_is_compiled(rates):
    pytest.importorskip("llvmlite")
    ends = []
    for rate in rates:
        trained = model()
        trained.optimizer.learning_rate.assign(rate)
        trained.fit(INPUTS, INPUTS[:, :1], batch_size=4, epochs=50, verbose=0)
        ends.append(np.concatenate([each.ravel() for each in trained.get_weights()]))
    assert np.array_equal(*ends) == (rates[0] == rates[1])


def test_steps_of_another_compile_are_compiled_anew():
    trained = model()
    before = engines(trained)[2]
    trained.compile("adam", "mse", run_eagerly=True)
    trained.train_on_batch(INPUTS, INPUTS[:, :1])
    assert before == {"auto"}
    assert not any(hasattr(step, "_of_ranks") for step in trained._functions.values())
