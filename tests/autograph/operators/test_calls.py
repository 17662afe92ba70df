"""What converted code calls in place of a callable."""

from __future__ import annotations

import abc
import copy
import enum
import functools
import operator
import os
import pickle
from collections import namedtuple
from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any, NamedTuple

import numpy as np
import pytest

import autograph
import runtime as tf
from autograph import ag__ as operators
from autograph.operators.calls import CallConverter
from autograph.operators.replacements import fix, forget
from autograph.staging import tracing
from tests.autograph.tiny_library import Value, run


class Recorder:
    """Converts a function into one that notes its name."""

    def __init__(self) -> None:
        self.converted: list[str] = []
        self.called: list[str] = []

    def __call__(self, function: FunctionType) -> Callable[..., Any]:
        self.converted.append(function.__name__)

        def call(*args: Any, **kwargs: Any) -> Any:
            self.called.append(function.__name__)
            return function(*args, **kwargs)

        fix(call)  # type: ignore[arg-type]
        return call


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def converted(recorder: Recorder) -> Callable[[Any], Any]:
    return CallConverter(recorder, recursive=True).converted


def test_function_is_converted_once(converted: Any, recorder: Recorder) -> None:
    def f(x: int) -> int:
        return x + 1

    assert [converted(f)(each) for each in range(3)] == [1, 2, 3]
    assert recorder.converted == ["f"]
    assert converted(f) is converted(f)


def test_each_set_of_options_decides_for_itself(converted: Any, recorder: Recorder) -> None:
    def f() -> None: ...

    other = Recorder()
    converted_otherwise = CallConverter(other, recursive=True).converted
    for _ in range(3):
        converted(f)()
        converted_otherwise(f)()
    assert (recorder.called, other.called) == (["f"] * 3, ["f"] * 3)


def test_what_was_converted_is_not_converted_again(converted: Any) -> None:
    def f() -> None: ...

    assert converted(converted(f)) is converted(f)


def test_replaced_code_is_converted_anew(converted: Any) -> None:
    def program(x: int) -> int:
        return x + 1

    assert converted(program)(1) == 2
    program.__code__ = (lambda x: x * 10).__code__
    assert converted(program)(1) == 10
    program.__code__ = (lambda x: x * 100).__code__
    assert converted(program)(1) == 100


def test_attributes_copied_by_wraps_decide_nothing(converted: Any, recorder: Recorder) -> None:
    def f() -> str:
        return "f"

    converted(f)

    @functools.wraps(f)
    def wrapper() -> str:
        return "wrapper"

    assert converted(wrapper)() == "wrapper"
    left = autograph.do_not_convert(f)

    @functools.wraps(left)
    def around() -> str:
        return "around"

    converted(around)()
    assert recorder.converted == ["f", "f", "f"]


def test_functions_are_freed_with_what_is_known_about_them(converted: Any) -> None:
    import gc
    import weakref

    def make() -> Any:
        held = Recorder()
        return (lambda: held), weakref.ref(held)

    function, held = make()
    converted(function)()
    del function
    gc.collect()
    assert held() is None


def test_a_function_can_still_be_copied_and_pickled(converted: Any) -> None:
    converted(module_function)
    assert pickle.loads(pickle.dumps(module_function)) is module_function
    assert copy.deepcopy(module_function.__dict__).keys() == module_function.__dict__.keys()


def module_function(x: int) -> int:
    return x


class Model:
    def __init__(self, k: int = 1) -> None:
        self.k = k

    def method(self, x: int) -> int:
        return self.k + x

    def __call__(self, x: int) -> int:
        return self.k * x

    @classmethod
    def make(cls) -> Model:
        return cls(5)

    @staticmethod
    def double(x: int) -> int:
        return 2 * x


def test_methods(converted: Any, recorder: Recorder) -> None:
    model = Model(3)
    assert converted(model.method)(1) == 4
    assert converted(Model.method)(model, 1) == 4
    assert converted(Model.make)().k == 5
    assert converted(Model.double)(4) == 8
    assert converted(Model.__dict__["double"])(4) == 8
    assert converted(model)(2) == 6
    assert recorder.called == ["method", "method", "make", "double", "double", "__call__"]


def test_partials(converted: Any, recorder: Recorder) -> None:
    partial = functools.partial(functools.partial(Model(3).method), x=1)
    assert converted(partial)() == 4
    assert recorder.called == ["method"]
    plain = functools.partial(operator.add, 1)
    assert converted(plain) is plain


def test_constructors(converted: Any, recorder: Recorder) -> None:
    class Base:
        made: tuple[Any, ...]

        def __new__(cls, *args: Any, **kwargs: Any) -> Any:
            self = super().__new__(cls)
            self.made = args
            return self

    class Derived(Base):
        def __init__(self, x: int, *, y: int = 2) -> None:
            self.sum = x + y

    made = converted(Derived)(1, y=4)
    assert type(made) is Derived and (made.sum, made.made) == (5, (1,))
    assert recorder.called == ["__new__", "__init__"]
    assert converted(Model)(4).k == 4
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        converted(Derived)()


def test_constructor_that_gives_something_else_skips_init(
    converted: Any, recorder: Recorder
) -> None:
    class Odd:
        def __new__(cls) -> Any:
            return 7

        def __init__(self) -> None:
            raise AssertionError("not for an int")

    assert converted(Odd)() == 7


def test_init_must_return_none(converted: Any) -> None:
    class Wrong:
        def __init__(self) -> Any:
            return 3

    with pytest.raises(TypeError, match=r"__init__\(\) should return None, not 'int'"):
        converted(Wrong)()


class Color(enum.Enum):
    RED = 1


Pair = namedtuple("Pair", "a b")


class Typed(NamedTuple):
    a: int = 0


class Abstract(abc.ABC):
    def __init__(self) -> None:
        self.x = 1

    @abc.abstractmethod
    def f(self) -> None: ...


class Plain:
    pass


def test_classes_without_anything_to_convert_stay(converted: Any) -> None:
    for kind in (Color, Plain, int and dict, list, object, Exception, type):
        assert converted(kind) is kind
    assert converted(Color)(1) is Color.RED
    assert converted(Pair)(1, 2) == (1, 2)
    assert converted(Typed)(1) == (1,)
    with pytest.raises(TypeError, match="abstract"):
        converted(Abstract)()


def test_metaclass_decides_about_calls(converted: Any, recorder: Recorder) -> None:
    class Meta(type):
        def __call__(cls, x: int) -> Any:
            return ("meta", x)

    class Kind(metaclass=Meta):
        def __init__(self) -> None:
            raise AssertionError("never reached")

    assert converted(Kind)(1) == ("meta", 1)
    assert recorder.called == ["__call__"]


def test_functions_given_to_functions_of_libraries_are_converted(
    converted: Any, recorder: Recorder
) -> None:
    def larger(a: int, b: int) -> int:
        return a if a > b else b

    assert converted(functools.reduce)(larger, [1, 3, 2]) == 3
    assert recorder.called == ["larger", "larger"]


def test_c_functions_and_known_libraries_stay(converted: Any, recorder: Recorder) -> None:
    import numpy as np

    stay = [
        operator.add, "".join, str.upper, os.path.join, np.sum, np.add,
        [].append, dict.fromkeys, np.ndarray, hash, functools.lru_cache(module_function),
        functools.singledispatch, pytest.raises, autograph.to_code,
    ]  # fmt: skip
    for each in stay:
        got = converted(each)
        assert got is each or got == each
    assert recorder.converted == []


def test_user_modules_with_the_name_of_a_standard_one_are_converted(
    converted: Any, recorder: Recorder
) -> None:
    space: dict[str, Any] = {"__name__": "token", "__file__": "/home/me/token.py"}
    exec("def f(): return 1", space)
    converted(space["f"])()
    assert recorder.called == ["f"]
    space["__file__"] = os.path.join(os.path.dirname(os.__file__), "token.py")
    exec("def g(): return 1", space)
    converted(space["g"])()
    assert recorder.called == ["f"]


def test_module_converted_ahead_of_time_stays(converted: Any, recorder: Recorder) -> None:
    space: dict[str, Any] = {"__name__": "mine"}
    exec("from autograph import ag__\ndef f(): return 1", space)
    assert converted(space["f"]) is space["f"]


def test_at_a_prompt_only_functions_that_use_the_operators_count_as_converted(
    converted: Any, recorder: Recorder
) -> None:
    space: dict[str, Any] = {"__name__": "__main__"}
    exec("from autograph import ag__\ndef f(): return ag__.not_(1)\ndef g(): return 1", space)
    assert converted(space["f"]) is space["f"]
    converted(space["g"])()
    assert recorder.called == ["g"]


def test_builtin_functions_get_their_staged_meaning(converted: Any) -> None:
    from autograph.operators.builtins import overload_of

    for each in (len, range, int, sum, print):
        assert converted(each) is overload_of(each)
    shallow = CallConverter(Recorder(), recursive=False).converted
    assert shallow(len) is overload_of(len)


def test_without_recursion_callees_stay() -> None:
    recorder = Recorder()
    shallow = CallConverter(recorder, recursive=False).converted
    model = Model()
    assert shallow(module_function) is module_function
    assert shallow(Model) is Model and shallow(model) is model
    method = model.method
    assert shallow(method) is method
    assert recorder.converted == []


def test_do_not_convert(converted: Any, recorder: Recorder) -> None:
    @autograph.do_not_convert
    def f(x: int) -> int:
        return x

    @autograph.do_not_convert()
    def g(x: int) -> int:
        return x

    class K:
        @autograph.do_not_convert
        def m(self) -> str:
            return type(self).__name__

        @autograph.experimental.do_not_convert
        @staticmethod
        def s() -> int:
            return 1

    converted(f)(1), converted(g)(1), converted(K().m)(), converted(K.s)()
    method = autograph.do_not_convert(Model(2).method)
    assert converted(method)(1) == 3
    assert converted(autograph.do_not_convert(len))([1]) == 1
    assert recorder.called == []
    # The function that was passed is not changed.
    autograph.do_not_convert(module_function)
    forget(module_function)  # type: ignore[arg-type]
    assert converted(module_function) is not module_function


def test_nothing_of_the_users_runs_while_deciding(converted: Any) -> None:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise AssertionError("user code was run")

    class Touchy:
        __eq__ = __hash__ = __bool__ = __len__ = refuse
        __getattr__ = refuse

        def __getattribute__(self, name: str) -> Any:
            raise AssertionError(name)

        def __call__(self) -> int:
            return 1

    class Meta(type):
        __eq__ = __hash__ = refuse

        def __getattribute__(cls, name: str) -> Any:
            raise AssertionError(name)

    touchy = Touchy()
    assert converted(touchy)() == 1

    class Kind(metaclass=Meta):
        def __init__(self) -> None: ...

    assert converted(MethodType(lambda self: 2, touchy))() == 2
    assert type(converted(Kind)()) is Kind


def test_what_is_not_callable_raises_as_python_does(converted: Any) -> None:
    with pytest.raises(TypeError, match="'int' object is not callable"):
        converted(3)(1)


def test_callees_are_converted() -> None:
    text = """
def sign(x):
    if x > 0:
        return 1
    return -1
class Scale:
    def __init__(self, by):
        self.by = sign(by)
    def __call__(self, x):
        if x > 0:
            return self.by
        return 0
def f(x):
    return sign(x) + Scale(x)(x) + (lambda v: 10 if v > 0 else 20)(x)
"""
    assert run(text, Value(1)) == 12
    assert run(text, Value(-1)) == 19


def test_do_not_convert_keeps_a_callee_in_python() -> None:
    text = """
import autograph
@autograph.do_not_convert
def sign(x):
    return 1 if x > 0 else -1
def f(x):
    return sign(x)
"""
    with pytest.raises(TypeError, match="known only when the program runs"):
        run(text, Value(1))


def test_a_function_written_in_c_is_looked_at_in_each_trace():
    outside = operators.converted(len)
    assert outside([1]) == 1

    @tf.function
    def f(xs):
        return len(xs) + max(xs[0], 2)

    assert f(np.array([1, 5])).numpy() == 4
    with tracing():
        assert operators.converted([].append).__name__ == "append"
    assert operators.converted(len) is outside


def test_a_class_is_created_by_the_methods_that_it_has_now() -> None:
    text = """
class Point:
    def __init__(self, x):
        self.x = 1 if x > 0 else -1
def replaced(self, x, y=5):
    self.x = (7 if x > 0 else 8), y
def made(x):
    return Point(x).x
def f(x):
    before = made(x), made(x)
    Point.__init__ = replaced
    between = made(x), made(x)
    replaced.__defaults__ = (6,)
    after = made(x)
    Point.__new__ = lambda kind, x: [kind.__name__, x].index(x)
    return before, between, after, Point(x)
"""
    assert run(text, 2) == ((1, 1), ((7, 5), (7, 5)), (7, 6), 1)
    assert run(text, -2) == ((-1, -1), ((8, 5), (8, 5)), (8, 6), 1)
