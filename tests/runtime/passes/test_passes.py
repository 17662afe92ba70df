"""Each pass: where it acts, and where it must not."""

import sys

import numpy as np
import pytest

import runtime as tf
from runtime.core.errors import InternalError
from runtime.core.graph import Graph
from runtime.core.verify import verify
from runtime.engines import interpreter
from runtime.ops.base.define import call
from runtime.passes import pipeline
from runtime.passes.branches import choose_branches
from runtime.passes.captures import drop_unread_captures
from runtime.passes.counters import use_counters
from runtime.passes.fold import fold
from runtime.passes.fuse import LARGE, fuse
from runtime.passes.inline import inline_calls
from runtime.passes.loops import move_out_of_loops
from runtime.passes.powers import raise_by_squaring
from runtime.passes.prune import prune
from runtime.passes.repetitions import share_common
from runtime.passes.rows import multiply_rows_at_once

SCALAR = tf.TensorSpec([], tf.float32)
COUNT = tf.TensorSpec([], tf.int32)
VECTOR = tf.TensorSpec([3], tf.float32)
LARGE_VECTOR = tf.TensorSpec([LARGE], tf.float32)


def graph_of(function, *specs):
    return tf.function(function, autograph=False).get_concrete_function(*specs).graph


def after(run, function, *specs):
    """The graph after one pass; the pass left the one before as it was."""
    graph = graph_of(function, *specs)
    before = [op.name for op in graph.operations]
    changed = run(graph)
    verify(changed)
    assert [op.name for op in graph.operations] == before
    return changed


def types(graph):
    return [op.type for op in graph.operations if op.type not in ("Placeholder", "Const")]


def only(graph, *type_names):
    (found,) = [op for op in graph.operations if op.type in type_names]
    return found


class TestFold:
    def test_computes_constants_in_their_dtype(self):
        graph = after(fold, lambda x: x + tf.cast(tf.constant(3), tf.float32) * 0.5, SCALAR)
        assert types(graph) == ["AddV2"]
        value = only(graph, "AddV2").inputs[1].op.attrs["value"]
        assert value == 1.5
        assert value.dtype == np.float32

    def test_takes_known_shapes_for_constants(self):
        assert types(after(fold, lambda x: tf.shape(x)[0] * 2, VECTOR)) == []

    def test_leaves_unknown_shapes(self):
        spec = tf.TensorSpec([None], tf.float32)
        assert "Shape" in types(after(fold, lambda x: tf.shape(x), spec))

    def test_leaves_what_fails(self):
        def f(x):
            return x + tf.cast(tf.constant(1) // tf.constant(0), tf.float32)

        assert "FloorDiv" in types(after(fold, f, SCALAR))

    def test_leaves_what_would_become_large(self):
        assert "Fill" in types(after(fold, lambda: tf.fill(tf.constant([1000, 1000]), 1.0)))

    def test_leaves_random_numbers_and_output(self):
        def f():
            tf.print(tf.constant(1))
            return tf.random.uniform([2])

        assert len(types(after(fold, f))) >= 2


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


def decided_later(x, value, branch=None):
    """A branch with a test that follows from constants only after folding."""
    graph_test = tf.reduce_all(tf.fill(tf.constant([1000]), value))
    return tf.cond(graph_test, branch or (lambda: tf.sin(x)), lambda: x)


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


class TestInlineCalls:
    def test_puts_the_body_in_place(self):
        inner = tf.function(lambda x: tf.sin(x), autograph=False)
        assert types(after(inline_calls, lambda x: inner(x) + inner(x), SCALAR)) == [
            "Sin",
            "Sin",
            "AddV2",
        ]

    def test_keeps_effects_in_order(self):
        variable = tf.Variable(0.0)

        @tf.function(autograph=False)
        def add(x):
            variable.assign_add(x)
            return variable.read_value()

        def f(x):
            return add(x) + add(x) * variable.read_value()

        graph = after(inline_calls, f, SCALAR)
        assert types(graph).count("AssignAddVariableOp") == 2
        first, second = (op for op in graph.operations if op.type == "AssignAddVariableOp")
        assert first in reachable(second)

    def test_leaves_marked_calls(self):
        inner = tf.function(lambda x: tf.sin(x), autograph=False)
        graph = graph_of(lambda x: inner(x), SCALAR)
        only(graph, "PartitionedCall").attrs["_noinline"] = True
        assert types(inline_calls(graph)) == ["PartitionedCall"]


def reachable(op):
    found, left = [], [*op.control_inputs]
    while left:
        found.append(left.pop())
        left += found[-1].control_inputs
    return found


def loop(body, x, *more):
    return tf.while_loop(lambda i, *state: i < 5, lambda i, *s: (i + 1, *body(*s)), (0, x, *more))


class TestMoveOutOfLoops:
    def test_computes_once_what_stays_the_same(self):
        def f(x, y):
            return loop(lambda x: (x + tf.sin(y),), x)[1]

        graph = after(move_out_of_loops, f, SCALAR, SCALAR)
        assert types(graph) == ["Sin", "StatelessWhile"]
        assert "Sin" not in types(only(graph, "StatelessWhile").attrs["body"])

    def test_takes_a_variable_that_no_round_changes_for_the_same(self):
        def f(x, y):
            return loop(lambda x, y: (x + tf.sin(y), y), x, y)[1]

        assert types(after(move_out_of_loops, f, SCALAR, SCALAR))[0] == "Sin"

    def choosing(self, branch, number):
        """A loop that chooses between a branch and 1.0 in each round."""

        def f(i, x):
            def body(y):
                return (y + tf.switch_case(number(i, y), [lambda: branch(x, y), lambda: 1.0]),)

            return loop(body, x)[1]

        return types(after(move_out_of_loops, f, COUNT, SCALAR))

    def test_moves_a_choice_that_stays_the_same(self):
        found = self.choosing(lambda x, y: tf.sin(x), lambda i, y: i)
        assert found == ["StatelessCase", "StatelessWhile"]

    def test_leaves_a_choice_that_changes(self):
        changing = [
            self.choosing(lambda x, y: tf.sin(y), lambda i, y: i),
            self.choosing(lambda x, y: tf.sin(x), lambda i, y: tf.cast(y, tf.int32)),
        ]
        assert changing == [["StatelessWhile"]] * 2

    def test_leaves_a_choice_that_may_fail_where_the_loop_may_not_run(self):
        def f(i, n, x):
            branches = [lambda: tf.cast(n // i, tf.float32), lambda: 1.0]
            return tf.while_loop(
                lambda y: y < x, lambda y: (y + tf.switch_case(i, branches),), (x * x,)
            )

        assert "StatelessCase" not in types(after(move_out_of_loops, f, COUNT, COUNT, SCALAR))

    def test_leaves_what_changes(self):
        graph = after(move_out_of_loops, lambda x: loop(lambda x: (tf.sin(x),), x)[1], SCALAR)
        assert types(graph) == ["StatelessWhile"]

    def test_leaves_what_may_fail_where_the_loop_may_not_run(self):
        def f(x, n, k):
            return tf.while_loop(
                lambda i, x: i < n, lambda i, x: (i + 1, x + tf.gather(x, k)), (0, x)
            )[1]

        number = tf.TensorSpec([], tf.int32)
        assert types(after(move_out_of_loops, f, VECTOR, number, number)) == ["StatelessWhile"]
        run = tf.function(f, autograph=False)
        assert run(tf.ones([3]), 0, 7).numpy().tolist() == [1, 1, 1]

    def test_moves_what_may_fail_where_the_loop_runs(self):
        def f(x, k):
            return loop(lambda x: (tf.gather(x, [k, k, k]) + x,), x)[1]

        def g(x, y, k):
            return loop(lambda x: (x + tf.gather(y, [k, k, k]),), x)[1]

        number = tf.TensorSpec([], tf.int32)
        assert types(after(move_out_of_loops, f, VECTOR, number)) == ["Pack", "StatelessWhile"]
        assert "GatherV2" in types(after(move_out_of_loops, g, VECTOR, VECTOR, number))

    def test_leaves_indices_of_slices_where_plans_print_them(self):
        def f(x, n, k):
            return tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y + x[k]), (0, x))[1]

        number = tf.TensorSpec([], tf.int32)
        assert "Pack" not in types(after(move_out_of_loops, f, VECTOR, number, number))
        run = tf.function(f, autograph=False)
        assert run(tf.constant([1.0, 2.0, 3.0]), 2, 1).numpy().tolist() == [5, 6, 7]

    def test_leaves_effects(self):
        def body(x):
            tf.print("round")
            return (x + 1.0,)

        assert types(after(move_out_of_loops, lambda x: loop(body, x)[1], SCALAR)) == ["While"]

    def test_moves_through_nested_loops(self):
        def f(x, y):
            return loop(lambda x: (loop(lambda x: (x + tf.sin(y),), x)[1],), x)[1]

        assert types(after(move_out_of_loops, f, SCALAR, SCALAR)) == ["Sin", "StatelessWhile"]


class TestUseCounters:
    @staticmethod
    def body_after(numbers, limit):
        def f(s):
            positions = tf.range(*numbers)
            body = lambda i, s: (i + 1, s * positions[i])  # noqa: E731
            return tf.while_loop(lambda i, s: i < limit, body, (0, s))[1]

        graph = move_out_of_loops(graph_of(f, tf.TensorSpec([], tf.int32)))
        graph = use_counters(fold(graph))
        verify(graph)
        return types(only(graph, "StatelessWhile").attrs["body"])

    def test_takes_the_counter(self):
        assert self.body_after((5,), 5) == ["AddV2", "Mul"]

    def test_adds_where_a_range_begins(self):
        assert self.body_after((3, 7), 4).count("AddV2") == 2

    @pytest.mark.parametrize("numbers", [(0, 10, 2), (5, 0, -1)])
    def test_leaves_other_steps(self, numbers):
        assert "StridedSlice" in self.body_after(numbers, 5)

    def test_leaves_positions_that_may_not_be_there(self):
        assert "StridedSlice" in self.body_after((5,), 6)


class TestMultiplyRowsAtOnce:
    ROWS = tf.TensorSpec([7, 2, 3], tf.float32)
    MATRIX = tf.TensorSpec([3, 4], tf.float32)
    STATE = tf.TensorSpec([2, 4], tf.float32)

    @staticmethod
    def rows(xs, w, h, last=7):
        def body(i, h):
            return i + 1, tf.tanh(h + tf.matmul(xs[i], w))

        return tf.while_loop(lambda i, h: i < last, body, (0, h))[1]

    def test_multiplies_before_the_loop(self):
        graph = after(multiply_rows_at_once, self.rows, self.ROWS, self.MATRIX, self.STATE)
        assert types(graph) == ["Reshape", "MatMul", "Reshape", "StatelessWhile"]
        assert "MatMul" not in types(only(graph, "StatelessWhile").attrs["body"])

    def test_agrees_within_rounding(self):
        random = np.random.default_rng(1)
        shapes = ([7, 2, 3], [3, 4], [2, 4])
        arrays = [random.normal(size=shape).astype(np.float32) for shape in shapes]
        graph = graph_of(self.rows, self.ROWS, self.MATRIX, self.STATE)
        (one,) = interpreter.executable(graph)(*arrays)
        (two,) = interpreter.executable(multiply_rows_at_once(graph))(*arrays)
        np.testing.assert_allclose(one, two, rtol=1e-5)

    def test_leaves_a_loop_that_may_stop_early(self):
        def f(xs, w, h):
            def test(i, h):
                return tf.logical_and(i < 7, tf.reduce_sum(h) < 3.0)

            return tf.while_loop(test, lambda i, h: (i + 1, h + tf.matmul(xs[i], w)), (0, h))[1]

        graph = after(multiply_rows_at_once, f, self.ROWS, self.MATRIX, self.STATE)
        assert types(graph) == ["StatelessWhile"]

    def test_leaves_a_matrix_that_changes(self):
        def f(xs, w):
            def body(i, w):
                return i + 1, tf.matmul(xs[i], w)[:, :1] + w

            return tf.while_loop(lambda i, w: i < 2, body, (0, w))[1]

        rows, column = tf.TensorSpec([2, 3, 3], tf.float32), tf.TensorSpec([3, 1], tf.float32)
        assert types(after(multiply_rows_at_once, f, rows, column)) == ["StatelessWhile"]


class TestRaiseBySquaring:
    SQUARE = tf.TensorSpec([3, 3], tf.int32)

    @staticmethod
    def power(x):
        y = tf.eye(3, dtype=x.dtype)
        for _ in range(13):
            y = tf.matmul(x, y)
        return y

    def test_multiplies_squares(self):
        graph = after(raise_by_squaring, self.power, self.SQUARE)
        assert types(graph) == ["MatMul"] * 5
        matrix = np.random.default_rng(2).integers(-99, 99, (3, 3), np.int32)
        expected = np.linalg.matrix_power(matrix, 13)
        np.testing.assert_array_equal(interpreter.executable(graph)(matrix)[0], expected)

    def test_leaves_floats(self):
        spec = tf.TensorSpec([3, 3], tf.float32)
        assert types(after(raise_by_squaring, self.power, spec)) == ["MatMul"] * 13

    def test_leaves_powers_that_are_read_on_the_way(self):
        def f(x):
            squares = [x * x]
            for _ in range(5):
                squares.append(squares[-1] * x)
            return squares

        assert types(after(raise_by_squaring, f, self.SQUARE)) == ["Mul"] * 6


class TestDropUnreadCaptures:
    def test_a_loop_is_given_what_it_reads(self):
        def f(x, y):
            return loop(lambda x: (x + tf.sin(y),), x)[1]

        graph = drop_unread_captures(move_out_of_loops(graph_of(f, SCALAR, SCALAR)))
        verify(graph)
        assert [t.op.type for t in only(graph, "StatelessWhile").inputs[2:]] == ["Sin"]

    def test_a_branch_is_given_what_either_reads(self):
        def f(x, y):
            return tf.cond(x > 0.0, lambda: x * (y - y), lambda: x)

        branch = only(after(drop_unread_captures, f, SCALAR, SCALAR), "StatelessIf")
        assert len(branch.inputs) == 3
        assert all(len(part.inputs) == 2 for part in branch.subgraphs())

    def test_what_a_loop_carries_stays(self):
        def f(x, y):
            return loop(lambda x, y: (x + 1.0, y), x, y)[1]

        graph = after(drop_unread_captures, f, SCALAR, SCALAR)
        assert len(only(graph, "StatelessWhile").inputs) == 3


class TestFuse:
    def test_groups_a_chain(self):
        graph = after(fuse, lambda x: tf.sin(x) * x + 1.0, LARGE_VECTOR)
        assert types(graph) == ["PartitionedCall", "Identity"]
        inside = only(graph, "PartitionedCall").attrs["f"]
        assert types(inside) == ["Sin", "Mul", "AddV2"]

    def test_leaves_small_tensors(self):
        assert "PartitionedCall" not in types(after(fuse, lambda x: tf.sin(x) * x + 1.0, VECTOR))

    def test_does_not_reach_around_an_operation_outside(self):
        def f(x):
            a = tf.sin(x)
            return tf.exp(a) * (tf.cos(a) + tf.cumsum(a)) - tf.cos(x)

        graph = after(fuse, f, LARGE_VECTOR)
        assert types(graph).count("Cumsum") == 1
        x = np.random.default_rng(3).normal(size=LARGE).astype(np.float32)
        plain = graph_of(f, LARGE_VECTOR)
        one, two = (interpreter.executable(each)(x)[0] for each in (plain, graph))
        np.testing.assert_array_equal(one, two)

    def test_keeps_reads_behind_the_writes_they_follow(self):
        variable = tf.Variable(tf.zeros([LARGE]))

        def f(x):
            a = tf.sin(x)
            variable.assign(a + 1.0)
            return a * variable.read_value() - 1.0

        concrete = tf.function(f, autograph=False).get_concrete_function(LARGE_VECTOR)
        x = tf.ones([LARGE])
        expected = np.sin(x.numpy()) * (np.sin(x.numpy()) + 1) - 1
        np.testing.assert_array_equal(concrete(x).numpy(), expected)


class TestPipeline:
    def test_an_error_names_the_pass(self):
        def broken(graph):
            copy = prune(graph)
            copy.operations.reverse()
            return copy

        graph = graph_of(lambda x: tf.sin(x) + 1.0, SCALAR)
        with pytest.raises(InternalError, match="after the pass broken"):
            pipeline.run_passes(graph, [broken], verified=True)

    def test_every_pass_says_before_and_after(self):
        for stage in pipeline.PASSES:
            text = __import__(stage.run.__module__, fromlist=["_"]).__doc__
            assert "Before:" in text
            assert "After:" in text

    def test_switches_turn_passes_off(self):
        assert pipeline.chosen({pipeline.ALL_OFF: True}) == [prune]
        assert fold not in pipeline.chosen({"constant_folding": False})
        assert fold in pipeline.chosen({})

    def test_arguments_stay_even_if_unused(self):
        graph = pipeline.optimize(graph_of(lambda x, y: x, SCALAR, SCALAR), verified=True)
        assert len(graph.inputs) == 2
        assert isinstance(graph, Graph)


@pytest.mark.parametrize(
    "run",
    [inline_calls, choose_branches, move_out_of_loops, use_counters, multiply_rows_at_once],
)
def test_a_pass_with_nothing_to_do_copies_nothing(run):
    graph = tf.function(lambda x: x * 2.0).get_concrete_function(tf.constant(1.0)).graph
    assert run(graph) is graph


def test_times_of_passes_are_public():
    before = tf.config.optimizer.get_pass_times().get("prune", pipeline.PassTime(0, 0.0))
    pipeline.optimize(graph_of(lambda x: x + 1.0, SCALAR))
    times = tf.config.optimizer.get_pass_times()
    assert times["prune"].runs == before.runs + 1
    assert times["prune"].seconds > before.seconds
    slowest = [time.seconds for time in times.values()]
    assert slowest == sorted(slowest, reverse=True)


@pytest.mark.parametrize("stage", pipeline.PASSES, ids=lambda stage: stage.run.__name__)
def test_every_pass_opens_with_an_executed_example(stage):
    module = sys.modules[stage.run.__module__]
    assert f"{stage.run.__name__}(" in module.__doc__
    assert ">>>" in module.__doc__
