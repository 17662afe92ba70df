"""Gradients through exported PyTorch programs, compared with those of the plain program."""

# The programs are written as users write them.
# ruff: noqa: SIM108

import pytest

import autograph
from tests.autograph.adapters.torch.nets import compiled

torch = pytest.importorskip("torch")
proxy_tensor = pytest.importorskip("torch.fx.experimental.proxy_tensor")

T = torch.tensor

# ---- programs ----


def starts_as_number(n, x):
    total = 0.0
    for _ in range(n):
        total = total + x * x
    return total


def reads(n, x, w):
    while n > 0:
        x = x * w
        n = n - 1
    return x


def infinite_slope(n, x, w):
    while n > 0:
        x = torch.sqrt(x - x) * w
        n = n - 1
    return x


def flag(x):
    if x > 0:
        y = x * 2
        big = x > 1
    else:
        y = x * 3
        big = False
    return y, big


def large_integer(x):
    if x > 0:
        y = x * 2
        k = 2**60 + 1
        small = torch.tensor(-3, dtype=torch.int8)
    else:
        y = x * 3
        k = -(2**62) + 7
        small = torch.tensor(5, dtype=torch.int8)
    return y, k, small


def without_grad(x):
    with torch.no_grad():
        if x > 0:
            y = x * 2
        else:
            y = x * 3
    return y * x


def passed_on_without_grad(x, w):
    with torch.no_grad():
        if x > 0:
            y = x
            z = w * 1
        else:
            y = w * x
            z = w
    return y * z * x


def updated_without_grad(x, w):
    y = w * x
    with torch.no_grad():
        if x > 0:
            y *= 2
        z = y
    return z * x + y


def branch_without_grad(x):
    if x > 0:
        with torch.no_grad():
            y = x * 2
    else:
        y = x * 3
    return y * x


def loop_without_grad(n, x):
    y = x
    with torch.no_grad():
        while n > 0:
            y = y * x
            n = n - 1
    return y * x


def body_without_grad(n, x):
    y = x
    while n > 0:
        with torch.no_grad():
            z = y * x
        y = z + x
        n = n - 1
    return y * x


def detached(n, x):
    y = x
    while n > 0:
        y = y.detach() * x
        n = n - 1
    return y


def branch_in_loop(n, x, w):
    total = 0.0
    seen = False
    while n > 0:
        if x > 2:
            total = total + x * w
            seen = True
        else:
            total = total + w
        x = x - 1
        n = n - 1
    return total, seen


def counted_in_place(x, w):
    rows, table, total, i = [x, x * w], torch.zeros(2), torch.tensor(0.0), torch.tensor(0)
    while i < 2:
        table[i] = x[i] * w
        total = total + rows[i].sum()
        i += 1
    return table, total


def left_by_break(n, x):
    total = 0.0
    for _ in range(n):
        total = total + x
        if total > 5:
            break
    return total * x


def rows(xs, w):
    total = 0.0
    for x in xs:
        if x > 1:
            total = total + x * w
    return total


def in_place(n, x):
    y = x * 1
    while n > 0:
        y += x
        n = n - 1
    return y


def left_by_return(xs, w):
    for x in xs:
        if x > 1:
            return x * w
    return w


def swapped(n, x, w):
    a = x
    b = 1.0
    while n > 0:
        a, b = b * w, a
        n = n - 1
    return a, b


def loops_in_loop(n, x):
    total = 0.0
    while n > 0:
        m = n
        while m > 0:
            total = total + x * x
            m = m - 1
        n = n - 1
    return total


def complex_variable(n, x):
    z = torch.complex(x, x)
    while n > 0:
        z = z * (1 + 2j)
        n = n - 1
    return z.real * z.imag


def complex_in_branch(x):
    if x > 0:
        z = torch.complex(x, x * 2)
    else:
        z = torch.complex(x * 3, x)
    return (z * z).imag


def checked(n, x):
    total = 0.0
    while n > 0:
        assert x < 10, "big"
        total = total + x * x
        n = n - 1
    return total


class Memory:
    def __init__(self):
        self.total = 0.0
        self.items = [1.0, 0.0]


def remembered(n, x, w):
    memory = Memory()
    for i in range(n):
        memory.total = memory.total + x * w
        if i > 0:
            memory.items[1] = memory.items[0] * x
        memory.items[0] = memory.items[0] * w
    return memory.total + memory.items[0] * memory.items[1]


def mixed_dtypes(n, x, w):
    total = torch.zeros((), dtype=torch.float64)
    half = torch.zeros(2, dtype=torch.float16)
    while n > 0:
        total = total + x * w
        half = half + w.to(torch.float16)
        n = n - 1
    return total * half.sum()


CASES = [
    (starts_as_number, [(3, 2.0), (0, 2.0)]),
    (reads, [(3, 2.0, 3.0), (0, 2.0, 3.0)]),
    (infinite_slope, [(0, 2.0, 3.0)]),
    (flag, [(2.0,), (-2.0,)]),
    (large_integer, [(2.0,), (-2.0,)]),
    (detached, [(2, 2.0), (0, 2.0)]),
    (branch_in_loop, [(3, 3.5, 2.0), (0, 3.5, 2.0)]),
    (counted_in_place, [([1.0, 2.0], 3.0)]),
    (left_by_break, [(5, 2.0), (0, 2.0)]),
    (rows, [([1.0, 2.0, 3.0], 2.0)]),
    (in_place, [(3, 2.0), (0, 2.0)]),
    (left_by_return, [([1.0, 2.0, 3.0], 2.0), ([1.0, 0.0, 0.0], 2.0)]),
    (swapped, [(3, 2.0, 3.0), (0, 2.0, 3.0)]),
    (loops_in_loop, [(3, 2.0), (0, 2.0)]),
    (complex_variable, [(2, 0.5), (0, 0.5)]),
    (complex_in_branch, [(2.0,), (-2.0,)]),
    (checked, [(3, 2.0), (0, 2.0)]),
    (remembered, [(3, 2.0, 0.5), (0, 2.0, 0.5)]),
    (mixed_dtypes, [(3, 2.0, 0.5), (0, 2.0, 0.5)]),
]
WITHOUT_GRAD = [
    (without_grad, [(2.0,), (-2.0,)]),
    (passed_on_without_grad, [(2.0, 3.0), (-2.0, 3.0)]),
    (updated_without_grad, [(2.0, 3.0), (-2.0, 3.0)]),
    (branch_without_grad, [(2.0,), (-2.0,)]),
    (loop_without_grad, [(2, 2.0), (0, 2.0)]),
    (body_without_grad, [(2, 2.0), (0, 2.0)]),
]
"""`make_fx` forgets `no_grad` everywhere; an exported program keeps it."""


def exported(function, arguments):
    converted = autograph.to_graph(function)

    class Program(torch.nn.Module):
        def forward(self, *args):
            return converted(*args)

    return torch.export.export(Program(), arguments, strict=False).module()


def traced(function, arguments):
    return proxy_tensor.make_fx(autograph.to_graph(function))(*arguments)


def results(function, arguments):
    """What a program gives, and the gradients of the sum of all that requires some."""
    inputs = [T(each, requires_grad=T(each).is_floating_point()) for each in arguments]
    outputs = function(*inputs)
    outputs = [torch.as_tensor(each) for each in torch.utils._pytree.tree_leaves(outputs)]
    active = [each for each in inputs if each.requires_grad]
    total = sum((each.double().sum() for each in outputs if each.requires_grad), T(0.0))
    # Python numbers and untouched inputs need no gradient, which is that of zero.
    total = total + sum(0 * each.sum() for each in active)
    return outputs, torch.autograd.grad(total, active)


def same(want, got):
    for one, other in zip(want, got, strict=True):
        torch.testing.assert_close(other, one, check_dtype=False, equal_nan=True)


EACH = [
    pytest.param(stage, function, inputs, id=f"{stage.__name__}-{function.__name__}")
    for stage, cases in ((exported, CASES + WITHOUT_GRAD), (traced, CASES))
    for function, inputs in cases
]


@pytest.mark.parametrize(("stage", "function", "inputs"), EACH)
def test_gradients_are_those_of_the_plain_program(stage, function, inputs):
    program = stage(function, tuple(map(T, inputs[0])))
    for arguments in inputs:
        for want, got in zip(
            results(function, arguments), results(program, arguments), strict=True
        ):
            same(want, got)


def found_row(table):
    position, found = T(0), True
    for guess in T([2, 1]):
        if table[position, guess] < 0.2:
            found = False
            break
        position = guess
    return table[position].sum() if found else table[0, 0]


def test_number_that_a_loop_counts_is_an_index_in_a_branch():
    table = T([[0.1, 2.0, 0.3], [0.2, 0.1, 1.5], [1.0, 0.5, 0.1]], requires_grad=True)
    torch.compiler.reset()
    made = torch.compile(autograph.convert()(found_row), fullgraph=True, backend="aot_eager")
    (gradient,) = torch.autograd.grad(made(table), table)
    assert gradient.tolist() == [[0, 0, 0], [1, 1, 1], [0, 0, 0]]


def test_a_loop_of_known_length_is_not_gated():
    program = traced(rows, (T([1.0, 2.0]), T(2.0)))
    assert "aten.where" not in program.code.partition("higher_order.while_loop")[2]


def test_a_branch_of_numbers_without_gradients_is_left_alone():
    def sign(x):
        if x > 0:
            k = 1
        else:
            k = -1
        return k

    assert "view" not in traced(sign, (T(2.0),)).true_graph_0.code


class Trained(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.lin = torch.nn.Linear(2, 2)

    def forward(self, x, n):
        total = 0.0
        for _ in range(n):
            x = self.lin(x)
            if x.sum() > 0:
                total = total + x.sum()
        return total + x.sum()


def test_parameters_get_the_gradients_of_the_plain_module():
    plain, converted = Trained(), autograph.to_graph(Trained)()
    arguments = torch.ones(2), T(3)
    program = torch.export.export(converted, arguments, strict=False).module()
    plain(*arguments).backward()
    program(*arguments).backward()
    want = [each.grad for each in plain.parameters()]
    same(want, [each.grad for each in program.parameters()])


# ---- transformations ----


def loop_of_sum(x):
    while x.sum() < 10:
        x = x * 2
    return x.sum()


def branch_of_sum(x):
    if x.sum() < 10:
        x = x * 2
    return x.sum()


TRANSFORMED = [
    (loop_of_sum, lambda f, x: torch.func.grad(f)(x), "while", "torch.autograd.grad"),
    (loop_of_sum, lambda f, x: torch.func.jvp(f, (x,), (x,)), "while", "torch.autograd.grad"),
    (loop_of_sum, lambda f, x: torch.func.vmap(f)(x), "while", "whole batch"),
    (branch_of_sum, lambda f, x: torch.func.grad(f)(x), "if", "torch.autograd.grad"),
]


@pytest.mark.parametrize(("program", "transform", "word", "remedy"), TRANSFORMED)
def test_a_transformation_without_a_rule_is_refused_at_the_line(program, transform, word, remedy):
    converted = autograph.to_graph(program)
    line = program.__code__.co_firstlineno + 1
    with pytest.raises(RuntimeError, match=rf"(?s)({word}|loop).*line {line}, in.*{remedy}"):
        proxy_tensor.make_fx(lambda x: transform(converted, x))(torch.ones(3, 1).squeeze())


@pytest.mark.parametrize("program", [loop_of_sum, branch_of_sum])
def test_gradient_of_a_traced_program_is_the_remedy(program):
    traced = proxy_tensor.make_fx(autograph.to_graph(program))(torch.ones(3))
    found, expected = (
        torch.autograd.grad(f(x), x)[0].tolist()
        for f, x in ((f, torch.ones(3, requires_grad=True)) for f in (traced, program))
    )
    assert found == expected


def test_a_branch_inside_vmap_is_traced():
    converted = autograph.to_graph(branch_of_sum)
    rows = T([[1.0], [20.0]])
    traced = proxy_tensor.make_fx(lambda x: torch.func.vmap(converted)(x))(rows)
    assert traced(rows).tolist() == [branch_of_sum(row).item() for row in rows]


class Clipped(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 1

    @staticmethod
    def backward(ctx, gradient):
        return gradient.clamp(-1, 1)


def with_function(x):
    while x.sum() < 10:
        x = Clipped.apply(x) * 3
    return x


@pytest.mark.parametrize(
    "make",
    [
        exported,
        lambda function, _: compiled(autograph.convert()(function)),
    ],
)
def test_gradient_of_a_function_with_its_own_backward_is_refused(make):
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match=r"Function, whose `backward`(.|\n)*test_gradients.py"):
        make(with_function, (x,))(x)
    with torch.no_grad():
        assert make(with_function, (x,))(x).tolist() == [9, 9]
