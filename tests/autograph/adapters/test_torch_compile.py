"""Converted functions under `torch.compile`: what is read anew, what is refused, what stays."""

import inspect
from fractions import Fraction
from typing import NamedTuple

import pytest

import autograph

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.sample

SCALE = 2.0
STATE = {"calls": 0}


@pytest.fixture(autouse=True)
def fresh():
    torch.compiler.reset()


def compiled(function, backend="eager"):
    return torch.compile(function, fullgraph=True, backend=backend)


@autograph.convert()
def doubled(x):
    while x.sum() < 10:
        x = x * SCALE
    return x


def test_function_without_staged_statements_compiles_as_it_is_written():
    @autograph.convert()
    def plain(x, flag, *, n=2):
        if flag:
            for _ in range(n):
                x = x + 1
        return {"x": x, "n": n}

    assert plain(Fraction(1), True) == {"x": 3, "n": 2}  # from now on its class needs no trace
    made = compiled(plain)
    assert made(torch.zeros(2), True)["x"].tolist() == [2, 2]
    assert made(torch.zeros(2), False, n=3)["x"].tolist() == [0, 0]


def test_global_number_is_read_anew(monkeypatch):
    made = compiled(doubled)
    assert made(torch.ones(2)).tolist() == [8, 8]
    monkeypatch.setitem(globals(), "SCALE", 3.0)
    assert made(torch.ones(2)).tolist() == [9, 9]


@autograph.convert()
def smallest(x):
    while x.sum() < 10:
        x = x * abs(-2)
    return min(x, x + 1)


class Convolutions(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.first = torch.nn.Conv2d(1, 2, size, padding=1)
        self.second = torch.nn.Conv2d(2, 2, 3, padding=1)

    def forward(self, x):
        x = self.first(x).relu()
        if x.mean() > 0.1:
            x = self.second(x).relu() + x
        return x.sum((1, 2, 3))


def test_shapes_of_other_calls_do_not_matter():
    """TorchDynamo makes symbols of the sizes that were others before."""
    for size, shape in ((3, (1, 1, 8, 8)), (2, (4, 1, 4, 4)), (3, (2, 1, 16, 2))):
        gate = Convolutions(size)
        x = torch.sin(torch.arange(64.0)).reshape(shape)
        torch.testing.assert_close(compiled(autograph.convert(gate))(x), gate(x))


def test_global_that_hides_a_built_in_name_is_read_anew(monkeypatch):
    made = compiled(smallest)
    assert float(made(torch.tensor(3.0))) == 12
    monkeypatch.setitem(globals(), "abs", lambda number: 3)
    assert float(made(torch.tensor(3.0))) == 27


def test_result_of_to_graph_compiles():
    def halved(x):
        while x > 1:
            x = x / 2
        return x

    assert float(compiled(autograph.to_graph(halved))(torch.tensor(8.0))) == 1


class Gate(torch.nn.Module):
    def forward(self, x):
        if x.mean() > 0:
            return x * 2
        return x / 2


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.body = torch.nn.Sequential(torch.nn.Linear(3, 3), Gate(), torch.nn.Dropout(0.5))
        self.scale = 1.5

    def forward(self, x):
        y = self.body(x) * self.scale
        return y if y.sum() > 0 else -y


X = torch.tensor([1.0, -2.0, 0.5])


def test_module_reads_its_weights_mode_and_attributes_anew():
    plain, module = Net().eval(), autograph.convert(Net()).eval()
    made = compiled(module)

    def check():
        torch.manual_seed(1)
        expected = plain(X)
        torch.manual_seed(1)
        torch.testing.assert_close(made(X), expected)

    check()
    for each in (plain, module):
        each.body[0].weight.data.fill_(0.5)
    check()
    for each in (plain, module):
        each.body[0].bias = torch.nn.Parameter(torch.ones(3))
    check()
    for each in (plain, module):
        each.scale = 4.0
    check()
    for each in (plain, module):
        each.train()
    check()


def test_converted_module_keeps_its_state_hooks_and_class():
    module = Net()
    names, hooked = list(module.state_dict()), []
    module.body[1].register_forward_hook(lambda *_: hooked.append(1))
    assert autograph.convert(module) is module
    assert type(module) is Net
    assert list(module.state_dict()) == names
    module(X)
    assert hooked == [1]


def test_converted_class_converts_the_modules_that_it_makes():
    @autograph.convert()
    class Twice(Net):
        def __init__(self):
            super().__init__()
            self.more = Gate()

        def forward(self, x):
            return self.more(super().forward(x))

    module = Twice().eval()
    exported = torch.export.export(module, (X,), strict=False).module()
    for x in (X, -X):
        torch.testing.assert_close(exported(x), module(x))


def test_gradients_reach_the_weights():
    module = autograph.convert(Net()).eval()
    module(X).sum().backward()
    expected = [each.grad.clone() for each in module.parameters()]
    module.zero_grad()
    compiled(module, "aot_eager")(X).sum().backward()
    for parameter, gradient in zip(module.parameters(), expected, strict=True):
        torch.testing.assert_close(parameter.grad, gradient)


def test_identity_of_arguments_and_changes_in_place_stay():
    @autograph.convert()
    def add(x, table):
        row = table[0]
        while x.sum() < 10:
            x = x * 2
            table[1] += x
        row += 1
        return row, table

    plain, mine = torch.zeros(2, 2), torch.zeros(2, 2)
    add(torch.ones(2), plain)
    row, table = compiled(add, "aot_eager")(torch.ones(2), mine)
    assert table is mine
    torch.testing.assert_close(mine, plain)
    torch.testing.assert_close(row, plain[0])


class Pair(NamedTuple):
    x: torch.Tensor
    n: int


def test_named_tuples_go_in_and_out():
    @autograph.convert()
    def grown(pair, factors):
        x = pair.x
        while x.sum() < 10:
            x = x * factors["by"][0]
        return Pair(x, pair.n)

    result = compiled(grown)(Pair(torch.ones(2), 3), {"by": [2, 5]})
    assert type(result) is Pair
    assert result.x.tolist() == [8, 8]
    assert result.n == 3


def test_change_of_a_python_object_is_refused_at_the_function():
    @autograph.convert()
    def counting(x):
        STATE["calls"] += 1
        while x.sum() < 10:
            x = x * 2
        return x

    with pytest.raises(TypeError, match=r"(?s)`STATE` is changed by.*test_torch_compile"):
        compiled(counting)(torch.ones(2))
    assert STATE == {"calls": 0}


class Settings:
    rate = 2.0


SETTINGS = Settings()


def test_change_before_the_call_in_the_same_program_is_refused():
    @autograph.convert()
    def reading(x):
        while x.sum() < 10:
            x = x * SETTINGS.rate
        return x

    def outer(x):
        SETTINGS.rate = SETTINGS.rate + 1
        return reading(x)

    with pytest.raises(TypeError, match="is changed in the same compiled program"):
        compiled(outer)(torch.ones(2))


def test_list_argument_that_changes_is_refused():
    @autograph.convert()
    def appending(x, out):
        while x.sum() < 10:
            x = x * 2
        out.append(x)
        return x

    with pytest.raises(TypeError, match="list or dict among the arguments"):
        compiled(appending)(torch.ones(2), [])


def test_refusal_names_the_line_and_no_file_of_ours():
    @autograph.convert()
    def printing(x):
        if x.sum() > 0:
            print(x)  # refused
        return x

    with pytest.raises(TypeError, match="would become text") as caught:
        compiled(printing)(torch.ones(2))
    assert "test_torch_compile.py" in str(caught.value)
    assert "adapters/torch" not in str(caught.value)


# ---- values of tensors, masks, transformations ----


class Holder(torch.nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


def staged(function, mode):
    made = autograph.convert()(function)
    if mode == "compile":
        return compiled(made, "aot_eager")
    return torch.export.export(Holder(made), (X,), strict=False).module()


def item_in_a_branch(x):
    if x.sum() > 0:
        return x * x.max().item()
    return x


def item_tested(x):
    if x.sum().item() > 0:
        return x * 2
    return x


def item_in_a_loop(x):
    n = abs(x).max().item()
    while n > 0.5:
        n = n / 2
        x = x * n
    return x


def int_of_a_tensor(x):
    n = int(x.sum())
    while n > -3:
        n -= 1
        x = x + 1
    return x


def assignment_by_a_mask(x):
    y = x.clone()
    if x.sum() > 0:
        y[x > 0] = 0
    return y


def check_in_a_branch(x):
    if x.sum() > 0:
        assert x.max() < 100, "too large"
        x = x * 2
    return x


def gradient_inside(x):
    y = x.detach().requires_grad_()
    loss = (y**3).sum() if x.sum() > 0 else y.sum()
    return torch.autograd.grad(loss, y)[0]


VALUES = [
    item_in_a_branch, item_tested, item_in_a_loop, int_of_a_tensor, assignment_by_a_mask,
    check_in_a_branch, gradient_inside,
]  # fmt: skip


@pytest.mark.parametrize("mode", ["export", "compile"])
@pytest.mark.parametrize("function", VALUES, ids=lambda each: each.__name__)
def test_values_of_tensors_agree_with_plain_python(function, mode):
    made = staged(function, mode)
    for x in (X, -X):
        torch.testing.assert_close(made(x), function(x))


def mask_in_a_branch(x):
    if x.sum() > 0:
        return x[x > 0].sum()  # refused
    return x.sum()


def slice_in_a_loop(x):
    i = 0
    while x.sum() > i:
        x = x + x[i : i + 1]
        i += 1
    return x


def print_in_a_branch(x):
    if x.sum() > 0:
        print("positive")  # refused
    return x


def gradient_of_a_branch(x):
    def loss(y):
        if y.sum() > 0:  # refused
            return (y * y).sum()
        return y.sum()

    return torch.func.grad(loss)(x)


REFUSED = [
    (mask_in_a_branch, "a boolean mask in a staged statement"),
    (print_in_a_branch, "`print` is in a staged branch"),
    (gradient_of_a_branch, "is traced inside of torch.func.grad"),
]


@pytest.mark.parametrize("mode", ["export", "compile"])
@pytest.mark.parametrize(("function", "text"), REFUSED, ids=lambda each: str(each)[:20])
def test_values_that_no_operator_gives_are_refused_at_the_line(function, text, mode):
    with pytest.raises((TypeError, RuntimeError), match=text) as caught:
        staged(function, mode)(X)
    lines, first = inspect.getsourcelines(function)
    line = next(number for number, each in enumerate(lines, first) if "# refused" in each)
    assert f'{__file__}", line {line}' in str(caught.value)


def test_a_slice_between_tensors_in_a_loop_is_refused_with_what_works():
    with pytest.raises(TypeError, match="a slice between tensors") as caught:
        staged(slice_in_a_loop, "export")(X)
    assert "Index by `i + torch.arange(n)`." in str(caught.value)

    def windows(x):
        i = 0
        while x.sum() < 12:
            x = x + x[i + torch.arange(1)]
            i += 1
        return x

    x = torch.tensor([1.0, 2.0, -1.0])
    torch.testing.assert_close(staged(windows, "export")(x), windows(x))


def test_vmap_around_a_converted_function_compiles():
    @autograph.convert()
    def one(v):
        if v > 0:
            return v * 2
        return v - 1

    made = compiled(lambda xs: torch.func.vmap(one)(xs), "aot_eager")
    torch.testing.assert_close(made(X), torch.where(X > 0, X * 2, X - 1))


def test_vmap_inside_of_a_converted_function_compiles():
    @autograph.convert()
    def mapped(xs):
        def one(v):
            if v > 0:
                return v * 2
            return v - 1

        return torch.func.vmap(one)(xs)

    made = compiled(mapped, "aot_eager")
    torch.testing.assert_close(made(X), torch.where(X > 0, X * 2, X - 1))


@pytest.mark.parametrize("mode", ["export", "compile"])
def test_a_transformation_in_a_branch_is_refused_at_the_line(mode):
    def descended(x):
        if x.sum() > 0:
            x = x - torch.func.grad(lambda y: (y * y).sum())(x)
        return x

    with pytest.raises(RuntimeError, match="calls a transformation of") as raised:
        staged(descended, mode)(X)
    assert "Take the gradient of `x.detach().requires_grad_()` by" in str(raised.value)
    assert f'File "{__file__}", line {descended.__code__.co_firstlineno + 2}, in ' in str(
        raised.value
    )


def test_a_gradient_by_torch_func_is_refused_in_an_exported_program():
    """PyTorch exports a tensor of its trace in place of the gradient."""

    def descended(x):
        return x - torch.func.grad(lambda y: (y * y).sum())(x)

    with pytest.raises(RuntimeError, match="an exported program calls a transformation"):
        staged(descended, "export")


@pytest.mark.parametrize("mode", ["export", "compile"])
@pytest.mark.parametrize("number", [float, torch.Tensor.item])
def test_a_number_of_python_has_no_gradient(number, mode):
    def scaled(x):
        if x.sum() > 0:
            return x * number(x.max())
        return x

    x = X.clone().requires_grad_()
    (gradient,) = torch.autograd.grad(staged(scaled, mode)(x).sum(), x)
    torch.testing.assert_close(gradient, x.max().detach().expand(X.shape))


def test_gradient_by_torch_func_decides_a_branch_of_a_compiled_function():
    def descended(x):
        gradient = torch.func.grad(lambda y: (y * y).sum())(x)
        if gradient.sum() > 0:
            return x - gradient
        return x + gradient

    made = staged(descended, "compile")
    for x in (X, -X):
        torch.testing.assert_close(made(x), descended(x))


# ---- gradients ----


def loop_that_may_not_run(x):
    while x < 1:
        x = x * x + 0.5
    return x * 3


def carry_that_starts_without_gradient(x):
    total = torch.zeros(())
    steps = 0
    while steps < 3:
        total = total + x * steps
        steps += 1
    return total


def branch_with_a_flag(x):
    if x > 0:
        y, flag = x * 2, True
    else:
        y, flag = x, False
    return y * 3 if flag else y


def branch_without_gradient(x):
    with torch.no_grad():
        scale = x * 2 if x > 0 else -x
    return x * scale


def part_of_a_loop_without_gradient(x):
    y = x
    while y < 10:
        with torch.no_grad():
            factor = y + 1
        y = y * factor
    return y


DIFFERENTIATED = [
    loop_that_may_not_run, carry_that_starts_without_gradient, branch_with_a_flag,
    branch_without_gradient, part_of_a_loop_without_gradient,
]  # fmt: skip


@pytest.mark.parametrize("backend", ["eager", "aot_eager"])
@pytest.mark.parametrize("function", DIFFERENTIATED, ids=lambda each: each.__name__)
def test_gradients_agree_with_plain_python(function, backend):
    made = compiled(autograph.convert()(function), backend)
    for start in (0.5, 2.0):
        x, mine = (torch.tensor(start, requires_grad=True) for _ in range(2))
        expected = function(x)
        actual = made(mine)
        torch.testing.assert_close(actual, expected)
        (gradient,) = torch.autograd.grad(expected, x)
        (own,) = torch.autograd.grad(actual, mine)
        torch.testing.assert_close(own, gradient)


@pytest.mark.parametrize("entity", [doubled, Gate()], ids=["function", "module"])
def test_conversion_of_what_is_compiled_already_says_how_to_write_it(entity):
    with pytest.raises(TypeError, match=r"convert\(\) below @torch.compile"):
        autograph.convert()(torch.compile(entity))


def test_error_of_a_function_that_is_not_converted_names_it():
    @autograph.do_not_convert
    def helper(x):
        return x * 2 if x.sum() > 0 else x

    @autograph.convert()
    def calling(x):
        x = helper(x)
        while x.sum() < 10:
            x = x + 1
        return x

    with pytest.raises(RuntimeError, match="helper") as caught:
        compiled(calling)(torch.ones(2))
    assert "autograph/adapters/torch" not in str(caught.value)


FACTOR = 1.0
WEIGHTS = torch.ones(3)


@autograph.convert()
def scaled(x):
    if x.sum() > 0:
        return x * FACTOR
    return x


@autograph.convert()
def weighted(x):
    if x.sum() > 0:
        return x * WEIGHTS
    return x


def test_global_tensor_assigned_in_the_same_program_is_the_new_one(monkeypatch):
    def program(x):
        global WEIGHTS
        WEIGHTS = WEIGHTS + 1
        return weighted(x)

    monkeypatch.setitem(globals(), "WEIGHTS", torch.ones(3))
    torch.compiler.reset()
    compiled = torch.compile(program, fullgraph=True, backend="eager")
    assert torch.equal(compiled(torch.ones(3)), torch.full((3,), 2.0))
    assert torch.equal(compiled(torch.ones(3)), torch.full((3,), 3.0))


def test_global_number_assigned_in_the_same_program_is_refused(monkeypatch):
    def program(x):
        global FACTOR
        FACTOR = 3.0
        return scaled(x)

    monkeypatch.setitem(globals(), "FACTOR", 1.0)
    torch.compiler.reset()
    with pytest.raises(TypeError, match=r"`FACTOR` is changed in the same(?s:.*)in scaled"):
        torch.compile(program, fullgraph=True, backend="eager")(torch.ones(3))


def test_global_number_assigned_between_calls_is_read_anew(monkeypatch):
    torch.compiler.reset()
    compiled = torch.compile(scaled, fullgraph=True, backend="eager")
    for factor in (1.0, 3.0):
        monkeypatch.setitem(globals(), "FACTOR", factor)
        assert torch.equal(compiled(torch.ones(3)), torch.full((3,), factor))


# ---- Inductor ----


@autograph.convert()
def pair(x, y):
    while x * x + y * y < 100:
        x, y = x + y, y * 1.1
    return x


@autograph.convert()
def checked(x):
    assert x < 1000, 'neither "small"\nor \\ large'
    while x < 100:
        x = x * 2
    return x


@autograph.convert()
def fixed_point(x, weight):
    z = torch.zeros_like(x)
    for _ in range(50):
        new = torch.tanh(weight * z + x)
        if abs(new - z) < 1e-4:
            return new
        z = new
    return z


@pytest.mark.slow
@pytest.mark.parametrize("program", [pair, fixed_point])
def test_inductor_keeps_the_gradient_of_a_loop(program):
    x, y = torch.tensor(1.0, requires_grad=True), torch.tensor(0.5, requires_grad=True)
    expected = torch.autograd.grad(program(x, y), (x, y))
    torch.compiler.reset()
    compiled = torch.compile(program, fullgraph=True, backend="inductor")
    torch.testing.assert_close(torch.autograd.grad(compiled(x, y), (x, y)), expected)


@pytest.mark.slow
def test_inductor_compiles_any_text_of_a_check():
    compiled = torch.compile(checked, fullgraph=True, backend="inductor")
    assert compiled(torch.tensor(1.0)) == 128
    with pytest.raises(RuntimeError, match="AssertionError: neither 'small' or / large"):
        compiled(torch.tensor(2000.0))


def gated(x):
    return (x * 2).sum() if x.sum() > 0 else x.sum()


@pytest.mark.parametrize(
    "program",
    [
        lambda x: torch.func.grad(autograph.convert()(gated))(x),
        lambda x: torch.func.vmap(autograph.to_graph(gated))(x),
        lambda x: autograph.convert(gated)(x),
    ],
)
def test_converting_in_a_compiled_program_is_refused_at_its_line(program):
    torch.compiler.reset()
    with pytest.raises(TypeError, match=r"convert it outside(.|\n)*test_torch_compile.py"):
        torch.compile(program, fullgraph=True, backend="eager")(torch.ones(2, 3))
