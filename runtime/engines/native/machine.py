"""Compile LLVM modules for the processor of this machine."""

from __future__ import annotations

import functools
from typing import NamedTuple

import llvmlite
import llvmlite.binding as llvm
from llvmlite import ir

from autograph.forks import Lock
from autograph.stored import Store, key_of
from runtime.engines.native.elements import INDEPENDENT

STORE = Store("native", 1000)
"""Machine code on disk."""

_LOCK = Lock()
"""LLVM's contexts are not safe under threads."""


class MachineCode(NamedTuple):
    """A compiled function.

    Attributes:
      address: where it starts.
      owner: keeps the code in memory.
    """

    address: int
    owner: llvm.ExecutionEngine


@functools.cache
def _target() -> llvm.Target:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm.Target.from_default_triple()


@functools.cache
def vector_bytes() -> int:
    """Return the bytes of the widest vectors of this machine."""
    features = llvm.get_host_cpu_features()
    return 64 if features.get("avx512f") else 32 if features.get("avx2") else 16


def _machine() -> llvm.TargetMachine:
    """Return a description of this machine; the code that it compiles owns it."""
    return _target().create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=llvm.get_host_cpu_features().flatten(),
        opt=3,
        jit=True,
    )


def compiled(module: ir.Module, name: str) -> MachineCode:
    """Optimize and compile a module, or load its code from disk; return one of its functions."""
    with _LOCK:
        machine = _machine()
        module.triple = machine.triple
        text = f"{module}{INDEPENDENT}"
        key = key_of(text, *_circumstances())
        found = STORE.load(key)
        parsed = llvm.parse_assembly(text)
        if found is None:
            options = llvm.create_pipeline_tuning_options(speed_level=3)
            builder = llvm.create_pass_builder(machine, options)
            builder.getModulePassManager().run(parsed, builder)
        engine = llvm.create_mcjit_compiler(parsed, machine)
        engine.set_object_cache(lambda _, code: STORE.store(key, code), lambda _: found)
        engine.finalize_object()
        return MachineCode(engine.get_function_address(name), engine)


@functools.cache
def _circumstances() -> tuple[str, ...]:
    """Return what machine code depends on, besides the module."""
    versions = (llvmlite.__version__, ".".join(map(str, llvm.llvm_version_info)))
    return (*versions, llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())
