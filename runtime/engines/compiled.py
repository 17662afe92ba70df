"""Compile the source text of a plan, run it, and explain its errors by the operation of a line."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from types import FrameType, MappingProxyType, TracebackType
from typing import Any

import numpy as np

from runtime.core.dispatch import failure
from runtime.core.errors import KERNEL_FAILURES, OpError, Raised
from runtime.core.graph import Graph
from runtime.core.opdef import Effect
from runtime.core.operation import Callee, Operation
from runtime.core.thread import STATE
from runtime.engines.interpreter import located, recursion_error, run_operation
from runtime.engines.printer import Printer, Recursive, Rule, Step, on_one_line
from runtime.passes.rewriting import holds

FAILURES = (OpError, *KERNEL_FAILURES)
"""Exceptions of kernels."""


Executable = Callable[..., tuple[Any, ...]]
"""A function from input arrays to output arrays."""

RuleFor = Callable[[Operation], Rule | None]
"""Returns the emit rule of an operation; None: call its kernel."""


def executable(graph: Graph, rules: RuleFor) -> Executable:
    """Return a function from input arrays to output arrays.

    The function raises the errors of kernels, with the user's line of the operation.
    """
    plan = _Plan(graph, rules)
    alone: Executable = np.errstate(all="ignore")(plan.run)
    may_run_again = not holds(graph, _shows)

    def explain(error: Exception, *feeds: object) -> tuple[Any, ...]:
        """Run again if this thread ran in the quiet context already, or raise the user's error."""
        try:
            try:
                runs_inside = type(error) is RuntimeError  # a finalizer interrupted a plan
                if may_run_again and runs_inside:
                    return alone(*feeds)
                raise error
            except FAILURES as failed:
                explained = plan.explained(failed)
                raise explained from explained.__cause__
        except Raised as raised:
            raise raised.error from None
        except RecursionError as deep:
            raise plan.too_deep(deep) from None

    run = "STATE.quiet.run(run, {feeds})" if may_run_again else "run({feeds})"
    names = {"STATE": STATE, "run": plan.run if may_run_again else alone, "explain": explain}
    names["HANDLED"] = (RuntimeError, Raised, *FAILURES)
    return of_feeds(len(graph.inputs), _CALL.replace("RUN", run), names)


_CALL = """
    try:
        return RUN
    except HANDLED as error:
        return explain(error, {feeds})
"""


def of_feeds(count: int, body: str, names: dict[str, Any]) -> Executable:
    """Return a function of `count` arrays, which takes less time than one of `*feeds`.

    Args:
      count: the number of arrays.
      body: the text, in which `{feeds}` are the arrays and `{0}` is the first of them.
      names: the values of other names in the text.
    """
    feeds = [f"feed{i}" for i in range(count)]
    space = {**names, "__name__": __name__}  # hides its frames from tracebacks
    text = f"def call({', '.join(feeds)}):{body.format(*feeds, feeds=', '.join(feeds))}"
    exec(compile(text, "<call of a plan>", "exec"), space)  # the text is our own
    return space["call"]  # type: ignore[no-any-return]


def _shows(op: Operation) -> bool:
    """Return whether the program can tell that an operation ran twice, or in another context."""
    return op.definition.effect is Effect.WRITE or bool(op.definition.local)


def source(graph: Graph, rules: RuleFor) -> str:
    """Return the source text of the plan of a graph."""
    printer = Printer(graph, rules, functools.partial(_part, rules))
    notes = printer.commented_notes()
    return f"{notes}\n{printer.source()}" if notes else printer.source()


def _part(rules: RuleFor, graph: Graph, around: Mapping[Callee, Recursive]) -> Executable:
    """Return a function for a subgraph; exceptions that the program raised pass unchanged."""
    plan = _Plan(graph, rules, around)
    run: Executable = np.errstate(all="ignore")(plan.run)

    def call(*feeds: object) -> tuple[Any, ...]:
        try:
            return run(*feeds)
        except FAILURES as error:
            explained = plan.explained(error)
            raise explained from explained.__cause__

    return call


class _Plan:
    """The compiled source of one graph, with the operation of each line."""

    def __init__(
        self,
        graph: Graph,
        rules: RuleFor,
        around: Mapping[Callee, Recursive] = MappingProxyType({}),
    ) -> None:
        printer = Printer(graph, rules, functools.partial(_part, rules), around)
        # Python keeps each compiled file name forever, so plans of one function share one.
        filename = f"<plan of {on_one_line(graph.name)}>"
        self._lines = [line.step for line in printer.functions]
        self._space = printer.bound
        self._space["__name__"] = __name__  # hides its frames from tracebacks
        exec(compile(printer.source(), filename, "exec"), self._space)  # the text is our own
        self.run: Executable = self._space[printer.name]

    def too_deep(self, error: RecursionError) -> RecursionError:
        """Return the error for recursion beyond Python's limit, with its line."""
        found = self._failed(error.__traceback__)
        if found is None or isinstance(error, OpError):
            return error
        return recursion_error(found[0].op)

    def explained(self, error: Exception) -> OpError:
        """Return the error that the interpreter raises for the failed operation."""
        found = self._failed(error.__traceback__)
        if found is None:
            raise error
        step, frame = found
        if step.operands is not None:
            space = {**frame.f_globals, **frame.f_locals}
            arrays = [eval(text, space) for text in step.operands]
            try:
                np.errstate(all="ignore")(run_operation)(step.op, arrays, step.op.attrs)
            except OpError as same:
                return same
        if isinstance(error, OpError):
            return located(error, step.op)
        raised = failure(step.op.definition, step.op.inputs, error, operation=step.op)
        return located(raised, step.op)

    def _failed(self, traceback: TracebackType | None) -> tuple[Step, FrameType] | None:
        found = None
        while traceback is not None:
            if traceback.tb_frame.f_globals is self._space:
                step = self._lines[traceback.tb_lineno - 1]
                if step is not None:
                    found = step, traceback.tb_frame
            traceback = traceback.tb_next
        return found
