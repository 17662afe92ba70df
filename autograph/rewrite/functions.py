"""Modules, classes and functions: find the functions of a text and rewrite each.

A function is paired (libcst and gast statements become statements of `syntax.structure`), passes
through `STEPS`, and is written. `STEPS` states the order and the facts that each step needs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import libcst as cst

from autograph.analysis.effects import parameters
from autograph.analysis.plan import Plan
from autograph.analysis.scopes import FunctionScope
from autograph.conversion_result import Refusal
from autograph.rewrite import (
    asserts,
    attributes,
    calls,
    comprehensions,
    conditional_expressions,
    environment,
    items,
    logical,
    strings,
)
from autograph.rewrite.conditional_statements import lower_conditions
from autograph.rewrite.expressions import Context, operator_call, type_parameters
from autograph.rewrite.jumps import JumpLowering
from autograph.rewrite.matches import lower_matches
from autograph.rewrite.spacing import with_parts
from autograph.rewrite.staged import Staging
from autograph.rewrite.statements import StatementWriter
from autograph.rewrite.unbound import guarded
from autograph.syntax.names import Names
from autograph.syntax.structure import Block, If, Loop, Pairing, inside

EXPRESSION_REWRITES = (
    asserts,
    attributes,
    calls,
    comprehensions,
    conditional_expressions,
    environment,
    items,
    logical,
    strings,
)
"""The modules whose rewrites a `Context` applies; importing them registers these."""


@dataclass(slots=True)
class Draft:
    """A function between its syntax and its converted text."""

    scope: FunctionScope
    body: Block
    names: Names
    refusals: list[Refusal]
    plan: Plan | None = None


def _lower_matches(draft: Draft) -> None:
    scope, body = draft.scope, draft.body
    if not scope.reads_locals:
        body.statements = lower_matches(body.statements, draft.names, scope.rebound_by_calls)


def _lower_conditions(draft: Draft) -> None:
    if not draft.scope.reads_locals:
        draft.body.statements = lower_conditions(draft.body.statements, draft.scope)


def _decide_staging(draft: Draft) -> None:
    Staging(draft.scope, draft.refusals).function(draft.body.statements)


def _lower_jumps(draft: Draft) -> None:
    statements = inside(draft.body.statements)
    if any(isinstance(each, If | Loop) and each.staged for each in statements):
        JumpLowering(draft.names, draft.scope.is_builtin).function(draft.body)


def _plan(draft: Draft) -> None:
    draft.plan = Plan(draft.scope, draft.body)


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the conversion of one function.

    Attributes:
      run: transforms or annotates the draft.
      needs: facts that hold before the step.
      gives: facts that hold from then on.
    """

    run: Callable[[Draft], None]
    needs: frozenset[str]
    gives: frozenset[str]


def _step(run: Callable[[Draft], None], needs: str, gives: str) -> Step:
    return Step(run, frozenset(needs.split()), frozenset(gives.split()))


STEPS = (
    # Fewer constructs for the steps after: `match` on plain patterns and `a and f()` become `if`.
    _step(_lower_matches, "statements", "no_plain_match"),
    _step(_lower_conditions, "statements", "no_condition_statement"),
    # Decides `staged` of each If and Loop, and adds `a` to the writes of `a[i] = v`.
    _step(_decide_staging, "no_plain_match no_condition_statement", "staged item_writes"),
    # Only jumps out of staged statements are lowered. Sets `If.returns` and `Loop.break_flags`.
    _step(_lower_jumps, "staged", "returns break_flags"),
    # Liveness and definite assignment see the flags of jumps as variables.
    _step(_plan, "staged item_writes returns break_flags", "plan"),
)
"""The steps from a paired function to its plan, in order."""


class FunctionRewriter:
    """Rewrites the functions of one text.

    only: qualified names of the functions to convert; None: all. `defined` are those met.
    names_definitions: whether the text has to say the qualified names of the definitions that
    come to stand in an added function; what loads code can do it without.
    """

    def __init__(
        self,
        names: Names,
        pairing: Pairing,
        only: frozenset[str] | None = None,
        names_definitions: bool = False,
    ) -> None:
        self.origins: dict[int, tuple[Any, Any]] = {}
        self.refusals: list[Refusal] = []
        self.defined: set[str] = set()
        self._names = names
        self._pairing = pairing
        self._only = only
        self._names_definitions = names_definitions

    def outside(self, scope: FunctionScope) -> Context:
        """Return the context of code outside of functions."""
        return Context(scope, self.origins, staged=False, convert_calls=False)

    def statements(
        self, nodes: Sequence[Any], syntax: Sequence[Any], prefix: str, around: Context
    ) -> list[Any]:
        """Rewrite the functions in the statements of a module or class."""
        rest = iter(syntax)
        found: list[Any] = []
        for node in nodes:
            if isinstance(node, cst.SimpleStatementLine):
                for _ in node.body:
                    next(rest)
                found += guarded(self._expressions(node, prefix, around), around, frozenset())
            else:
                found.append(self._compound(node, next(rest), prefix, around))
        return found

    def _expressions(self, node: Any, prefix: str, around: Context) -> Any:
        """Rewrite the lambdas of a part of a module or class, and reads that may have no value."""
        within = self._only is None or ".<locals>." in prefix
        return around.rewrite(node) if within else node

    def _compound(self, node: object, syntax: object, prefix: str, around: Context) -> Any:
        if isinstance(node, cst.FunctionDef):
            return self.function(node, syntax, prefix, around, around.undefined)
        if isinstance(node, cst.ClassDef):
            return self.class_(node, syntax, prefix, around, around.undefined)
        return self._blocks(node, syntax, prefix, around)

    def class_(
        self,
        node: cst.ClassDef,
        syntax: Any,
        prefix: str,
        around: Context,
        undefined: frozenset[str] = frozenset(),
    ) -> Any:
        """Rewrite the methods of a class; its own statements stay."""
        own = Context(
            around.scope,
            self.origins,
            undefined,
            staged=False,
            convert_calls=False,
            free=undefined,
            displaced=around.displaced,
        )
        name = prefix + node.name.value
        return self._changed(
            node,
            decorators=self._decorators(node, name, around),
            bases=[around.rewrite(each) for each in node.bases],
            keywords=[around.rewrite(each) for each in node.keywords],
            type_parameters=type_parameters(node.type_parameters, around),
            body=self._suite(node.body, syntax.body, f"{name}.", own),
        )

    def _blocks(self, node: Any, syntax: Any, prefix: str, around: Context) -> Any:
        """Rewrite the functions inside a compound statement of a module or class."""
        changes = self._heads(node, prefix, around)
        if isinstance(node, cst.Match):
            pairs = zip(node.cases, syntax.cases, strict=True)
            cases = [self._holder(case, inner.body, prefix, around) for case, inner in pairs]
            return self._changed(node, **changes, cases=cases)
        changes["body"] = self._suite(node.body, syntax.body, prefix, around)
        if getattr(node, "handlers", None):
            pairs = zip(node.handlers, syntax.handlers, strict=True)
            changes["handlers"] = [self._holder(h, s.body, prefix, around) for h, s in pairs]
        orelse = getattr(node, "orelse", None)
        if isinstance(orelse, cst.If):
            changes["orelse"] = self._blocks(orelse, syntax.orelse[0], prefix, around)
        elif orelse is not None:
            changes["orelse"] = self._holder(orelse, syntax.orelse, prefix, around)
        final = getattr(node, "finalbody", None)
        if final is not None:
            changes["finalbody"] = self._holder(final, syntax.finalbody, prefix, around)
        return self._changed(node, **changes)

    def _heads(self, node: Any, prefix: str, around: Context) -> dict[str, Any]:
        """Rewrite the own expressions of a compound statement, a handler or a case."""
        parts = {name: getattr(node, name, None) for name in _HEADS}
        found = {
            name: self._expressions(part, prefix, around)
            for name, part in parts.items()
            if part is not None
        }
        if isinstance(node, cst.With):
            found["items"] = [
                self._changed(each, item=self._expressions(each.item, prefix, around))
                for each in node.items
            ]
        return found

    def _holder(self, node: Any, syntax: Sequence[Any], prefix: str, around: Context) -> Any:
        heads = self._heads(node, prefix, around)
        return self._changed(node, **heads, body=self._suite(node.body, syntax, prefix, around))

    def _suite(self, suite: Any, syntax: Sequence[Any], prefix: str, around: Context) -> Any:
        if isinstance(suite, cst.SimpleStatementSuite):
            body = [self._expressions(each, prefix, around) for each in suite.body]
            return self._changed(suite, body=body)
        return self._changed(suite, body=self.statements(suite.body, syntax, prefix, around))

    def _changed(self, node: Any, **changes: object) -> Any:
        real = {k: v for k, v in changes.items() if not _same(v, getattr(node, k))}
        if not real:
            return node
        new = with_parts(node, **real)
        self.origins[id(new)] = (new, node)
        return new

    def function(
        self,
        node: cst.FunctionDef,
        syntax: Any,
        prefix: str,
        around: Context,
        undefined: frozenset[str] = frozenset(),
    ) -> Any:
        """Rewrite a `def`: decorators, defaults and body."""
        name = prefix + node.name.value
        self.defined.add(name)
        nested = ".<locals>." in name
        if not nested:
            self._names = self._names.anew()
        if self._only is not None and not nested and name not in self._only:
            return node
        scope = FunctionScope.of(syntax, around.scope)
        body = self._pairing.block(node.body, syntax.body)
        draft = Draft(scope, body, self._names, self.refusals)
        for step in STEPS:
            step.run(draft)
        plan = draft.plan
        assert plan is not None
        own = Context(
            scope,
            self.origins,
            first_parameter=_first_parameter(syntax),
            staged=not scope.reads_locals,
            # `locals` would show the operators among the variables.
            convert_calls=not scope.reads_locals,
            free=undefined - scope.own,
            displaced=around.displaced,
            names=self._names,
        )
        own.deleted = plan.deleted_anywhere()
        inherited = undefined - scope.own
        writer = StatementWriter(self, plan, own, self._names, f"{name}.<locals>.", inherited)
        return self._changed(
            node,
            decorators=self._decorators(node, name, around),
            params=around.rewrite(node.params),
            returns=around.rewrite(node.returns),
            type_parameters=type_parameters(node.type_parameters, around),
            body=writer.function_body(body),
        )

    def _decorators(self, node: Any, name: str, around: Context) -> list[Any]:
        found = [around.rewrite(each) for each in node.decorators]
        if self._names_definitions and around.displaced:
            call = operator_call("named", cst.SimpleString(repr(name)))
            found.append(cst.Decorator(call))
        return found


_HEADS = ("test", "iter", "subject", "type", "guard")
"""The fields of compound statements, handlers and cases that are read where they begin."""


def _same(new: Any, old: Any) -> bool:
    if isinstance(new, list):
        return len(new) == len(old) and all(map(_is, new, old))
    return new is old


def _is(new: object, old: object) -> bool:
    return new is old


def _first_parameter(syntax: Any) -> str | None:
    arguments = syntax.args
    if not arguments.posonlyargs and not arguments.args:
        return None
    return parameters(arguments)[0]
