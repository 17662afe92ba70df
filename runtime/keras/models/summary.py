"""The table of the layers of a model."""

from __future__ import annotations

import io
import math
import shutil
from collections.abc import Iterator, Sequence
from typing import Any

from runtime.keras.base.layer import Layer, is_own
from runtime.keras.base.signature import shapes_of
from runtime.keras.base.symbolic import RuntimeOperation
from runtime.keras.base.terminal import HEAVY_HEAD, Console, Table, escape

Column = tuple[str, Any, float]
"""Title, alignment, and right end as a fraction of the width; those of the tables of Keras 3."""

_CHAIN: list[Column] = [
    ("Layer (type)", "left", 0.45),
    ("Output Shape", "left", 0.8),
    ("Param #", "right", 1.0),
]
_GRAPH: list[Column] = [
    ("Layer (type)", "left", 0.3),
    ("Output Shape", "left", 0.56),
    ("Param #", "right", 0.74),
    ("Connected to", "left", 1.0),
]


def summary_of(model: Any) -> str:
    """Return the table; see `Model.summary`."""
    graph = getattr(model, "_graph", None)
    columns, width = (_CHAIN, 88) if graph is None or _is_chain(model) else (_GRAPH, 108)
    width = min(width, shutil.get_terminal_size().columns - 4)
    table = Table(box=HEAVY_HEAD, width=width, show_lines=True)
    right = 0
    for title, side, end in columns:
        own = int(end * width) - right
        right += own
        table.add_column(title, justify=side, width=own)
    for layer in getattr(model, "operations", model.layers):
        cells = [*_cells(layer), *([_connections(layer, graph)] if columns is _GRAPH else [])]
        table.add_row(*map(escape, cells))
    text = _rendered(f'Model: "{escape(model.name)}"', width)
    text += _rendered(table, width)
    return text + "".join(f" {line}\n" for line in _totals(model))


def _rendered(item: object, width: int) -> str:
    file = io.StringIO()
    console = Console(file=file, width=width, color_system=None, highlight=False)
    console.print(item)
    return file.getvalue()


def _is_chain(model: Any) -> bool:
    """Return whether a functional model is a chain of layers, each called once."""
    nodes = model._graph.nodes
    depths = {model._graph.depths[id(node)] for node in nodes}
    called = {id(node.operation) for node in nodes}
    one_input = len(model.inputs) == 1 and all(len(node.inputs) == 1 for node in nodes)
    return one_input and len(depths) == len(called) == len(nodes)


def _cells(layer: Any) -> list[str]:
    kind = layer.kind if isinstance(layer, RuntimeOperation) else type(layer).__name__
    count = "0"
    if isinstance(layer, Layer):
        count = f"{layer.count_params():,}" if layer.built else "0 (unbuilt)"
    return [f"{layer.name} ({kind})", _shapes(layer), count]


def _shapes(layer: Any) -> str:
    if layer.nodes:
        shapes = {_shape_text(shapes_of(node.outputs)) for node in layer.nodes}
        return shapes.pop() if len(shapes) == 1 else "multiple"
    config = layer.get_build_config()
    if config is None or "input_shape" not in config or not _knows_shapes(type(layer)):
        return "?"
    return _shape_text(layer.compute_output_shape(config["input_shape"]))


def _knows_shapes(kind: type) -> bool:
    """Return whether a class derives from a layer of this package or states its shapes."""
    if kind.compute_output_shape is not Layer.compute_output_shape:  # type: ignore[attr-defined]
        return True
    nearest = next(base for base in kind.__mro__ if is_own(base))
    return nearest.__name__ not in ("Layer", "Model")


def _shape_text(shape: Any) -> str:
    if isinstance(shape, dict):
        parts = (f"'{key}': {_shape_text(each)}" for key, each in shape.items())
        return f"{{{', '.join(parts)}}}"
    if isinstance(shape, list):
        return f"[{', '.join(map(_shape_text, shape))}]"
    return f"({', '.join(map(str, shape))})"


def _connections(layer: Any, graph: Any) -> str:
    sources = [
        f"{history.operation.name}[{history.node_index}][{history.tensor_index}]"
        for node in graph.nodes
        if node.operation is layer
        for history in (tensor.history for tensor in node.inputs)
    ]
    return ", ".join(sources) or "-"


def _totals(model: Any) -> Iterator[str]:
    optimizer = getattr(model, "optimizer", None)
    state = list(optimizer.variables) if optimizer is not None and optimizer.built else []
    weights = model._all_weights()
    trained = [each for each in weights if model.trainable and each.trainable]
    fixed = [each for each in weights if not (model.trainable and each.trainable)]
    yield f"Total params: {_amount([*trained, *fixed, *state])}"
    yield f"Trainable params: {_amount(trained)}"
    yield f"Non-trainable params: {_amount(fixed)}"
    if state:
        yield f"Optimizer params: {_amount(state)}"


def _amount(variables: Sequence[Any]) -> str:
    """Return the number of elements and of bytes."""
    counts = [math.prod(variable.shape) for variable in variables]
    sizes = [count * v.dtype.size for count, v in zip(counts, variables, strict=True)]
    return f"{sum(counts):,} ({_bytes_text(sum(sizes))})"


def _bytes_text(size: float) -> str:
    """Format a number of bytes in the largest unit that fits."""
    power = min(int(math.log(size, 1024)), 5) if size else 0
    return f"{size / 1024**power:.2f} {('B', 'KB', 'MB', 'GB', 'TB', 'PB')[power]}"
