import pytest

import runtime as tf
from runtime.core.verify import verify
from runtime.ops.base.define import call
from runtime.passes.branches import choose_branches
from runtime.passes.captures import drop_unread_captures
from runtime.passes.fold import fold
from runtime.passes.prune import prune
from runtime.passes.repetitions import share_common
from tests.runtime.passes.graphs import COUNT, SCALAR, after, decided_later, graph_of, only, types


class TestChooseBranches:
    def undecided(self):
        return call("Identity", tf.constant(True))

    def test_takes_the_branch_that_is_known(self):
        def f(x):
            return tf.cond(self.undecided() & (x < x + 1), lambda: tf.sin(x), lambda: x)

        assert "StatelessIf" in types(after(choose_branches, f, SCALAR))
        graph = fold(graph_of(lambda x: decided_later(x, True), SCALAR))
        assert types(choose_branches(graph)) == ["Sin"]

    def test_keeps_effects_in_order(self):
        variable = tf.Variable(0.0)

        def f(x):
            variable.assign(x)

            def branch():
                variable.assign_add(1.0)
                return x

            return decided_later(x, True, branch) + variable.read_value()

        graph = choose_branches(fold(graph_of(f, SCALAR)))
        verify(graph)
        read = only(graph, "ReadVariableOp")
        assert [op.type for op in read.control_inputs] == ["AssignAddVariableOp"]
        assert [op.type for op in read.control_inputs[0].control_inputs] == ["AssignVariableOp"]

    def test_leaves_out_a_loop_that_does_not_run(self):
        def f(x):
            return tf.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, x * 2.0), (3, x))[1]

        assert types(after(choose_branches, f, SCALAR)) == []

    def test_leaves_a_loop_that_runs(self):
        def f(x):
            return tf.while_loop(lambda i, x: i < 2, lambda i, x: (i + 1, x * 2.0), (1, x))[1]

        assert types(after(choose_branches, f, SCALAR)) == ["StatelessWhile"]


class TestChooseByNumber:
    def pick(self, index):
        def f(x):
            branches = [lambda: tf.sin(x), lambda: tf.cos(x), lambda: tf.tanh(x)]
            known_after_folding = tf.reduce_max(tf.fill(tf.constant([1000]), index))
            return tf.switch_case(known_after_folding, branches)

        return fold(graph_of(f, SCALAR))

    @pytest.mark.parametrize(
        ("index", "chosen"), [(0, "Sin"), (1, "Cos"), (2, "Tanh"), (3, "Tanh"), (-1, "Tanh")]
    )
    def test_takes_the_branch_of_a_known_number(self, index, chosen):
        graph = choose_branches(self.pick(index))
        verify(graph)
        assert types(graph) == [chosen]

    def test_leaves_numbers_that_are_not_known(self):
        def f(i, x):
            return tf.switch_case(i, [lambda: tf.sin(x), lambda: x])

        assert types(after(choose_branches, f, COUNT, SCALAR)) == ["StatelessCase"]

    def test_takes_the_only_branch_whatever_the_number(self):
        def f(i, x):
            return tf.switch_case(i, [lambda: tf.sin(x)])

        assert types(after(choose_branches, f, COUNT, SCALAR)) == ["Sin"]

    def test_leaves_the_only_branch_where_the_number_may_be_no_scalar(self):
        def f(i, x):
            return tf.switch_case(i, [lambda: tf.sin(x)])

        spec = tf.TensorSpec(None, tf.int32)
        assert types(after(choose_branches, f, spec, SCALAR)) == ["StatelessCase"]

    def test_other_passes_look_into_branches(self):
        def f(i, x):
            return tf.switch_case(
                i, [lambda: x * (tf.constant(2.0) * 3.0), lambda: tf.sin(x) + tf.sin(x), lambda: x]
            )

        folded = only(after(fold, f, COUNT, SCALAR), "StatelessCase").attrs["branch0"]
        shared = only(after(share_common, f, COUNT, SCALAR), "StatelessCase").attrs["branch1"]
        assert types(folded) == ["Mul"]
        assert types(shared) == ["Sin", "AddV2"]

    def test_a_choice_is_given_what_a_branch_reads(self):
        def f(i, x, y):
            return tf.switch_case(i, [lambda: (tf.sin(y), x)[1], lambda: x, lambda: -x])

        graph = graph_of(f, COUNT, SCALAR, SCALAR)
        assert len(only(graph, "StatelessCase").inputs) == 3
        choice = only(drop_unread_captures(prune(graph)), "StatelessCase")
        assert [tensor.name for tensor in choice.inputs] == ["i:0", "x:0"]
        assert all(len(part.inputs) == 1 for part in choice.subgraphs())

    def test_a_choice_without_effect_and_use_goes(self):
        def f(i, x):
            tf.switch_case(i, [lambda: x, lambda: -x])
            return x

        assert types(after(prune, f, COUNT, SCALAR)) == []

    def test_a_choice_with_an_effect_stays(self):
        variable = tf.Variable(0.0)

        def f(i, x):
            tf.switch_case(i, [lambda: variable.assign(x), lambda: variable.assign_add(x)])
            return x

        assert types(after(prune, f, COUNT, SCALAR)) == ["Case"]
