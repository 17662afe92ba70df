import runtime as tf
from runtime.passes.repetitions import share_common
from tests.runtime.passes.graphs import SCALAR, after, types


class TestShareCommon:
    def test_computes_once(self):
        assert types(after(share_common, lambda x: tf.sin(x) + tf.sin(x), SCALAR)) == [
            "Sin",
            "AddV2",
        ]

    def test_tells_attributes_apart(self):
        def f(x):
            return tf.reduce_sum(x, 0) + tf.reduce_sum(x, 1)

        graph = after(share_common, f, tf.TensorSpec([2, 2], tf.float32))
        assert types(graph).count("Sum") == 2

    def test_tells_zeros_apart(self):
        graph = after(share_common, lambda: (tf.constant(0.0), tf.constant(-0.0)))
        assert graph.outputs[0] is not graph.outputs[1]

    def test_leaves_random_numbers(self):
        graph = after(share_common, lambda: tf.random.normal([]) - tf.random.normal([]))
        assert len({id(tensor) for tensor in graph.outputs[0].op.inputs}) == 2

    def test_shares_reads_of_a_variable_between_effects(self):
        variable = tf.Variable(2.0)

        def f(x):
            first = variable * x + variable
            tf.print(first)
            return first + variable * variable

        assert types(after(share_common, f, SCALAR)).count("ReadVariableOp") == 2

    def test_leaves_reads_of_a_variable_on_both_sides_of_a_write(self):
        variable = tf.Variable(1.0)

        def f():
            before = variable.read_value()
            variable.assign_add(1.0)
            return before + variable.read_value()

        assert types(after(share_common, f)).count("ReadVariableOp") == 2

    def test_respects_control_inputs(self):
        def f(x):
            first = tf.sin(x)
            with tf.control_dependencies([first]):
                return first + tf.sin(x)

        assert types(after(share_common, f, SCALAR)).count("Sin") == 2
