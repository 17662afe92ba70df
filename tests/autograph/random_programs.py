"""Random functions: every statement of Python, in any order, over a handful of variables.

`program(below)` writes one as text; `below(n)` chooses a number in `range(n)`, and 0 is always the
simplest choice, so that hypothesis finds small programs. `observe` runs a text and tells everything
that a caller could notice. Every program ends: loops count, and every turn burns fuel.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import itertools
import re
import textwrap
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field, replace
from types import CodeType
from typing import Any

import autograph

Below = Callable[[int], int]

VARIABLES = ("a", "b", "u", "v", "w")
PARAMETERS = ("a", "b", "xs", "d", "o")
DEEPEST = 4
KINDS = ("plain", "plain", "plain", "generator", "async")


# ---- what programs call ----


class OutOfFuel(BaseException):
    """Ends a program that runs for too long; no `except` of a program catches it."""


class Fault(ValueError):
    """An error with arguments of its own."""


class World:
    """What a program can reach: a log, fuel, and things that raise or swallow errors."""

    def __init__(self) -> None:
        self.log: list[str] = []
        self.fuel = 300

    @autograph.do_not_convert
    def t(self, value: Any = None, *rest: Any) -> Any:
        """Notes that it was evaluated, and gives its first argument."""
        self.fuel -= 1
        if self.fuel < 0:
            raise OutOfFuel
        self.log.append(shown((value, *rest)))
        return value

    @autograph.do_not_convert
    def boom(self, kind: int) -> None:
        """Raises one of several errors."""
        self.t("boom", kind)
        raise (ValueError("boom", kind), KeyError(kind), Fault("fault", kind))[kind % 3]

    @contextlib.contextmanager
    def manager(self, value: Any, swallows: bool) -> Iterator[Any]:
        """A context manager that notes how it was left, and may swallow the error."""
        self.t("enter", value)
        try:
            yield value
        except Exception as error:
            self.t("error", type(error).__name__)
            if not swallows:
                raise
        finally:
            self.log.append("exit")

    @contextlib.asynccontextmanager
    async def async_manager(self, value: Any) -> AsyncIterator[Any]:
        """The same, asynchronous, swallowing nothing."""
        self.t("enter", value)
        try:
            yield await _Later(value)
        finally:
            self.log.append("exit")


async def each(values: list[Any]) -> AsyncIterator[Any]:
    """The values, one after the other, asynchronously."""
    for value in values:
        yield await _Later(value)


class Thing:
    """An object with attributes."""

    def __init__(self) -> None:
        self.p = 1

    def add(self, n: int) -> int:
        if n > self.p:
            self.p = n
        return self.p

    def __repr__(self) -> str:
        return f"Thing({self.__dict__})"


def shown(value: Any, depth: int = 0) -> str:
    """A value as text, without addresses."""
    if isinstance(value, tuple | list) and depth < 5:
        inner = ", ".join(shown(each, depth + 1) for each in value)
        return f"{type(value).__name__}({inner})"
    if isinstance(value, dict) and depth < 5:
        pairs = [f"{shown(k, depth + 1)}: {shown(v, depth + 1)}" for k, v in value.items()]
        return f"dict({', '.join(pairs)})"
    if callable(value):
        return "function"
    if inspect.isgenerator(value):
        return "generator"
    if isinstance(value, BaseException):
        return f"{type(value).__name__}{shown(value.args)}"
    if isinstance(value, int) and abs(value) > 10**12:
        return "huge"
    return repr(value)


# ---- writing them ----


@dataclass
class Place:
    """Where a statement is to stand."""

    depth: int = 0
    loop: bool = False
    jumps: bool = True
    kind: str = "plain"
    names: tuple[str, ...] = VARIABLES
    functions: tuple[str, ...] = ()
    walrus: bool = True
    finalising: bool = False
    top: bool = True

    def deeper(self, **changes: Any) -> Place:
        return replace(self, depth=self.depth + 1, **changes)


@dataclass
class Writer:
    """Writes one program."""

    below: Below
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    tags: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def pick(self, options: Any) -> Any:
        return options[self.below(len(options))]

    def fresh(self, prefix: str) -> str:
        return f"{prefix}{next(self.numbers)}"

    def name(self, place: Place) -> str:
        return str(self.pick(place.names))

    # -- expressions --

    def value(self, place: Place, depth: int = 0) -> str:
        """An expression that mostly gives a small number."""
        simple = (self.literal, self.read, self.traced)
        if depth >= 3:
            return str(self.pick(simple)(place, depth))
        return str(self.pick((*simple, *self._values()))(place, depth + 1))

    def _values(self) -> tuple[Callable[[Place, int], str], ...]:
        return (
            self.traced, self.read, self.arithmetic, self.arithmetic, self.conditional,
            self.test, self.boolean, self.item, self.length, self.called, self.lambda_now,
            self.comprehension, self.walrus, self.attribute, self.string, self.reading,
            self.suspended,
        )  # fmt: skip

    def literal(self, place: Place, depth: int) -> str:
        return str(self.pick(("0", "1", "2", "3", "-1", "None", "True")))

    def read(self, place: Place, depth: int) -> str:
        return "G" if self.below(9) == 8 else self.name(place)

    def traced(self, place: Place, depth: int) -> str:
        if depth >= 3 or self.below(2) == 0:
            return f"t({next(self.tags)})"
        return f"t({self.value(place, depth)}, {next(self.tags)})"

    def arithmetic(self, place: Place, depth: int) -> str:
        sign = self.pick("+-*%")
        return f"({self.value(place, depth)} {sign} {self.value(place, depth)})"

    def conditional(self, place: Place, depth: int) -> str:
        return (
            f"({self.value(place, depth)} if {self.test(place, depth)}"
            f" else {self.value(place, depth)})"
        )

    def test(self, place: Place, depth: int = 0) -> str:
        """An expression that mostly gives a truth value."""
        if depth >= 3:
            return f"{self.name(place)} > 0"
        forms = (
            self.comparison, self.comparison, self.boolean, self.negated, self.member,
            self.chain, self.is_none, self.traced,
        )  # fmt: skip
        return str(self.pick(forms)(place, depth + 1))

    def comparison(self, place: Place, depth: int) -> str:
        sign = self.pick(("<", ">", "==", "!=", "<=", ">="))
        return f"({self.value(place, depth)} {sign} {self.value(place, depth)})"

    def chain(self, place: Place, depth: int) -> str:
        signs = [self.pick(("<", "<=", "==", "!=", "is", "in")) for _ in range(1 + self.below(2))]
        rest = "".join(
            f" {sign} {'xs' if sign == 'in' else self.value(place, depth)}" for sign in signs
        )
        return f"({self.value(place, depth)} < {self.value(place, depth)}{rest})"

    def boolean(self, place: Place, depth: int) -> str:
        word = self.pick((" and ", " or "))
        operands = [self.test(place, depth) for _ in range(2 + self.below(2))]
        return f"({word.join(operands)})"

    def negated(self, place: Place, depth: int) -> str:
        return f"(not {self.test(place, depth)})"

    def member(self, place: Place, depth: int) -> str:
        word = self.pick(("in", "not in"))
        return f"({self.value(place, depth)} {word} {self.pick(('xs', 'd', '(1, 2)'))})"

    def is_none(self, place: Place, depth: int) -> str:
        return f"({self.name(place)} {self.pick(('is', 'is not'))} None)"

    def item(self, place: Place, depth: int) -> str:
        forms = ("xs[{}]", "d[{}]", "d.get({})", "xs[-1:][{} if 0 else 0]")
        return str(self.pick(forms)).format(self.value(place, depth))

    def length(self, place: Place, depth: int) -> str:
        return str(self.pick(("len(xs)", "sum(xs)", "max(xs)", "abs(a)", "len(d)")))

    def called(self, place: Place, depth: int) -> str:
        if not place.functions:
            return self.traced(place, depth)
        function = self.pick(place.functions)
        argument = self.value(place, depth)
        return f"{function}({self.pick(('{}', '*[{}]', 'q={}')).format(argument)})"

    def lambda_now(self, place: Place, depth: int) -> str:
        name = self.fresh("z")
        inner = replace(place, names=(*place.names, name), walrus=False, kind="plain")
        default = self.value(place, depth)
        return f"(lambda {name}={default}: {self.value(inner, depth)})()"

    def comprehension(self, place: Place, depth: int) -> str:
        name = self.fresh("q")
        inner = replace(place, names=(*place.names, name), kind="plain")
        iterable = self.pick(("xs", "range(3)", "[1, t(2)]", "list(d)"))
        condition = f" if {self.test(inner, depth)}" if self.below(2) else ""
        more = f" for {self.fresh('q')} in range(2)" if self.below(4) == 3 else ""
        parts = f"{self.value(inner, depth)} for {name} in {iterable}{more}{condition}"
        if self.below(5) == 4:
            return f"len({{{name}: {parts}}})"
        return str(self.pick(("sum([{}])", "len({{{}}})", "sum({})", "list({})"))).format(parts)

    def walrus(self, place: Place, depth: int) -> str:
        if not place.walrus:
            return self.read(place, depth)
        return f"({self.pick(VARIABLES)} := {self.value(place, depth)})"

    def attribute(self, place: Place, depth: int) -> str:
        return str(self.pick(("o.p", "o.q", "o.add({})"))).format(self.value(place, depth))

    def string(self, place: Place, depth: int) -> str:
        first, second = self.name(place), self.name(place)
        forms = (
            f"len(f'{{{first}}}-{{{second}!r:>3}}')",
            f'len(f"{{{first}}}: {{{second}=}}, {{t({first})}}")',
            f"len(f'{{ {first} = !s:>9}} in a text that is longer than most, with {{{second}}}')",
        )
        return str(self.pick(forms))

    def reading(self, place: Place, depth: int) -> str:
        return f"[{self.value(place, depth)}, *xs, {self.value(place, depth)}][0]"

    def suspended(self, place: Place, depth: int) -> str:
        if place.kind == "generator":
            return f"(yield {self.value(place, depth)})"
        if place.kind == "async":
            return f"(await later({self.value(place, depth)}))"
        return self.value(place, depth)

    # -- statements --

    def block(self, place: Place, most: int = 4) -> list[str]:
        lines: list[str] = []
        for _ in range(1 + self.below(most)):
            lines += self.statement(place)
        return lines

    def inner(self, place: Place, **changes: Any) -> list[str]:
        return _indented(self.block(place.deeper(**changes), 3))

    def statement(self, place: Place) -> list[str]:
        if place.depth >= DEEPEST:
            return list(self.pick(self._simple())(place))
        return list(self.pick((*self._simple(), *self._compound()))(place))

    def _simple(self) -> tuple[Callable[[Place], list[str]], ...]:
        return (
            self.assign, self.augment, self.assign_many, self.assign_item, self.mutate,
            self.jump, self.jump, self.report, self.delete, self.check, self.raises,
            self.expression, self.annotated, self.one_line,
        )  # fmt: skip

    def _compound(self) -> tuple[Callable[[Place], list[str]], ...]:
        return (
            self.if_, self.if_, self.if_, self.if_jump, self.if_jump, self.while_, self.for_,
            self.for_, self.try_, self.try_, self.with_, self.overtaken, self.match_, self.function,
            self.lambda_, self.class_, self.asynchronous, self.asynchronous,
        )  # fmt: skip

    def assign(self, place: Place) -> list[str]:
        return [f"{self.pick((*VARIABLES, 'G'))} = {self.value(place)}"]

    def augment(self, place: Place) -> list[str]:
        sign = self.pick(("+", "-", "*", "|", "//"))
        return [f"{self.pick(VARIABLES)} {sign}= {self.value(place)}"]

    def assign_many(self, place: Place) -> list[str]:
        first, second = self.pick(VARIABLES), self.pick(VARIABLES)
        forms = (
            f"{first} = {second} = {self.value(place)}",
            f"{first}, {second} = {self.value(place)}, {self.value(place)}",
            f"{first}, *{second} = [{self.value(place)}, *xs]",
            f"({first}, [{second}, o.q]) = {self.value(place)}, xs[:2]",
        )
        return [str(self.pick(forms))]

    def assign_item(self, place: Place) -> list[str]:
        forms = (
            "xs[{}] = {}", "d[{}] = {}", "xs[0] += {}{}", "d[{}] += {}", "xs[:1] = [{}, {}]",
            "o.p = {}{}", "o.p += {}{}", "o.q = {}{}", "xs[t({})] = t({})", "d['n'][{}] = {}",
        )  # fmt: skip
        form = str(self.pick(forms))
        second = "" if "{}{}" in form else self.value(place)
        return [form.format(self.value(place), second)]

    def mutate(self, place: Place) -> list[str]:
        value = self.value(place)
        forms = (f"xs.append({value})", "xs.pop()", f"d.update({{{value}: 1}})", "d.clear()")
        return [f"if len(xs) < 9: {forms[0]}" if (form := self.pick(forms)) == forms[0] else form]

    def jump(self, place: Place) -> list[str]:
        if not place.jumps:
            return self.assign(place)
        words = ["return"] if place.kind == "generator" else ["return", "return {}"]
        if place.loop:
            words = ["break"] * 2 + ["continue"] * (not place.finalising) * 2 + words
        return [str(self.pick(words)).format(self.value(place))]

    def report(self, place: Place) -> list[str]:
        return [str(self.pick((f"print({self.value(place)})", f"t({self.value(place)})")))]

    def delete(self, place: Place) -> list[str]:
        forms = (f"del {self.pick(VARIABLES)}", "del xs[0]", f"del d[{self.value(place)}]")
        return [str(self.pick(forms))]

    def check(self, place: Place) -> list[str]:
        message = f", {self.value(place)}" if self.below(2) else ""
        return [f"assert {self.test(place)}{message}"]

    def raises(self, place: Place) -> list[str]:
        forms = (
            f"boom({self.below(3)})",
            "raise Fault(1)",
            f"raise ValueError({self.name(place)})",
        )
        return [str(self.pick(forms))]

    def expression(self, place: Place) -> list[str]:
        return [self.value(place)]

    def annotated(self, place: Place) -> list[str]:
        # A name that is declared nonlocal in an inner function cannot be annotated there.
        if not place.top:
            return self.assign(place)
        return [f"{self.pick(('u', 'v'))}: int = {self.value(place)}"]

    def one_line(self, place: Place) -> list[str]:
        first, second = self.assign(place)[0], (self.jump(place) + self.report(place))
        return [f"if {self.test(place)}: {first}; {second[self.below(2)]}"]

    def if_(self, place: Place) -> list[str]:
        lines = [f"if {self.test(place)}:", *self.inner(place)]
        for _ in range(self.below(3)):
            lines += [f"elif {self.test(place)}:", *self.inner(place)]
        if self.below(2):
            lines += ["else:", *self.inner(place)]
        return lines

    def if_jump(self, place: Place) -> list[str]:
        """An early jump: what a tail of the block has to move around."""
        lines = [f"if {self.test(place)}:", *_indented(self.assign(place) + self.jump(place))]
        if self.below(3) == 2:
            lines += ["else:", *self.inner(place)]
        return lines

    def while_(self, place: Place) -> list[str]:
        count = self.fresh("i")
        tests = (
            f"{count} < 3", f"{count} < 3 and {self.test(place)}", f"({count} := {count} + 1) < 4",
            f"({count} := {count} + 1) < 4 and ({self.pick(VARIABLES)} := {self.value(place, 1)})",
            f"t({count} < 3)", "True", f"t({count}, {self.value(place)}) < 2",
        )  # fmt: skip
        test = self.pick(tests)
        first = [] if ":=" in test else [f"{count} += 1"]
        if test == "True":
            first.append(f"if {count} > 3: break")
        body = _indented([*first, "t()"]) + self.inner(place, loop=True, jumps=True)
        return [f"{count} = 0", f"while {test}:", *body, *self.loop_else(place)]

    def for_(self, place: Place) -> list[str]:
        name = self.pick(VARIABLES)
        heads = (
            f"for {name} in range({self.value(place)}):",
            f"for {name} in xs:",
            f"for {name} in list(xs):",
            f"for {name}, {self.pick(VARIABLES)} in enumerate(xs):",
            f"for {name} in [{self.value(place)}, {self.value(place)}]:",
            f"for {name}, *{self.pick(VARIABLES)} in list(d.items()):",
            f"for o.q in {self.value(place)}, t({next(self.tags)}):",
            f"for {name} in t(xs, {next(self.tags)}):",
        )
        body = _indented(["t()"]) + self.inner(place, loop=True, jumps=True)
        return [self.pick(heads), *body, *self.loop_else(place)]

    def loop_else(self, place: Place) -> list[str]:
        return ["else:", *self.inner(place)] if self.below(3) == 2 else []

    def try_(self, place: Place) -> list[str]:
        lines = ["try:", *self.inner(place)]
        shape = self.below(5)
        if shape == 4:
            calm = place.deeper(jumps=False, loop=False)
            body = _indented(self.block(calm, 2))
            return [*lines, "except* ValueError as e:", *_indented(["t(e)"]), *body]
        if shape != 1:
            heads = (
                "except ValueError as e:", "except (KeyError, TypeError):", "except Fault as e:",
                "except Exception as u:", "except NameError as v:",
            )  # fmt: skip
            for _ in range(1 + self.below(2)):
                head = str(self.pick(heads))
                note = [f"t({head[-2]})"] if " as " in head else ["t()"]
                lines += [head, *_indented(note), *self.inner(place)]
                if self.below(5) == 4:
                    lines.append("    raise")
            if self.below(3) == 2:
                lines += ["else:", *self.inner(place)]
        if shape in (1, 2):
            lines += ["finally:", *self.inner(place, finalising=True)]
        return lines

    def with_(self, place: Place) -> list[str]:
        targets = ("", f" as {self.pick(VARIABLES)}", " as o.q", f" as d[{self.name(place)}]")
        bound = self.pick(targets)
        swallows = self.pick(("False", "True"))
        second = ", manager(t(2), False)" if self.below(4) == 3 else ""
        head = f"with manager({self.value(place)}, {swallows}){bound}{second}:"
        return [head, *self.inner(place)]

    def overtaken(self, place: Place) -> list[str]:
        """What leaves a block, perhaps overtaken by an error that is swallowed further out."""
        head = str(self.pick(("with manager(t(), True):", "try:")))
        error = [f"if {self.test(place)}: {self.pick(self.raises(place))}"]
        inner = place.deeper()
        last = self.pick(("finally:", "else:", "except KeyError:"))
        jumps = self.if_jump(inner.deeper())
        if last == "finally:":
            tried = ["try:", *_indented(jumps), "finally:", *_indented(error)]
        else:
            tried = ["with manager(t(), False):", *_indented(jumps), *error]
        behind = ["except Exception as v:", "    t(v)"] if head == "try:" else []
        return [head, *_indented([*tried, *self.statement(inner)]), *behind]

    def asynchronous(self, place: Place) -> list[str]:
        """`async for` and `async with`, where they are possible."""
        if place.kind != "async":
            return self.with_(place) if self.below(2) else self.for_(place)
        name = self.pick(VARIABLES)
        if self.below(2):
            head = f"async with async_manager({self.value(place)}) as {name}:"
            return [head, *self.inner(place)]
        body = _indented(["t()"]) + self.inner(place, loop=True, jumps=True)
        return [f"async for {name} in each(xs):", *body, *self.loop_else(place)]

    def match_(self, place: Place) -> list[str]:
        subject = self.pick((self.name(place), self.value(place), "xs", "d", "(a, b)"))
        name = self.pick(VARIABLES)
        patterns = (
            "1", "0 | 2", "None", f"{name} if {self.test(place)}", f"[{name}, *_]",
            f"3 as {name}", "{'n': _}", f"({name}, 2)", f"int({name})", "-1 | True", "str() | 5",
        )  # fmt: skip
        lines = [f"match {subject}:"]
        for _ in range(1 + self.below(3)):
            guard = f" if {self.test(place)}" if self.below(4) == 3 else ""
            pattern = str(self.pick(patterns))
            guard = "" if " if " in pattern else guard
            lines += [f"    case {pattern}{guard}:", *_indented(self.inner(place))]
        if self.below(2):
            last = self.pick(("_", self.pick(VARIABLES)))
            lines += [f"    case {last}:", *_indented(self.inner(place))]
        return lines

    def function(self, place: Place) -> list[str]:
        name = self.fresh("f")
        inner = Place(
            depth=max(place.depth + 1, 2), names=(*VARIABLES, "q"), functions=place.functions,
            top=False, jumps=True,
        )  # fmt: skip
        outer = [n for n in VARIABLES if self.below(3) == 2]
        head = [f"nonlocal {', '.join(outer)}"] if outer else []
        body = _indented([*head, "t()", *self.block(inner, 3)])
        default = f"={self.value(place)}" if self.below(2) else "=1"
        lines = [f"def {name}(q{default}):", *body]
        after = replace(place, functions=(*place.functions, name))
        place.functions = after.functions if self.below(3) else place.functions
        return [*lines, f"t({name}({self.value(place)}))"]

    def lambda_(self, place: Place) -> list[str]:
        name = self.fresh("g")
        inner = replace(place, names=(*VARIABLES, "q"), walrus=False, kind="plain")
        lines = [f"{name} = lambda q={self.value(place)}: {self.value(inner)}"]
        return [*lines, *self.statement(place.deeper()), f"t({name}())"]

    def class_(self, place: Place) -> list[str]:
        name = self.fresh("C")
        inner = replace(place, walrus=False, kind="plain")
        method = Place(depth=3, names=(*VARIABLES, "q"), top=False)
        body = [f"n = {self.value(inner)}", "def m(self, q=2):"]
        body += _indented(["t()", *self.block(method, 2)])
        return [f"class {name}:", *_indented(body), f"t({name}().m(), {name}.n)"]


def _indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


def program(below: Below) -> str:
    """The text of a function `program(a, b, xs, d, o)`, with what it needs around it."""
    writer = Writer(below)
    kind = writer.pick(KINDS)
    place = Place(kind=kind)
    uses_nonlocal = [f"{name} = None" for name in ("w",) if below(2)]
    body = [*uses_nonlocal, *writer.block(place, 6)]
    if kind == "generator":
        body.append("yield 0")
    else:
        body.append(f"return {writer.value(place)}")
    word = "async def" if kind == "async" else "def"
    # Makes every variable one of this function, so that inner functions may declare it nonlocal.
    own = ["if 0: u = v = w = None"]
    head = f"{word} program({', '.join(PARAMETERS)}):"
    shared = ["global G"] if below(2) else []
    return "\n".join([head, *_indented([*shared, *own, *body])]) + "\n"


# ---- running them ----


def compiled(text: str) -> CodeType | None:
    """The code of a program, or None where Python refuses it."""
    try:
        return compile(text, "<program>", "exec")
    except SyntaxError:
        return None


class _Later:
    """Gives control back once before it has a value."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __await__(self) -> Iterator[Any]:
        yield self.value
        return self.value


ARGUMENTS = ((1, 2), (0, None), (3, -1))


def observe(define: Callable[[dict[str, Any]], Any]) -> list[str]:
    """Everything that callers can notice of a program, for a few arguments.

    define: puts the program into a namespace, and gives the function to call.
    """
    noticed = []
    for a, b in ARGUMENTS:
        world = World()
        space: dict[str, Any] = {
            "t": world.t, "boom": world.boom, "manager": world.manager, "Fault": Fault,
            "later": _Later, "each": each, "async_manager": world.async_manager, "G": 0,
            "__name__": "random_program",
        }  # fmt: skip
        function = define(space)
        printed = io.StringIO()
        arguments = (a, b, [2, 0, 1], {1: 1, "n": {}}, Thing())
        with contextlib.redirect_stdout(printed):
            outcome = _outcome(function, arguments)
        end = (arguments, space.get("G"))
        noticed += [outcome, shown(world.log), printed.getvalue(), shown(end)]
    return noticed


def _outcome(function: Any, arguments: tuple[Any, ...]) -> str:
    try:
        result = function(*arguments)
        if inspect.isgenerator(result) or inspect.iscoroutine(result):
            return shown(_driven(result))
        return shown(result)
    except (Exception, OutOfFuel) as error:
        return _error_text(error)


_ADDED = re.compile(r"\b(if|elif|case|else|loop)_body(_\d+)?\.<locals>\.(?=\S*<lambda>)")
"""Functions that the rewriting adds: a converted module cannot keep them out of a lambda's name."""


def _error_text(error: BaseException) -> str:
    inner = getattr(error, "exceptions", ())
    kind = type(error).__name__
    text = f"{kind}: {error} {shown(error.args)} {[_error_text(each) for each in inner]}"
    return _ADDED.sub("", text)


def _driven(steps: Any) -> list[Any]:
    """What a generator or coroutine yields when it is sent numbers, and what it returns."""
    found: list[Any] = []
    sent = None
    for number in range(60):
        try:
            found.append(steps.send(sent))
        except StopIteration as stopped:
            return [*found, ("returned", stopped.value)]
        except (Exception, OutOfFuel) as error:
            return [*found, _error_text(error)]
        sent = number
    with contextlib.suppress(OutOfFuel, RuntimeError, Exception):
        steps.close()
    return found


def original(text: str) -> list[str]:
    """What is noticed of a program as it was written."""

    def define(space: dict[str, Any]) -> Any:
        exec(compile(text, "<program>", "exec"), space)
        return space["program"]

    return observe(define)


def converted(text: str) -> list[str]:
    """What is noticed of its converted text."""
    code = compile(autograph.convert_source(text), "<converted program>", "exec")

    def define(space: dict[str, Any]) -> Any:
        exec(code, space)
        return space["program"]

    return observe(define)


def loaded(text: str) -> list[str]:
    """What is noticed of the function that `to_graph` makes."""

    def define(space: dict[str, Any]) -> Any:
        exec(compile(text, "<program>", "exec"), space)
        return autograph.to_graph(space["program"], source=text)

    return observe(define)


def dedented(text: str) -> str:
    """A program written in a test."""
    return textwrap.dedent(text).lstrip("\n")
