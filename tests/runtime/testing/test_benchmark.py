"""Benchmarks report on one line what they measured."""

import pytest

import runtime as tf


class Sums(tf.test.Benchmark):
    def benchmark_sum(self):
        with tf.Graph().as_default(), tf.compat.v1.Session() as session:
            total = tf.reduce_sum(tf.ones([3]))
            return self.run_op_benchmark(session, total, min_iters=3, extras={"size": 3}, mbs=1.0)

    def benchmark_by_hand(self):
        self.report_benchmark(iters=2, wall_time=0.5, metrics=[{"name": "loss", "value": 1.5}])

    def helper(self):
        self.report_benchmark(iters=1)


def test_a_session_is_measured(capsys):
    result = Sums().benchmark_sum()
    assert result["iters"] == 3
    assert result["wall_time"] > 0.0
    assert result["throughput"] == 1.0 / result["wall_time"]
    assert result["extras"]["size"] == 3
    assert capsys.readouterr().out.startswith('entry { name: "Sums.benchmark_sum" iters: 3 wall_')


def test_the_name_is_that_of_the_calling_method(capsys):
    Sums().benchmark_by_hand()
    expected = 'entry { name: "Sums.benchmark_by_hand" iters: 2 wall_time: 0.5 loss: 1.5 }\n'
    assert capsys.readouterr().out == expected
    with pytest.raises(ValueError, match="No calling Benchmark method"):
        Sums().helper()
    Sums().report_benchmark(name="mine", throughput=2.0)
    assert capsys.readouterr().out == 'entry { name: "mine" throughput: 2.0 }\n'


def test_tensors_are_evaluated_and_the_base_class_is_abstract():
    assert Sums().evaluate([tf.constant(2.0)])[0] == 2.0
    assert (tf.test.Benchmark.is_abstract(), Sums.is_abstract()) == (True, False)
