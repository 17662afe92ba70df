"""Optimizers: state, options and errors."""

import numpy as np
import pytest

import runtime as tf
from runtime.keras import layers, optimizers
from tests.runtime.keras.optimizers.variables import variable


def test_a_compiled_step_follows_an_assigned_learning_rate():
    w = variable(1.0)
    optimizer = optimizers.SGD(0.1)

    @tf.function
    def step():
        optimizer.apply_gradients([(tf.constant([1.0]), w)])

    step()
    optimizer.learning_rate = 0.5
    step()
    np.testing.assert_allclose(w.numpy(), [0.4])
    assert float(optimizer.lr) == 0.5


def test_variables_without_gradient_keep_their_value():
    w, other = variable(1.0), variable(2.0, name="other")
    with pytest.warns(UserWarning, match=r"for variables \['other:0'\], which keep their values"):
        optimizers.Adam(0.1).apply_gradients([(tf.constant([1.0]), w), (None, other)])
    assert other.numpy() == 2.0
    assert w.numpy() < 1.0


@pytest.mark.parametrize("option", ["clipnorm", "global_clipnorm"])
@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize("bad", [np.inf, np.nan])
def test_a_gradient_without_a_norm_is_an_error_that_changes_no_variable(option, staged, bad):
    v, w = variable(1.0, name="v"), variable(1.0, name="w")
    optimizer = optimizers.SGD(1.0, **{option: 0.1})
    step = tf.function(optimizer.apply_gradients) if staged else optimizer.apply_gradients
    infinite, large = tf.constant([bad], tf.float32), tf.constant([9.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="'w:0' cannot be clipped by a norm"):
        step([(large, v), (infinite, w)])
    assert [v.numpy(), w.numpy(), optimizer.iterations.numpy()] == [[1.0], [1.0], 0]
    step([(large, v), (large, w)])
    assert v.numpy() < 1.0


def test_clipping_by_value_bounds_an_infinite_gradient():
    w, v = variable(1.0), variable(1.0, name="v")
    infinite, large = tf.constant([np.inf], tf.float32), tf.constant([9.0])
    optimizers.SGD(1.0, clipvalue=0.1).apply_gradients([(infinite, w), (large, v)])
    np.testing.assert_allclose([w.numpy()[0], v.numpy()[0]], [0.9, 0.9], rtol=1e-6)


def test_minimize_takes_the_tape_of_a_tensor():
    w = variable(1.0)
    with tf.GradientTape() as tape:
        loss = w * w
    optimizers.SGD(0.25).minimize(loss, [w], tape=tape)
    assert w.numpy() == 0.5
    with pytest.raises(ValueError, match="`tape` is required"):
        optimizers.SGD(0.25).minimize(loss, [w])


class TestLossScale:
    def test_gradients_are_those_of_the_loss_before_scaling(self):
        w = variable(1.0)
        optimizer = optimizers.LossScaleOptimizer(optimizers.SGD(0.25), initial_scale=8.0)

        @tf.function
        def step():
            with tf.GradientTape() as tape:
                loss = optimizer.get_scaled_loss(w * w)
            optimizer.apply_gradients(zip(tape.gradient(loss, [w]), [w], strict=True))

        step()
        assert w.numpy() == 0.5

    def test_the_scale_grows_after_finite_steps_and_halves_after_others(self):
        w = variable(1.0)
        inner = optimizers.SGD(0.25)
        optimizer = optimizers.LossScaleOptimizer(inner, initial_scale=8.0, dynamic_growth_steps=2)
        finite, infinite = tf.constant([0.0]), tf.constant([np.inf], tf.float32)
        scales = []
        for gradient in (finite, finite, infinite, finite):
            optimizer.apply_gradients([(gradient, w)])
            scales.append(float(optimizer.dynamic_scale))
        assert scales == [8.0, 16.0, 8.0, 8.0]
        assert w.numpy() == 1.0
        assert (inner.iterations.numpy(), optimizer.iterations.numpy()) == (3, 4)


def built(optimizer, *variables):
    optimizer.build(variables)
    return optimizer


def test_a_variable_that_a_function_gets_has_the_state_that_it_has_in_eager_code():
    def step(w):
        with tf.GradientTape() as tape:
            loss = w * w
        optimizer.apply_gradients([(tape.gradient(loss, w), w)])

    optimizer, w, other = optimizers.Adam(0.1), variable(3.0), variable(5.0)
    staged = tf.function(step)
    for _ in range(3):
        staged(w)
    with pytest.raises(ValueError, match="Unknown variable"):
        staged(other)
    assert other.numpy() == 5.0
    found, optimizer, w = w.numpy(), optimizers.Adam(0.1), variable(3.0)
    for _ in range(3):
        step(w)
    assert found == w.numpy()


BAD = {
    "lr": (lambda w: optimizers.SGD(lr=0.1), "SGD has no argument 'lr'"),
    "name": (lambda w: optimizers.get("adm"), "identifier: 'adm'. Did you mean 'adam'"),
    "kind": (lambda w: optimizers.get(len), "Pass a name such as 'adam'"),
    "clipping": (lambda w: optimizers.SGD(clipnorm=1, clipvalue=2), "clipnorm=1, clipvalue=2"),
    "bound": (lambda w: optimizers.SGD(clipnorm=-1), "`clipnorm` has to be positive"),
    "momentum": (
        lambda w: optimizers.SGD(momentum=2),
        r"`momentum` of sgd.* is 2, which is not in \[0, 1\]",
    ),
    "gradients": (
        lambda w: optimizers.SGD().apply_gradients([(None, w)]),
        r"No gradients provided for any variable: .* \['w:0'\]",
    ),
    "shape": (
        lambda w: optimizers.SGD().apply_gradients([(tf.zeros([3]), w)]),
        r"gradient of variable 'w:0' has shape \(3,\), the variable \(1,\)",
    ),
    "unknown": (
        lambda w: built(optimizers.SGD(), w).apply_gradients(
            [(tf.constant([1.0]), variable(1.0, name="late"))]
        ),
        r"Unknown variable 'late:0': sgd.* was built for \['w:0'\]",
    ),
    "integers": (
        lambda w: built(optimizers.SGD(), variable(1, name="count", dtype="int32")),
        "cannot train variable 'count:0' of dtype int32",
    ),
}


def test_a_tensor_in_place_of_a_variable_is_refused():
    with pytest.raises(TypeError, match=r"in place of a variable\. sgd\w* changes only `tf.Var"):
        optimizers.SGD(0.1).apply_gradients([(tf.constant(1.0), tf.constant(2.0))])


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_an_error_that_names_it(case):
    call, message = BAD[case]
    with pytest.raises((ValueError, TypeError), match=message):
        call(variable(1.0))


def test_state_is_named_after_the_paths_of_variables():
    layer = layers.Dense(1, name="out")
    layer.build((None, 2))
    plain = tf.Variable(1.0, name="plain")
    optimizer = optimizers.RMSprop(name="slow")
    optimizer.build([layer.kernel, plain])
    names = ["iteration", "learning_rate", "out_kernel_velocity", "plain_0_velocity"]
    assert [v.name for v in optimizer.variables] == names
    assert [v.path for v in optimizer.variables] == [f"slow/{name}" for name in names]


def test_apply_takes_a_gradient_for_each_variable():
    first, second = variable(1.0), variable(2.0)
    optimizer = optimizers.SGD(1.0)
    optimizer.apply([tf.constant([1.0]), tf.constant([3.0])], [first, second])
    optimizer.apply([tf.constant([1.0]), tf.constant([3.0])])
    assert (first.numpy().tolist(), second.numpy().tolist()) == ([-1.0], [-4.0])
    assert int(optimizer.iterations) == 2
    with pytest.raises(ValueError, match="1 gradients and 2 variables were given"):
        optimizer.apply([tf.constant([1.0])])


class Heavy(optimizers.Optimizer):
    """Momentum as a program of Keras writes it."""

    def build(self, variables):
        super().build(variables)
        self.speeds = [self.add_variable_from_reference(v, name="speed") for v in variables]
        self.total = self.add_variable(shape=(2,), initializer="ones", name="total")

    def update_step(self, gradient, variable, learning_rate):
        speed = self.speeds[self._get_variable_index(variable)]
        self.assign(speed, 0.9 * speed)
        self.assign_add(speed, gradient)
        self.assign_sub(variable, learning_rate * speed)


@pytest.mark.parametrize("decorate", [lambda f: f, tf.function])
def test_the_state_that_a_program_builds_lasts_from_step_to_step(decorate):
    w, optimizer = variable(1.0), Heavy(0.1)

    @decorate
    def step():
        optimizer.apply_gradients([(tf.constant([1.0]), w)])

    for _ in range(3):
        step()
    speed = [1.0, 1.9, 2.71]
    np.testing.assert_allclose(optimizer.speeds[0], speed[-1:], rtol=1e-6)
    np.testing.assert_allclose(w, [1.0 - 0.1 * sum(speed)], rtol=1e-6)
    assert [v.name for v in optimizer.variables] == [
        "iteration",
        "learning_rate",
        "w_0_speed",
        "total",
    ]
    assert optimizer.total.numpy().tolist() == [1.0, 1.0]
