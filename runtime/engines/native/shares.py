"""Long loops on several threads: each thread runs a share of the iterations.

The loop becomes a function of POSIX threads (`pthread_create` of IEEE Std 1003.1), which start and
end with the loop. What it reads from outside is passed in a record. No thread calls Python.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from llvmlite import ir

from runtime.core.machine.threads import threads_of_loops
from runtime.engines.native.memory import Memory
from runtime.engines.native.numbers import Numbers
from runtime.engines.native.types import INT64, NULL, POINTER, TRUTH, imported

SHORTEST = 1 << 22
"""Fewest elementary computations of a share: about 0.4 ms of the formula for option prices in
`tools/bench`. To start and to end a thread takes 0.09 ms (measured on two cores of x86-64)."""

_SHARE = ir.LiteralStructType([POINTER, INT64, INT64, TRUTH])
"""The values from outside, the half-open interval of iterations, and whether one failed."""
_VALUES, _START, _END, _FAILED = range(4)

_INT32 = ir.IntType(32)
_CREATE = ir.FunctionType(_INT32, [POINTER] * 4)
_JOIN = ir.FunctionType(_INT32, [INT64, POINTER])


def share_count(computations: int) -> int:
    """Return the number of threads of a loop with `computations` elementary computations.

    >>> share_count(1000)
    1
    """
    return max(1, min(threads_of_loops(), computations // SHORTEST))


class Share(NamedTuple):
    """The share of one thread, inside of its function.

    Attributes:
      start, end: the half-open interval of its iterations.
      values: the values that the caller passed.
    """

    start: ir.Value
    end: ir.Value
    values: Sequence[ir.Value]


@contextmanager
def shares(
    memory: Memory, numbers: Numbers, count: int, threads: int, values: Sequence[ir.Value]
) -> Iterator[Share]:
    """Enclose the iterations of one share; afterwards all shares have run.

    The computations run inside of `Numbers.together`, and read `values` from outside.
    """
    build = numbers.builder
    caller = build.block
    kind = ir.FunctionType(POINTER, [POINTER])
    function = ir.Function(build.module, kind, build.module.get_unique_name("share"))
    function.linkage = "internal"
    passed = ir.LiteralStructType([_kind_of(value) for value in values])
    (share,) = function.args
    entry, body, failed = (function.append_basic_block() for _ in range(3))
    build.position_at_end(entry)
    start, end = (_load(build, share, _SHARE, field) for field in (_START, _END))
    record = _load(build, share, _SHARE, _VALUES)
    inside = [_load(build, record, passed, number) for number in range(len(values))]
    build.branch(body)
    build.position_at_end(failed)
    build.store(TRUTH(1), _field(build, share, _SHARE, _FAILED))
    build.ret(NULL)
    build.position_at_end(body)
    with numbers.apart(memory.variable(TRUTH, TRUTH(0)), failed):
        yield Share(start, end, inside)
    build.ret(NULL)
    build.position_at_end(caller)
    _run(memory, numbers, function, _record(build, passed, values), count, threads)


def _kind_of(value: ir.Value) -> ir.Type:
    return POINTER if isinstance(value.type, ir.PointerType) else value.type


def _field(build: ir.IRBuilder, record: ir.Value, kind: ir.Type, number: int) -> ir.Value:
    return build.gep(record, [_INT32(0), _INT32(number)], source_etype=kind)


def _load(build: ir.IRBuilder, record: ir.Value, kind: ir.Type, number: int) -> ir.Value:
    return build.load(_field(build, record, kind, number), typ=kind.elements[number])


def _record(build: ir.IRBuilder, kind: ir.Type, values: Sequence[ir.Value]) -> ir.Value:
    """Store values in a record of the calling function."""
    with build.goto_entry_block():
        record = build.alloca(kind)
        record.type = POINTER
    for number, value in enumerate(values):
        build.store(value, _field(build, record, kind, number))
    return record


def _run(
    memory: Memory,
    numbers: Numbers,
    function: ir.Function,
    record: ir.Value,
    count: int,
    threads: int,
) -> None:
    """Run the shares: the first on this thread, the others on new ones if they start."""
    build = numbers.builder
    share = -(-count // threads)
    intervals = ((INT64(i), INT64(min(i + share, count))) for i in range(0, count, share))
    records = [_record(build, _SHARE, (record, *ends, TRUTH(0))) for ends in intervals]
    started = [_started(memory, build, function, each) for each in records[1:]]
    build.call(function, records[:1])
    for each, (thread, status) in zip(records[1:], started, strict=True):
        with build.if_else(build.icmp_signed("==", status, _INT32(0))) as (runs, is_left):
            with runs:
                build.call(imported(build, "pthread_join", _JOIN), [thread, NULL])
            with is_left:
                build.call(function, [each])
    for each in records:
        numbers.fail_later(_load(build, each, _SHARE, _FAILED))


def _started(
    memory: Memory, build: ir.IRBuilder, function: ir.Function, share: ir.Value
) -> tuple[ir.Value, ir.Value]:
    """Start a thread; return its identifier, and 0 if it runs."""
    place = memory.variable(INT64, INT64(0))
    start = imported(build, "pthread_create", _CREATE)
    status = build.call(start, [place, NULL, function, share])
    return build.load(place, typ=INT64), status
