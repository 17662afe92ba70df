"""Functions in machine code that Python calls: arguments from objects, results to objects.

The calls are those of CPython's stable ABI (https://docs.python.org/3/c-api/stable.html). A
compiled function holds the interpreter lock. Now and then it lets other threads run, and stops if
Ctrl-C was pressed.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Sequence
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.graph import Graph
from runtime.core.symbolic import SymbolicTensor
from runtime.engines.limits import Unsupported
from runtime.engines.native.arrays import Buffer, Lazy, View, constant, is_equal, is_pending
from runtime.engines.native.complexes import pair, parts
from runtime.engines.native.lowering import Deferred, Lowering, Rules, Value
from runtime.engines.native.machine import compiled
from runtime.engines.native.memory import ARGUMENT, FUNCTIONS, OWN, Memory
from runtime.engines.native.numbers import Numbers
from runtime.engines.native.rules import rule_for
from runtime.engines.native.turns import Turns
from runtime.engines.native.types import INT64, NULL, POINTER, has_type, imported, type_of

_INT32 = ir.IntType(32)
_DOUBLE = ir.DoubleType()

_HEAD = object.__basicsize__
_CLASS, _DATA, _RANK, _DIMENSIONS, _FLAGS = _HEAD - 8, _HEAD, _HEAD + 8, _HEAD + 16, _HEAD + 48
"""Offsets in `PyArrayObject_fields` (ndarraytypes.h of NumPy, which all extensions compile in).

`PyObject_GetBuffer` would take 0.1 us for each array (measured).
"""

_C_CONTIGUOUS = 1
"""NPY_ARRAY_C_CONTIGUOUS."""

_FASTCALL = 0x80
"""METH_FASTCALL: a function of `self`, an array of arguments and their number."""

_SIGNATURES: dict[str, ir.FunctionType] = {
    **FUNCTIONS,
    "PyLong_AsLongLong": ir.FunctionType(INT64, [POINTER]),
    "PyLong_AsUnsignedLongLong": ir.FunctionType(INT64, [POINTER]),
    "PyFloat_AsDouble": ir.FunctionType(_DOUBLE, [POINTER]),
    "PyComplex_RealAsDouble": ir.FunctionType(_DOUBLE, [POINTER]),
    "PyComplex_ImagAsDouble": ir.FunctionType(_DOUBLE, [POINTER]),
    "PyComplex_FromDoubles": ir.FunctionType(POINTER, [_DOUBLE, _DOUBLE]),
    "PyObject_IsTrue": ir.FunctionType(_INT32, [POINTER]),
    "PyLong_FromLongLong": ir.FunctionType(POINTER, [INT64]),
    "PyLong_FromUnsignedLongLong": ir.FunctionType(POINTER, [INT64]),
    "PyFloat_FromDouble": ir.FunctionType(POINTER, [_DOUBLE]),
    "PyBool_FromLong": ir.FunctionType(POINTER, [INT64]),
    "PyTuple_GetItem": ir.FunctionType(POINTER, [POINTER, INT64]),
    "PyObject_CallObject": ir.FunctionType(POINTER, [POINTER, POINTER]),
    "Py_DecRef": ir.FunctionType(ir.VoidType(), [POINTER]),
    "PyTuple_New": ir.FunctionType(POINTER, [INT64]),
    "PyTuple_SetItem": ir.FunctionType(_INT32, [POINTER, INT64, POINTER]),
    "PyErr_SetNone": ir.FunctionType(ir.VoidType(), [POINTER]),
    "PyErr_Occurred": ir.FunctionType(POINTER, []),
    "PyErr_CheckSignals": ir.FunctionType(_INT32, []),
    "PyEval_SaveThread": ir.FunctionType(POINTER, []),
    "PyEval_RestoreThread": ir.FunctionType(ir.VoidType(), [POINTER]),
}


_MAKERS = 2
"""The place of the first maker of an output among the objects of a function."""


class _Method(ctypes.Structure):
    """`PyMethodDef`."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class NativeFunction:
    """A graph in machine code.

    Attributes:
      places: the positions of the inputs of the graph that it takes.
      call: takes scalars as Python numbers and arrays in C order; returns a tuple of the outputs,
        scalars as Python numbers, or False where the plan would raise. Raises ValueError if an
        array is not in C order or has not the shape of the input.
    """

    makes_new = True
    checks_shapes = True

    def __init__(self, graph: Graph, rules: Rules = rule_for) -> None:
        """Compile the graph; see `Lowering` for the rules. Raises Unsupported."""
        module = ir.Module()
        pairs = [(i, t) for i, t in enumerate(graph.inputs) if has_type(t.spec.dtype)]
        self.places = [i for i, _ in pairs]
        entry = _Entry(module)
        entry.emit(graph, [tensor for _, tensor in pairs], rules)
        code = compiled(module, entry.function.name)
        self._method = _Method(b"native", code.address, _FASTCALL, None)
        # The new function holds `self`, and `self` the code.
        own = (np.ndarray, ValueError, *map(_maker, graph.outputs), self._method, code.owner)
        self.call: Callable[..., Any] = _NEW_FUNCTION(ctypes.byref(self._method), own, None)


def _maker(tensor: SymbolicTensor) -> Callable[..., Any]:
    """Return a function from the lengths that only the code knows to a new array."""
    dims, dtype = tensor.spec.dims, tensor.spec.dtype.numpy_dtype
    if dims is not None and None not in dims:
        return functools.partial(np.empty, dims, dtype)
    return lambda *lengths: np.empty(lengths, dtype)


_PYTHON = ctypes.PyDLL(None)
_NEW_FUNCTION = _PYTHON.PyCFunction_NewEx
_NEW_FUNCTION.restype = ctypes.py_object
_NEW_FUNCTION.argtypes = [ctypes.POINTER(_Method), ctypes.py_object, ctypes.c_void_p]
for _name in _SIGNATURES:
    llvm.add_symbol(_name, ctypes.cast(getattr(_PYTHON, _name), ctypes.c_void_p).value)


class _Entry:
    """Emits the function that Python calls."""

    def __init__(self, module: ir.Module) -> None:
        kind = ir.FunctionType(POINTER, [POINTER, POINTER, INT64])
        self.function = ir.Function(module, kind, "native")
        self._build = ir.IRBuilder(self.function.append_basic_block())
        self._failed = self.function.append_basic_block()
        self._stopped = self.function.append_basic_block()
        self._misfit = self.function.append_basic_block()
        self._numbers = Numbers(self._build, self._failed)
        self._memory = Memory(self._numbers)

    def emit(self, graph: Graph, inputs: Sequence[SymbolicTensor], rules: Rules) -> None:
        """Emit the function."""
        build, memory = self._build, self._memory
        self._result = memory.variable(POINTER, NULL)
        operands = {id(t): self._argument(i, t) for i, t in enumerate(inputs)}
        self._stop_if(build.icmp_unsigned("!=", self._call("PyErr_Occurred"), NULL))
        memory.check()
        turns = Turns(build, memory, self._call, self._stopped)
        lowering = Lowering(self._numbers, memory, turns, rules)
        values = [operands.get(id(tensor), Deferred(tensor.op)) for tensor in graph.inputs]
        values = [lowering.elements.whole(v) if isinstance(v, Buffer) else v for v in values]
        self._outputs(lowering, graph, lowering.graph(graph, values))
        memory.release()
        build.ret(build.load(self._result, typ=POINTER))
        build.position_at_end(self._misfit)
        self._call("PyErr_SetNone", self._own(1))
        build.branch(self._stopped)
        for block in (self._failed, self._stopped):
            build.position_at_end(block)
            memory.release()
            self._call("Py_DecRef", build.load(self._result, typ=POINTER))
            failed = block is self._failed
            build.ret(self._call("PyBool_FromLong", INT64(0)) if failed else NULL)
        memory.finish()

    def _argument(self, position: int, tensor: SymbolicTensor) -> Value:
        """Take an argument."""
        build, (_, arguments, _) = self._build, self.function.args
        slot = build.gep(arguments, [INT64(position)], source_etype=POINTER)
        held = build.load(slot, typ=POINTER)
        dims, dtype = tensor.spec.dims, tensor.spec.dtype
        if dims == ():
            return self._number(held, dtype)
        if dims is None:
            raise Unsupported(f"the array {tensor.op.name} of unknown rank")
        self._check_array(held, dims)
        shape = self._field(held, _DIMENSIONS, POINTER)
        lengths = tuple(
            dim if dim is not None else self._length(shape, axis) for axis, dim in enumerate(dims)
        )
        return Buffer(self._field(held, _DATA, POINTER), lengths, dtype, ARGUMENT)

    def _check_array(self, held: ir.Value, dims: Sequence[int | None]) -> None:
        """Raise ValueError for what is no array in C order with these dimensions."""
        build = self._build
        flags = build.and_(self._field(held, _FLAGS, _INT32), _INT32(_C_CONTIGUOUS))
        fits = [
            build.icmp_unsigned("!=", flags, _INT32(0)),
            build.icmp_signed("==", self._field(held, _RANK, _INT32), _INT32(len(dims))),
        ]
        self._misfit_unless(
            build.icmp_unsigned("==", self._field(held, _CLASS, POINTER), self._own(0))
        )
        self._misfit_unless(build.and_(*fits))
        shape = self._field(held, _DIMENSIONS, POINTER)
        for axis, dim in enumerate(dims):
            if dim is not None:
                length = self._length(shape, axis)
                self._misfit_unless(build.icmp_signed("==", length, INT64(dim)))

    def _misfit_unless(self, condition: ir.Value) -> None:
        build = self._build
        rest = build.append_basic_block()
        build.cbranch(condition, rest, self._misfit)
        build.position_at_end(rest)

    def _own(self, place: int) -> ir.Value:
        """Return an object that belongs to the function."""
        return self._call("PyTuple_GetItem", self.function.args[0], INT64(place))

    def _field(self, held: ir.Value, offset: int, kind: ir.Type) -> ir.Value:
        build = self._build
        return build.load(build.gep(held, [INT64(offset)], source_etype=ir.IntType(8)), typ=kind)

    def _length(self, shape: ir.Value, axis: int) -> ir.Value:
        build = self._build
        return build.load(build.gep(shape, [INT64(axis)], source_etype=INT64), typ=INT64)

    def _number(self, held: ir.Value, dtype: DType) -> ir.Value:
        build, kind = self._build, type_of(dtype)
        if dtype.is_bool:
            return build.icmp_signed("!=", self._call("PyObject_IsTrue", held), _INT32(0))
        if dtype.is_integer:
            # Python takes NumPy's integers for signed ones only, see `_argument` of the plan.
            unsigned = "Unsigned" * (dtype is dtypes.uint64)
            found = self._call(f"PyLong_As{unsigned}LongLong", held)
            return found if kind == INT64 else build.trunc(found, kind)
        if dtype.is_complex:
            both = (self._call(f"PyComplex_{part}AsDouble", held) for part in ("Real", "Imag"))
            return self._numbers.converted(pair(build, *both), dtypes.complex128, dtype)
        found = self._call("PyFloat_AsDouble", held)
        return found if kind == _DOUBLE else build.fptrunc(found, kind)

    def _object(self, value: ir.Value, dtype: DType) -> ir.Value:
        build = self._build
        if dtype.is_bool:
            return self._call("PyBool_FromLong", build.zext(value, INT64))
        if dtype.is_unsigned:
            wide = value if value.type == INT64 else build.zext(value, INT64)
            return self._call("PyLong_FromUnsignedLongLong", wide)
        if dtype.is_integer:
            wide = value if value.type == INT64 else build.sext(value, INT64)
            return self._call("PyLong_FromLongLong", wide)
        if dtype.is_complex:
            wide = self._numbers.converted(value, dtype, dtypes.complex128)
            return self._call("PyComplex_FromDoubles", *parts(build, wide))
        wide = value if value.type == _DOUBLE else build.fpext(value, _DOUBLE)
        return self._call("PyFloat_FromDouble", wide)

    def _outputs(
        self,
        lowering: Lowering,
        graph: Graph,
        values: Sequence[Value],
    ) -> None:
        """Make the tuple of results."""
        build, elements = self._build, lowering.elements
        made = self._call("PyTuple_New", INT64(len(values)))
        build.store(made, self._result)
        self._stop_if(build.icmp_unsigned("==", made, NULL))
        goals: list[tuple[Value, View]] = []
        for i, (tensor, value) in enumerate(zip(graph.outputs, values, strict=True)):
            if isinstance(value, ir.Value):
                found = self._object(value, tensor.spec.dtype)
            else:
                found = self._new_array(i, tensor, value)
            self._stop_if(build.icmp_unsigned("==", found, NULL))
            self._call("PyTuple_SetItem", made, INT64(i), found)
            if not isinstance(value, ir.Value):
                buffer = Buffer(
                    self._field(found, _DATA, POINTER), value.dims, tensor.spec.dtype, OWN
                )
                goals.append((value, elements.whole(buffer)))
        for value, goal in goals:
            if is_pending(value):
                same = (pair for pair in goals if is_pending(pair[0]) and _fit(pair[0], value))
                group = {id(lazy): (lazy, view) for lazy, view in same}
                elements.run(list(group.values()))
                for lazy, view in group.values():
                    lazy.view = view
            if not (isinstance(value, Lazy) and value.view is goal):
                elements.assign(goal, value)

    def _new_array(self, position: int, tensor: SymbolicTensor, value: Value) -> ir.Value:
        """Call the maker of an output."""
        if not has_type(tensor.spec.dtype):
            raise Unsupported(f"the result {tensor.op.name}")
        maker = self._own(_MAKERS + position)
        dims = tensor.spec.dims
        if dims is not None and None not in dims:
            for one, other in zip(dims, value.dims, strict=True):
                if not is_equal(one, other):
                    differs = self._build.icmp_signed("!=", constant(one), constant(other))
                    self._numbers.fail_if(differs)
            return self._call("PyObject_CallObject", maker, NULL)
        lengths = self._call("PyTuple_New", INT64(len(value.dims)))
        self._stop_if(self._build.icmp_unsigned("==", lengths, NULL))
        for axis, dim in enumerate(value.dims):
            number = self._call("PyLong_FromLongLong", constant(dim))
            self._call("PyTuple_SetItem", lengths, INT64(axis), number)
        found = self._call("PyObject_CallObject", maker, lengths)
        self._call("Py_DecRef", lengths)
        return found

    def _call(self, name: str, *operands: ir.Value) -> ir.Value:
        return self._build.call(imported(self._build, name, _SIGNATURES[name]), operands)

    def _stop_if(self, condition: ir.Value) -> None:
        rest = self._build.append_basic_block()
        self._build.cbranch(condition, self._stopped, rest)
        self._build.position_at_end(rest)


def _fit(one: Value, other: Value) -> bool:
    """Return whether two arrays have one shape."""
    return len(one.dims) == len(other.dims) and all(map(is_equal, one.dims, other.dims))
