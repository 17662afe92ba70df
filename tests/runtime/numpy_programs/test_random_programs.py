"""Random NumPy programs: the graph gives the same answer, or an error."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import autograph
from tests.runtime.numpy_programs.comparison import difference

UNARY = (
    "np.sin({})", "np.exp({})", "np.abs({})", "np.sqrt({})", "np.square({})", "-{}", "~{}",
    "np.sign({})", "np.floor({})", "np.ceil({})", "np.rint({})", "np.trunc({})", "np.isnan({})",
    "np.isfinite({})", "np.log1p({})", "np.expm1({})", "np.tanh({})", "np.arctan({})",
    "np.logical_not({})", "np.log({})", "np.degrees({})", "{}.T", "{}[::-1]", "{}[1:]", "{}[0]",
    "{}[-1]", "{}[:, None]", "{}[None]", "{}.copy()", "{}.ravel()", "np.sum({})",
    "np.sum({}, axis=0)", "{}.sum(axis=-1, keepdims=True)", "np.prod({}, axis=0)", "np.mean({})",
    "np.mean({}, axis=0)", "np.std({})", "np.var({}, axis=0)", "np.max({})", "np.min({}, axis=-1)",
    "np.argmax({})", "np.argmin({}, axis=0)", "np.any({})", "np.all({}, axis=0)", "np.cumsum({})",
    "np.cumprod({}, axis=0)", "np.sort({})", "np.argsort({}, kind='stable')", "np.flip({})",
    "np.roll({}, 1)", "np.diff({})", "np.round({}, 1)", "np.round({})", "{}.astype(np.float32)",
    "{}.astype(np.int64)", "{}.astype(np.int8)", "{}.astype(bool)", "np.zeros_like({})",
    "np.count_nonzero({})", "np.clip({}, 0, 2)", "np.repeat({}, 2)", "np.tile({}, 2)",
    "np.linalg.norm({})", "{} + 1", "{} * 2.5", "{} / 2", "{} // 2", "{} % 3", "{} ** 2", "2 - {}",
    "1 / {}", "{} > 1", "{} == 1", "{} << 1", "{} >> 1", "{} & 3", "np.float32(2) * {}",
    "np.int8(3) + {}", "True + {}", "{} + 300", "np.full_like({}, 2)", "np.expand_dims({}, 0)",
    "np.nonzero({})", "np.ptp({})", "np.triu(np.atleast_2d({}))", "np.diag({})", "len({})",
    "{}.shape", "np.take({}, 0)", "np.swapaxes({}, 0, -1)", "np.array([1, 2]) + {}[:2]",
    "np.isclose({}, 1)", "{}.reshape(-1)", "abs({})", "np.append({}, 1)", "np.average({})",
    "np.power({}, 3)", "{}[[0, 1]]", "{}[{} > 0]",
)  # fmt: skip
BINARY = (
    "{} + {}", "{} - {}", "{} * {}", "{} / {}", "{} // {}", "{} % {}", "{} ** {}", "{} < {}",
    "{} == {}", "np.maximum({}, {})", "np.minimum({}, {})", "np.arctan2({}, {})", "{} & {}",
    "{} ^ {}", "{} @ {}", "np.where({} > {}, 1, 2)", "np.logical_and({}, {})", "{} >> {}",
    "np.dot({}, {})", "np.outer({}, {})", "np.concatenate([{}, {}])", "np.stack([{}, {}])",
    "np.inner({}, {})",
)  # fmt: skip
STATEMENTS = (
    "x[0] = {}", "x[1:] = {}", "x[x > 1] = 0", "x += {}", "x *= 2", "y = x; y[0] = 1",
    "r = x[0]; r += 1", "x[::2] = x[::-2]", "x[[0, 1]] = {}", "x[-1] = x[0]", "x.sort()",
    "x[...] = {}", "x[0], x[1] = x[1], x[0]", "x //= 2", "x -= y", "y[1:] += x[:-1]",
    "x[0] += 1.5", "s = s + x[0]", "s = x.sum()", "x = x + 1", "v[...] = {}", "v += 1", "v[0] = {}",
    "v.fill(3)", "v[1:] *= 2", "u = v[::-1]; u[0] = 5", "t[n % 3] += 1", "t[int(x.size) % 3] = n",
    "t.append(n)", "t[n % 3] = t[(n + 1) % 3] + n", "d['a'] += 1", "d['b'] = d['a'] + n",
    "t[0], t[1] = t[1], t[0]", "x[n]", "r = y[n]", "t[n]", "r = x[n:][0]", "x.reshape(n + 1, 2)",
)  # fmt: skip
VIEWS = ("x[0]", "x[1:]", "x[::-1]", "y[-1]", "x.T", "x[:, 0]", "x[...]", "x.copy()", "x[1:][:1]")
VALUES = ("s", "1", "x[0]", "2.7", "y[0]", "y", "v")
DTYPES = ("f8", "f8", "f4", "i8", "i4", "i1", "u1", "?", "u4", "c16", "f2", "u8")
SHAPES = ((4,), (3,), (2, 3), (3, 3), (2,))

expressions = st.recursive(
    st.sampled_from(("x", "x", "y", "s")),
    lambda inner: st.one_of(
        st.builds(lambda form, e: f"({form.format(e, e)})", st.sampled_from(UNARY), inner),
        st.builds(
            lambda form, a, b: f"({form.format(a, b)})", st.sampled_from(BINARY), inner, inner
        ),
    ),
    max_leaves=4,
)


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Return the text of a program of `x`, `y` and `s`, with a view, a list and a dict."""
    forms = draw(st.lists(st.sampled_from(STATEMENTS), max_size=3))
    body = [form.format(draw(st.sampled_from(VALUES))) for form in forms]
    head = draw(st.sampled_from(("", "", "for i in range(6):", "if s > 0:", "while n < 6:")))
    if head:
        body = [head, *(f"    {line}" for line in (*body, "n += 1"))]
    view = draw(st.sampled_from(VIEWS))
    body = [f"n, v, t, d = 0, {view}, [1, 2, 3], {{'a': 0, 'b': 1}}", *body]
    lines = [f"    {line}" for line in (*body, f"return {draw(expressions)}, x, s, t, d")]
    return "\n".join(("import numpy as np", "def program(x, y, s):", *lines, ""))


ROWS = (
    "{r} = {m}[{i}]", "{r} = {m}[{i}]", "{r} = {m}[{i}]", "{r} = {m}[{i}] * 2", "{r} = {q}",
    "{r} = {q}.copy()", "{r} = {m}[{i}] if s > {k} else x[1]", "{r}[1] = {k}", "{m}[{i}, 0] = {k}",
    "{m}[{i}] = {r}", "{r} += 1", "{m} += 1", "{m} = {m} * 2", "s += {r}[1:].sum()",
    "s += {r}.sum()", "s += {m}[{i}].sum()", "s -= 3", "if s > {k}: {r} = {m}[{i}]",
    "t.append({r})", "t.append({m}[{i}])", "t.append({r} * 2)", "s += sum(e.sum() for e in t)",
    "if len(t) > 1: {r} = t[-1]",
)  # fmt: skip
HEADS = ("if s > {k}:", "for row in {m}:", "while s < {k} and n < 3:")
RESULTS = ("x * 1, y * 1, v * 1, w * 1", "x", "v", "v.copy(), w.copy()", "t", "np.array(t)")


@st.composite
def programs_of_rows(draw: st.DrawFn, depth: int = 0) -> list[str]:
    """Return lines of a program that chooses between rows of `x` and `y`, and changes arrays."""
    lines = []
    for _ in range(draw(st.integers(1, 3))):
        is_block = depth < 2 and draw(st.integers(0, 3)) == 0
        r, q, m = (draw(st.sampled_from(each)) for each in ("vw", "vw", "xy"))
        i, k = draw(st.integers(0, 2)), draw(st.integers(-9, 30))
        form = draw(st.sampled_from(HEADS if is_block else ROWS))
        lines.append(form.format(r=r, q=q, m=m, i=i, k=k))
        if is_block:
            inner = [*draw(programs_of_rows(depth + 1)), "n += 1"]
            lines += [f"    {line}" for line in inner]
    return lines


@st.composite
def arguments(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    """Return two arrays of one shape, and a scalar."""
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    shape = draw(st.sampled_from(SHAPES))
    one, other = (_array(draw, rng, shape) for _ in range(2))
    scalar = draw(st.one_of(st.sampled_from((2, -1, 0.5)), st.just(_array(draw, rng, ())[()])))
    return one, other, scalar


def _array(draw: st.DrawFn, rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    numbers = rng.normal(size=shape) * 2 if dtype.kind in "fc" else rng.integers(-3, 6, shape)
    if dtype.kind == "f" and numbers.size and draw(st.booleans()):
        numbers.flat[0] = draw(st.sampled_from((np.nan, np.inf, -0.0)))
    with np.errstate(all="ignore"):
        return numbers.astype(dtype)


def check(text: str, values: tuple[Any, Any, Any], jit_compile: bool | None = None) -> None:
    space = autograph.exec(text, {})
    found = difference(space["program"], *values, jit_compile=jit_compile)
    assert found == "" or found.startswith("refused: "), f"{text}{found}"


@given(programs(), arguments())
def test_a_random_program_agrees_or_is_refused(text: str, values: tuple[Any, Any, Any]) -> None:
    check(text, values)


@given(programs_of_rows(), st.sampled_from(RESULTS), st.sampled_from((3.0, -20.0)))
def test_rows_that_statements_choose_agree_or_are_refused(
    lines: list[str], result: str, number: float
) -> None:
    body = ["n, v, w, t = 0, x[0], y[1] * 1, []", *lines, f"return s, {result}"]
    text = "\n".join(
        ("import numpy as np", "def program(x, y, s):", *(f"    {line}" for line in body), "")
    )
    rows = np.arange(9.0).reshape(3, 3) - 4
    check(text, (rows, 1 - rows, np.float64(number)))


@given(programs(), arguments())
def test_a_random_program_agrees_in_machine_code(text: str, values: tuple[Any, Any, Any]) -> None:
    pytest.importorskip("llvmlite")
    check(text, values, jit_compile=True)
