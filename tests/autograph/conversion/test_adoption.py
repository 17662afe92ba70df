"""Classes that a trace meets: what Python calls in them is converted there, and only there."""

from __future__ import annotations

import copy
import functools
import gc
import importlib
import importlib.util
import inspect
import pickle
import sys
import textwrap
import traceback
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import pytest

import autograph
from autograph import staging
from autograph.conversion.adoption import Adoption
from autograph.conversion.guard import Entrance, as_written
from autograph.conversion.guard import is_adopted as has_entrance
from autograph.conversion.libraries import is_converted
from autograph.syntax import grammar

PROGRAM = '''
import contextlib
import functools


class Thing:
    """Has one of everything."""

    def __init__(self, x, *rest, key=1, **more):
        """Doc."""
        if x > 0:
            self.x = x
        else:
            self.x = -x

    @property
    def plain(self):
        return self.x

    @property
    def big(self):
        # A comment.

        if self.x > 10:
            return True
        return False

    @functools.cached_property
    def twice(self): return self.x * 2 if self.x > 3 else 0

    __neg__ = lambda self: -self.x if self.x > 0 else self.x

    def __add__(self, other):
        for each in (self, other):
            if each.x > 3:
                return each
        return self

    def __sub__(self, other):
        return [
            self.x - other.x if self.x > other.x
            else other.x - self.x
        ]

    def __mul__(self, other):
        while True:
            try:
                if other > 2:
                    return self.x * other
            finally:
                other += 1

    def __getitem__(self, index):
        global LAST
        if index > 3:
            raise IndexError(index)
        LAST = index
        def inner():
            return index + self.x
        return inner()

    def __lt__(self, __private):
        with contextlib.suppress(ValueError):
            return self.x < __private.x if __private else False

    def __iter__(self):
        if self.x > 1:
            yield self.x

    def __contains__(self, item):
        assert item > 0, "no"
        return item == self.x

    def __invert__(self):
        "Doc only."

    def __eq__(self, other):
        import operator
        return other and operator.eq(self.x, other.x)

    def __hash__(self):
        @functools.lru_cache
        def own():
            return 1 if self.x > 1 else 2
        return own()

    def __call__(self):
        pass

    @classmethod
    def __class_getitem__(cls, item):
        return cls if item else None

    def method(self):
        return 1 if self.x else 2


class Sub(Thing):
    def __init__(self, x):
        super().__init__(x)
        if x > 5:
            self.x = 5


def use():
    thing, other = Thing(3), Sub(-7)
    yield from (thing.big, other.big, thing.plain, thing.twice, -other, (thing + other).x)
    yield from (thing - other, thing * 1, thing[2], thing < other, list(other), 3 in thing)
    yield from (thing == other, hash(thing), thing(), ~thing, Thing[1] is Thing, thing.method())
    try:
        thing[9]
    except IndexError as error:
        yield str(error)
'''


def is_adopted(function: Any) -> bool:
    return has_entrance(function)


def load(folder: Path, text: str = PROGRAM, name: str = "user_classes") -> ModuleType:
    path = folder / f"{name}.py"
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def module(tmp_path: Path) -> ModuleType:
    return load(tmp_path)


def adopt(*values: Any) -> None:
    with staging.tracing():
        autograph.adopt(*values)


def functions_of(kind: type) -> dict[str, FunctionType]:
    found: dict[str, FunctionType] = {}
    for name, value in vars(kind).items():
        if isinstance(value, property):
            value = value.fget
        elif isinstance(value, functools.cached_property):
            value = value.func
        if isinstance(value, FunctionType):
            found[name] = value
    return found


def events(module: ModuleType) -> list[tuple[str, str, int]]:
    """What tracers and profilers are told while the program runs."""
    seen: list[tuple[str, str, int]] = []

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != module.__file__:
            return None
        seen.append((event, frame.f_code.co_qualname, frame.f_lineno))
        return trace

    sys.settrace(trace)
    try:
        list(module.use())
    finally:
        sys.settrace(None)
    return seen


def test_only_what_python_calls_is_adopted(module: ModuleType) -> None:
    adopt(module.Sub)
    adopted = {name for name, each in functions_of(module.Thing).items() if is_adopted(each)}
    assert adopted == {
        "__init__", "big", "twice", "__neg__", "__add__", "__sub__", "__mul__", "__getitem__",
        "__lt__", "__contains__", "__eq__", "__hash__",
    }  # fmt: skip
    assert is_adopted(module.Sub.__init__)


def test_outside_traces_nothing_changes(module: ModuleType) -> None:
    functions = functions_of(module.Thing)
    shown = {name: (id(f), inspect.signature(f), f.__doc__) for name, f in functions.items()}
    sources = {name: inspect.getsource(f) for name, f in functions.items()}
    variables = {name: _variables(f.__code__) for name, f in functions.items()}
    results, before = list(module.use()), events(module)
    adopt(module.Sub)
    assert functions_of(module.Thing) == functions
    assert {n: (id(f), inspect.signature(f), f.__doc__) for n, f in functions.items()} == shown
    assert {name: inspect.getsource(f) for name, f in functions.items()} == sources
    assert {name: _variables(f.__code__) for name, f in functions.items()} == variables
    assert list(module.use()) == results
    assert events(module) == before


def _variables(code: CodeType) -> tuple[Any, ...]:
    return (
        code.co_varnames, code.co_cellvars, code.co_freevars, code.co_flags, code.co_name,
        code.co_qualname, code.co_filename, code.co_firstlineno, code.co_argcount,
    )  # fmt: skip


def test_converted_code_gives_the_same_in_a_trace(module: ModuleType) -> None:
    expected = list(module.use())
    adopt(module.Sub)
    with staging.tracing():
        assert list(module.use()) == expected


def test_body_runs_converted_only_while_something_is_traced(tmp_path: Path) -> None:
    module = load(
        tmp_path,
        """
        import sys

        class A:
            @property
            def code(self):
                return sys._getframe().f_code if self else None
        """,
    )
    adopt(module.A)
    assert not is_code_converted(module.A().code)
    with staging.tracing():
        assert is_code_converted(module.A().code)
    assert not is_code_converted(module.A().code)


def is_code_converted(code: CodeType) -> bool:
    return is_converted(FunctionType(code, {}))


def test_tracebacks_outside_traces(module: ModuleType) -> None:
    def shown() -> list[Any]:
        with pytest.raises(IndexError) as caught:
            module.Thing(1)[9]
        frames = traceback.extract_tb(caught.value.__traceback__)[1:]
        return [(each.name, each.lineno, each.line, each.colno) for each in frames]

    before = shown()
    adopt(module.Thing)
    assert shown() == before


def test_code_can_be_hashed_and_copied(module: ModuleType) -> None:
    adopt(module.Thing)
    code = module.Thing.__add__.__code__
    assert hash(code) == hash(module.Thing.__add__.__code__)
    assert code == code.replace()
    assert copy.deepcopy(module.Thing.__add__) is module.Thing.__add__
    assert pickle.loads(pickle.dumps(staging.ongoing)) is staging.ongoing
    entrance = next(each for each in code.co_consts if type(each) is Entrance)
    assert entrance.__reduce__() == (Entrance, (entrance.written,))


def test_objects_are_pickled_as_before(module: ModuleType, monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, module.__name__, module)
    thing = module.Thing(4)
    before = pickle.dumps((thing, module.Thing.__add__))
    adopt(thing)
    assert pickle.dumps((thing, module.Thing.__add__)) == before
    assert pickle.loads(before)[1] is module.Thing.__add__


def test_functions_left_alone(tmp_path: Path) -> None:
    module = load(
        tmp_path,
        """
        import autograph
        import dataclasses

        class A:
            @autograph.do_not_convert
            def __add__(self, other):
                return 1 if other else 2

            @autograph.convert()
            def __sub__(self, other):
                return 1 if other else 2

            def __iter__(self):
                yield 1 if self else 2

            async def __aenter__(self):
                return 1 if self else 2

            def __neg__(self):
                return self.x

            exec("def __pos__(self):\\n    return 1 if self else 2\\n")

            def __del__(self):
                if self: pass

        @dataclasses.dataclass(eq=False)
        class Data:
            x: int
        """,
    )
    functions = [*functions_of(module.A).values(), *functions_of(module.Data).values()]
    codes = [each.__code__ for each in functions]
    adopt(module.A, module.Data)
    assert [each.__code__ for each in functions] == codes


def test_what_stays_python_is_logged(
    module: ModuleType, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    (tmp_path / "user_classes.py").write_text("edited = 1\n" * 200)
    autograph.set_verbosity(1)
    try:
        adopt(module.Sub)
    finally:
        autograph.set_verbosity(0)
    assert "Thing.__add__" in caplog.text
    assert "edited after it was imported" in caplog.text
    assert not is_adopted(module.Thing.__add__)


def test_do_not_convert_and_convert_of_an_adopted_function(module: ModuleType) -> None:
    adopt(module.Thing)
    thing = module.Thing(5)
    left = autograph.do_not_convert(module.Thing.__add__)
    assert left.__code__ is as_written(module.Thing.__add__).__code__
    assert autograph.convert()(module.Thing.__add__)(thing, thing) is thing
    assert "ag__.if_stmt" in autograph.to_code(module.Thing)
    assert autograph.to_graph(module.Thing.__add__)(thing, thing) is thing
    assert autograph.to_graph(module.Sub)(7).x == 5


def test_adopted_classes_are_freed() -> None:
    class Gone:
        def __init__(self) -> None:
            super().__init__()
            self.x = 1 if len(self.__dict__) < 9 else 2

    adopt(Gone)
    assert is_adopted(Gone.__init__)
    with staging.tracing():
        assert Gone().x == 1
    gone = weakref.ref(Gone)
    del Gone
    gc.collect()
    assert gone() is None


def test_recursion_enters_the_converted_function_only(tmp_path: Path) -> None:
    module = load(
        tmp_path,
        """
        class Node:
            def __init__(self, depth):
                self.below = Node(depth - 1) if depth > 0 else None

            def __len__(self):
                if self.below is None:
                    return 1
                return 1 + len(self.below)
        """,
    )
    adopt(module.Node)
    with staging.tracing():
        assert len(module.Node(30)) == 31


def holders(value: Any) -> dict[str, Any]:
    class Slotted:
        __slots__ = ("held", "unset")

    class Plain:
        pass

    class Callback:
        def __init__(self, held: Any) -> None:
            self.held = held

        def method(self) -> None: ...

    slotted, plain, cycle = Slotted(), Plain(), list[Any]()
    slotted.held = plain.held = value  # type: ignore[attr-defined]
    cycle += [cycle, value]
    callback = Callback(value)
    return {
        "itself": value,
        "class": type(value),
        "list": [1, [value]],
        "cycle": cycle,
        "dict": {"a": {"b": value}},
        "set": {value},
        "slot": slotted,
        "attribute": plain,
        "method": callback.method,
        "partial": functools.partial(print, value),
    }


@pytest.mark.parametrize("where", holders(0))
def test_where_values_are_met(where: str) -> None:
    class Held:
        def __add__(self, other: int) -> int:
            return 1 if other else 2

        def __getattribute__(self, name: str) -> Any:
            raise AssertionError("user code was run")

    autograph.adopt(holders(Held())[where])
    assert is_adopted(vars(Held)["__add__"])


class InGlobal:
    @property
    def value(self) -> int:
        return 1 if self else 2


OBJECT = [InGlobal()]


def test_names_of_a_converted_function_are_met_while_tracing() -> None:
    class InClosure:
        def __neg__(self) -> int:
            return 1 if self else 2

    held = InClosure()

    def f() -> int:
        return OBJECT[0].value - held if held else 0  # type: ignore[operator]

    def g(call: Callable[[], int]) -> int:
        return call() if call is not None else 0

    autograph.to_graph(g)
    autograph.to_graph(f)
    assert not is_adopted(InGlobal.value.fget)  # type: ignore[attr-defined]
    with staging.tracing():
        autograph.to_graph(f)
    assert is_adopted(InGlobal.value.fget)  # type: ignore[attr-defined]
    assert is_adopted(InClosure.__neg__)


def test_calls_meet_classes_while_tracing() -> None:
    class Made:
        def __init__(self) -> None:
            self.x = 1 if self.__class__ else 2

    class Called:
        def __call__(self) -> int:
            return 1 if self else 2

        def __neg__(self) -> int:
            return 1 if self else 2

    class Bound:
        def method(self) -> int:
            return -self

        def __neg__(self) -> int:
            return 1 if self else 2

    called, bound = Called(), Bound()

    def f(kind: Any) -> int:
        return kind().x + called() + bound.method() if kind else 0

    graph = autograph.to_graph(f)
    assert graph(Made) == 3
    functions = [Made.__init__, Called.__neg__, Bound.__neg__]
    assert not any(map(is_adopted, functions))
    with staging.tracing():
        assert graph(Made) == 3
    assert all(map(is_adopted, functions))


def test_modules_converted_on_import_stay(tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "hooked_classes.py").write_text(PROGRAM, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with autograph.importing("hooked_classes"):
        module = importlib.import_module("hooked_classes")
    try:
        functions = functions_of(module.Thing)
        codes = {name: each.__code__ for name, each in functions.items()}
        adopt(module.Sub)
        assert {name: each.__code__ for name, each in functions.items()} == codes
    finally:
        del sys.modules["hooked_classes"]


def test_threads_adopt_together(module: ModuleType) -> None:
    expected = list(module.use())

    def run(_: int) -> bool:
        adopt(module.Sub)
        with staging.tracing():
            return list(module.use()) == expected

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(run, range(32)))
    assert is_adopted(module.Thing.__add__)


def test_only_the_thread_that_traces_runs_what_is_converted(module: ModuleType) -> None:
    asked: list[FunctionType] = []

    def noted(function: FunctionType) -> FunctionType:
        asked.append(function)
        return function

    Adoption(noted).adopt(module.Thing)
    with staging.tracing(), ThreadPoolExecutor(1) as pool:
        pool.submit(module.Thing, 1).result()
        assert not asked
        module.Thing(1)
    assert asked


def test_texts_are_parsed_by_one_thread_at_a_time() -> None:
    """Before Python 3.12 two threads that parse at once meet a SystemError."""
    text = "\n".join(f"def f{i}(x):\n    return [x, {i}, (x + 1) * 2]" for i in range(60))
    interval = sys.getswitchinterval()
    note = lambda phase, info: None  # noqa: E731 - a call lets another thread go on
    gc.callbacks.append(note)
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(3) as pool:
            trees = list(pool.map(grammar.parse, [text] * 150))
    finally:
        sys.setswitchinterval(interval)
        gc.callbacks.remove(note)
    assert len({len(tree.body) for tree in trees}) == 1


def test_coverage_counts_the_same_lines(module: ModuleType) -> None:
    coverage = pytest.importorskip("coverage")

    def lines() -> Any:
        measured = coverage.Coverage(data_file=None, branch=True, include=[module.__file__])
        measured.start()
        try:
            list(module.use())
        finally:
            measured.stop()
        return sorted(measured.get_data().arcs(module.__file__))

    before = lines()
    adopt(module.Sub)
    assert lines() == before


class Value:
    """A value of a library that does not say when it traces."""

    class Library:
        name = "noting"

        def stages(self, value: Any) -> bool:
            return True

        def cond(self, test: Any, if_fn: Any, else_fn: Any, names: Any) -> Any:
            return if_fn()

    __autograph_staging__ = Library()

    def __bool__(self) -> bool:
        raise TypeError("no truth before the program runs")


class Holder:
    def __init__(self, value: Any) -> None:
        self.value = value

    @property
    def chosen(self) -> int:
        return 1 if self.value else 2


@autograph.convert()
def decorated(value: Any, holder: Holder) -> int:
    return holder.chosen


def test_a_staged_argument_is_enough() -> None:
    assert decorated(Value(), Holder(Value())) == 1
    assert decorated(0, Holder(0)) == 2
    with pytest.raises(TypeError, match="no truth"):
        decorated(0, Holder(Value()))
