"""Buffers that a compiled or exported program changes: gradients are those of plain Python."""

import pytest

import autograph
from tests.autograph.adapters.torch.nets import compiled

torch = pytest.importorskip("torch")

X = torch.tensor([0.5, -1.0, 2.0])


class Counting(torch.nn.Module):
    """Scales by the number of calls, which is a buffer."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(3)
        self.layer = torch.nn.Linear(3, 3)
        self.register_buffer("seen", torch.zeros(()))
        self.register_buffer("calls", torch.zeros((), dtype=torch.int64))

    def scale(self):
        self.seen += 1
        return self.seen

    def forward(self, x):
        scale = self.scale()
        h = self.layer(x)
        if h.mean() > 5:
            h = h * 2
        return h * scale


class StagesNothing(Counting):
    def forward(self, x):
        return self.layer(x) * self.scale()


class ReadsBefore(Counting):
    def scale(self):
        seen = self.seen + 1
        self.seen.copy_(seen)
        return seen.exp()


class CountsWithoutGradients(Counting):
    def scale(self):
        with torch.no_grad():
            self.seen += 1
            self.calls += 2
        return self.seen * self.calls


class CountsInABranch(Counting):
    def scale(self):
        if self.layer.bias.sum() < 5:
            with torch.no_grad():
                self.seen += 1
        return self.seen.exp()


class CountsIntegers(Counting):
    def scale(self):
        self.calls += 1
        return self.calls * 2


class ReadsInABranch(Counting):
    def forward(self, x):
        self.seen += 1
        h = self.layer(x)
        if h.mean() > -5:
            h = h * self.seen
        return h


class ReadsInALoop(Counting):
    def forward(self, x):
        self.seen += 1
        h = self.layer(x)
        while h.norm() < 3:
            h = h * (1 + self.seen)
        return h


class ReadsAView(Counting):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.ones(2, 3))

    def scale(self):
        self.table[0] += 2
        row = self.table[0]
        row *= 2
        return row


class ScalesInPlace(Counting):
    def forward(self, x):
        self.seen += 1
        h = self.layer(x) * 2
        h.mul_(self.seen)
        if h.sum() > 0:
            h = -h
        return h


class Normalizes(Counting):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(3)

    def scale(self):
        return self.norm(torch.stack([X, -X, X * 2]))[0]


class ChangesAWeight(Counting):
    def scale(self):
        with torch.no_grad():
            self.layer.weight.mul_(2)
        return self.layer.weight[0].exp()


class AssignsItsAverage(Counting):
    def scale(self):
        self.seen = 0.9 * self.seen + 0.1 * self.layer.bias.detach().sum() + 1
        return self.seen


class AssignsInABranch(Counting):
    def forward(self, x):
        h = self.layer(x)
        if h.max() > self.seen:
            self.seen = h.max().detach()
        return h - self.seen


class KeepsItsState(Counting):
    """Multiplies by what it kept of the call before."""

    def forward(self, x):
        h = self.layer(x) * (1 + self.seen)
        if h.sum() > -9:
            self.seen = h.detach().mean() * 2
        return h


class KeepsOneOfThree(Counting):
    def forward(self, x):
        h = self.layer(x)
        for bound in (-5, 0, 5):
            if h.sum() > bound:
                with torch.no_grad():
                    self.seen = h.max() * bound
            elif self.calls > 0:
                self.seen = torch.zeros_like(self.seen)
        return h.exp() * self.seen.exp()


class Exchanges(Counting):
    def __init__(self):
        super().__init__()
        self.register_buffer("other", torch.ones(()) * 3)

    def scale(self):
        self.seen, self.other = self.other, self.seen
        return self.seen - 2 * self.other


MODULES = [
    Counting, StagesNothing, ReadsBefore, CountsIntegers, ReadsInABranch, ReadsInALoop, ReadsAView,
    ScalesInPlace, Normalizes, CountsWithoutGradients, CountsInABranch, AssignsItsAverage,
    AssignsInABranch, KeepsItsState, KeepsOneOfThree, Exchanges,
]  # fmt: skip


def results(call, module):
    """Return two results with their gradients, and what is left in the module."""
    found = []
    for _ in range(2):
        x = X.clone().requires_grad_()
        result = call(x)
        found += [result, *torch.autograd.grad(result.sum(), [x, module.layer.bias])]
    return found


def assert_compiles(kind, backend):
    torch.compiler.reset()
    plain, module = kind(), autograph.convert()(kind())
    expected = results(plain, plain)
    torch.testing.assert_close(results(compiled(module, backend), module), expected)
    torch.testing.assert_close(module.state_dict(), plain.state_dict())


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
@pytest.mark.parametrize("kind", [*MODULES, ChangesAWeight])
def test_gradient_of_a_compiled_program_is_that_of_its_buffers_then(kind, backend):
    assert_compiles(kind, backend)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Counting, ReadsAView, Normalizes])
def test_inductor_computes_that_gradient(kind):
    assert_compiles(kind, "inductor")


@pytest.mark.parametrize("kind", MODULES)
def test_gradient_of_an_exported_program_is_that_of_its_buffers_then(kind):
    plain, module = kind(), autograph.convert()(kind())
    made = torch.export.export(module, (X,), strict=False).module()
    torch.testing.assert_close(results(made, made), results(plain, plain))
    torch.testing.assert_close(dict(made.named_buffers()), dict(plain.named_buffers()))


def test_a_result_that_shows_elements_of_a_changed_buffer_is_refused():
    class Shows(ReadsAView):
        def forward(self, x):
            self.table += 1
            return (x if x.sum() > 0 else -x) * 2, self.table[0]

    module = autograph.convert()(Shows())
    torch.compiler.reset()
    with pytest.raises(RuntimeError, match="shares elements") as caught:
        compiled(module, "aot_eager")(X.clone().requires_grad_())
    assert f'File "{__file__}"' in str(caught.value)
    with torch.no_grad():
        torch.compiler.reset()
        row = compiled(module, "aot_eager")(X)[1]
    row += 1
    assert module.table[0].tolist() == [3, 3, 3]


def test_assigned_buffer_is_the_result_that_is_returned():
    class Keeps(Counting):
        def forward(self, x):
            self.seen = (x if x.sum() > 0 else -x).max()
            return self.seen

    module = autograph.convert()(Keeps())
    torch.compiler.reset()
    result = compiled(module, "aot_eager")(X)
    assert result is module.seen
    assert float(result) == 2


class Outer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = AssignsInABranch()

    def forward(self, x):
        return self.inner(x) * 2


@pytest.mark.parametrize("kind", [AssignsInABranch, Outer])
@pytest.mark.parametrize("mode", ["compile", "export"])
def test_buffer_that_a_branch_assigns_is_another_one_afterwards(mode, kind):
    torch.compiler.reset()
    plain, module = kind(), autograph.convert()(kind())
    with torch.no_grad():
        if mode == "compile":
            made = compiled(module, "aot_eager")
        else:
            made = module = torch.export.export(module, (X,), strict=False).module()
        for x in (X, 3 * X, -X):
            torch.testing.assert_close(made(x), plain(x))
            torch.testing.assert_close(dict(module.named_buffers()), dict(plain.named_buffers()))


def test_tensor_for_a_buffer_that_is_none_is_refused_at_the_line():
    class Remembers(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("last", None)

        def forward(self, x):
            x = x if x.sum() > 0 else -x
            self.last = x
            return x * 2

    with pytest.raises(TypeError, match="the buffer `last`, which is None") as caught:
        torch.export.export(autograph.convert()(Remembers()), (X,), strict=False)
    line = Remembers.forward.__code__.co_firstlineno + 2
    assert f'File "{__file__}", line {line}, in forward' in str(caught.value)
