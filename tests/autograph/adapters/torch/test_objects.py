"""Changes of Python objects by exported and compiled programs are refused at the line."""

import collections
import functools
import inspect
import os
import re

import pytest

import autograph
from tests.autograph.adapters.torch.nets import X, compiled

torch = pytest.importorskip("torch")
objects = pytest.importorskip("autograph.adapters.torch.objects")

pytestmark = pytest.mark.sample


class Changes(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.count = 0
        self.last = None
        self.history = []
        self.seen = torch.zeros(3)

    def forward(self, x):
        self.change(x)
        if x.sum() > 0:
            return x * 2
        return x


class Counts(Changes):
    def change(self, x):
        self.count += 1  # here


class KeepsTheLast(Changes):
    def change(self, x):
        if self.last is not None:
            x = x + self.last
        self.last = x  # here


class KeepsATensor(Changes):
    def change(self, x):
        self.seen = self.seen + x  # here


class InForward(Changes):
    def forward(self, x):
        self.count += 1  # here
        return x * self.count if x.sum() > 0 else x


class Appends(Changes):
    def change(self, x):
        self.history.append(1)  # here


class ReadsByName(Changes):
    def change(self, x):
        self.count = getattr(self, "count") + 1  # noqa: B009 - here


class CountsInAHook(Changes):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Identity()
        self.inner.register_forward_hook(self.hook)

    def hook(self, module, args, result):
        self.count += 1  # here
        return result * self.count

    def change(self, x):
        self.inner(x)


class Advances(Changes):
    def __init__(self):
        super().__init__()
        self.numbers = iter(range(9))

    def change(self, x):
        next(self.numbers)  # here


class Queues(Changes):
    def __init__(self):
        super().__init__()
        self.queue = collections.deque(maxlen=2)

    def change(self, x):
        self.queue.append(1)  # here


class Inner(torch.nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = torch.nn.Sequential(inner)

    def forward(self, x):
        return self.inner(x)


def exported(module):
    return torch.export.export(autograph.convert()(module), (X,), strict=False).module()


def line_in(kind):
    lines, start = inspect.getsourcelines(kind)
    return start + next(number for number, line in enumerate(lines) if "here" in line)


LOST = [Counts, InForward, KeepsTheLast, Appends, ReadsByName, CountsInAHook, Advances, Queues]


@pytest.mark.parametrize("kind", [*LOST, KeepsATensor])
@pytest.mark.parametrize("around", [lambda module: module, Inner])
def test_attribute_that_a_call_reads_after_another_is_refused_when_exported(kind, around):
    line = line_in(kind)
    with pytest.raises(TypeError, match=rf"is changed by an exported program.*\n.*line {line},"):
        exported(around(kind()))


@pytest.mark.parametrize("kind", LOST)
def test_attribute_that_a_compiled_program_would_lose_is_refused(kind):
    line = line_in(kind)
    with pytest.raises(TypeError, match=rf"is changed by a compiled function.*\n.*line {line},"):
        compiled(autograph.convert()(kind()))(X)


def test_tensor_in_an_attribute_is_assigned_when_compiled():
    module = autograph.convert()(KeepsATensor())
    program = compiled(module)
    program(X)
    program(X)
    assert module.seen.tolist() == (2 * X).tolist()


class KeepsWeights(Changes):
    def change(self, x):
        self.weights = x * 2
        self.calls = 1


class KeepsWeightsInForward(Changes):
    def forward(self, x):
        self.weights = x * 2
        return x * 2 if x.sum() > 0 else x


@pytest.mark.parametrize("kind", [KeepsWeights, KeepsWeightsInForward])
def test_attribute_that_no_code_reads_may_change(kind):
    program = exported(kind())
    assert program(X).tolist() == X.tolist()
    assert program(-X).tolist() == (-2 * X).tolist()


TOTAL = 0


def counts_calls(x):
    global TOTAL
    TOTAL += 1
    return x * TOTAL if x.sum() > 0 else x


def test_global_of_an_exported_program_is_refused():
    class Program(torch.nn.Module):
        def forward(self, x):
            return made(x)

    made = autograph.convert()(counts_calls)
    with pytest.raises(TypeError, match=re.escape("`TOTAL` is changed by an exported program")):
        torch.export.export(Program(), (X,), strict=False)
    assert TOTAL == 0


@functools.cache
def ones(count):
    return torch.ones(count)


class AddsCached(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            x = x + ones(3)
        return x


def test_cached_function_keeps_no_tensor_of_an_export():
    program = exported(autograph.convert(AddsCached()))
    assert torch.equal(program(X), AddsCached()(X))
    assert ones(3).tolist() == [1, 1, 1]


class SetsVariables(torch.nn.Module):
    """Reads the environment, and calls what PyTorch does there on its first use."""

    def __init__(self, name, value):
        super().__init__()
        self.change = functools.partial(os.environ.__setitem__, name, value)

    def forward(self, x):
        self.change()
        return x * 2 if "HOME" in os.environ else x


@pytest.mark.parametrize(("name", "value"), [("TORCH_OWN", "1"), ("AUTOGRAPH_TEST", "".join("ab"))])
def test_variables_that_pytorch_sets_in_the_environment_are_its_own(monkeypatch, name, value):
    monkeypatch.setenv("AUTOGRAPH_TEST", "ab")  # set anew to the same value
    monkeypatch.delenv("TORCH_OWN", raising=False)
    module = autograph.convert(SetsVariables(name, value))
    assert torch.export.export(module, (X,)).module()(X).tolist() == (2 * X).tolist()
    assert os.environ.pop(name) == value


def test_variables_that_the_program_sets_in_the_environment_are_refused(monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_TEST", "ab")
    module = autograph.convert(SetsVariables("AUTOGRAPH_TEST", "cd"))
    with pytest.raises(TypeError, match="_data` is changed by an exported program"):
        torch.export.export(module, (X,))


def test_what_functions_read_that_count():
    def helper():
        return 2

    def f():
        return helper()

    walk = objects.Walk(f, {})
    one, other = walk.reads, walk.reads_of(lambda function: function is f)
    assert [{each.__name__ for each in reads.functions} for reads in (one, other)] == [
        {"f", "helper"},
        {"f"},
    ]
