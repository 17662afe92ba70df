"""Checkpoints, saved models, and changes of some rows of variables."""

import os
import tempfile

from tests.runtime.oracle.corpus import differs, graph_only

VALUE = "/.ATTRIBUTES/VARIABLE_VALUE"


def _net(tf):
    class Net(tf.Module):
        def __init__(self):
            super().__init__()
            self.w = tf.Variable([1.0, 2.0])
            self.parts = [tf.Variable(3), {"a": tf.Variable(4.0)}]

    return Net()


def _kind(call):
    try:
        call()
    except Exception as error:
        return [kind.__name__ for kind in type(error).__mro__][-4]
    return None


def checkpoints_have_keys_by_path(tf):
    with tempfile.TemporaryDirectory() as home:
        path = tf.train.Checkpoint(net=_net(tf), step=tf.Variable(7)).save(f"{home}/ckpt")
        found = [(k, s) for k, s in tf.train.list_variables(path) if k.endswith(VALUE)]
        reader = tf.train.load_checkpoint(home)
        return found, reader.get_tensor(f"net/w{VALUE}"), os.path.basename(path)


def checkpoints_restore_into_new_objects(tf):
    with tempfile.TemporaryDirectory() as home:
        net = _net(tf)
        net.w.assign([5.0, 6.0])
        path = tf.train.Checkpoint(net).write(f"{home}/ckpt")
        other = _net(tf)
        tf.train.Checkpoint(other).read(path).assert_consumed()
        return other.w, other.parts[0], other.parts[1]["a"]


def variables_created_after_the_restoration_have_the_saved_values(tf):
    with tempfile.TemporaryDirectory() as home:
        path = tf.train.Checkpoint(net=_net(tf)).write(f"{home}/ckpt")
        late = tf.Module()
        status = tf.train.Checkpoint(net=late).read(path)
        late.w = tf.Variable([0.0, 0.0])
        first = late.w.numpy()
        late.parts = [tf.Variable(0), {"a": tf.Variable(0.0)}]
        status.assert_consumed()
        return first, late.parts[0].numpy(), late.parts[1]["a"].numpy()


def statuses_of_partial_restorations(tf):
    with tempfile.TemporaryDirectory() as home:
        path = tf.train.Checkpoint(a=tf.Variable(1), b=tf.Variable(2)).save(f"{home}/ckpt")
        found = []
        for objects in ({"a": 0}, {"a": 0, "c": 0}, {"c": 0}, {"a": 0, "b": 0}):
            made = {name: tf.Variable(value) for name, value in objects.items()}
            status = tf.train.Checkpoint(**made).restore(path)
            status.expect_partial()
            found.append(
                [
                    _kind(status.assert_consumed),
                    _kind(status.assert_existing_objects_matched),
                    _kind(status.assert_nontrivial_match),
                ]
            )
        status = tf.train.Checkpoint(a=tf.Variable(0)).restore(None)
        return found, _kind(status.assert_consumed), _kind(status.assert_nontrivial_match)


def values_of_another_shape_are_refused(tf):
    with tempfile.TemporaryDirectory() as home:
        path = tf.train.Checkpoint(a=tf.Variable(1)).write(f"{home}/ckpt")
        tf.train.Checkpoint(a=tf.Variable([1, 2])).restore(path)


def a_missing_checkpoint_is_not_found(tf):
    tf.train.Checkpoint(a=tf.Variable(1)).restore("/no/such/ckpt-1")


def a_number_cannot_be_checkpointed(tf):
    tf.train.Checkpoint(a=3)


def managers_keep_the_newest(tf):
    with tempfile.TemporaryDirectory() as home:
        checkpoint = tf.train.Checkpoint(a=tf.Variable(1))
        manager = tf.train.CheckpointManager(checkpoint, home, max_to_keep=2)
        paths = [manager.restore_or_initialize(), *(manager.save() for _ in range(3))]
        again = tf.train.CheckpointManager(checkpoint, home, max_to_keep=1, checkpoint_name="m")
        paths += [again.latest_checkpoint, again.save(checkpoint_number=9), *again.checkpoints]
        paths += [tf.train.latest_checkpoint(home)]
        return [path and os.path.basename(path) for path in paths]


def iterators_go_on_where_they_were(tf):
    with tempfile.TemporaryDirectory() as home:
        iterator = iter(tf.data.Dataset.range(8).map(lambda x: x * 3).batch(2))
        next(iterator)
        checkpoint = tf.train.Checkpoint(it=iterator)
        path = checkpoint.write(f"{home}/ckpt")
        first = [rows.numpy() for rows in iterator]
        checkpoint.read(path)
        return first, [rows.numpy() for rows in iterator]


def _model(tf):
    class Model(tf.Module):
        def __init__(self):
            super().__init__()
            self.v = tf.Variable(2.0)

        @tf.function(input_signature=[tf.TensorSpec([None], tf.float32, name="inp")])
        def serve(self, x):
            return {"out": x * self.v, "sum": tf.reduce_sum(x)}

        @tf.function
        def choose(self, x, training=False):
            if training:
                return x
            if tf.reduce_sum(x) > 1.0:
                return x * self.v
            return -x

    model = Model()
    model.choose(tf.constant(1.0))
    model.choose(tf.constant([1.0, 2.0]), training=True)
    return model


def _reloaded(tf, home, model, **options):
    tf.saved_model.save(model, home, **options)
    return tf.saved_model.load(home)


def models_have_signatures(tf):
    with tempfile.TemporaryDirectory() as home:
        signatures = _reloaded(tf, home, _model(tf)).signatures
        serve = signatures["serving_default"]
        result = serve(inp=tf.constant([1.0, 2.0]))
        specs = serve.structured_input_signature
        return (
            list(signatures),
            str(specs),
            sorted(serve.structured_outputs),
            sorted(result.items()),
        )


def signatures_have_names_for_results(tf):
    with tempfile.TemporaryDirectory() as home:
        f = tf.function(lambda x, y: [x["a"], y])
        scalar = tf.TensorSpec([], tf.float32)
        concrete = f.get_concrete_function({"a": scalar}, scalar)
        loaded = _reloaded(tf, home, tf.Module(), signatures={"f": concrete})
        signature = loaded.signatures["f"]
        result = signature(x=tf.constant(1.0), y=tf.constant(2.0))
        return sorted(signature.structured_input_signature[1]), sorted(result.items())


@graph_only("only a function that was called as a graph has one to save")
def loaded_functions_are_chosen_by_type(tf):
    with tempfile.TemporaryDirectory() as home:
        loaded = _reloaded(tf, home, _model(tf))
        return (
            loaded.choose(tf.constant(3.0)),
            loaded.choose(0.5),
            loaded.choose(tf.constant([1.0, 2.0]), training=True),
            _kind(lambda: loaded.choose(tf.constant(1))),
            _kind(lambda: loaded.choose(tf.constant(1.0), training=True)),
        )


@graph_only("only a function that was called as a graph has one to save")
def loaded_functions_are_differentiated(tf):
    with tempfile.TemporaryDirectory() as home:
        loaded = _reloaded(tf, home, _model(tf))
        x = tf.constant(3.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = loaded.choose(x) ** 2
        return tape.gradient(y, [x, loaded.v])


@graph_only("only a function that was called as a graph has one to save")
def loaded_models_are_saved_again(tf):
    with tempfile.TemporaryDirectory() as home:
        loaded = _reloaded(tf, f"{home}/a", _model(tf))
        outer = tf.Module()
        outer.inner = loaded
        outer.f = tf.function(lambda x: loaded.choose(x) + 1.0)
        outer.f(tf.constant(3.0))
        again = _reloaded(tf, f"{home}/b", outer)
        again.inner.v.assign(5.0)
        return again.f(tf.constant(3.0)), again.inner.serve(tf.constant([1.0]))["out"]


def gradients_that_a_program_states_are_saved(tf):
    @tf.custom_gradient
    def square(x):
        return x * x, lambda upstream: upstream * 100.0

    with tempfile.TemporaryDirectory() as home:
        model = tf.Module()
        model.f = tf.function(square, input_signature=[tf.TensorSpec([], tf.float32)])
        options = tf.saved_model.SaveOptions(experimental_custom_gradients=True)
        loaded = _reloaded(tf, home, model, options=options)
        x = tf.constant(3.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = loaded.f(x)
        return y, tape.gradient(y, x)


def functions_that_were_never_called_have_no_graph(tf):
    with tempfile.TemporaryDirectory() as home:
        model = tf.Module()
        model.f = tf.function(lambda x: x)
        _reloaded(tf, home, model).f(tf.constant(1))


def numbers_are_no_models(tf):
    tf.saved_model.save(3, "/no/such/folder")


def functions_without_types_are_no_signatures(tf):
    with tempfile.TemporaryDirectory() as home:
        tf.saved_model.save(tf.Module(), home, signatures=tf.function(lambda x: x))


@differs(
    "plain values are part of a model",
    tensorflow="AttributeError",
    here="7",
)
def numbers_among_attributes(tf):
    with tempfile.TemporaryDirectory() as home:
        model = tf.Module()
        model.n = 7
        return _reloaded(tf, home, model).n


def rows_of_variables(tf):
    found = []
    for name in ("update", "add", "sub"):
        v = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
        rows = tf.constant([[10.0, 0.5], [2.0, 2.0], [3.0, 3.0]])
        getattr(v, f"scatter_{name}")(tf.IndexedSlices(rows, tf.constant([2, 0, 2])))
        found.append(v.numpy())
    return found


def rows_before_the_first_are_refused(tf):
    v = tf.Variable([1.0, 2.0])
    v.scatter_add(tf.IndexedSlices(tf.constant([3.0]), tf.constant([-1])))


def gradients_of_rows_through_functions(tf):
    v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    f = tf.function(lambda i: tf.gather(v, i) ** 2)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(f(tf.constant([1, 1])))
    gradient = tape.gradient(y, v)
    return type(gradient).__name__, gradient.values, gradient.indices, gradient.dense_shape


def rows_are_clipped_as_rows(tf):
    rows = tf.IndexedSlices(tf.constant([[3.0], [4.0]]), tf.constant([1, 1]), tf.constant([3, 1]))
    found = [tf.clip_by_value(rows, 0.0, 3.5), tf.clip_by_norm(rows, 1.0)]
    found += [tf.clip_by_global_norm([rows], 1.0)[0][0], tf.cast(rows, tf.float64)]
    return [(each.values, each.indices) for each in found], tf.linalg.global_norm([rows])
