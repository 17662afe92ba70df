"""What a compiled function reaches is read anew at each call."""

import array
import collections
import contextvars
import functools
import importlib
import itertools
import math
import threading
import types
import weakref
from typing import NamedTuple

import pytest

import autograph
from tests.autograph.adapters.torch.nets import Net, X, compiled

torch = pytest.importorskip("torch")
ConstantVariable = torch._dynamo.variables.ConstantVariable
functional_call, jacrev = torch.func.functional_call, torch.func.jacrev

pytestmark = pytest.mark.sample

SCALE = 2.0


@autograph.convert()
def doubled(x):
    while x.sum() < 10:
        x = x * SCALE
    return x


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


def test_global_that_hides_a_built_in_name_is_read_anew(monkeypatch):
    made = compiled(smallest)
    assert float(made(torch.tensor(3.0))) == 12
    monkeypatch.setitem(globals(), "abs", lambda number: 3)
    assert float(made(torch.tensor(3.0))) == 27


def test_other_globals_are_not_looked_at(monkeypatch):
    # PyTorch's own come and go meanwhile: a loop over all of them may fail.
    keys, is_literal = [], ConstantVariable.is_literal
    noted = staticmethod(lambda key, *args: keys.append(key) or is_literal(key, *args))
    monkeypatch.setattr(ConstantVariable, "is_literal", noted)
    assert float(compiled(smallest)(torch.tensor(3.0))) == 12
    assert "smallest" not in [key for key in keys if type(key) is str]


def test_another_global_leads_to_no_new_trace(monkeypatch):
    traced = []
    backend = lambda graph, inputs: traced.append(graph) or graph.forward  # noqa: E731
    torch.compiler.reset()
    made = torch.compile(smallest, backend=backend, fullgraph=True)
    made(torch.tensor(3.0))
    monkeypatch.setitem(globals(), "ANOTHER", 1)
    made(torch.tensor(4.0))
    assert len(traced) == 1


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


def test_modules_and_hooks_added_to_a_module_are_seen():
    module = autograph.convert(Net()).eval()
    made = compiled(module)
    before = made(X)
    torch.testing.assert_close(made(X), before)
    module.body.append(torch.nn.Softplus())
    torch.testing.assert_close(made(X), module(X))
    module.body[0].register_forward_hook(lambda _, __, out: out + 1)
    torch.testing.assert_close(made(X), module(X))
    module.register_forward_pre_hook(lambda _, given: (given[0] * 2,))
    torch.testing.assert_close(made(X), module(X))


FACTOR = 1.0


@autograph.convert()
def scaled(x):
    if x.sum() > 0:
        return x * FACTOR
    return x


def test_global_number_assigned_between_calls_is_read_anew(monkeypatch):
    torch.compiler.reset()
    compiled = torch.compile(scaled, fullgraph=True, backend="eager")
    for factor in (1.0, 3.0):
        monkeypatch.setitem(globals(), "FACTOR", factor)
        assert torch.equal(compiled(torch.ones(3)), torch.full((3,), factor))


class Limits(NamedTuple):
    low: torch.Tensor
    high: torch.Tensor


LIMITS = Limits(torch.tensor(1.0), torch.tensor(20.0))


@autograph.convert()
def until_high(x):
    while x < LIMITS.high:
        x = x * 2 + LIMITS.low
    return x


def test_tensors_of_a_global_named_tuple_are_read_anew(monkeypatch):
    made = compiled(until_high)
    assert float(made(torch.tensor(3.0))) == 31
    monkeypatch.setitem(globals(), "LIMITS", LIMITS._replace(high=torch.tensor(6.0)))
    assert float(made(torch.tensor(3.0))) == 7


@functools.lru_cache
def ones(count):
    return torch.ones(count)


@functools.lru_cache
def twos(count):
    return 2 * torch.ones(count)


@autograph.convert()
def plus_cached(x):
    while x.sum() < 5:
        x = x + ones(2)
    return x


def test_cached_function_is_read_anew_and_keeps_no_tensor_of_the_trace(monkeypatch):
    made = compiled(plus_cached)
    assert made(torch.zeros(2)).tolist() == [3, 3]
    assert ones(2).tolist() == [1, 1]
    monkeypatch.setitem(globals(), "ones", twos)
    assert made(torch.zeros(2)).tolist() == [4, 4]


class Gain(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = 1.0

    def forward(self, x):
        before = {name: getattr(self, name) for name in ("gain",)}
        self.gain = 3.0
        if x.sum() > 0:
            x = x * self.gain
        for name, value in before.items():
            setattr(self, name, value)
        return x


def test_attributes_by_computed_names_are_read_of_objects_of_the_program_only():
    assert compiled(autograph.convert(Gain()))(torch.ones(2)).tolist() == [3, 3]


def by(factor):
    return torch.compile(lambda x: x * factor, backend="eager")


step = by(0.5)
norm = torch.compiler.disable(lambda x: x)


@autograph.convert()
def stepped(x):
    while x.norm() > 1:
        x = step(x)
    return x


def test_compiled_global_functions_are_called_and_read_anew(monkeypatch):
    made = compiled(stepped)
    assert made(torch.tensor([4.0])).tolist() == [1]
    monkeypatch.setitem(globals(), "step", by(0.1))
    torch.testing.assert_close(made(torch.tensor([5.0])), torch.tensor([0.5]))


SAME = torch.nn.Identity()


def test_transformations_are_imported_by_their_names():
    @autograph.convert()
    def program(x):
        slopes = jacrev(lambda v: v * v)(x).sum(0)
        return slopes if slopes.sum() > 0 else functional_call(SAME, {}, (x,))

    assert compiled(program)(torch.tensor([1.0, 2.0])).tolist() == [2, 4]


def test_function_that_conversion_adopted_compiles_as_written():
    def tripled(x):
        return 3 * x

    assert autograph.convert()(torch.func.grad(tripled))(torch.tensor(1.0)) == 3
    assert compiled(tripled)(torch.tensor(2.0)) == 6
    assert compiled(torch.func.grad(tripled))(torch.tensor(2.0)) == 3


NUMBERS = itertools.count()

PACKAGE = """
import array
import collections
import contextvars
import functools
import importlib
import itertools
import math
import threading
import types
import weakref
import logging

log = logging.getLogger(__name__)
RATE = PRICE = SCALE = ORDER = LATER = 1.0
FLAG = False


class Layer:
    bonus = 1.0

    def visit(self, kind, x):
        return getattr(self, f"visit_{kind}")(x)

    def visit_rate(self, x):
        return x + RATE if log.isEnabledFor(30) else x

    def visit_computed(self, x):
        return x + getattr(self, "ex" + "tra", 0.0)

    def visit_caught(self, x):
        try:
            return x + self.extra
        except AttributeError:
            return x

    def visit_global(self, x):
        try:
            return x + EXTRA
        except NameError:
            return x

    def visit_bonus(self, x):
        return x + self.bonus

    def visit_cached(self, x):
        return x + cached(1)

    def visit_key(self, x):
        return x + sorted([3, 1, 2], key=order)[0]

    def visit_later(self, x):
        return later(x) if FLAG else x

    @property
    def price(self):
        return PRICE

    def visit_price(self, x):
        return x + self.price

    def unused(self):
        return {name: getattr(self, name) for name in vars(self)}, UNUSED


def order(number):
    return number * ORDER


def later(x):
    return x - LATER


@functools.lru_cache
def cached(number):
    return number + RATE
"""


@pytest.fixture
def package(tmp_path, monkeypatch):
    folder = tmp_path / "site-packages"
    folder.mkdir()
    # TorchDynamo keeps each module under its name.
    name = f"package_of_layers_{next(NUMBERS)}"
    (folder / f"{name}.py").write_text(PACKAGE)
    monkeypatch.syspath_prepend(folder)
    return importlib.import_module(name)


def changed_cache(package, layer):
    package.RATE = 5.0
    package.cached.cache_clear()


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("rate", lambda package, layer: setattr(package, "RATE", 3.0)),
        ("rate", lambda package, layer: package.log.setLevel(50)),
        ("computed", lambda package, layer: setattr(layer, "extra", 7.0)),
        ("caught", lambda package, layer: setattr(layer, "extra", 7.0)),
        ("global", lambda package, layer: setattr(package, "EXTRA", 7.0)),
        ("bonus", lambda package, layer: setattr(package.Layer, "bonus", 7.0)),
        ("bonus", lambda package, layer: setattr(layer, "bonus", 7.0)),
        ("cached", changed_cache),
        ("key", lambda package, layer: setattr(package, "ORDER", -1)),
        ("later", lambda package, layer: setattr(package, "FLAG", True)),
        ("later", lambda package, layer: setattr(package, "later", abs)),
        ("price", lambda package, layer: setattr(package, "PRICE", 7.0)),
        ("price", lambda package, layer: setattr(package.Layer, "price", 4.0)),
        ("rate", lambda package, layer: setattr(package.Layer, "visit_rate", times)),
        ("rate", lambda package, layer: setattr(layer, "visit_rate", abs)),
    ],
)
def test_what_functions_of_a_package_read_is_read_anew(package, kind, change):
    torch.compiler.reset()
    layer = package.Layer()

    def f(x):
        if x.sum() > 0:
            x = layer.visit(kind, x)
        return x

    made = compiled(autograph.convert()(f))
    x = torch.ones(2)
    assert torch.equal(made(x), f(x))
    change(package, layer)
    assert torch.equal(made(x), f(x))
    package.log.setLevel(0)


def times(layer, x):
    return x * 10


ONE = TWO = 1.0

by_one = functools.cache(lambda number: number * ONE)
by_two = functools.cache(lambda number: number * TWO)


@pytest.mark.parametrize("name", ["ONE", "TWO"])
def test_what_decided_results_in_caches_is_read_anew(name, monkeypatch):
    def f(x):
        return x * by_one(2) * by_two(3) if x.sum() > 0 else x

    x = torch.ones(2)
    for value in (1.0, 4.0):
        monkeypatch.setitem(globals(), name, value)
        by_one.cache_clear()
        by_two.cache_clear()
        expected = f(x)
        if value == 1.0:
            made = compiled(autograph.convert()(f))
        assert torch.equal(made(x), expected)


class Box:
    __slots__ = ("__weakref__", "value")

    def __init__(self, value):
        self.value = value

    def get(self):
        return self.value


class Row(list):
    pass


def settings():
    """A class whose members are values of all kinds."""

    class Settings:
        rows = [1.0, [2.0]]
        named = {"a": 1.0, (0, 1): 2.0}
        box = Box(1.0)
        seen = {1}
        frozen = frozenset({1})
        pair = (1.0, [1.0])
        queue = collections.deque([1.0])
        ordered = collections.OrderedDict(a=1.0)
        counts = collections.Counter(a=1)
        row = Row([1.0])
        held = {box: 1.0}
        read_only = types.MappingProxyType(named)
        method = box.get
        weak = weakref.ref(box)
        power = math.sqrt

        @classmethod
        def of_class(cls):
            return 1.0

        @staticmethod
        def static():
            return 1.0

    return Settings


READS = [
    (lambda s: s.rows[0], lambda s: s.rows.__setitem__(0, 3.0)),
    (lambda s: s.rows[0], lambda s: setattr(s, "rows", [3.0])),
    (lambda s: s.rows[1][0], lambda s: s.rows[1].__setitem__(0, 3.0)),
    (lambda s: s.named["a"], lambda s: s.named.__setitem__("a", 3.0)),
    (lambda s: s.named[0, 1], lambda s: s.named.__setitem__((0, 1), 3.0)),
    (lambda s: s.box.value, lambda s: setattr(s.box, "value", 3.0)),
    (lambda s: s.box.value, lambda s: setattr(s, "box", Box(3.0))),
    (lambda s: 2 in s.seen, lambda s: s.seen.add(2)),
    (lambda s: 2 in s.frozen, lambda s: setattr(s, "frozen", frozenset({2}))),
    (lambda s: s.pair[1][0], lambda s: s.pair[1].__setitem__(0, 3.0)),
    (lambda s: s.queue[0], lambda s: s.queue.appendleft(3.0)),
    (lambda s: s.ordered["a"], lambda s: s.ordered.__setitem__("a", 3.0)),
    (lambda s: s.counts["a"], lambda s: s.counts.update(a=3)),
    (lambda s: s.row[0], lambda s: s.row.__setitem__(0, 3.0)),
    (lambda s: s.held[s.box], lambda s: s.held.__setitem__(s.box, 3.0)),
    (lambda s: s.read_only["a"], lambda s: s.named.__setitem__("a", 3.0)),
    (lambda s: s.method(), lambda s: setattr(s.box, "value", 3.0)),
    (lambda s: s.weak().value, lambda s: setattr(s.box, "value", 3.0)),
    (lambda s: s.power(4.0), lambda s: setattr(s, "power", math.exp)),
    (lambda s: s.of_class(), lambda s: setattr(s, "of_class", classmethod(lambda cls: 3.0))),
    (lambda s: s.static(), lambda s: setattr(s, "static", staticmethod(lambda: 3.0))),
]


@pytest.mark.parametrize(("read", "change"), READS)
def test_members_of_a_class_and_what_they_hold_are_read_anew(read, change):
    torch.compiler.reset()
    held = settings()

    def f(x):
        factor = float(read(held))
        return x * factor if x.sum() > 0 else x

    made = compiled(autograph.convert()(f))
    x = torch.ones(2)
    assert torch.equal(made(x), f(x))
    change(held)
    assert torch.equal(made(x), f(x))


def test_buffers_of_bytes_and_numbers_are_refused():
    numbers = array.array("d", [2.0])

    def f(x):
        return x * numbers[0] if x.sum() > 0 else x

    with pytest.raises(TypeError, match=r"reads `numbers`, a buffer \(array\)"):
        compiled(autograph.convert()(f))(torch.ones(2))


def bound():
    return SCALE


@autograph.convert()
def with_a_thread(x):
    found = []
    thread = threading.Thread(target=lambda: found.append(bound()))
    thread.start()
    thread.join()
    return x * found[0] if x.sum() > 0 else x


def test_what_another_thread_of_the_program_reads_is_read_anew(monkeypatch):
    made = compiled(with_a_thread)
    assert made(torch.ones(2)).tolist() == [2, 2]
    monkeypatch.setitem(globals(), "SCALE", 3.0)
    assert made(torch.ones(2)).tolist() == [3, 3]


context_scale = contextvars.ContextVar("context_scale", default=2.0)
context_unset = contextvars.ContextVar("context_unset", default=None)


@autograph.convert()
def in_context(x):
    scale = context_scale.get()
    return x * scale if x.sum() > 0 else x


@autograph.convert()
def by_context(x):
    return x if context_unset.get() is None and x.sum() > 0 else -x


@pytest.mark.filterwarnings("ignore::autograph.FrozenValueWarning")
def test_context_variable_is_read_anew_or_refused():
    def calls():
        made = compiled(in_context)
        first = made(torch.ones(2)).tolist()
        context_scale.set(3.0)
        return first, made(torch.ones(2)).tolist()

    if torch.__version__ >= (2, 14):
        assert contextvars.copy_context().run(calls) == ([2, 2], [3, 3])
    else:
        with pytest.raises(TypeError, match="reads `context_scale`, a context variable"):
            contextvars.copy_context().run(calls)
    assert compiled(by_context)(torch.ones(2)).tolist() == [1, 1]
