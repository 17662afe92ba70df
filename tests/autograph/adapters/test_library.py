"""What the author of a library states: its methods, its truth values, its modules."""

import types

import numpy as np
import pytest

import autograph
from autograph import staging
from autograph.adapters.graphs import GraphLibrary
from fixtures.staging.lazy_arrays import LIBRARY, Lazy, lazy, record, run


def test_library_without_a_method_cannot_be_made():
    class Unfinished(type(LIBRARY)):
        chosen = GraphLibrary.chosen

    with pytest.raises(TypeError, match=r"abstract .*chosen"):
        Unfinished()


def test_functions_of_a_module_with_the_attribute_run_unconverted():
    @autograph.convert()
    def program(x):
        if x > 0:
            x = lazy(2.0)
        return x

    assert run(program, 1.0) == 2.0
    assert run(program, -1.0) == -1.0


def test_functions_of_a_registered_module_run_unconverted(monkeypatch):
    module = types.ModuleType("foreign_arrays")
    exec("def choose(x):\n    return 1 if x > 0 else 2\n", vars(module))
    program = autograph.convert()(lambda x: module.choose(x))
    monkeypatch.setattr(staging, "_modules", dict(staging._modules))
    staging.register("foreign_arrays", LIBRARY)
    with pytest.raises(TypeError, match="the truth of a lazy array"):
        run(program, 1.0)


def test_library_states_what_its_truth_values_do(monkeypatch):
    class Named(type(LIBRARY)):
        def negated(self, truth):
            return record(np.logical_not, truth)

        def conjoined(self, a, b):
            return record(np.logical_and, a, b)

        def disjoined(self, a, b):
            return record(np.logical_or, a, b)

    monkeypatch.setattr(Lazy, "__autograph_staging__", Named())
    monkeypatch.delitem(staging._found, Lazy, raising=False)
    for name in ("__and__", "__or__", "__invert__"):
        monkeypatch.delattr(Lazy, name)

    @autograph.convert()
    def program(x):
        assert x not in (lazy(1.0), lazy(2.0)), "listed"
        if x > 5:
            assert x < 9, "large"
        return -x if not x > 0 else x

    assert [run(program, x) for x in (3.0, -3.0, 6.0)] == [3.0, 3.0, 6.0]
    for x, words in ((2.0, "listed"), (9.0, "large")):
        with pytest.raises(AssertionError, match=words):
            run(program, x)
    monkeypatch.delitem(staging._found, Lazy)
