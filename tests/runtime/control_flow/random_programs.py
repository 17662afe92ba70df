"""Random programs about whole numbers, for plain Python and for graphs.

They branch, loop, jump and return where an argument decides, and change variables, objects, lists,
dicts and variables of inner functions there.
"""

from __future__ import annotations

import random
import textwrap

PRELUDE = """\
class Obj:
    def __init__(self):
        self.v = 0
    def bump(self, k):
        if k > 0:
            self.v += k
        else:
            self.v -= 1
    def asks(self, k):
        self.v += 1
        return k > self.v

def program(x, y):
    a, b, c = 1, 2, 3
    o = Obj()
    d = {'k': 1}
    xs = [0, 1, 2]
    def set_c(value):
        nonlocal c
        c = value
"""
RESULT = "    return a, b, c, o.v, d['k'], xs[0], xs[1]\n"


class Program:
    """Writes one program; the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._count = 0

    def text(self) -> str:
        statements = [line for _ in range(self.below(2, 6)) for line in self.statement(False, 3)]
        return PRELUDE + textwrap.indent("\n".join(statements), "    ") + "\n" + RESULT

    def below(self, first: int, end: int) -> int:
        return self._random.randrange(first, end)

    def pick(self, *options: str) -> str:
        return self._random.choice(options)

    def number(self, depth: int = 2) -> str:
        kind = self.below(0, 12)
        if depth == 0 or kind < 4:
            names = ("a", "b", "c", "x", "y", "o.v", "d['k']", "xs[1]")
            return self.pick(*names, str(self.below(-3, 6)))
        left, right = self.number(depth - 1), self.number(depth - 1)
        if kind < 8:
            return f"({left} {self.pick('+', '-', '*')} {right}) % 97"
        if kind == 8:
            return f"({left} if {self.test(depth - 1)} else {right})"
        if kind == 9:
            return f"{self.pick('max', 'min')}({left}, {right})"
        if kind == 10:
            return f"abs({left})"
        return f"({left} {self.pick('//', '%')} {self.pick('2', '3', '5')})"

    def test(self, depth: int = 1) -> str:
        kind = self.below(0, 9)
        if depth == 0 or kind < 5:
            return f"{self.number(1)} {self.pick('<', '>', '<=', '==', '!=')} {self.number(1)}"
        if kind == 5:
            return f"({self.test(depth - 1)} {self.pick('and', 'or')} {self.test(depth - 1)})"
        if kind == 6:
            return f"not ({self.test(depth - 1)})"
        if kind == 7:
            return f"{self.number(1)} < {self.number(1)} < {self.number(1)}"
        first, *rest = [f"o.asks({self.number(1)})" for _ in range(self.below(2, 5))]
        return " ".join([f"({first}", *(f"{self.pick('and', 'or')} {each}" for each in rest)]) + ")"

    def block(self, in_loop: bool, depth: int) -> list[str]:
        lines = [line for _ in range(self.below(1, 4)) for line in self.statement(in_loop, depth)]
        return [f"    {line}" for line in lines]

    def statement(self, in_loop: bool, depth: int) -> list[str]:
        kind = self.below(0, 20)
        if depth == 0 or kind < 6 or kind == 19:
            return self.simple()
        if kind < 11:
            return self.branch(in_loop, depth - 1)
        if kind < 16:
            return self.loop(in_loop, depth - 1, "while" if kind < 13 else "for")
        if kind == 16 and in_loop:
            return [f"if {self.test()}:", f"    {self.pick('break', 'continue')}"]
        if kind == 17:
            return [f"if {self.test()}:", "    return (a, b, c, o.v, d['k'], xs[0], 7)"]
        if kind == 18:
            return ["try:", *self.block(in_loop, depth - 1), "finally:", "    b = b + 1"]
        return self.simple()

    def branch(self, in_loop: bool, depth: int) -> list[str]:
        lines = [f"if {self.test()}:", *self.block(in_loop, depth)]
        if self.below(0, 3) == 0:
            lines += [f"elif {self.test()}:", *self.block(in_loop, depth)]
        if self.below(0, 2):
            lines += ["else:", *self.block(in_loop, depth)]
        return lines

    def loop(self, in_loop: bool, depth: int, kind: str) -> list[str]:
        self._count += 1
        counter = f"i{self._count}"
        bound = self.pick("3", "abs(x) % 4", "abs(y) % 3")
        if kind == "for":
            body = [*self.block(True, depth), f"    a = a + {counter}"]
            return [f"for {counter} in range({bound}):", *body]
        test = f"{counter} < {bound} and {self.test(0)}"
        lines = [f"{counter} = 0", f"while {test}:", f"    {counter} += 1"]
        lines += self.block(True, depth)
        return [*lines, "else:", *self.block(in_loop, depth)] if self.below(0, 4) == 0 else lines

    def simple(self) -> list[str]:
        variable, value = self.pick("a", "b", "c"), self.number(1)
        return [
            self.pick(
                f"{variable} = {self.number()}",
                f"{variable} = {self.number()}",
                f"{variable} {self.pick('+=', '-=')} {value}",
                f"o.bump({value})",
                f"o.v = {value}",
                f"d['k'] = {value}",
                f"set_c({value})",
                f"xs[{self.pick('0', '1')}] = {value}",
                f"a = xs[{self.pick('0', '1', '2')}]",
                f"a, b = b, {value}",
            )
        ]
