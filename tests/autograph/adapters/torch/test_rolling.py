# ruff: noqa: B007 - programs as people write them
"""A Python loop that a tensor may end is one loop in exported and compiled programs."""

import warnings

import pytest

import autograph

torch = pytest.importorskip("torch")
make_fx = pytest.importorskip("torch.fx.experimental.proxy_tensor").make_fx

warnings.simplefilter("ignore")


def traced(function, *args):
    return make_fx(autograph.to_graph(function))(*args)


def assert_same(actual, expected):
    leaves = torch.utils._pytree.tree_leaves
    for one, other in zip(leaves(actual), leaves(expected), strict=True):
        assert torch.equal(torch.as_tensor(one), torch.as_tensor(other))


def loops(graph):
    calls = (node for node in graph.graph.nodes if node.op == "call_function")
    return sum(str(node.target) == "while_loop" for node in calls)


def growing(x):
    for i in range(500):
        x = x * 1.01
        if x > 3:
            break
    return x, i


def returning(x):
    for i in range(400):
        x = x + 1 / 64
        if x > 3:
            return x * 2
    return -x


def indexing(x, table):
    for i in range(len(table)):
        if table[i] < 0:
            break
        table[i] = x + i
        x = x * 2 - table[len(table) - 1 - i] * 3
    return x, table


def early_stopping(w):
    best, patience = torch.tensor(1e9), 0
    for epoch in range(30):
        loss = (w - 1) ** 2
        w = w - 0.6 * (w - 1)
        if loss < best - 1e-3:
            best = loss
            patience = 0
        else:
            patience += 1
            if patience == 3:
                break
    return w, best


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (early_stopping, (torch.tensor(4.0),)),
        (growing, (torch.tensor(1.0),)),
        (growing, (torch.tensor(1e-4),)),
        (returning, (torch.tensor(1.0),)),
        (returning, (torch.tensor(-9.0),)),
        (indexing, (torch.tensor(1.0), torch.tensor([1.0] * 5 + [-1.0] + [2.0] * 6))),
        (indexing, (torch.tensor(1.0), torch.ones(12))),
    ],
)
def test_long_loop_with_an_exit_is_one_loop(function, args):
    start = [each.clone() for each in args]
    graph = traced(function, *[each.clone() for each in args])
    assert loops(graph) == 1
    assert_same(graph(*[each.clone() for each in args]), function(*start))


def power_of_the_item(x):
    for i in range(9):
        x = x + 0.3**i
        if x > 50:
            break
    return x


def power_of_the_item_in_a_branch(x):
    for i in range(9):
        if x > 1:
            x = x + 0.3**i
        if x > 50:
            break
    return x


def quotient_of_the_item(x):
    for i in range(9):
        x = x + (i + 1) / 3
        if x > 50:
            break
    return x


def numbers_of_a_list(x):
    factors = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
    for i in range(7):
        x = x + factors[i]
        if x > 50:
            break
    return x


def narrow_integers(x):
    for i in range(7):
        x = x + i
        if x > 50:
            break
    return x


@pytest.mark.parametrize(
    ("function", "x"),
    [
        (power_of_the_item, torch.tensor(0.1)),
        (power_of_the_item_in_a_branch, torch.tensor(1.1)),
        (quotient_of_the_item, torch.tensor(0.1)),
        (numbers_of_a_list, torch.tensor(0.1)),
        (narrow_integers, torch.tensor(1, dtype=torch.int16)),
    ],
)
def test_loop_whose_numbers_would_be_others_stays_unrolled(function, x):
    graph = traced(function, x)
    assert loops(graph) == 0
    assert_same(graph(x), function(x))


def test_size_of_the_graph_does_not_depend_on_the_count():
    def program(count):
        def run(x):
            for _ in range(count):
                x = torch.tanh(x) + 0.5
                if x > 10:
                    break
            return x

        return len(traced(run, torch.tensor(1.0)).graph.nodes)

    assert program(50) == program(5000)


def test_gradient_of_a_loop_with_an_exit():
    x = torch.tensor(1.0, requires_grad=True)
    (expected,) = torch.autograd.grad(growing(x)[0], x)

    class Growing(torch.nn.Module):
        def forward(self, x):
            return autograph.to_graph(growing)(x)[0]

    program = torch.export.export(Growing(), (x,), strict=False).module()
    (actual,) = torch.autograd.grad(program(x), x)
    assert torch.allclose(actual, expected)


def test_assertion_in_a_loop_with_an_exit():
    def program(x):
        for i in range(50):
            assert x < 1000, "large"
            x = x * 2
            if x == i:
                break
        return x

    graph = traced(program, torch.tensor(0.0))
    assert graph(torch.tensor(0.0)) == program(torch.tensor(0.0))
    with pytest.raises(RuntimeError, match="AssertionError: large"):
        graph(torch.tensor(1.0))
