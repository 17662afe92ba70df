"""Parts of graphs as functions that XLA compiles: arrays of NumPy in and out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from runtime.core.aliases import Array
from runtime.core.graph import Graph
from runtime.core.shapes import element_count
from runtime.core.symbolic import SymbolicTensor
from runtime.engines import parted
from runtime.engines.limits import Unsupported
from runtime.engines.xla.lowering import Lowering, as_array

_OPTIONS: dict[str, Any] = {
    # The algebraic simplifier makes (a / b) / c out of a / (b * c), whose product may overflow.
    "xla_disable_hlo_passes": "algsimp",
    # Else chains of operations on float16 and bfloat16 round once instead of after each one.
    "xla_allow_excess_precision": False,
}


def executable(graph: Graph) -> Callable[..., tuple[Any, ...]]:
    """Return a function from input arrays to output arrays; see `plan.executable`."""
    return parted.executable(graph, XlaFunction)


def source(graph: Graph) -> str:
    """Return the source text of the plan, with the calls of compiled parts."""
    return parted.source(graph, XlaFunction)


class XlaFunction:
    """A graph that XLA compiles, once for each shape of its inputs.

    Attributes:
      places: the positions of the inputs of the graph that it takes.
    """

    makes_new = False
    checks_shapes = False

    def __init__(self, graph: Graph) -> None:
        """Trace the graph if its shapes are static, else at the first call. Raises Unsupported."""
        pairs = [(i, t) for i, t in enumerate(graph.inputs) if _has_type(t)]
        self._graph = graph
        self.places = [i for i, _ in pairs]
        self._dtypes = [tensor.spec.dtype.numpy_dtype for _, tensor in pairs]
        self._are_scalars = [tensor.spec.dims == () for tensor in graph.outputs]
        self._refused: set[tuple[tuple[int, ...], ...]] = set()
        for tensor in graph.outputs:
            if not _has_type(tensor):
                raise Unsupported(f"the result {tensor.op.name}")
        self._run = jax.jit(self._lowered, compiler_options=_OPTIONS)
        specs = [tensor.spec for _, tensor in pairs]
        if all(element_count(spec.dims) is not None for spec in specs):
            shapes = [jax.ShapeDtypeStruct(s.dims, s.dtype.numpy_dtype) for s in specs]
            with _wide():
                self._run.trace(*shapes)

    def _lowered(self, *operands: Array) -> list[Any]:
        lowering = Lowering()
        given = dict(zip(self.places, operands, strict=True))
        values = [given.get(i) for i in range(len(self._graph.inputs))]
        with jax.default_matmul_precision("highest"):  # else some GPUs multiply by fewer bits
            results = lowering.graph(self._graph, values)
        outputs = list(map(as_array, results, self._graph.outputs))
        # JAX returns an input itself, and so memory that the caller may change.
        taken = set(map(id, operands))
        copied = [jnp.array(out, copy=True) if id(out) in taken else out for out in outputs]
        return [jnp.asarray(lowering.failed), *copied]

    def call(self, *arguments: Array) -> tuple[Any, ...] | bool:
        """Run the code; return its results, or False where the plan would raise."""
        arrays = [np.asarray(*pair) for pair in zip(arguments, self._dtypes, strict=True)]
        shapes = tuple(array.shape for array in arrays)
        if shapes in self._refused:
            return False
        try:
            with _wide():
                failed, *results = self._run(*arrays)
        except Unsupported:  # known only for these shapes
            self._refused.add(shapes)
            return False
        except jax.errors.JaxRuntimeError:  # no memory for the compiled code or its buffers, say
            return False
        if failed:
            return False
        outputs = map(np.asarray, results)
        pairs = zip(outputs, self._are_scalars, strict=True)
        return tuple(output.item() if is_scalar else output for output, is_scalar in pairs)


def _wide() -> Any:
    """Let JAX use 64-bit numbers, in this thread."""
    return jax.enable_x64(True)


def _has_type(tensor: SymbolicTensor) -> bool:
    return tensor.spec.dtype.kind in "biufc"
