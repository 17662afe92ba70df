"""One program in plain Python and in each staged form, call by call."""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import io
import itertools
import linecache
import re
import sys
import tempfile
import traceback
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import autograph
import runtime as tf
from tools.outcomes.observation import MOST_RESULTS, Shown, same, state_of
from tools.outcomes.programs import Program

OUTCOMES = ("agreed", "refused", "wrong")
INTERNAL = (
    AssertionError, AttributeError, IndexError, KeyError, NameError, RecursionError,
    StopIteration, SystemError, ZeroDivisionError,
)  # fmt: skip
INTERNAL_NAMES = re.compile(
    r"SymbolicTensor|autograph\.operators|EagerTensor\b|GrowingList|'Ref'|\bag__\b"
    r"|<lambda>\(\) takes"
)
INTERNAL_WORDS = re.compile(r"zip\(\) argument \d+ is |<locals>\.\w+\(\) (got|takes|missing) ")
"""Errors of Python's that plain Python does not raise: a mistake in a call of the library's own."""
MODULE = "program_under_trial"
HOME = Path(autograph.__file__ or "").resolve().parent.parent


@dataclass(frozen=True)
class Verdict:
    """What became of a program in its worst form and call."""

    outcome: str
    form: str = ""
    call: str = ""
    reason: str = ""
    expected: str = ""
    got: str = ""


@dataclass(frozen=True)
class Ending:
    """How one call ended: a result with the state it left, or an error."""

    result: Shown | None = None
    state: Shown | None = None
    printed: str = ""
    error: BaseException | None = None
    warned: str = ""

    def __str__(self) -> str:
        if self.error is not None:
            return f"{type(self.error).__name__}: {_first_line(self.error)}"
        printed = f", printed {self.printed!r}" if self.printed else ""
        return f"{self.result}, {self.state}{printed}"


CALLER = """

def _caller(*arguments):
    return _converted(*arguments)
"""
"""What calls the converted program; it is a part of the program, so that errors may name it."""


def plainly(module: Any) -> Callable[..., Any]:
    """Return the program as it is."""
    return module.program  # type: ignore[no-any-return]


def in_function(module: Any) -> Callable[..., Any]:
    """Stage the program by the runtime's decorator."""
    return tf.function(module.program)  # type: ignore[no-any-return]


def by_to_graph(module: Any) -> Callable[..., Any]:
    """Convert the program first; stage what calls it."""
    module._converted = autograph.to_graph(module.program)
    return tf.function(module._caller, autograph=False)  # type: ignore[no-any-return]


def converted(module: Any) -> Callable[..., Any]:
    """Convert the program, which is then called with Python values."""
    return autograph.to_graph(module.program)  # type: ignore[no-any-return]


def as_numpy_program(module: Any) -> Callable[..., Any]:
    """Stage the program as one on NumPy's arrays."""
    return tf.function(module.program, numpy=True)  # type: ignore[no-any-return]


def _tensor(value: Any) -> Any:
    return tf.constant(value) if isinstance(value, bool | int | float | tuple) else value


def _listed(value: Any) -> Any:
    """The list that plain Python has in place of a tensor."""
    return [_listed(each) for each in value] if isinstance(value, tuple) else value


def _array(value: Any) -> Any:
    return np.asarray(value)[()] if isinstance(value, bool | int | float | tuple) else value


@dataclass(frozen=True)
class Form:
    """How a program is staged, and what it is called with.

    Attributes:
      stage: returns what is called, for the module of the program.
      given: returns what is passed for a value of the text of a call.
      plainly_given: the same, for plain Python.
    """

    stage: Callable[[Any], Callable[..., Any]]
    given: Callable[[Any], Any] = _tensor
    plainly_given: Callable[[Any], Any] = _listed


FORMS = {
    "function": Form(in_function),
    "to_graph": Form(by_to_graph),
    "converted": Form(converted, _listed),
}
NUMPY_FORMS = {"numpy": Form(as_numpy_program, _array, _array)}
"""For programs on NumPy's arrays and scalars, which not every program accepts."""


def judge(program: Program, forms: tuple[str, ...] = tuple(FORMS)) -> Verdict:
    """Run a program in plain Python and in the given forms; return the worst verdict."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / f"{program.name}.py"
        path.write_text(program.text + CALLER, encoding="utf-8")
        found = [
            verdict
            for form in forms
            for verdict in _compared(form, *_both(path, program, form), path)
        ]
        linecache.checkcache(str(path))
    return max(found, key=lambda verdict: OUTCOMES.index(verdict.outcome))


Calls = list[tuple[str, Ending]]


def _both(path: Path, program: Program, form: str) -> tuple[Calls, Calls]:
    """The calls in plain Python and in a form; both see fresh modules after the same calls."""
    how = (FORMS | NUMPY_FORMS)[form]
    staged = _calls(path, program, how.stage, how.given)
    failed = [number for number, (_, ending) in enumerate(staged) if ending.error is not None]
    return _calls(path, program, plainly, how.plainly_given, failed), staged


def _calls(
    path: Path,
    program: Program,
    stage: Callable[..., Any],
    convert: Callable[[Any], Any],
    last: Sequence[int] = (),
) -> Calls:
    """Call the program with each argument tuple, then again with the first.

    A call that fails, or has one of the numbers `last`, ends the life of a module: the calls after
    it see a fresh one. After two calls that fail with one message, the others would too: they are
    left out.
    """
    texts = _argument_texts(program.calls)
    endings: Calls = []
    session: _Session | None = None
    for number, text in enumerate([*texts, texts[0]]):
        session = session or _Session(path, stage, convert)
        if number == len(texts):
            session.between()
        ending = session.call(text)
        endings.append((text, ending))
        if ending.error is not None or number in last:
            session = None
        if number and ending.error and str(endings[-2][1].error) == str(ending.error):
            break
    return endings


def _argument_texts(calls: str) -> list[str]:
    """Split the text of a tuple of tuples into the texts of its elements."""
    tree = ast.parse(f"[{calls}]", mode="eval").body
    assert isinstance(tree, ast.List)
    return [ast.unparse(each) for each in tree.elts]


class _Session:
    """A module that lives through several calls."""

    def __init__(
        self, path: Path, stage: Callable[..., Any], convert: Callable[[Any], Any]
    ) -> None:
        self.convert = convert
        self.failed: BaseException | None = None
        self.warned: list[str] = []
        self.printed = io.StringIO()
        with self._watched():
            self.module = _imported(path)
        try:
            self.function = stage(self.module)
        except Exception as error:
            self.failed = error

    @contextlib.contextmanager
    def _watched(self) -> Iterator[list[warnings.WarningMessage]]:
        with (
            contextlib.redirect_stdout(self.printed),
            contextlib.redirect_stderr(self.printed),
            warnings.catch_warnings(record=True) as caught,
        ):
            warnings.simplefilter("always")
            yield caught

    def between(self) -> None:
        try:
            getattr(self.module, "between", lambda: None)()
        except Exception as error:
            self.failed = error

    def call(self, text: str) -> Ending:
        if self.failed is not None:
            return Ending(error=self.failed)
        given = eval(text, dict(vars(self.module)))
        arguments = [self.convert(each) for each in given]
        self.printed.seek(0)
        self.printed.truncate()
        with self._watched() as caught:
            try:
                result = self.function(*arguments)
            except BaseException as error:
                return Ending(error=error)
        self.warned += [str(each.message) for each in caught if _ours(each.category)]
        kept = [value for value in given if not isinstance(value, bool | int | float | tuple)]
        state, shown = state_of(self.module, kept, _drained(result))
        return Ending(
            result=shown,
            state=state,
            printed=self.printed.getvalue(),
            warned="; ".join(self.warned),
        )


def _imported(path: Path) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(MODULE, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[module.__name__]
    return module


def _ours(category: type[Warning]) -> bool:
    return category.__module__.partition(".")[0] in ("autograph", "runtime")


def _drained(result: Any) -> Any:
    """The elements of a generator that was returned."""
    if isinstance(result, types.GeneratorType):
        return list(itertools.islice(result, MOST_RESULTS))
    return result


def _compared(form: str, plain: Calls, staged: Calls, path: Path) -> Iterator[Verdict]:
    for (call, expected), (_, got) in zip(plain, staged, strict=False):
        outcome, reason = _classified(expected, got, path)
        if outcome == "agreed":
            yield Verdict(outcome)
        else:
            yield Verdict(outcome, form, call, reason, str(expected), _told(got))


def _told(ending: Ending) -> str:
    if ending.error is None:
        return str(ending)
    return "".join(traceback.format_exception(ending.error)[-12:])[-3000:]


def _classified(expected: Ending, got: Ending, path: Path) -> tuple[str, str]:
    if got.error is not None:
        return _error(expected, got.error, path)
    if got.warned and (expected.error is not None or not _agrees(expected, got)):
        return "refused", f"warning: {got.warned[:60]}"
    if expected.error is not None:
        return "wrong", f"no {type(expected.error).__name__}"
    if not same(expected.result, got.result):
        return "wrong", "other result"
    if not same(expected.state, got.state):
        leaked = "symbolic tensor" in str(got.state)
        return "wrong", "symbolic tensor left in state" if leaked else "other state"
    if expected.printed != got.printed:
        return "wrong", "other output"
    return "agreed", ""


def _agrees(expected: Ending, got: Ending) -> bool:
    return same(expected.result, got.result) and same(expected.state, got.state)


def _error(expected: Ending, error: BaseException, path: Path) -> tuple[str, str]:
    kind = type(error).__name__
    if not _names_line(error, path):
        return "wrong", f"no user line: {kind}: {_words(error)}"
    message = str(error)
    found = INTERNAL_NAMES.search(message)
    if found:
        return "wrong", f"internal name {found[0]}: {kind}: {_words(error)}"
    if expected.error is not None and _kin(expected.error, error):
        leaked = 'Tensor("' in message and 'Tensor("' not in str(expected.error)
        return ("wrong", "name of a tensor in a message") if leaked else ("agreed", "")
    internal = isinstance(error, INTERNAL) and _raised_by_library(error)
    if internal or INTERNAL_WORDS.search(message):
        return "wrong", f"internal error: {kind}: {_words(error)}"
    return "refused", f"{kind}: {_words(error)}"


def _kin(plain: BaseException, staged: BaseException) -> bool:
    """Whether one handler other than `except Exception` would catch both."""
    return _is_of(staged, type(plain)) or (
        _is_of(plain, type(staged)) and type(staged) is not Exception
    )


def _is_of(error: BaseException, kind: type) -> bool:
    """Whether an error is of a class, or of the class of that name of another trial's module."""
    own = kind.__module__ == MODULE
    return any(
        each is kind
        or (own and (each.__module__, each.__qualname__) == (MODULE, kind.__qualname__))
        for each in type(error).__mro__
    )


def _names_line(error: BaseException, path: Path) -> bool:
    text = "\n".join([str(error), *getattr(error, "__notes__", ())])
    if re.search(re.escape(str(path)) + r'"?(, line|:)\s?\d+', text):
        return True
    frames = traceback.extract_tb(error.__traceback__)
    return any(frame.filename == str(path) for frame in frames)


def _raised_by_library(error: BaseException) -> bool:
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and Path(frames[-1].filename).is_relative_to(HOME)


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0]


def _words(error: BaseException) -> str:
    """The message without the names and numbers of one program, for counting."""
    text = re.sub(r"`[^`]*`|'[^']*'|\"[^\"]*\"", "_", _first_line(error))
    return re.sub(r"\d+", "0", text)[:90]
