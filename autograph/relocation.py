"""Positions of generated code in the user's text, and marks of the functions that were added."""

from __future__ import annotations

import ast
import functools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from types import CodeType
from typing import Any

from autograph.code_objects import BY_OPERATORS, CONVERTED, READ_ONCE, made_codes
from autograph.conversion_result import Conversion, Span
from autograph.source import character_column, first_line, without_syntax_warnings

Place = Callable[[int, int], tuple[int, int]]

_FAR = 1 << 24
"""More lines than a file has."""


class Users:
    """The functions of a relocated tree that the converter added.

    Attributes:
      marked: whether to add the constant `CONVERTED`, and `BY_OPERATORS` where it holds.
      names: the names of the added functions, which the user does not use.
      lambdas: the added lambdas.
      codes: ids of the code objects of the added lambdas.
      comparing: the functions that compare by identity in Python.
      reads: for each function, how often it reads each variable that a loop goes through.
      loops: the variables that are assigned before a loop through them, in the same block.
    """

    def __init__(self, marked: bool) -> None:
        self.marked = marked
        self.names: set[str] = set()
        self.lambdas: list[ast.Lambda] = []
        self.codes: set[int] = set()
        self.comparing: set[_Function] = set()
        self.reads: Counter[tuple[_Function, str]] = Counter()
        self.loops: set[tuple[_Function, str]] = set()

    def compile(self, tree: ast.Module, filename: str, flags: int = 0) -> CodeType:
        """Compile a tree; find the code objects of the added lambdas.

        Code does not refer to its node. So the tree is compiled once more, with the added lambdas
        far from all others: the instructions that make functions correspond one by one.
        """
        code: CodeType = compile(tree, filename, "exec", flags=flags, dont_inherit=True)
        if self.marked:
            self._note_facts(tree)
        if self.lambdas:
            for each in self.lambdas:
                each.lineno += _FAR
                each.end_lineno = each.lineno
                each.end_col_offset = each.col_offset
            with without_syntax_warnings():
                far = compile(tree, filename, "exec", flags=flags, dont_inherit=True)
            self._find_lambdas(code, far)
        return code

    def _find_lambdas(self, code: CodeType, far: CodeType) -> None:
        for own, other in zip(made_codes(code), made_codes(far), strict=True):
            if other.co_firstlineno > _FAR:
                self.codes.add(id(own))
            self._find_lambdas(own, other)

    def is_added(self, code: CodeType) -> bool:
        """Return whether the converter added a function."""
        return id(code) in self.codes or code.co_name in self.names

    def _note_facts(self, tree: ast.AST) -> None:
        looped = set(map(_looped, ast.walk(tree))) - {None}
        waiting: list[tuple[ast.AST, tuple[_Function, ...]]] = [(tree, ())]
        while waiting:
            node, around = waiting.pop()
            if isinstance(node, ast.Lambda):
                around = (*around, ("<lambda>", node.lineno))
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                around = (*around, (node.name, first_line(node)))
            elif isinstance(node, _IDENTITY):
                self.comparing.update(around)
            elif (
                isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in looped
            ):
                self.reads.update((each, node.id) for each in around)
            if looped and around and isinstance(getattr(node, "body", None), list):
                self.loops.update((around[-1], name) for name in _assigned_for_loop(node))
            waiting += [(child, around) for child in ast.iter_child_nodes(node)]

    def marks_of(self, code: CodeType) -> tuple[str, ...]:
        """Return the constants to add to the code of a function."""
        if not self.marked:
            return ()
        function = code.co_name, code.co_firstlineno
        names = (name for owner, name in self.loops if owner == function)
        once = (f"{READ_ONCE}{name}" for name in names if self.reads[function, name] == 1)
        identity = () if function in self.comparing else (BY_OPERATORS,)
        return (CONVERTED, *identity, *sorted(once))


_Function = tuple[str, int]
"""Name and first line of a function."""

_IDENTITY = (ast.Is, ast.IsNot, ast.Match)
"""Patterns of a `match` compare with None by identity, too."""


def _looped(node: ast.AST) -> str | None:
    """Return the variable that a converted loop goes through; None for any other node."""
    call = node.value if isinstance(node, ast.Expr) else None
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)):
        return None
    iterable = call.args[0] if call.func.attr == "for_stmt" and call.args else None
    return iterable.id if isinstance(iterable, ast.Name) else None


def _assigned_for_loop(block: object) -> Iterator[str]:
    """Yield the variables that a block assigns before a loop through them."""
    for statements in (getattr(block, each, ()) for each in ("body", "orelse", "finalbody")):
        assigned: set[str] = set()
        for statement in statements:
            if isinstance(statement, ast.Assign):
                assigned.update(each.id for each in statement.targets if isinstance(each, ast.Name))
            name = _looped(statement)
            if name in assigned:
                yield name


_COMPOUND = (
    ast.If, ast.While, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith, ast.Try, ast.TryStar,
    ast.Match, ast.ClassDef,
)  # fmt: skip
_KEYWORDS = re.compile(
    r"(?:async\s+)?(?:if|elif|else|while|for|match|case|try|except|finally|with|def|class)\b"
)


class Relocation:
    """Move the nodes of a generated tree to their origins in the user's text."""

    def __init__(self, conversion: Conversion | None, place: Place, original: list[str]) -> None:
        self._spans: Mapping[Span, Span] | None = None if conversion is None else conversion.spans
        self._lines = [] if conversion is None else conversion.text.split("\n")
        self._place = place
        self._original_lines = original

    def relocate(self, tree: ast.AST, whole: Span) -> Users:
        """Move every node; nodes without an origin get the span `whole`.

        Returns:
          The user's functions.
        """
        users = Users(marked=self._spans is not None)
        waiting: list[tuple[ast.AST, Span]] = [(tree, whole)]
        while waiting:
            node, around = waiting.pop()
            if hasattr(node, "lineno"):
                span = self._span(node)
                is_added = self._note(users, node, span)
                found = self._find(node, span)
                around = self._in_one_line(found or around)
                keeps = found is not None and self._keeps_lines(node, found, is_added)
                _move(node, self._placed(found if found is not None and keeps else around))
                if isinstance(node, ast.Lambda) and not self._is_known(span):
                    users.lambdas.append(node)
            waiting.extend((child, around) for child in ast.iter_child_nodes(node))
        return users

    def _span(self, node: Any) -> Span:
        return (
            node.lineno,
            self._column(node.lineno, node.col_offset),
            node.end_lineno,
            self._column(node.end_lineno, node.end_col_offset),
        )

    def _column(self, line: int, column: int) -> int:
        lines = self._lines or self._original_lines
        return character_column(lines[line - 1], column)

    def _is_known(self, span: Span) -> bool:
        return self._spans is None or span in self._spans

    def _find(self, node: ast.AST, span: Span) -> Span | None:
        if self._spans is None:
            return span
        found = self._spans.get(span)
        if found is None and isinstance(node, (ast.Tuple, ast.GeneratorExp)):
            # Python includes the brackets in the span, the converter does not.
            line, column, end_line, end_column = span
            found = self._spans.get((line, column + 1, end_line, end_column - 1))
        if found is None and isinstance(node, (ast.stmt, ast.ExceptHandler)):
            found = self._starts.get(span[:2])
        return found

    @functools.cached_property
    def _starts(self) -> dict[tuple[int, int], Span]:
        """Return the origins, by start, of statements whose ends differ between the two parsers."""
        found: dict[tuple[int, int], tuple[Span, Span]] = {}
        for generated, original in (self._spans or {}).items():
            if generated[:2] == generated[2:]:
                continue
            known = found.get(generated[:2])
            if known is None or known[0] < generated:
                found[generated[:2]] = (generated, original)
        return {start: original for start, (_, original) in found.items()}

    def _keeps_lines(self, node: ast.AST, found: Span, is_added: bool) -> bool:
        """Return whether a node keeps a span of several lines.

        A node added for a statement gets the position of its first word, not its body.
        """
        if self._spans is None or isinstance(node, _COMPOUND):
            return True
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return not is_added
        return found[0] == found[2] or self._keyword(found) is None

    def _in_one_line(self, span: Span) -> Span:
        """Return the part of a span for a generated node without an origin of its own.

        Python reports a call whose function expression spans lines at the last of them.
        """
        line, column, end_line, _ = span
        if line == end_line:
            return span
        keyword = self._keyword(span)
        end = len(self._original_lines[line - 1]) if keyword is None else keyword.end()
        return line, column, line, end

    def _keyword(self, span: Span) -> re.Match[str] | None:
        return _KEYWORDS.match(self._original_lines[span[0] - 1], span[1])

    def _placed(self, span: Span) -> tuple[int, int, int, int]:
        line, column = self._place(span[0], span[1])
        end_line, end_column = self._place(span[2], span[3])
        return line, end_line, column, end_column

    def _note(self, users: Users, node: ast.AST, span: Span) -> bool:
        """Return whether the converter generated a function; record it if the user wrote it."""
        if self._spans is None or not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return False
        line = self._lines[span[0] - 1]
        name = re.compile(rf"(?:async\s+)?def\s+({re.escape(node.name)})\b").match(line, span[1])
        if name is None or (span[0], name.start(1), span[0], name.end(1)) in self._spans:
            return False
        users.names.add(node.name)
        return True


def _move(node: Any, place: tuple[int, int, int, int]) -> None:
    node.lineno, node.end_lineno, node.col_offset, node.end_col_offset = place
