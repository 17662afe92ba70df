"""Numbers of Python that a tensor chose: assignments change one name alone."""

import pytest

import autograph
from tests.autograph.adapters.torch.exports import exported

torch = pytest.importorskip("torch")

proxy_tensor = pytest.importorskip("torch.fx.experimental.proxy_tensor")


def of_branch(c):
    n = 1 if c > 0 else 2
    m = n + 1
    k = m
    m += 5
    return k, m


def of_loop(c):
    n = 0
    while c > 0:
        n += 1
        c = c - 1
    m = 2 * n
    k = m
    m *= 5
    return k, m


def of_item(c):
    m = -[1, 2][c]
    k = m
    m -= 5
    return k, m


def updated_twice(c):
    n = [1, 2][c]
    n += 1
    k = n
    n += 1
    return k, n


@pytest.mark.parametrize("function", [of_branch, of_loop, of_item, updated_twice])
def test_other_names_of_numbers_do_not_see_assignments(function):
    program = proxy_tensor.make_fx(autograph.to_graph(function))(torch.tensor(1))
    for c in (0, 1):
        assert tuple(map(int, program(torch.tensor(c)))) == function(c)


# ---- precision ----


def arithmetic(x):
    n = 1 if x.sum() > 0 else 2
    share, small = n / 3, 0.1 if x.sum() > 0 else 0.2
    return (
        (share, n * 0.1, n // 2, 2 - n, 1 / n, abs(-share), max(share, small), n**0.5),
        (x * share, n * x, x / small, x.sum() * share, x[0] + small, torch.where(x > 0, x, small)),
        (x.to(torch.uint8).max() + n * 300, x.to(torch.int64) * share, (x > 0).sum() * small),
        (torch.full((2,), small), torch.tensor(small), x.new_tensor(small), torch.full_like(x, n)),
    )


def lists(x):
    rate, n = (0.1, 3) if x.sum() > 0 else (0.2, 4)
    return (
        (torch.tensor([rate, 0.1], dtype=torch.float64), torch.as_tensor([rate, 0.3])),
        (
            torch.tensor([rate, x[0], n]),
            torch.tensor([[n, 1], [2, n]]),
            torch.tensor((n > 2, True)),
        ),
        (torch.as_tensor(n) / 3, torch.asarray([x.double()[0], rate]), torch.tensor([x[0], x[1]])),
        (x.new_tensor([n, rate]), x.to(torch.int64).new_tensor([n, 2]), torch.tensor(n)),
        torch.as_tensor([n, True], dtype=torch.float32),
    )


def adaptive(y):
    step, t = 0.1, 0.0
    while t < 1.0:
        new = y - step * y
        if (new - y).abs().max() > 0.05:
            step = step * 0.7
        else:
            y, t = new, t + step
            step = step * 1.1
    return y, t


def total(x):
    result = 0.0
    for each in x:
        if each > 0:
            result = result + each * 0.1
    return result


def float_of_a_tensor(x):
    n = float(x[0]) / 3
    return n, x * n if x.sum() > 0 else x


def rounded(x):
    half = 2.5 if x.sum() > 0 else 3.5
    count = 3 if x[0] > 0 else 4
    return round(half), round(-half), count, x * round(half)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
@pytest.mark.parametrize(
    "function", [arithmetic, lists, adaptive, total, float_of_a_tensor, rounded]
)
def test_numbers_are_as_exact_as_those_of_python_and_give_way_to_tensors(function, dtype):
    x = torch.tensor([1.1, 2.3], dtype=dtype)
    result, expected = exported(function, (x,))(x), function(x)
    mine, others = map(torch.utils._pytree.tree_leaves, (result, expected))
    for one, other in zip(mine, others, strict=True):
        if torch.is_tensor(other):
            assert one.dtype is other.dtype
        assert torch.equal(one, torch.as_tensor(other, dtype=one.dtype))


def digits(x):
    rate = 0.125 if x.sum() > 0 else 0.25
    return x * round(rate, 2)


def rounded_tensor(x):
    return round(x.sum()) if x.sum() > 0 else x


def odd_number(x):
    return max(2**24 + 1, x[0])


def large_number(x):
    return 1e300 if x.sum() > 0 else x[0]


def large_integer(x):
    return 2**40 if x.sum() > 0 else x.int()[0]


@pytest.mark.parametrize("function", [odd_number, large_number, large_integer])
def test_number_that_the_dtype_of_a_tensor_does_not_hold_is_refused_at_the_line(function):
    words = rf"takes the place of a tensor(.|\n)*test_numbers.py.* in {function.__name__}"
    with pytest.raises(TypeError, match=words):
        exported(function, (torch.tensor([1.1, 2.3]),))


def fitting(x):
    return max(10**9, x[0]), -(2.0**127) if x.sum() > 0 else x[0], min(float("inf"), x[0])


def test_number_that_the_dtype_of_a_tensor_holds_is_exact():
    x = torch.tensor([1.1, 2.3])
    result, expected = exported(fitting, (x,))(x), fitting(x)
    assert [float(each) for each in result] == [float(each) for each in expected]


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (digits, r"round keeps some digits .*\n.*test_numbers.py.* in digits\n.*torch.round"),
        (rounded_tensor, "doesn't define __round__"),
    ],
)
def test_what_needs_the_value_of_a_number_is_refused_at_the_line(function, words):
    with pytest.raises((TypeError, RuntimeError), match=f"(?s){words}"):
        exported(function, (torch.tensor([1.1, 2.3]),))(torch.tensor([1.1, 2.3]))
