"""The table of the layers of a model."""

from __future__ import annotations

import io
import math
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import rich.box
import rich.console
import rich.markup
import rich.table

from runtime.keras.base.layer import Layer
from runtime.keras.base.signature import shapes_of
from runtime.keras.base.symbolic import RuntimeOperation


class _Layout(NamedTuple):
    """Columns of the table: width of the whole, right ends as fractions, titles, alignment."""

    width: int
    ends: list[float]
    titles: list[str]
    sides: list[Any]


_CHAIN = _Layout(
    88, [0.45, 0.8, 1.0], ["Layer (type)", "Output Shape", "Param #"], ["left", "left", "right"]
)
_GRAPH = _Layout(
    108,
    [0.3, 0.56, 0.74, 1.0],
    ["Layer (type)", "Output Shape", "Param #", "Connected to"],
    ["left", "left", "right", "left"],
)
"""The widths and fractions of the tables of Keras 3."""


def print_summary(
    model: Any,
    line_length: int | None = None,
    positions: Sequence[float] | None = None,
    print_fn: Callable[[str], Any] | None = None,
    expand_nested: bool = False,
    show_trainable: bool = False,
    layer_range: tuple[str, str] | None = None,
) -> None:
    """Print the table; see `Model.summary`."""
    nodes = getattr(model, "_graph", None) and model._graph.nodes
    rows = getattr(model, "operations", model.layers)
    layout = _GRAPH if nodes is not None and not _is_chain(model) else _CHAIN
    width, ends = layout.width, list(positions or layout.ends)
    titles, sides = [*layout.titles], [*layout.sides]
    if show_trainable:
        width += 12
        ends = [end * 0.9 for end in ends] + [1.0]
        titles.append("Trainable")
        sides.append("center")
    width = line_length or min(width, shutil.get_terminal_size().columns - 4)
    table = rich.table.Table(box=rich.box.HEAVY_HEAD, width=width, show_lines=True)
    right = 0
    for title, side, end in zip(titles, sides, ends, strict=False):
        own = int(end * width) - right
        if own < 4:
            raise ValueError("Insufficient console width to print summary.")
        right += own
        table.add_column(title, justify=side, width=own)
    for layer, depth in _walk(_in_range(rows, layer_range), expand_nested):
        cells = _cells(layer, depth)
        if layout is _GRAPH:
            cells.append(_connections(layer, nodes) if not depth else "-")
        if show_trainable:
            cells.append(_trainable(layer))
        table.add_row(*map(rich.markup.escape, cells))
    text = _render(f'Model: "{rich.markup.escape(model.name)}"', width)
    text += _render(table, width)
    text += "".join(f" {line}\n" for line in _totals(model))
    if print_fn is None:
        print(text, end="")
    else:
        print_fn(text)


def _render(item: Any, width: int) -> str:
    file = io.StringIO()
    console = rich.console.Console(file=file, width=width, color_system=None, highlight=False)
    console.print(item)
    return file.getvalue()


def _is_chain(model: Any) -> bool:
    """Whether each layer of a functional model has one input, is called once, and has no peer."""
    depths = [model._graph.depths[id(node)] for node in model._graph.nodes]
    if len(model.inputs) > 1 or len(set(depths)) < len(depths):
        return False
    if any(len(node.inputs) > 1 for node in model._graph.nodes):
        return False
    called = [id(node.operation) for node in model._graph.nodes]
    return len(set(called)) == len(called)


def _in_range(layers: Sequence[Any], names: tuple[str, str] | None) -> Sequence[Any]:
    if names is None:
        return layers
    if len(names) != 2:
        raise ValueError(f"layer_range must have two names. Received: {names}")
    found = []
    for pattern in names:
        hits = [i for i, each in enumerate(layers) if re.fullmatch(pattern, each.name)]
        if not hits:
            raise ValueError(
                f"Passed layer_range names {list(names)} do not match the names of the layers: "
                f"{[each.name for each in layers]}."
            )
        found.append(hits)
    return layers[min(found[0]) : max(found[1]) + 1]


def _walk(layers: Sequence[Any], expand: bool, depth: int = 0) -> Iterator[tuple[Any, int]]:
    for layer in layers:
        yield layer, depth
        inner = getattr(layer, "layers", None)
        if expand and inner:
            yield from _walk(inner, expand, depth + 1)


def _cells(layer: Any, depth: int) -> list[str]:
    prefix = f"{'   ' * depth}└ " if depth else ""
    is_operation = isinstance(layer, RuntimeOperation)
    kind = layer.kind if is_operation else type(layer).__name__
    title = f"{prefix}{layer.name} ({kind})"
    if not isinstance(layer, Layer):
        return [title, _shape_text(layer), "0"]
    if not layer.built:
        return [title, _shape_text(layer), "0 (unbuilt)"]
    return [title, _shape_text(layer), f"{layer.count_params():,}"]


def _shape_text(layer: Any) -> str:
    if layer.nodes:
        shapes = [_shape_words(shapes_of(node.outputs)) for node in layer.nodes]
        return shapes[0] if len(set(shapes)) == 1 else "multiple"
    config = layer.get_build_config()
    if config is None or "input_shape" not in config:
        return "?"
    return _shape_words(layer.compute_output_shape(config["input_shape"]))


def _shape_words(shape: Any) -> str:
    if isinstance(shape, dict):
        parts = (f"'{key}': {_shape_words(each)}" for key, each in shape.items())
        return "{" + ", ".join(parts) + "}"
    if isinstance(shape, list):
        return f"[{', '.join(map(_shape_words, shape))}]"
    return f"({', '.join(map(str, shape))})"


def _connections(layer: Any, nodes: Any) -> str:
    own = [node for node in nodes if node.operation is layer]
    sources = [
        f"{history.operation.name}[{history.node_index}][{history.tensor_index}]"
        for node in own
        for history in (tensor.history for tensor in node.inputs)
    ]
    return ", ".join(sources) or "-"


def _trainable(layer: Any) -> str:
    if not isinstance(layer, Layer) or not layer._all_weights():
        return "-"
    return "Y" if layer.trainable else "N"


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
    """The number of elements and their bytes."""
    counts = [math.prod(variable.shape) for variable in variables]
    sizes = [count * v.dtype.size for count, v in zip(counts, variables, strict=True)]
    return f"{sum(counts):,} ({_bytes_text(sum(sizes))})"


def _bytes_text(size: float) -> str:
    """A number of bytes in the largest unit that fits.

    >>> _bytes_text(32), _bytes_text(1536)
    ('32.00 B', '1.50 KB')
    """
    power = min(int(math.log(size, 1024)), 5) if size else 0
    return f"{size / 1024**power:.2f} {('B', 'KB', 'MB', 'GB', 'TB', 'PB')[power]}"
