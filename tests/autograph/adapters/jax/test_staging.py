"""Converted functions under JAX's transformations, compared with the plain Python program."""

# The programs are written as users write them.
# ruff: noqa: SIM108

import dataclasses
import inspect
from typing import NamedTuple

import numpy as np
import pytest

import autograph
from tests.autograph.array_programs import (
    CASES,
    ON_ARRAYS,
    REFUSED,
    bounded,
    collatz,
    contains,
    dict_state,
    summed,
    traced_range,
    zipped,
)
from tests.autograph.checked_programs import (
    CHECKED,
    STEPS,
    check_before_raise,
    guards,
    in_for_with_break,
    in_function,
    in_loop,
    nested_branches,
    outcome,
    shown,
)

jax = pytest.importorskip("jax")

jnp = jax.numpy

checkify = pytest.importorskip("jax.experimental.checkify")

adapter = pytest.importorskip("autograph.adapters.jax")


class Point(NamedTuple):
    x: object
    y: object


@dataclasses.dataclass
class Body:
    pos: object
    vel: object


jax.tree_util.register_dataclass(Body, ["pos", "vel"], [])

# ---- programs ----


def all_builtins(xs, x):
    return (
        len(xs),
        abs(x),
        max(xs),
        min(x, 3),
        sum(xs),
        any(xs),
        all(xs),
        int(x),
        float(x),
        sorted(xs),
        sorted(xs, reverse=True)[0],
    )


def items(xs, i, v):
    xs[i] = v
    xs[0] += 5
    return xs


def points(n, x):
    p = Point(x, 0)
    for i in range(n):
        p = Point(p.x + 1, p.y + i) if p.y < 5 else p
    return p


def bodies(n, x):
    b = Body(x, 1.0)
    while n > 0:
        if b.pos > 3:
            b = Body(b.pos - 2, b.vel)
        else:
            b = Body(b.pos + b.vel, b.vel * 2)
        n -= 1
    return b.pos, b.vel


class Net:
    def __init__(self):
        self.k = 2.0

    def step(self, x):
        if x > 5:
            return x - self.k
        return x * self.k

    def run(self, x, n):
        self.best = x
        for _ in range(n):
            x = self.step(x)
            if x > self.best:
                self.best = x
        return self.best


def net(x, n):
    return Net().run(x, n)


def collect(out, xs):
    for x in xs:
        out.append(x * 2)


def alias(xs):
    out = []
    collect(out, xs)
    return out[-1] + len(out)


def guarded(x):
    try:
        if x > 0:
            y = x + 1
        else:
            y = x - 1
    except TypeError:
        y = -99
    return y


def typed(x):
    try:
        if x > 0:
            y = None
        else:
            y = x - 1
    except TypeError:
        y = -99
    return y


def recursive(x, depth):
    if depth == 0:
        return x
    return recursive(x * 2 if x < 10 else x - 1, depth - 1)


def lists_in_while(x):
    s = [x, 0]
    while s[0] > 1:
        s[0] = s[0] // 2
        s[1] += 1
    return s[1]


def many(x):
    if x == 0:
        r = 0
    elif x == 1:
        r = 10
    elif x == 2:
        r = 20
    elif x == 3:
        r = 30
    else:
        r = 99
    return r


def and_value(x, y):
    return x and y


def or_value(x, y):
    return x or y


def conv(x):
    i = int(x)
    if bool(i):
        return float(i) + round(x)
    return 0.5


def kept_shape(xs):
    total = xs * 0
    for x in xs:
        total = total + x if x > 1 else total - x
    return total


def unknown_steps(n):
    total = 0
    while n > 0:
        total = total + n
        n = n - 1
    return total


def several_truths(x):
    if x:
        return 1
    return 2


def keyed(xs):
    return max(xs, key=lambda x: -x)


def nan_first(xs):
    return max(xs), min(xs)


def filtered(xs):
    return list(filter(lambda x: x > 0, xs))


def lists_of_branches(x):
    kinds = []
    if x > 0:
        kinds.append(x)
    return kinds


def changed_text(x):
    mode = "slow"
    while x > 0:
        mode = mode + "er"
        x = x - 1
    return mode


def reached(x):
    if x > 0:
        assert x > 1, f"small {3}"
        x = x + 1
    return x


OWN = [
    (summed, [([1, 2, 3],)]),
    (traced_range, [(5, 0.5)]),
    (dict_state, [(0, 2)]),
    (contains, [(9, [7])]),
    (zipped, [([1.0, 2.0], 3)]),
    (all_builtins, [([3.0, 1.0, 2.0], -2.5), ([0, 1], 2)]),
    (points, [(4, 1.0), (0, 2.0)]),
    (bodies, [(5, 1.0), (0, 2.0)]),
    (net, [(1.0, 4), (7.0, 3)]),
    (alias, [([1, 2, 3],)]),
    (guarded, [(1,), (-1,)]),
    (lists_in_while, [(9,), (1,)]),
    (many, [(0,), (1,), (3,), (7,)]),
    (and_value, [(0, 2.5), (3, 4)]),
    (or_value, [(0, 2.5), (3, 4)]),
    (conv, [(2.6,), (0.3,)]),
    (keyed, [([2.0, 1.0, 1.0],), ([np.nan, 1.0, 2.0],)]),
    (nan_first, [([np.nan, 1.0, 2.0],), ([1.0, np.nan, 0.5],)]),
]
EACH = [
    pytest.param(function, tuple(map(given, arguments)), id=f"{function.__name__}-{number}")
    for given, cases in ((lambda value: value, CASES + OWN), (np.array, ON_ARRAYS))
    for function, inputs in cases
    for number, arguments in enumerate(inputs)
]


def same(expected, actual):
    assert jax.tree.structure(expected) == jax.tree.structure(actual)
    for want, got in zip(jax.tree.leaves(expected), jax.tree.leaves(actual), strict=True):
        np.testing.assert_allclose(np.asarray(got), want, rtol=1e-4)


@pytest.mark.parametrize(("function", "arguments"), EACH)
def test_jit(function, arguments):
    converted = jax.jit(autograph.to_graph(function))
    same(function(*arguments), converted(*map(jnp.asarray, arguments)))


@pytest.mark.parametrize(("function", "arguments"), EACH)
def test_vmap(function, arguments):
    twice = [jnp.stack([jnp.asarray(each)] * 2) for each in arguments]
    mapped_twice = jax.jit(jax.vmap(autograph.to_graph(function)))(*twice)
    same(function(*arguments), jax.tree.map(lambda each: each[1], mapped_twice))


def test_arrays_with_values_take_the_python_path():
    assert isinstance(autograph.to_graph(collatz)(jnp.asarray(6)), int)


def test_decorated():
    converted = jax.jit(autograph.convert()(many))
    assert [int(converted(x)) for x in range(5)] == [0, 10, 20, 30, 99]


def test_recursion_with_static_depth():
    converted = jax.jit(autograph.to_graph(recursive), static_argnums=1)
    assert int(converted(3, 9)) == recursive(3, 9)


@pytest.mark.parametrize("x", [1.2, 3.0, 0.5])
@pytest.mark.parametrize("transform", [jax.grad, jax.jacfwd, jax.jacrev])
def test_gradients_through_branches_and_bounded_loops(transform, x):
    converted = autograph.to_graph(bounded)
    step = 1e-3
    numeric = (bounded(x + step, 3) - bounded(x - step, 3)) / (2 * step)
    slope = jax.jit(transform(converted))(x, 3)
    np.testing.assert_allclose(slope, numeric, rtol=1e-2)


def test_gradient_through_rows():
    xs = jnp.array([0.5, 2.0, 3.0])
    slope = jax.jit(jax.grad(lambda v: autograph.to_graph(kept_shape)(v).sum()))(xs)
    np.testing.assert_allclose(slope, [-3.0, 3.0, 3.0])


def test_sixty_four_bits():
    with jax.enable_x64(True):
        result = jax.jit(autograph.to_graph(unknown_steps))(10)
        assert result.dtype == jnp.int64 and int(result) == 55


def test_items_are_assigned():
    converted = jax.jit(autograph.to_graph(items))
    assert converted(jnp.array([1, 2, 3]), -1, 7).tolist() == items([1, 2, 3], -1, 7)
    with pytest.raises(IndexError, match="index 5 is out of bounds for axis 0 with size 3"):
        jax.jit(autograph.to_graph(items), static_argnums=1)(jnp.array([1, 2, 3]), 5, 7)


CHECKS = [
    pytest.param(function, arguments, id=f"{function.__name__}-{number}")
    for function, inputs in CHECKED + STEPS
    for number, arguments in enumerate(inputs)
]


def does_as_python(program, function, arguments):
    """Compares a traced program, called without arguments, with plain Python."""
    value, failure = outcome(function, arguments)
    if failure is None:
        same(value, program())
        return
    error, line = failure
    # A check of what is known while tracing is Python's own.
    with pytest.raises((jax.errors.JaxRuntimeError, type(error))) as raised:
        jax.block_until_ready(program())
    text = str(raised.value)
    if isinstance(raised.value, jax.errors.JaxRuntimeError):
        assert text.endswith(shown(error))
        assert f'File "{function.__code__.co_filename}", line {line}, in ' in text


@pytest.mark.parametrize(("function", "arguments"), CHECKS)
def test_checks_raise_the_users_error_at_the_users_line(function, arguments):
    converted = jax.jit(autograph.to_graph(function))
    does_as_python(lambda: converted(*map(jnp.asarray, arguments)), function, arguments)


@pytest.mark.parametrize(("function", "arguments"), CHECKS)
def test_checks_hold_for_each_lane_of_vmap(function, arguments):
    """The other lane takes inputs that pass; `vmap` runs both branches for both lanes."""
    passing = next(inputs for each, inputs in CHECKED + STEPS if each is function)[0]
    pairs = zip(passing, arguments, strict=True)
    both = [jnp.stack([jnp.asarray(a), jnp.asarray(b)]) for a, b in pairs]
    mapped = jax.jit(jax.vmap(autograph.to_graph(function)))
    does_as_python(lambda: jax.tree.map(lambda each: each[1], mapped(*both)), function, arguments)


OF_FLOATS = [
    each
    for each in CHECKS
    if each.values[0]
    in (guards, nested_branches, in_for_with_break, check_before_raise, in_function)
]


@pytest.mark.parametrize(("function", "arguments"), OF_FLOATS)
@pytest.mark.parametrize("inside", ["forward", "linearized", "in a scan"])
def test_checks_hold_under_differentiation(function, arguments, inside):
    converted = autograph.to_graph(function)

    def program(*values):
        if inside == "in a scan":
            rows = [each[None] for each in values]
            return jax.lax.scan(lambda _, row: (None, converted(*row)), None, rows)[1][0]
        if inside == "forward":
            return jax.jvp(converted, values, values)[0]
        return jax.linearize(converted, *values)[0]

    values = tuple(map(jnp.asarray, arguments))
    does_as_python(lambda: jax.jit(program)(*values), function, arguments)


@pytest.mark.parametrize("x", [3.0, 0.5, -2.0])
def test_gradients_go_through_checks(x):
    converted = jax.jit(jax.grad(autograph.to_graph(reached)))
    if x == 0.5:
        with pytest.raises(jax.errors.JaxRuntimeError, match="AssertionError: small 3"):
            converted(x)
    else:
        assert converted(x) == 1.0


@pytest.mark.parametrize(("n", "fails"), [(3, False), (9, True)])
def test_gradients_go_through_loops_with_checks(n, fails):
    def limited(n, x):
        for _ in range(n):
            assert x < 50, "grew"
            x = x * 2
        return x

    gradient = jax.jit(jax.grad(autograph.to_graph(limited), argnums=1), static_argnums=0)
    if fails:
        with pytest.raises(jax.errors.JaxRuntimeError, match="AssertionError: grew"):
            gradient(n, 3.0)
    else:
        assert gradient(n, 3.0) == 8.0


def test_a_check_is_kept_where_nothing_depends_on_it():
    def constant(x):
        assert x > 0, "unused"
        return 1

    with pytest.raises(jax.errors.JaxRuntimeError, match="AssertionError: unused"):
        jax.jit(autograph.to_graph(constant))(-1.0)


def test_a_check_costs_no_callback_where_it_holds():
    converted = jax.jit(autograph.to_graph(in_loop))
    shown = str(jax.make_jaxpr(converted)(2, 3.0))
    assert "cond[" in shown.partition("debug_callback")[0]


class Rejected(Exception):
    def __init__(self, value, limit):
        super().__init__(f"above {limit}")
        self.value = value


def rejecting(x):
    if x > 3:
        raise Rejected(x * 2, 3)
    return x


def test_the_users_own_exception_is_raised_where_operations_run_one_by_one():
    def limited(x):
        assert x < 3, ("above", x * 2)
        return x

    converted = jax.vmap(autograph.to_graph(limited))
    with pytest.raises(AssertionError) as raised:
        converted(jnp.array([1.0, 5.0, 7.0]))
    assert raised.value.args == (("above", 10.0),)
    assert raised.traceback[-1].lineno == limited.__code__.co_firstlineno


def test_an_exception_of_the_users_class_is_named():
    with pytest.raises(jax.errors.JaxRuntimeError, match="Rejected: above 3"):
        jax.jit(autograph.to_graph(rejecting))(5.0)


def test_an_exception_takes_the_values_of_its_run():
    def failing(x):
        if x > 3:
            raise ValueError("above", x)
        return x

    converted = jax.jit(autograph.to_graph(failing))
    for x in (4.0, 5.0):
        with pytest.raises(jax.errors.JaxRuntimeError, match=f"'above', Array\\({x:.0f}"):
            converted(x)


@pytest.mark.parametrize(("function", "arguments"), CHECKS)
def test_checks_are_functional_errors_by_option(function, arguments):
    checked = jax.jit(adapter.checkify(autograph.to_graph(function)))
    error, result = checked(*map(jnp.asarray, arguments))
    value, failure = outcome(function, arguments)
    if failure is None:
        error.throw()
        same(value, result)
        return
    with pytest.raises(checkify.JaxRuntimeError) as raised:
        error.throw()
    assert f"{shown(failure[0])}\n  File " in str(raised.value)


def test_functional_errors_hold_where_vmap_runs_the_other_branch():
    checked = adapter.checkify(jax.vmap(autograph.to_graph(reached)))
    checked(jnp.array([2.0, -7.0]))[0].throw()
    with pytest.raises(checkify.JaxRuntimeError, match="small 3"):
        checked(jnp.array([0.5, -7.0]))[0].throw()


def talking(n, x):
    if x > 5:
        print("big", x, end="!\n")
    elif x > 1:
        print(f"middle {x:.2f}|{x:>6}")
    while n > 0:
        print("left", n)
        if x > n:
            print("constant")
        n = n - 1
    if x > 8:
        print("bad", x)
        raise ValueError(f"too much: {x:.1f}")
    if n == 0:
        print("%d %s" % (n, x))  # noqa: UP031
    if x == 7:
        raise RuntimeError(f"seven {x}")
    return x


TALKS = [(2, 6.0), (0, 2.0), (1, 0.0), (1, 9.0), (1, 7.0)]


@pytest.mark.parametrize("arguments", TALKS)
def test_prints_come_in_the_order_of_the_program(arguments, capsys):
    _, failure = outcome(talking, arguments)
    expected = capsys.readouterr().out
    converted = jax.jit(autograph.to_graph(talking))
    if failure is None:
        converted(*arguments)
    else:
        with pytest.raises(jax.errors.JaxRuntimeError) as raised:
            converted(*arguments)
        assert str(raised.value).endswith(shown(failure[0]))
    jax.effects_barrier()
    assert capsys.readouterr().out == expected


def test_prints_are_those_of_the_branches_that_each_lane_takes(capsys):
    lanes = TALKS[:3]
    for arguments in lanes:
        talking(*arguments)
    expected = sorted(capsys.readouterr().out.splitlines())
    numbers, values = map(jnp.asarray, zip(*lanes, strict=True))
    jax.jit(jax.vmap(autograph.to_graph(talking)))(numbers, values)
    jax.effects_barrier()
    assert sorted(capsys.readouterr().out.splitlines()) == expected


def of_dict(arguments):
    y = None
    if arguments["x"] > 0:
        y = arguments["x"]
    return y


def test_refusals_are_public_where_arguments_hold_the_arrays():
    with pytest.raises(TypeError, match="`y` is None"):
        jax.jit(autograph.to_graph(of_dict))({"x": 1.0})


OWN_REFUSED = [
    (typed, (1.0,), TypeError, "`y` is None after the `if` branch"),
    (several_truths, (np.ones(3),), ValueError, "not exactly one element"),
    (filtered, (np.ones(3),), TypeError, "filter over a traced array"),
    (lists_of_branches, (1.0,), TypeError, "`kinds` is a list of"),
    (changed_text, (3,), TypeError, "`mode` is the Python str 'slow' before the loop and"),
]


@pytest.mark.sample
@pytest.mark.parametrize(("function", "arguments", "public", "text"), REFUSED + OWN_REFUSED)
def test_what_cannot_be_staged_is_named(function, arguments, public, text):
    with pytest.raises(public, match=text) as raised:
        jax.jit(autograph.to_graph(function))(*map(jnp.asarray, arguments))
    assert f'File "{function.__code__.co_filename}", line ' in str(raised.value)
    assert f"in {function.__name__}\n" in str(raised.value)


def sliced(x):
    n = jnp.argmax(x)
    if n > 1:
        return x[:n].sum()  # refused
    return x.sum()


def hashed(x):
    seen = set()
    for value in x:
        if value in seen:
            return 1
        seen.add(value)  # refused
    return 0


def written_to_numpy(x):
    held = np.zeros(3)
    for i in range(3):
        if x[i] > 0:
            held[i] = x[i]  # refused
    return held


@pytest.mark.parametrize(
    ("function", "public"),
    [(sliced, IndexError), (hashed, TypeError), (written_to_numpy, ValueError)],
)
def test_what_jax_cannot_trace_is_an_error_of_the_trace_whichever_branch_runs(function, public):
    with pytest.raises(public) as raised:
        jax.make_jaxpr(autograph.to_graph(function))(-jnp.arange(3.0))
    lines, first = inspect.getsourcelines(function)
    line = next(number for number, each in enumerate(lines, first) if "# refused" in each)
    assert f'  File "{__file__}", line {line}, in {function.__name__}' in raised.value.__notes__


@jax.jit
@autograph.convert()
def compiled_factorial(n):
    return 1 if n <= 1 else n * compiled_factorial(n - 1)


def test_recursion_inside_of_a_compiled_function_is_named():
    with pytest.raises(RecursionError) as raised:
        compiled_factorial(5)
    assert any("Write it as a loop" in note for note in raised.value.__notes__)


def swallowing(x):
    try:
        return typed(x)
    except Exception:
        return x


@pytest.mark.parametrize("convert", [autograph.to_graph, autograph.convert(recursive=True)])
def test_refusals_become_public_behind_the_program_only(convert):
    converted = convert(swallowing)

    @jax.jit
    def around(x):
        try:
            return converted(x)
        except TypeError as error:
            assert "`y` is None" in str(error)
            return x * 2

    assert around(3.0) == 6
    with pytest.raises(TypeError, match="`y` is None"):
        jax.jit(converted)(1.0)
    with pytest.raises(TypeError, match="`y` is None"):
        jax.vmap(jax.grad(converted))(jnp.ones(3))


def test_the_program_cannot_swallow_a_refusal():
    with pytest.raises(TypeError, match="`y` is None"):
        jax.jit(autograph.to_graph(typed))(1.0)


REDUCED = [
    ("sum(x)", [100, 100, 1], "int8"),
    ("sum(x, 1.5)", [100, 100, 1], "int8"),
    ("sum(x, 1.5) * x.astype('float16')", [1, 2], "int32"),
    ("max(x)", [0.0, -0.0], "float32"),
    ("min(x)", [-0.0, 0.0], "float32"),
    ("min(x)", [0.0, -0.0], "float32"),
    ("max(x)", [False, True], "bool"),
    ("min(x)", [2.0, np.nan, 1.0], "float16"),
    ("sorted(x, reverse=True)", [0.0, -0.0, 2.0], "float32"),
]


@pytest.mark.parametrize(("text", "values", "dtype"), REDUCED)
def test_reductions_of_python_keep_dtype_and_order(text, values, dtype):
    function = autograph.exec(f"def f(x):\n    return {text}\n")["f"]
    x = jnp.asarray(values, dtype)
    results = function(x), jax.jit(autograph.to_graph(function))(x)
    expected, result = jax.tree.map(np.asarray, results)
    # The text of an array of NumPy's shows its dtype and the sign of a zero.
    assert repr(result) == repr(expected)


def test_the_gradient_of_a_maximum_goes_to_the_first_of_equal_elements():
    function = autograph.exec("def f(x):\n    return max(x)\n")["f"]
    gradient = jax.jit(jax.grad(autograph.to_graph(function)))(jnp.array([1.0, 2.0, 2.0]))
    np.testing.assert_array_equal(gradient, [0.0, 1.0, 0.0])
