"""Write `try`, `with`, `match` and `async for` as Python around rewritten blocks.

>>> from autograph.rewrite.show import show
>>> show('''
... try:
...     return a and b
... except:
...     return None
... ''', "a, b")
try:
    return ag__.and_(a, lambda: b)
except ag__.StagingError:
    raise
except:
    return None
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import libcst as cst

from autograph.analysis.effects import Effects
from autograph.rewrite.blocks import BlockWriter, identical
from autograph.rewrite.expressions import bare, operator_call, rewrite_target
from autograph.rewrite.spacing import with_parts
from autograph.syntax.names import operators_name
from autograph.syntax.stack import any_depth
from autograph.syntax.structure import Region


@any_depth
def _looks_inside(pattern: cst.CSTNode) -> bool:
    """Return whether a pattern reads the items of its subject."""
    if isinstance(pattern, cst.MatchSequence | cst.MatchMapping):
        return True
    return any(map(_looks_inside, pattern.children))


class RegionWriter:
    """A writer of such statements of one function."""

    def __init__(self, blocks: BlockWriter) -> None:
        self._blocks = blocks
        self._plan = blocks.plan
        self._context = blocks.context

    def write(self, region: Region) -> list[Any]:
        """Write a statement; return the same node if nothing changed."""
        point = self._plan.flow.points(region).before
        everything = Effects()
        everything.include(region.effects)
        for _, effects, _ in region.parts:
            everything.include(effects)
        self._blocks.stand_at(point, everything)
        node = self._heads(region.node)
        changed = node is not region.node
        suites = []
        for position, (_, _, block) in enumerate(region.parts):
            with self._handling(node, position):
                suite = self._blocks.inner_suite(block, self._blocks.block(block.statements))
            changed = changed or suite is not block.suite
            suites.append(suite)
        catches_all = isinstance(node, cst.Try) and any(map(_catches_all, node.handlers))
        if not changed and not catches_all:
            return [region.node]
        new = region.rebuild(node, suites)
        if catches_all:
            new = new.with_changes(handlers=[_staging_errors_pass(), *new.handlers])
        return [self._blocks.added(region.origin, new)]

    @contextmanager
    def _handling(self, node: object, position: int) -> Iterator[None]:
        """Surround the body of a `try` whose handlers may catch AttributeError."""
        before = self._context.handles_attributes
        if position == 0 and isinstance(node, cst.Try):
            self._context.handles_attributes |= any(map(_catches_attributes, node.handlers))
        yield
        self._context.handles_attributes = before

    def _heads(self, node: object) -> Any:
        """Rewrite the statement's own expressions."""
        if isinstance(node, cst.With):
            old = node.items
            new = [self._with_item(item) for item in old]
            return node if identical(new, old) else with_parts(node, items=new)
        if isinstance(node, cst.Match):
            subject = self._subject(node)
            cases = [self._part(case, "guard") for case in node.cases]
            if subject is node.subject and identical(cases, node.cases):
                return node
            return with_parts(node, subject=subject, cases=cases)
        if isinstance(node, cst.For):
            iterable = self._context.rewrite(node.iter)
            target = rewrite_target(node.target, self._context)
            same = iterable is node.iter and target is node.target
            return node if same else with_parts(node, iter=iterable, target=target)
        if isinstance(node, cst.Try | cst.TryStar):
            handlers = [self._part(handler, "type") for handler in node.handlers]
            same = identical(handlers, node.handlers)
            return node if same else with_parts(node, handlers=handlers)
        return node

    def _subject(self, node: cst.Match) -> Any:
        """Rewrite the subject; patterns that read items need a list of known length."""
        subject = self._context.rewrite(node.subject)
        if not any(_looks_inside(case.pattern) for case in node.cases):
            return subject
        call = operator_call("items_for_python", bare(subject))
        return self._context.replaced(node.subject, call)

    def _part(self, node: cst.CSTNode, name: str) -> Any:
        """Rewrite the expression of a handler or a case."""
        old = getattr(node, name)
        new = None if old is None else self._context.rewrite(old)
        return node if new is old else with_parts(node, **{name: new})

    def _with_item(self, item: cst.WithItem) -> cst.WithItem:
        value, bound = self._context.rewrite(item.item), item.asname
        if bound is not None:
            target = rewrite_target(bound.name, self._context)
            bound = bound if target is bound.name else bound.with_changes(name=target)
        same = value is item.item and bound is item.asname
        return item if same else with_parts(item, item=value, asname=bound)


def _catches_all(handler: cst.ExceptHandler) -> bool:
    kind = handler.type
    return kind is None or (isinstance(kind, cst.Name) and kind.value == "BaseException")


def _catches_attributes(handler: cst.ExceptHandler) -> bool:
    """Return whether a handler names AttributeError."""
    kind = handler.type
    kinds = [each.value for each in kind.elements] if isinstance(kind, cst.Tuple) else [kind]
    return any(isinstance(each, cst.Name) and each.value == "AttributeError" for each in kinds)


def _staging_errors_pass() -> cst.ExceptHandler:
    """Insert a handler that re-raises StagingError, so that the program cannot catch it."""
    statement = cst.parse_statement(
        f"try: pass\nexcept {operators_name()}.StagingError:\n    raise\n"
    )
    assert isinstance(statement, cst.Try)
    return statement.handlers[0]
