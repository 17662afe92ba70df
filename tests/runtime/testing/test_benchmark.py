"""Benchmarks report on one line what they measured."""

import pytest

import runtime as tf


class Sums(tf.test.Benchmark):
    def benchmark_by_hand(self):
        self.report_benchmark(iters=2, wall_time=0.5, metrics=[{"name": "loss", "value": 1.5}])

    def helper(self):
        self.report_benchmark(iters=1)


def test_the_name_is_that_of_the_calling_method(capsys):
    Sums().benchmark_by_hand()
    expected = 'entry { name: "Sums.benchmark_by_hand" iters: 2 wall_time: 0.5 loss: 1.5 }\n'
    assert capsys.readouterr().out == expected
    with pytest.raises(ValueError, match="No calling Benchmark method"):
        Sums().helper()
    Sums().report_benchmark(name="mine", throughput=2.0)
    assert capsys.readouterr().out == 'entry { name: "mine" throughput: 2.0 }\n'


def test_tensors_are_evaluated():
    assert Sums().evaluate([tf.constant(2.0)])[0] == 2.0
