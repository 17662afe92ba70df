"""Buffers keep a tensor with the history that it has in the program, or with none."""

import pytest

import autograph
from tests.autograph.adapters.torch.nets import compiled

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.sample

X = torch.tensor([0.5, 1.0, 2.0])


class Keeps(torch.nn.Module):
    def __init__(self, keep):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(3))
        self.register_buffer("state", torch.zeros(3))
        self.keep = keep

    def forward(self, x):
        y = x * self.weight + self.state
        if y.sum() > 0:
            self.state = self.keep(y)
        return y.sum()


def made(mode, module):
    torch.compiler.reset()
    if mode == "export":
        return torch.export.export(module, (X,), strict=False).module()
    return compiled(module, mode)


def assert_kept_without_history(mode, module):
    program = made(mode, module)
    for total in (3.5, 7.0, 10.5):
        result = program(X)
        result.backward()
        assert result.item() == total
    state = (module if mode != "export" else program).state
    assert not state.requires_grad
    assert state.tolist() == [1.5, 3, 6]


@pytest.mark.parametrize("mode", ["export", "eager", "aot_eager"])
def test_detached_tensor_of_a_branch_is_kept_without_history(mode):
    assert_kept_without_history(mode, autograph.convert()(Keeps(torch.detach)))


@pytest.mark.parametrize("mode", ["eager", "aot_eager"])
def test_tensor_with_a_gradient_is_kept_with_its_history(mode):
    module = autograph.convert()(Keeps(lambda y: 2 * y))
    made(mode, module)(X)
    assert module.state.requires_grad


class ReturnsTheFormer(Keeps):
    def forward(self, x):
        former = self.state
        self.state = self.keep(x)
        return former if x.sum() > 99 else former * 1, former


@pytest.mark.parametrize("mode", ["export", "aot_eager"])
def test_former_tensor_of_a_buffer_keeps_its_elements(mode):
    program = made(mode, autograph.convert()(ReturnsTheFormer(lambda x: 2 * x)))
    with torch.no_grad():
        for expected in ([0, 0, 0], [1, 2, 4]):
            for former in program(X):
                assert former.tolist() == expected


class CountsInALoop(Keeps):
    def forward(self, x):
        former = self.state
        while self.state.sum() < 5:
            self.state = self.state + x
        return former, self.state


@pytest.mark.parametrize("mode", ["export", "aot_eager"])
def test_buffer_that_starts_a_loop_is_assigned_after_it(mode):
    program = made(mode, autograph.convert()(CountsInALoop(None)))
    with torch.no_grad():
        for expected in (([0, 0, 0], [1, 2, 4]), ([1, 2, 4], [1, 2, 4])):
            assert [each.tolist() for each in program(X)] == list(expected)


class CopiesInABranch(Keeps):
    def forward(self, x):
        y = x * self.weight + self.state
        if y.sum() > 0:
            self.state.copy_(self.keep(y))
        return y.sum()


class CopiesInALoop(Keeps):
    def forward(self, x):
        y, n = x * self.weight + self.state, 0
        while n < y.sum() and n < 1:
            self.state.copy_(self.keep(y))
            n += 1
        return y.sum()


class CopiesInNestedBranches(Keeps):
    def forward(self, x):
        y = x * self.weight + self.state
        if y.sum() > 0:
            if y.max() > 1:
                self.state.copy_(self.keep(y))
            else:
                self.state.add_(1)
        return y.sum()


@pytest.mark.parametrize("kind", [CopiesInABranch, CopiesInALoop, CopiesInNestedBranches])
@pytest.mark.parametrize("mode", ["export", "eager", "aot_eager"])
def test_buffer_changed_in_place_by_a_detached_tensor_has_no_history(kind, mode):
    assert_kept_without_history(mode, autograph.convert()(kind(torch.detach)))
