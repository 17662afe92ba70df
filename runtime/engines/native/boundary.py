"""Functions in machine code that Python calls: arguments from objects, results to objects.

The calls are those of CPython's stable ABI (https://docs.python.org/3/c-api/stable.html). A
compiled function holds the interpreter lock. Now and then it lets other threads run, and stops if
Ctrl-C was pressed.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.operation import Operation
from runtime.core.symbolic import SymbolicTensor
from runtime.engines.native.lowering import Lowering, Value, Version, memory_type
from runtime.engines.native.machine import compiled
from runtime.engines.native.numbers import INT64, Unsupported, has_type, type_of

_POINTER = ir.PointerType()
_INT32 = ir.IntType(32)
_DOUBLE = ir.DoubleType()
_NULL = ir.Constant(_POINTER, None)

_POLL = 1 << 16
"""Iterations between two turns of other threads and signals: under 1 ms for simple bodies."""

_C_CONTIGUOUS = 0x38
"""PyBUF_C_CONTIGUOUS."""

_VIEW = ir.LiteralStructType([_POINTER, _POINTER, INT64, INT64, _INT32, _INT32, *[_POINTER] * 5])
"""`Py_buffer`: buf, obj, len, itemsize, readonly, ndim, format, shape, strides, suboffsets,
internal."""
_VIEW_SHAPE = 7

_FASTCALL = 0x80
"""METH_FASTCALL: a function of `self`, an array of arguments and their number."""

_SIGNATURES: dict[str, ir.FunctionType] = {
    "PyLong_AsLongLong": ir.FunctionType(INT64, [_POINTER]),
    "PyLong_AsUnsignedLongLong": ir.FunctionType(INT64, [_POINTER]),
    "PyFloat_AsDouble": ir.FunctionType(_DOUBLE, [_POINTER]),
    "PyObject_IsTrue": ir.FunctionType(_INT32, [_POINTER]),
    "PyLong_FromLongLong": ir.FunctionType(_POINTER, [INT64]),
    "PyLong_FromUnsignedLongLong": ir.FunctionType(_POINTER, [INT64]),
    "PyFloat_FromDouble": ir.FunctionType(_POINTER, [_DOUBLE]),
    "PyBool_FromLong": ir.FunctionType(_POINTER, [INT64]),
    "PyTuple_New": ir.FunctionType(_POINTER, [INT64]),
    "PyTuple_SetItem": ir.FunctionType(_INT32, [_POINTER, INT64, _POINTER]),
    "PyObject_GetBuffer": ir.FunctionType(_INT32, [_POINTER, _POINTER, _INT32]),
    "PyBuffer_Release": ir.FunctionType(ir.VoidType(), [_POINTER]),
    "PyErr_Occurred": ir.FunctionType(_POINTER, []),
    "PyErr_CheckSignals": ir.FunctionType(_INT32, []),
    "PyEval_SaveThread": ir.FunctionType(_POINTER, []),
    "PyEval_RestoreThread": ir.FunctionType(ir.VoidType(), [_POINTER]),
}


class _Method(ctypes.Structure):
    """`PyMethodDef`."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class LoopFunction:
    """A loop in machine code.

    Attributes:
      inputs: the tensors that it takes.
      writes: those of the inputs whose arrays it writes to.
      call: takes scalars as Python numbers and arrays in C order; returns the carried scalars as a
        tuple, or False where the plan would raise.
    """

    def __init__(self, op: Operation) -> None:
        """Compile the loop.

        Raises:
          Unsupported: if a part of it has no machine code.
        """
        module = ir.Module()
        entry = _Entry(module)
        known = {id(tensor): tensor for tensor in op.inputs if has_type(tensor.spec.dtype)}
        self.inputs = tuple(known.values())
        self.writes = entry.loop(op, self.inputs)
        code = compiled(module, entry.function.name)
        self._owner = code.owner
        self._method = _Method(b"loop", code.address, _FASTCALL, None)
        # The new function holds `self`, and `self` the code.
        self.call: Callable[..., Any] = _NEW_FUNCTION(ctypes.byref(self._method), self, None)


_PYTHON = ctypes.PyDLL(None)
_NEW_FUNCTION = _PYTHON.PyCFunction_NewEx
_NEW_FUNCTION.restype = ctypes.py_object
_NEW_FUNCTION.argtypes = [ctypes.POINTER(_Method), ctypes.py_object, ctypes.c_void_p]
for _name in _SIGNATURES:
    llvm.add_symbol(_name, ctypes.cast(getattr(_PYTHON, _name), ctypes.c_void_p).value)


class _Entry:
    """Emits the function that Python calls."""

    def __init__(self, module: ir.Module) -> None:
        kind = ir.FunctionType(_POINTER, [_POINTER, _POINTER, INT64])
        self.function = ir.Function(module, kind, "loop")
        self._module = module
        self._build = ir.IRBuilder(self.function.append_basic_block())
        self._failed = self.function.append_basic_block()
        self._stopped = self.function.append_basic_block()
        self._views: list[ir.Value] = []

    def loop(self, op: Operation, inputs: Sequence[SymbolicTensor]) -> tuple[SymbolicTensor, ...]:
        """Emit the function; return the inputs whose arrays it writes to."""
        build = self._build
        self._views = [build.alloca(_VIEW) for tensor in inputs if tensor.spec.dims != ()]
        for view in self._views:
            build.store(_VIEW(None), view)
        rounds = build.alloca(INT64)
        build.store(INT64(0), rounds)
        lowering = Lowering(build, self._failed, lambda: self._poll(rounds))
        views = iter(self._views)
        operands = [self._argument(i, t, lowering, views) for i, t in enumerate(inputs)]
        self._stop_if(build.icmp_unsigned("!=", self._call("PyErr_Occurred"), _NULL))
        results = lowering.outermost(op, inputs, operands)
        self._release()
        build.ret(self._tuple(op, results))
        build.position_at_end(self._failed)
        self._release()
        build.ret(self._call("PyBool_FromLong", INT64(0)))
        build.position_at_end(self._stopped)
        self._release()
        build.ret(_NULL)
        pairs = zip(inputs, operands, strict=True)
        return tuple(t for t, v in pairs if isinstance(v, Version) and v.buffer.is_written)

    def _argument(
        self, position: int, tensor: SymbolicTensor, lowering: Lowering, views: Iterator[ir.Value]
    ) -> Value:
        """Take an argument."""
        build, (_, arguments, _) = self._build, self.function.args
        slot = build.gep(arguments, [INT64(position)], source_etype=_POINTER)
        held = build.load(slot, typ=_POINTER)
        dims, dtype = tensor.spec.dims, tensor.spec.dtype
        if dims == ():
            return self._number(held, dtype)
        if dims is None:
            raise Unsupported(f"the array {tensor.op.name} of unknown rank")
        memory_type(dtype)
        view = next(views)
        found = self._call("PyObject_GetBuffer", held, view, _INT32(_C_CONTIGUOUS))
        self._stop_if(build.icmp_signed("!=", found, _INT32(0)))
        shape = self._field(view, _VIEW_SHAPE)
        lengths = [
            INT64(dim) if dim is not None else self._length(shape, axis)
            for axis, dim in enumerate(dims)
        ]
        return lowering.buffer(self._field(view, 0), lengths, dtype)

    def _field(self, view: ir.Value, number: int) -> ir.Value:
        build = self._build
        address = build.gep(view, [_INT32(0), _INT32(number)], source_etype=_VIEW)
        return build.load(address, typ=_POINTER)

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
        wide = value if value.type == _DOUBLE else build.fpext(value, _DOUBLE)
        return self._call("PyFloat_FromDouble", wide)

    def _tuple(self, op: Operation, results: Sequence[Value]) -> ir.Value:
        """Return a tuple of the scalars among the results."""
        pairs = zip(op.outputs, results, strict=True)
        scalars = [(t.spec.dtype, value) for t, value in pairs if t.spec.dims == ()]
        made = self._call("PyTuple_New", INT64(len(scalars)))
        for i, (dtype, value) in enumerate(scalars):
            self._call("PyTuple_SetItem", made, INT64(i), self._object(value, dtype))
        return made

    def _release(self) -> None:
        for view in self._views:
            self._call("PyBuffer_Release", view)

    def _call(self, name: str, *operands: ir.Value) -> ir.Value:
        function = self._module.globals.get(name)
        if function is None:
            function = ir.Function(self._module, _SIGNATURES[name], name)
        return self._build.call(function, operands)

    def _stop_if(self, condition: ir.Value) -> None:
        rest = self._build.append_basic_block()
        self._build.cbranch(condition, self._stopped, rest)
        self._build.position_at_end(rest)

    def _poll(self, rounds: ir.Value) -> None:
        """Emit a turn of other threads and of signal handlers, which most iterations skip."""
        build = self._build
        number = build.add(build.load(rounds, typ=INT64), INT64(1))
        build.store(number, rounds)
        asks, rest = build.append_basic_block(), build.append_basic_block()
        due = build.icmp_unsigned("==", build.and_(number, INT64(_POLL - 1)), INT64(0))
        build.cbranch(due, asks, rest)
        build.position_at_end(asks)
        self._call("PyEval_RestoreThread", self._call("PyEval_SaveThread"))
        found = self._call("PyErr_CheckSignals")
        build.cbranch(build.icmp_signed("!=", found, _INT32(0)), self._stopped, rest)
        build.position_at_end(rest)
