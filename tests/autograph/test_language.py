"""Small programs, each about one meaning of Python that converted code has to keep.

A program is the body of `f(x, log)`; it is run as it is, as converted text and by `to_graph`.
"""

from __future__ import annotations

import contextlib
import sys
import textwrap
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import autograph

PROGRAMS = {
    "a variable that is declared nonlocal and not used": """
        if x:
            y = 1
        def inner():
            nonlocal y
            return 2
        if x == 1:
            z = 1
        class Inner:
            nonlocal z
        return inner(), Inner.__name__
    """,
    "a pattern is unpacked after the targets before it are assigned": """
        log += [0, 0]
        items = [0, 0]
        for i in range(2):
            try:
                log[0], (items[i], log[1]), log[i], (a, b) = 5, (i, x), 6, (i, 7)
                log[1] = (a, items[a]) = (0, i)
                log[9], [log[0], a] = 1, x
            except Exception as error:
                log.append(repr(error))
        return items
    """,
    "a tuple is no context manager where a with statement is split": """
        with contextlib.nullcontext(), (contextlib.nullcontext(), contextlib.nullcontext()):
            if x:
                return 1
        return 2
    """,
    "what a comprehension cannot unpack": """
        return sum(y for y, z in [(1, 2), x] if y > z)
    """,
    "a comprehension reads no more than it unpacks": """
        def read():
            while len(log) < 9:
                log.append(x)
                yield x
        return [y for y, z in [read()] if y > z]
    """,
    "a key that a dict gains when it is read is not in the text before": """
        class Counts(dict):
            def __missing__(self, key):
                self[key] = 0
                return 0
        counts = Counts()
        return f"{counts} {counts[x == 1]}, {counts!r:>20} {counts['n'] + 1}"
    """,
    "an attribute that changes its object when it is read": """
        class Log(list):
            @property
            def length(self):
                self.append(1)
                return len(self)
        lines = Log()
        return f"{lines} {lines.length}"
    """,
    "locals() has no variable without a value": """
        if x == 5:
            y = x
        log.append(sorted(locals()))
        return [y for _ in range(2)], x and y
    """,
    "the iterable of a sum begins before its start is computed": """
        class Items:
            def __iter__(self):
                log.append("iter")
                return iter([1, 2])
        return sum((y for y in Items() if y), log.append("start") or 1)
    """,
    "what cannot be iterated over fails before the default is computed": """
        return next((y for y in x if y), log.append("default"))
    """,
    "a boolean has no attribute to delete": """
        y = x == 1
        del y.v
    """,
    "a list has only the attributes of lists": """
        y = [1]
        y.own[0] = 2
    """,
    "a line deletes a variable and reads it": """
        value = x
        if x:
            del value; log.append(value)
        return value
    """,
    "an update of a variable without a value fails before its right side": """
        for i in range(x):
            total += log.append(i)
    """,
    "a deleted variable has no value": """
        y = x
        del y
        return 0 or y
    """,
    "deleting a variable without a value fails": """
        if x > 5:
            y = x
        del y
        return x and y
    """,
    "a deleted parameter keeps its value until then": """
        z = abs(x)
        if x is None:
            del x
            return 1 < x < 2
        return z
    """,
    "a lambda sees that its variable was deleted": """
        read = lambda: x
        for i in range(2):
            if i == i:
                x = 1
            del x
        return read()
    """,
    "an inner function names a free variable in its error": """
        def inner():
            return y
        if x > 5:
            y = 1
        return inner()
    """,
    "a method of an inner class sees that a variable has no value": """
        for i in range(x):
            class Inner:
                def read(self):
                    y
            if x > 5:
                y = 1
            Inner().read()
    """,
    "a value is evaluated before the item it is assigned to": """
        if x > 5:
            i = 1
        log[i] = log.append(1)
    """,
    "a value may change the index": """
        a, i = [0, 0], 0
        a[i] = (i := 1)
        return a, i
    """,
    "a comprehension reads what has no value": """
        if not x:
            u = 1
        return sum([u for each in (x, 2)])
    """,
    "the test of a comprehension reads what has no value": """
        if not x:
            u = 1
        return [each for each in (x, 2) if u > 0], [[u for a in (x,)] for b in (x,)]
    """,
    "an error before a jump on its line": """
        if x == 1:
            return 1
        raise KeyError; return 2
    """,
    "an index may rebind what is indexed": """
        a = b = [0, 0]
        a[(a := [5, 5]) and 1] = 3
        return a, b
    """,
    "a function may rebind what is updated": """
        a = b = [0]
        def change():
            nonlocal a
            a = [7]
            return 1
        a[0] += change()
        return a, b
    """,
    "an operand of a lambda's default is evaluated where the lambda is": """
        u = 1 if x > 0 else lambda z=(w := 5): z
        return w
    """,
    "the tests of a row of elif may read a variable without a value": """
        if x is None:
            w = 1
        if w:
            return 1
        elif x:
            return 2
    """,
    "a variable of a branch is no global elsewhere": """
        if y:
            pass
        else:
            y = 1
    """,
    "a guard may read a variable without a value": """
        match x:
            case int(n) if y:
                return 1
            case [y]:
                if y > 1:
                    y = 2
    """,
    "a guard decides nothing and is evaluated": """
        def inner():
            match x:
                case 1 if log.append(2):
                    return
                case _ if log.append(3):
                    return
        inner()
        match x:
            case 3 if not log.append(4):
                return
    """,
    "a guard may assign": """
        match x:
            case 0 | 7 if (n := 5) > 9:
                return n
            case 0 | 3 if (n := 6) > 5:
                return n, x
        return "none"
    """,
    "a guard does not change the subject": """
        match x:
            case 3 if (x := 4) > 9:
                return "never"
            case 4:
                return "wrong"
            case 3:
                return "right", x
    """,
    "the else of a loop continues the loop around it": """
        for i in range(x):
            for j in ():
                pass
            else:
                if i > 1:
                    continue
                log.append(i)
            log.append("end")
    """,
    "the else of a while breaks the loop around it": """
        while x > 0:
            while len(log) < 2:
                log.append(x)
            else:
                break
        return x
    """,
    "a return in a try leaves out its else": """
        try:
            if x > 2:
                return 1
        except ValueError:
            pass
        else:
            log.append("else")
        finally:
            log.append("finally")
    """,
    "a return in a try leaves out an else that may return": """
        try:
            if x == 1:
                return 5
        except ValueError:
            return 6
        else:
            if x:
                return 7
    """,
    "a return in finally discards the error": """
        try:
            y = 1 / (x - 3)
        finally:
            if x > 2:
                return "discarded"
        return y
    """,
    "a return in the finally of a loop discards the error after another return": """
        with contextlib.suppress(KeyError):
            try:
                if x == 1:
                    return 2
            except ValueError:
                pass
            for item in [x, 4]:
                try:
                    raise KeyError
                finally:
                    return item
        log.append(5)
    """,
    "a return in finally discards the error before statements that are not reached": """
        try:
            if x == 1:
                return 2
            try:
                raise KeyError
            finally:
                return 3
            log.append(4)
        except KeyError:
            log.append(5)
        log.append(6)
    """,
    "a return in the finally of an else discards the error": """
        try:
            if x == 1:
                return 2
        except ValueError:
            pass
        else:
            try:
                log.append(y)
            finally:
                return 3
        y = 4
    """,
    "a break in finally discards the return": """
        for i in range(3):
            try:
                if x > 2:
                    return i
            finally:
                if x > 1:
                    break
        return "behind"
    """,
    "a return that an error followed did not happen": """
        try:
            try:
                if x > 2:
                    return 1
            finally:
                log[9]
        except IndexError:
            pass
        return 2
    """,
    "a variable keeps its value where the assignment fails": """
        y = 0
        if x > 2:
            y = 5
        try:
            y = log[9]
        except IndexError:
            pass
        return y
    """,
    "an assignment in an operand may not happen": """
        y = 0
        if x > 2:
            y = 5
        if x > 9 and (y := 7):
            pass
        return y
    """,
    "the target of a with statement may read a variable without a value": """
        if x > 9:
            y = 1
        with contextlib.nullcontext(x and y) as log[y]:
            pass
    """,
    "a handler unbinds its name": """
        for i in range(x):
            try:
                log[9]
            except IndexError as error:
                if i > 5:
                    error = 1
            log.append(i)
            if i > 0:
                return error
    """,
    "a return unbinds the name of its handler": """
        error = 1
        try:
            if x == 1:
                raise KeyError
        except KeyError as error:
            return 2
        finally:
            if x:
                log.append(error)
            del error
    """,
    "an error in finally overtakes a return, and a with swallows it": """
        with contextlib.suppress(ValueError):
            try:
                if x > 0:
                    return x
            finally:
                raise ValueError
        log.append(1)
    """,
    "an error may overtake a break, and a with swallows it": """
        for i in range(5):
            with contextlib.suppress(ValueError):
                try:
                    if i > x:
                        break
                finally:
                    if i % 2:
                        raise ValueError
            log.append(i)
        else:
            log.append("else")
    """,
    "an error may overtake a continue, and a with swallows it": """
        i = 0
        while i < 5:
            i += 1
            with contextlib.suppress(ValueError):
                try:
                    if i > x:
                        continue
                finally:
                    if i % 2:
                        raise ValueError
            log.append(i)
    """,
    "the end of an inner with may fail behind a return": """
        @contextlib.contextmanager
        def fails(now):
            yield
            if now:
                raise ValueError

        for i in range(4):
            with contextlib.suppress(ValueError):
                with fails(i % 2):
                    if i > x:
                        return i
            log.append(i)
    """,
    "the managers of one with may fail and swallow": """
        @contextlib.contextmanager
        def fails(now):
            yield
            if now:
                raise ValueError

        for i in range(4):
            with contextlib.suppress(ValueError), fails(i % 2) as y, contextlib.nullcontext():
                if i > x:
                    return i
            log.append(i)
    """,
    "an error may overtake a return, and a handler goes on": """
        for i in range(4):
            try:
                try:
                    if i > x:
                        return i
                finally:
                    if i < 2:
                        raise ValueError
            except ValueError:
                log.append("handled")
            else:
                log.append("else")
            log.append(i)
    """,
    "a jump in finally overtakes another": """
        for i in range(5):
            try:
                if i > x:
                    return i
            finally:
                if i % 2:
                    continue
                if i == 4:
                    break
            log.append(i)
    """,
    "an f-string behind a handler reads its name": """
        for i in range(x):
            try:
                log[9]
            except IndexError as error:
                log.append(f"{error}")
                if i > 5:
                    error = 1
            if i > 0:
                log.append(f"{error}")
    """,
    "an f-string of each kind of quotes behind a handler": """
        for i in range(x):
            error = i
            try:
                if i > 1:
                    log[9]
            except IndexError as error:
                log.append(f'{error}')
            log.append(f'{error}')
    """,
    "a long f-string reads a variable without a value": """
        for i in range(x):
            if i > 5:
                y = 1
            if i > 1:
                log.append(f"a string that is rather long already with {y}, {i}, {x}, {log}")
    """,
    "an f-string prints the text of a variable without a value": """
        for i in range(x):
            if i > 1:
                y = 1
            log.append(f"{x=} { y = !s:>9}")
    """,
    "an f-string prints the text of a variable": """
        for i in range(x):
            y = [i]
        if i > 1:
            return f"{y=} { i = :>9}, {y!r}"
    """,
    "the target of a comprehension may be a tuple of one name": """
        rows = [(x,), (2,)]
        return [a for a, in rows], any(a for (a,) in rows), [a for [a] in rows if a]
    """,
    "the target of a comprehension may have a star": """
        rows = [(x, 1), (x, 2, 3)]
        log += [(a, *b) for a, *b in rows]
        return [b for a, *b in rows], [b for *b, in rows], next((b for *b, a in rows if a), 0)
    """,
    "the target of a loop may suspend": """
        log += [0, 0]
        def inner():
            for log[(yield x)] in range(2):
                log.append(7)
        steps = inner()
        log += [next(steps), steps.send(1)]
        return next(steps, "end") if x == 1 else steps.send(0)
    """,
    "an item of any is asked for its truth once": """
        class Flag:
            def __init__(self, value):
                self.value = value
            def __bool__(self):
                log.append(self.value)
                return self.value > 1
        flags = [Flag(1), Flag(2), Flag(3)]
        return any(flag for flag in flags), all(flag for flag in flags)
    """,
    "an error has the attributes of Python's": """
        if x:
            value = x
        try:
            log.append(value)
        except NameError as error:
            log.append(error.name)
    """,
    "a class may have bases and decorators without a value": """
        for i in range(2):
            if x == i:
                base = decorate = list
            class Inner(base): ...
            log.append(Inner.__qualname__)
            @decorate
            class Other: ...
    """,
    "a class on one line may read a variable without a value": """
        if x:
            y = 1
        class Inner: first = 0; second = y
        log.append(Inner.second)
    """,
    "statements of a class may read a variable without a value": """
        if x == 1:
            y = [3]
        elif x:
            y = ()
        class Inner:
            value = 2
            if(y): value = 4
            for each in(y):
                value += each
            match(y):
                case [a] if(y): value += a
        log.append(Inner.value)
    """,
    "a class may change a variable without a value": """
        if x == 1:
            y = 2
        class Inner:
            nonlocal y
            y += 1
        log.append(y)
    """,
    "a keyword may have no space before a parenthesis": """
        try:
            match(x and log):
                case [] if(x or log):
                    return 1
                case y if(x and y):
                    raise ValueError(y)
        except(x and ValueError or KeyError):
            return 2
    """,
    "a class may have annotations that a branch chose": """
        if x:
            kind = int
        else:
            kind = str
        class Inner:
            value: kind
        log.append(Inner.__annotations__)
    """,
    "a class in a class may read a variable without a value": """
        if x:
            y = 1
        class Inner:
            class Innermost:
                value = y
        log.append(Inner.Innermost.value)
    """,
    "a jump in a finally overtakes a return": """
        for i in [0, 1]:
            y = 0
            while y < 20:
                y += 10
                try:
                    return i + y
                finally:
                    log.append(y)
                    if x:
                        break
        return i, y
    """,
    "an operand in a guard may assign": """
        match log:
            case [] if x and (y := [x]):
                log.append(y)
            case [] if x or (z := 1):
                return z
            case [1, first] if first or any(z := first for _ in y):
                return z
        return y, z
    """,
    "an operand in the type of a handler may assign": """
        try:
            raise ValueError
        except (x and (y := ValueError) or KeyError):
            log.append(y)
        return y
    """,
    "the handlers of `except*` run one after the other": """
        y = z = 0
        try:
            raise ExceptionGroup("", [ValueError(x), KeyError(x)])
        except* ValueError:
            if x == 1:
                y = 1
            elif x:
                del z
        except* KeyError:
            log.append(y)
            log.append(z)
    """,
    "the name of a function in a block is that of the text": """
        for i in range(x):
            def inner(y): ...
            inner()
    """,
    "the variables of a frame": """
        import sys
        if x:
            y = x
        return sorted(sys._getframe().f_locals)
    """,
    "locals() of an inner function has no variable without a value": """
        if x == 1:
            y = z = x
        elif x:
            y = 0
            del y
        def inner():
            log.append(sorted(locals()))
            return y
        class Inner:
            def shown(self):
                return (lambda: [locals(), z])()
        for each in (inner, Inner().shown):
            try:
                log.append(each())
            except NameError as error:
                log.append(str(error))
    """,
    "an operand that assigns after a return": """
        for y in range(x):
            continue
            log.append(y and (last := y))
        return x
        z = x and (first := 1)
    """,
    "super() in a comprehension that has a frame of its own": """
        class Base:
            def size(self, y=2):
                return y

        class Derived(Base):
            def any(self):
                return any(super().size(y) > 2 for y in log + [x])
            def first(self):
                if x:
                    return next((y for y in [x] if super().size()), 1)
            def listed(self):
                return [y for y in [x] if super().size() == y]
            def outermost(self):
                return [y for y in [super().size()] if y > 1]
        for name in ("any", "first", "listed", "outermost"):
            try:
                log.append(getattr(Derived(), name)())
            except Exception as error:
                log.append(repr(error))
    """,
    "an annotation of a function is evaluated": """
        if x:
            kind = int
        def inner(y: kind, *z: kind, **others: kind) -> kind: ...
        return inner.__annotations__
    """,
    "an annotation of a class is evaluated": """
        if x:
            kind = int
        class Inner:
            y: kind = 3
        return Inner.__annotations__
    """,
}

if sys.version_info >= (3, 12):
    PROGRAMS |= {
        "a type is evaluated when it is asked for": """
            def asked(alias):
                try:
                    return alias.__value__
                except NameError as error:
                    return str(error)
            type Early = kind
            log.append(asked(Early))
            if x:
                kind = int
            type Late[T] = dict[T, kind] if kind else x
            class Inner:
                type Inside = kind
            return [str(asked(each)) for each in (Early, Late, Inner.Inside)]
        """,
        "the bound of a type parameter is evaluated when it is asked for": """
            if x:
                kind = x
            def inner[T: kind](y: T): ...
            class Inner[T: (int, kind)]: ...
            log.append(inner.__type_params__[0].__bound__)
            log.append(Inner.__type_params__[0].__constraints__)
        """,
    }


def calls() -> Iterator[tuple[Any, list[Any]]]:
    for x in (0, 1, 3, [3]):
        yield x, []


def outcomes(function: Callable[..., Any]) -> list[Any]:
    found = []
    for x, log in calls():
        try:
            result: Any = function(x, log)
        except Exception as error:
            result = type(error), error.args
        found.append((result, log))
    return found


def text_of(name: str) -> str:
    return "def f(x, log):\n" + textwrap.indent(textwrap.dedent(PROGRAMS[name]), "    ")


def defined(text: str) -> Any:
    names: dict[str, Any] = {"contextlib": contextlib}
    exec(compile(text, "<program>", "exec", dont_inherit=True), names)
    return names["f"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_converted_text(name: str) -> None:
    text = text_of(name)
    assert outcomes(defined(autograph.convert_source(text))) == outcomes(defined(text))


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_converted_function(name: str) -> None:
    text = text_of(name)
    converted = autograph.to_graph(defined(text), source=text)
    assert outcomes(converted) == outcomes(defined(text))


def test_an_error_before_a_jump_on_its_line_is_at_that_line() -> None:
    text = text_of("an error before a jump on its line")
    converted = autograph.to_graph(defined(text), source=text)
    with pytest.raises(KeyError) as caught:
        converted(2, [])
    assert traceback.extract_tb(caught.value.__traceback__)[-1].lineno == 5


@pytest.mark.parametrize("name", ["an index may rebind what is indexed"])
def test_an_item_of_what_is_rebound_stays(name: str) -> None:
    assert "set_item" not in autograph.convert_source(text_of(name))


def test_an_annotation_that_is_kept_as_text_stays() -> None:
    text = text_of("an annotation of a function is evaluated")
    future = f"from __future__ import annotations\n{text}"
    assert "y: kind, *z: kind, **others: kind) -> kind" in autograph.convert_source(future)
    converted = autograph.to_graph(defined(future), source=text)
    assert outcomes(converted) == outcomes(defined(future))
