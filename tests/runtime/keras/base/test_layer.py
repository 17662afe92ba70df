"""Layers: variables, masks, losses, `training`, configs, and what is refused."""

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from tests.runtime.keras.base.own_layers import Affine, Branching, Counts


@pytest.fixture
def ones():
    return tf.ones([2, 3])


class Block(keras.Layer):
    def __init__(self):
        super().__init__()
        self.named = {"first": Affine(2)}
        self.listed = [Affine(2)]
        self.listed.append(Branching())
        self.scale = tf.Variable(1.0)

    def call(self, inputs):
        for layer in [self.named["first"], *self.listed]:
            inputs = layer(inputs)
        self.add_loss(tf.reduce_sum(inputs) * self.scale)
        return inputs


def test_variables_are_created_by_the_first_call_with_paths(ones):
    layer = Affine(4, name="affine")
    assert not layer.built and layer.weights == []
    assert layer(ones).shape == (2, 4)
    assert [each.path for each in layer.weights] == ["affine/kernel", "affine/bias", "affine/steps"]
    assert layer.count_params() == 12 + 4 + 1


class Unbuilt(keras.Model):
    """Layers of all kinds that `build` and the first call make."""

    def __init__(self):
        super().__init__()
        self.blocks = [Affine(3), keras.Sequential([keras.layers.Dense(3)])]

    def build(self, input_shape):
        self.last = keras.layers.Dense(1, use_bias=False)
        self.blocks.append(keras.layers.Dense(input_shape[-1]))
        self.seen = input_shape[-1]

    def call(self, inputs):
        for block in self.blocks:
            inputs = block(inputs)
        return self.last(inputs)


def in_a_branch(model, inputs):
    if tf.reduce_sum(inputs) > 0.0:
        inputs += model(inputs)
    return inputs


def in_a_loop_in_a_branch(model, inputs):
    if tf.reduce_sum(inputs) > 0.0:
        for _ in tf.range(2):
            inputs += model(inputs)
    return inputs


def in_a_loop_over_a_dataset(model, inputs):
    total = 0.0
    for row in tf.data.Dataset.from_tensors(inputs).repeat(2):
        total += model(row)
    return total


def in_a_function_that_a_loop_calls(model, inputs):
    inner = tf.function(lambda inputs: model(inputs))
    for _ in tf.range(2):
        inputs += inner(inputs)
    return inputs


@pytest.mark.parametrize(
    "program",
    [in_a_branch, in_a_loop_in_a_branch, in_a_loop_over_a_dataset, in_a_function_that_a_loop_calls],
)
def test_a_model_that_a_staged_statement_is_the_first_to_call_is_built_there(program, ones):
    def results(wrapped):
        keras.utils.set_random_seed(1)
        model = Unbuilt()
        found = [wrapped(program)(model, ones).numpy() for _ in range(2)]
        return [found, model.seen, [each.path.split("/")[-1] for each in model.weights]]

    np.testing.assert_equal(results(tf.function), results(lambda function: function))


def test_a_layer_built_in_a_function_that_may_raise_keeps_what_its_build_assigns(ones):
    layer = keras.layers.Dense(2, use_bias=False)

    @tf.function
    def program(inputs):
        if tf.reduce_sum(inputs) < 0.0:
            raise ValueError("negative")
        return layer(inputs)

    assert program(ones).shape == (2, 2)
    assert layer.bias is None


def test_layers_in_lists_and_dicts_belong_to_the_layer(ones):
    block = Block()
    block(ones)
    assert [each.name for each in block.weights] == [
        "Variable:0", "kernel", "bias", "steps", "kernel", "bias", "steps",
    ]  # fmt: skip
    assert len(block.submodules) == 3
    assert len(block.trainable_variables) == 5


def test_a_frozen_layer_has_no_trainable_variables_and_thaws_again(ones):
    block = Block()
    block(ones)
    block.trainable = False
    assert block.trainable_weights == [] and len(block.non_trainable_weights) == 7
    assert not block.named["first"].kernel.trainable
    block.trainable = True
    assert block.named["first"].kernel.trainable
    assert not block.named["first"].steps.trainable


def test_losses_are_those_of_the_last_call_and_of_regularizers(ones):
    block = Block()
    block(ones)
    block(2.0 * ones)
    added, first, second = block.losses
    np.testing.assert_allclose(first, 0.01 * np.sum(block.named["first"].kernel.numpy() ** 2), 1e-5)
    np.testing.assert_allclose(second, 0.01 * np.sum(block.listed[0].kernel.numpy() ** 2), 1e-5)
    np.testing.assert_allclose(
        added,
        np.sum(block.listed[1](block.listed[0](block.named["first"](2.0 * ones))).numpy()),
        1e-5,
    )


@pytest.mark.parametrize("loss", [1.0, tf.constant(1.0)])
def test_losses_outside_of_calls_are_refused(loss):
    with pytest.raises(ValueError, match="the next call forgets its losses"):
        Block().add_loss(loss)


def test_functions_are_no_losses(ones):
    class Adding(keras.Layer):
        def call(self, inputs):
            self.add_loss(lambda: 1.0)
            return inputs

    with pytest.raises(ValueError, match=r"takes tensors, not <function .*: add its result"):
        Adding()(ones)


@pytest.mark.parametrize("built", [False, True])
def test_a_variable_that_no_attribute_holds_is_seen_by_functions(ones, built):
    class Product(keras.Layer):
        def build(self, input_shape):
            self.add_weight((), "ones")

        def call(self, inputs):
            for weight in self.weights:
                inputs = inputs * weight
            return inputs

    layer = Product()
    if built:
        layer(ones)
    function = tf.function(lambda x: layer(x))
    np.testing.assert_array_equal(function(ones), ones)
    layer.add_weight((), keras.initializers.Constant(3.0))
    np.testing.assert_array_equal(function(ones), 3.0 * ones)
    np.testing.assert_array_equal(layer(ones), 3.0 * ones)
    layer.weights[1].assign(5.0)
    np.testing.assert_array_equal(function(ones), 5.0 * ones)


def test_losses_of_a_function_do_not_leave_it(ones):
    block = Block()

    @tf.function
    def loss(x):
        block(x)
        return tf.add_n(block.losses)

    assert loss(ones).shape == ()
    assert len(block.losses) == 2


def test_a_function_creates_variables_once_and_computes_the_same(ones):
    block = Block()
    compiled = tf.function(block)
    first = compiled(ones)
    assert len(block.weights) == 7
    np.testing.assert_allclose(first, block(ones), rtol=1e-6)
    np.testing.assert_allclose(compiled(-ones), block(-ones), rtol=1e-6)
    assert compiled.experimental_get_tracing_count() == 1


def test_a_layer_that_a_program_builds_keeps_its_variables(ones):
    class Outer(keras.Layer):
        def __init__(self, **options):
            super().__init__(**options)
            self.inner = keras.layers.Dense(2, name="inner")

        def build(self, input_shape):
            self.inner.build(input_shape)

        def call(self, inputs):
            return self.inner(inputs)

    outer = Outer(name="outer")
    outer.build((None, ones.shape[-1]))
    assert outer.built and outer.inner.built
    before = outer.weights
    outer(ones)
    assert [*map(id, outer.weights)] == [*map(id, before)]
    assert [each.path for each in before] == ["outer/inner/kernel", "outer/inner/bias"]
    assert outer.get_build_config() == {"input_shape": (None, ones.shape[-1])}


@pytest.mark.parametrize("symbolic", [False, True])
def test_paths_of_layers_that_a_call_builds_begin_with_the_outer_layer(ones, symbolic):
    class Outer(keras.Layer):
        def __init__(self, **options):
            super().__init__(**options)
            self.inner = keras.layers.Dense(2, use_bias=False, name="inner")

        def call(self, inputs):
            return self.inner(inputs)

    outer, last = Outer(name="outer"), keras.layers.Dense(1, use_bias=False, name="last")
    last(outer(keras.Input(ones.shape[1:]) if symbolic else ones))
    paths = [each.path for each in (*outer.weights, *last.weights)]
    assert paths == ["outer/inner/kernel", "last/kernel"]


def test_the_order_of_variables_does_not_depend_on_trainable(ones):
    layer = Affine(2)
    layer(ones)
    names = [each.name for each in layer.weights]
    layer.trainable = False
    assert [each.name for each in layer.weights] == names


def test_a_circle_of_layers_ends(ones):
    outer, inner = Block(), Affine(2)
    inner.owner, outer.added = outer, inner
    inner(ones)
    assert len(outer.weights) == 1 + 3 and len(inner.weights) == 3 + 1


class MeanOfCounted(keras.layers.Layer):
    """Needs a mask."""

    def call(self, inputs, mask=None):
        counts = tf.cast(mask, inputs.dtype)[..., tf.newaxis]
        return tf.reduce_sum(inputs * counts, 1) / tf.reduce_sum(counts, 1)


def test_a_layer_of_a_symbolic_call_gets_the_mask():
    steps = tf.constant([[[1.0, 2.0], [0.0, 0.0], [3.0, 4.0]]])
    chain = keras.Sequential([keras.layers.Masking(), keras.layers.Dropout(0.5), MeanOfCounted()])
    np.testing.assert_array_equal(chain(steps), [[2.0, 3.0]])
    inputs = keras.Input((None, 2))
    model = keras.Model(inputs, MeanOfCounted()(keras.layers.Masking()(inputs)))
    np.testing.assert_array_equal(model(steps), [[2.0, 3.0]])


def test_a_symbolic_call_without_a_mask_gets_none():
    with pytest.raises(ValueError, match="None"):
        MeanOfCounted()(keras.Input((None, 2)))


def test_a_mask_that_depends_on_values_is_staged():
    class Sparse(keras.layers.Layer):
        def compute_mask(self, inputs, mask=None):
            if tf.reduce_max(inputs) > 2.0:
                return inputs > 2.0
            return inputs > 0.0

        def call(self, inputs):
            return inputs[..., None]

    sparse, counts = Sparse(), Counts()
    call = tf.function(lambda x: counts(sparse(x)))
    assert call(tf.constant([[1.0, 2.0, 0.0]])).numpy() == 2.0
    assert call(tf.constant([[1.0, 3.0, 0.0]])).numpy() == 1.0


def test_configs_hold_the_arguments_of_the_constructor():
    config = Affine(3, name="mine").get_config()
    assert (config["units"], config["name"]) == (3, "mine")
    assert Affine.from_config(config).units == 3


def test_a_constructor_without_the_arguments_of_its_base_is_told_to_take_them():
    class Scale(keras.layers.Layer):
        def __init__(self, k):
            super().__init__()
            self.k = k

    class Shifted(keras.losses.Loss):
        def __init__(self, shift=0.1):
            super().__init__()
            self.shift = shift

    for each in (Scale(3.0), Shifted()):
        with pytest.raises(TypeError, match=r"__init__` take `\*\*kwargs`, and call `super"):
            type(each).from_config(each.get_config())
    with pytest.raises(TypeError, match="returns the arguments of the constructor"):
        Scale.from_config({"j": 1})


def test_an_argument_that_json_cannot_hold_asks_for_get_config():
    with pytest.raises(NotImplementedError, match=r"must override `get_config\(\)`"):
        Affine(object()).get_config()


def test_shapes_of_outputs_are_known_without_values():
    assert Affine(5).compute_output_shape((None, 3)) == (None, 5)
    layer = Affine(4)
    layer(keras.Input((7,)))
    assert (layer.input_shape, layer.output_shape) == ((None, 7), (None, 4))


def forgetful():
    class Forgetful(keras.Layer):
        def __init__(self):
            self.x = 1

    Forgetful()(tf.ones([1]))


def built(layer):
    layer(tf.ones([2, 3]))
    return layer


REFUSED = {
    "no constructor of the base": (forgetful, RuntimeError, "forgot to call"),
    "unknown argument": (
        lambda: Affine(2, nmae="a"), TypeError,
        "Affine has no argument 'nmae'. Did you mean 'name'",
    ),
    "name with a slash": (lambda: Affine(2, name="a/b"), ValueError, "cannot contain character"),
    "too few weights": (
        lambda: built(Affine(2, name="a")).set_weights([]), ValueError,
        "on layer 'a' with a weight list of length 0, but the layer was expecting 3",
    ),
    "weights of another shape": (
        lambda: built(Affine(2, name="a")).set_weights([np.ones(2)] * 3), ValueError,
        r"Layer a weight shape \(3, 2\) of 'kernel' is not compatible .* shape \(2,\)",
    ),
    "count of an unbuilt layer": (
        lambda: Affine(2, name="a").count_params(), ValueError, "'a' isn't built"
    ),
    "output without a call": (
        lambda: Affine(2, name="a").output, AttributeError, "a has never been called"
    ),
    "no call": (lambda: keras.Layer()(tf.ones([1])), NotImplementedError, "a `call\\(\\)` method"),
    "weight with a name in place of a shape": (
        lambda: Affine(2).add_weight("kernel"), ValueError, "Pass the name as `name='kernel'`"
    ),
    "missing attribute": (lambda: Affine(2).foo, AttributeError, "'Affine' .* attribute 'foo'"),
}  # fmt: skip


@pytest.mark.parametrize(("use", "kind", "text"), REFUSED.values(), ids=REFUSED)
def test_misuse_is_refused(use, kind, text):
    with pytest.raises(kind, match=text):
        use()


class Careless(keras.Model):
    """Creates a layer, or a variable, at each call."""

    def __init__(self, what):
        super().__init__()
        self.what = what
        self.kept = keras.layers.Dense(2)

    def call(self, inputs):
        if self.what == "variable":
            return inputs * self.add_weight(shape=(2,), initializer="ones", name="scale")
        if self.what == "layer":
            return keras.layers.Dense(2, name="lost")(inputs)
        return self.kept(inputs)


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("layer", r"creates the variable '.*lost/kernel', which no attribute .* in `__init__`"),
        ("variable", r"cannot create variables in `call`.*`__init__` or `build`"),
    ],
)
def test_variables_that_each_trace_would_create_are_an_error(what, message):
    rows = np.ones([4, 2], np.float32)
    careless, careful = Careless(what), Careless("nothing")
    for model in (careless, careful):
        model.compile("sgd", "mse")
    with pytest.raises(ValueError, match=message):
        careless.fit(rows, rows, verbose=0)
    with pytest.raises(ValueError, match=message):
        tf.function(careless)(rows)
    careful.fit(rows, rows, verbose=0)
    assert len(careful.weights) == 2
    assert tf.function(Careless("nothing"))(rows).shape == (4, 2)


def test_a_layer_that_a_call_creates_eagerly_is_another_one_each_time():
    careless, rows = Careless("layer"), np.ones([4, 2], np.float32)
    assert not np.array_equal(careless(rows), careless(rows))
