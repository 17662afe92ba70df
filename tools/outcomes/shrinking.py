"""A small program that is still wrong, found by leaving parts of a large one out."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import replace

from tools.outcomes.programs import Program
from tools.outcomes.trial import Verdict
from tools.outcomes.workers import Worker

MOST_TRIALS = 400


def shrink(program: Program, verdict: Verdict, worker: Worker) -> tuple[Program, Verdict]:
    """Return the smallest program found that fails like `program` does, with its verdict.

    A part is a statement, a block in place of its statement, an `else`, or an operand in place of
    its expression. Parts are left out while the form and reason of the verdict stay the same.
    """
    trials = 0
    progress = True
    while progress and trials < MOST_TRIALS:
        progress = False
        for smaller in _smaller(program):
            trials += 1
            if trials > MOST_TRIALS:
                break
            found = worker.judge(smaller, [verdict.form] if verdict.form else [])
            if (found.outcome, found.reason) == (verdict.outcome, verdict.reason):
                program, verdict, progress = smaller, found, True
                break
    return program, verdict


def _smaller(program: Program) -> Iterator[Program]:
    tree = ast.parse(program.text)
    for number in range(len(_edits(tree))):
        changed = copy.deepcopy(tree)
        _edits(changed)[number]()
        text = ast.unparse(ast.fix_missing_locations(changed)) + "\n"
        if len(text) < len(program.text):
            yield replace(program, text=text)


class _Edit:
    """Replaces elements of a list of statements, or one field of a node."""

    def __init__(self, place: list[ast.stmt], index: int, block: list[ast.stmt]) -> None:
        self.place, self.index, self.block = place, index, block

    def __call__(self) -> None:
        self.place[self.index : self.index + 1] = self.block
        if not self.place:
            self.place.append(ast.Pass())


class _Operand:
    """Replaces an expression by one of its operands."""

    def __init__(self, node: ast.AST, field: str, index: int | None, value: ast.expr) -> None:
        self.node, self.field, self.index, self.value = node, field, index, value

    def __call__(self) -> None:
        if self.index is None:
            setattr(self.node, self.field, self.value)
        else:
            getattr(self.node, self.field)[self.index] = self.value


def _edits(tree: ast.Module) -> list[_Edit | _Operand]:
    """All edits, those that leave most out first; the order is the same for equal trees."""
    statements: list[tuple[int, _Edit]] = []
    operands: list[_Operand] = []
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                statements += _of_block(node, name, value)
            elif isinstance(value, list):
                for index, each in enumerate(value):
                    operands += [_Operand(node, name, index, v) for v in _operands(each)]
            else:
                operands += [_Operand(node, name, None, v) for v in _operands(value)]
    statements.sort(key=lambda pair: -pair[0])
    return [*(edit for _, edit in statements), *operands]


def _of_block(node: ast.AST, name: str, block: list[ast.stmt]) -> Iterator[tuple[int, _Edit]]:
    counted = isinstance(node, ast.While) and name == "body"
    for index, statement in enumerate(block):
        size = len(ast.dump(statement))
        if not (counted and index == 0):  # what makes a `while` end
            yield size, _Edit(block, index, [])
        for part in ("body", "orelse"):
            inner = getattr(statement, part, [])
            if inner and not isinstance(statement, ast.FunctionDef | ast.ClassDef):
                yield size - sum(len(ast.dump(each)) for each in inner), _Edit(block, index, inner)
        if getattr(statement, "orelse", []):
            yield 1, _Edit(statement.orelse, 0, [])  # type: ignore[attr-defined]


def _operands(value: object) -> list[ast.expr]:
    if not isinstance(value, ast.expr):
        return []
    if isinstance(value, ast.Constant | ast.Name | ast.Lambda) or not isinstance(
        getattr(value, "ctx", ast.Load()), ast.Load
    ):
        return []
    inner = [each for each in ast.iter_child_nodes(value) if isinstance(each, ast.expr)]
    return [*inner, ast.Constant(1)]
