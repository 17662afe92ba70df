"""Converted functions in exported PyTorch programs, compared with the plain Python program."""

# The programs are written as users write them.
# ruff: noqa: B905, C417, RUF021, SIM108, SIM201

import numpy as np
import pytest

import autograph

torch = pytest.importorskip("torch")
proxy_tensor = pytest.importorskip("torch.fx.experimental.proxy_tensor")
pytree = pytest.importorskip("torch.utils._pytree")

GLOBAL = torch.tensor([1.0, 2.0, 3.0])

# ---- programs ----


def summed(xs):
    total = 0
    for x in xs:
        total += x
    return total


def vector_total(m):
    total = 0
    for row in m:
        total += row
    return total


def best(xs):
    best = None
    for x in xs:
        best = x if best is None else max(best, x)
    return best


def last(xs):
    for x in xs:
        y = x * 2
    return y


def for_else(xs, limit):
    for i, x in enumerate(xs):
        if x > limit:
            y = i
            break
    else:
        y = -1
    return y


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def newton(x):
    guess = x
    while True:
        nxt = 0.5 * (guess + x / guess)
        if abs(nxt - guess) < 1e-6:
            break
        guess = nxt
    return nxt


def bounded(x, n):
    i = 0
    while i < n:
        autograph.set_loop_options(maximum_iterations=10)
        x = x * x if x < 2 else x + 1
        i += 1
    return x


def traced_range(n, k):
    acc = 0
    for i in range(n):
        if i % 3 == 0:
            continue
        acc += i * k
    return acc


def dict_state(n, x):
    state = {"a": 1.0, "b": (0, x)}
    for i in range(n):
        a, (b, c) = state["a"], state["b"]
        state = {"a": a * 2, "b": (b + 1, c + i)}
    return state["a"], state["b"]


def growing_list(xs):
    out = []
    for x in xs:
        if len(out) < 2:
            out.append(x)
        else:
            out.append(out[-1] + x)
    return out


def chained(x, lo, hi):
    return 1 if lo < x <= hi and not x == 3 or x > 100 else 0


def contains(x, xs):
    return 1 if x in xs else (2 if x in [1, 2, 3] else 3)


def nested(m, t):
    count = 0
    for row in m:
        for v in row:
            if v < 0:
                break
            if v > t:
                return count, v
            count += 1
    return count, t


def zipped(xs, n):
    s = 0
    for a, b in zip(xs, [1, 2, 3]):
        s = s * n + a * b
    return s


def one_branch_same(c, x):
    if c:
        y = x + 1
    z = 0
    if c:
        z = y * 2
    return z


def walrus(n):
    i = 0
    while (i := i + 1) < n:
        pass
    return i


def rev(xs):
    s = 0
    for i, x in enumerate(reversed(xs), 1):
        s = s * 10 + x * i
    return s


def loop_else(n):
    while n > 0:
        n -= 3
        if n == 1:
            r = "hit" and 1
            break
    else:
        r = 0
    return r


def one_branch(x):
    if x > 0:
        y = 1
    return y


def none_or(x):
    y = None
    if x > 0:
        y = x
    return y


def shape_if(x, v):
    if x > 0:
        v = v[:2]
    return v


def grow_while(x):
    out = []
    while x > 0:
        out.append(x)
        x -= 1
    return out


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = torch.nn.Linear(3, 3)
        self.scale = torch.tensor(2.0)
        torch.manual_seed(0)

    def forward(self, x):
        if x.sum() > 0:
            y = self.lin(x) * self.scale
            if y[0] > 0:
                y = y + GLOBAL
        else:
            y = x - GLOBAL
        return y


def made(x):
    if x.sum() > 0:
        y = x * 2
        z = y
        y += 1
        y[0] = 7
        return y + z
    return x


def set_rows(out, n):
    for i in range(n):
        out[i] = i * 2
        out[i] += 1
        out[0] += 1
    return out


def guard(x):
    if x.sum() < 0:
        raise ValueError("negative")
    assert x.sum() < 100, "big"
    return x * 2


def nested_fn(x, k):
    def scale(v):
        return v * k if v.sum() > 0 else v - k

    while x.sum() < 10:
        x = scale(x) + 1
    return x


def early(x):
    for r in x:
        if r > 2:
            return r * 10
    return x.sum()


def flags(xs, t):
    found = False
    for x in xs:
        if not found and x > t:
            found = True
            first = x
    if not found:
        first = -1
    return first


def nested_ret(m):
    for r in m:
        for v in r:
            if v == 3:
                return v * 100
            if v == 4:
                continue
        w = r.sum()
        if w > 20:
            break
    else:
        return -5
    return w


def mapped(xs):
    t = 0
    for v in map(lambda v: v * v if v > 0 else -v, xs):
        t += v
    return t


def while_else_return(x):
    while x > 1:
        x = x / 2
        if x == 1.5:
            return x * 10
    else:
        x = x + 100
    return x


def printed(x):
    print(x)
    return x


def checked_inside(x, n):
    while n > 0:
        assert x > 0, "x"
        n = n - 1
    return x


MATRIX = [[1, 2, 4], [3, 9, 9]]
ROWS = [[1, 2, -1, 9], [0, 3, 4, 9]]

CASES = [
    (summed, [([1.0, 2.0, 3.0],), ([4.0, 5.0, -1.0],)]),
    (best, [([1.0, 5.0, 2.0],), ([1.0, 0.0, 2.0],)]),
    (last, [([1.0, 5.0],)]),
    (for_else, [([1.0, 5.0], 3.0), ([1.0, 5.0], 9.0)]),
    (collatz, [(6,), (1,), (27,)]),
    (newton, [(2.0,), (9.0,)]),
    (bounded, [(1.5, 3), (1.01, 9), (3.0, 0)]),
    (traced_range, [(10, 2), (0, 2)]),
    (dict_state, [(3, 1.0), (0, 2.0)]),
    (growing_list, [([1.0, 2.0, 3.0, 4.0],)]),
    (chained, [(2, 1, 5), (3, 1, 5), (200, 1, 5), (1, 1, 5)]),
    (contains, [(1, [1, 5]), (3, [7, 5]), (9, [7, 7])]),
    (zipped, [([1, 2, 3, 4], 2), ([1, 7, 3, 4], 5)]),
    (one_branch_same, [(True, 1.0), (False, 1.0)]),
    (walrus, [(5,), (0,)]),
    (rev, [([1, 2, 3],)]),
    (loop_else, [(7,), (9,)]),
    (flags, [([1, 5, 7], 4), ([1, 5, 7], 9)]),
    (mapped, [([1, -2, 3],), ([5, 2, 3],)]),
    (while_else_return, [(12.0,), (7.0,), (0.5,)]),
]
ON_TENSORS = [
    (vector_total, [([[1.0, 2.0], [3.0, 4.0]],)]),
    (nested, [(ROWS, 5), (ROWS, 50)]),
    (nested_ret, [(MATRIX,), ([[1, 2, 4], [8, 9, 9]],), ([[1, 1, 1], [1, 1, 1]],)]),
    (made, [([1.0, 1.0],), ([-1.0, -1.0],)]),
    (set_rows, [([0.0] * 4, 3), ([0.0] * 4, 4)]),
    (nested_fn, [([1.0, 1.0], 2.0), ([0.5, 0.5], 3.0)]),
    (early, [([1.0, 1.0, 1.0],), ([1.0, 5.0, 7.0],)]),
]
EACH = [
    pytest.param(function, inputs, on_tensors, id=function.__name__)
    for on_tensors, cases in ((False, CASES), (True, ON_TENSORS))
    for function, inputs in cases
]


def exported(function, arguments, **options):
    converted = autograph.to_graph(function)

    class Program(torch.nn.Module):
        def forward(self, *args):
            return converted(*args)

    return torch.export.export(Program(), arguments, strict=False, **options).module()


def tensors(arguments):
    return tuple(map(torch.tensor, arguments))


def same(expected, actual):
    wanted, got = pytree.tree_leaves(expected), pytree.tree_leaves(actual)
    for want, each in zip(wanted, got, strict=True):
        np.testing.assert_allclose(np.asarray(each), np.asarray(want), rtol=1e-4)


@pytest.mark.parametrize(("function", "inputs", "on_tensors"), EACH)
def test_exported_once_it_runs_on_other_inputs(function, inputs, on_tensors):
    program = exported(function, tensors(inputs[0]))
    for arguments in inputs:
        expected = function(*(tensors(arguments) if on_tensors else arguments))
        same(expected, program(*tensors(arguments)))


@pytest.mark.parametrize("mode", ["real", "fake", "symbolic"])
@pytest.mark.parametrize("function", [newton, collatz, while_else_return])
def test_make_fx(function, mode):
    traced = proxy_tensor.make_fx(autograph.to_graph(function), tracing_mode=mode)
    program = traced(torch.tensor(12.0))
    for x in (12.0, 8.0, 2.0):
        same(function(x), program(torch.tensor(x)))


def test_module_with_parameters_attributes_and_globals():
    plain = Net()
    converted = autograph.to_graph(Net)()
    converted.load_state_dict(plain.state_dict())
    program = torch.export.export(converted, (torch.ones(3),)).module()
    for x in (torch.ones(3), -torch.ones(3), torch.tensor([5.0, -3.0, 9.0])):
        torch.testing.assert_close(program(x), plain(x))


def test_dimension_known_when_the_program_runs():
    dimensions = ({0: torch.export.Dim("rows")},)

    class Program(torch.nn.Module):
        def forward(self, x):
            return autograph.to_graph(early)(x)

    program = torch.export.export(Program(), (torch.ones(4),), dynamic_shapes=dimensions)
    for values in ([1.0, 5.0], [1.0] * 7):
        same(early(torch.tensor(values)), program.module()(torch.tensor(values)))


def test_tensors_with_values_take_the_python_path():
    assert isinstance(autograph.to_graph(collatz)(torch.tensor(6)), int)


def test_raise_and_assert_at_the_top_are_checked_when_the_program_runs():
    program = exported(guard, (torch.ones(2),))
    same([2.0, 2.0], program(torch.ones(2)).tolist())
    with pytest.raises(RuntimeError, match="ValueError: negative"):
        program(-torch.ones(2))
    with pytest.raises(RuntimeError, match="big"):
        program(torch.ones(2) * 99)


ERRORS = [
    (one_branch, (1.0,), UnboundLocalError, "`y` is read, but has a value only if"),
    (none_or, (1.0,), TypeError, "`y` is None after the `else` branch, and float32"),
    (shape_if, (1.0, [1.0, 1.0, 1.0]), TypeError, "`v` is float32.2. after the `if` branch and"),
    (grow_while, (3,), TypeError, "cannot change the length of the list `out`"),
    (printed, (1.0,), TypeError, "print needs the values"),
    (checked_inside, (1.0, 2), TypeError, "an assert stands in a staged branch or loop"),
]


@pytest.mark.parametrize(("function", "arguments", "public", "text"), ERRORS)
def test_what_cannot_be_exported_is_named(function, arguments, public, text):
    with pytest.raises(public, match=text) as raised:
        exported(function, tensors(arguments))
    assert f'File "{__file__}", line ' in str(raised.value)
    assert f"in {function.__name__}\n" in str(raised.value)


class Swallowing(torch.nn.Module):
    def forward(self, x):
        try:
            return none_or(x)
        except TypeError:
            return x


@autograph.convert(recursive=True)
def decorated(x):
    try:
        return none_or(x)
    except TypeError:
        return x


def test_refusals_become_public_behind_the_program_only():
    class Around(torch.nn.Module):
        def forward(self, x):
            try:
                return decorated(x)
            except TypeError as error:
                assert "`y` is None" in str(error)
                return x * 2

    assert torch.export.export(Around(), (torch.tensor(1.0),)).module()(torch.tensor(3.0)) == 6
    converted = autograph.to_graph(Swallowing)()
    with pytest.raises(TypeError, match="`y` is None"):
        torch.export.export(converted, (torch.tensor(1.0),))
