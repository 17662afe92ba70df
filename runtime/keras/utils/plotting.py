"""Drawings of models as graphs of layers."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import Any


def plot_model(
    model: Any,
    to_file: Any = "model.png",
    show_shapes: bool = False,
    *,
    rankdir: str = "TB",
    dpi: int = 200,
) -> Any:
    """Draw a model; the file is an image if Graphviz is installed, else its text.

    Args:
      model: a built model.
      to_file: path of the image; the text goes beside it, with the ending `.dot`.
      show_shapes: whether to write the output shapes.
      rankdir: direction of the drawing, `TB` or `LR`.
      dpi: resolution of the image.

    Returns: the path of the image, or of the text.

    Raises: ValueError if the model is not built.

    >>> import tempfile
    >>> from runtime import keras
    >>> model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(3, name="dense")])
    >>> with tempfile.TemporaryDirectory() as home:
    ...     with open(plot_model(model, f"{home}/model.dot")) as file:
    ...         print("dense (Dense)" in file.read())
    True
    """
    path = os.fspath(to_file)
    base, ending = os.path.splitext(path)
    text = f"{base}.dot"
    with open(text, "w", encoding="utf-8") as file:
        file.write(_dot(model, show_shapes, rankdir))
    program = shutil.which("dot")
    if program is None or ending == ".dot":
        return text
    subprocess.run([program, f"-T{ending[1:]}", f"-Gdpi={dpi}", text, "-o", path], check=True)
    return path


def _dot(model: Any, show_shapes: bool, rankdir: str) -> str:
    """Return a model as text in the language of Graphviz."""
    if not model.built:
        raise ValueError(
            f"Model '{model.name}' is not built: its layers have no shapes. Call "
            f"`{model.name}.build()`, or call it on a batch."
        )
    operations = getattr(model, "operations", model.layers)
    lines = ["digraph {", f"  rankdir={rankdir};", "  node [shape=box];"]
    names = {id(each): f"n{i}" for i, each in enumerate(operations)}
    edges: list[str] = []
    for each in operations:
        label = f"{each.name} ({type(each).__name__})"
        if show_shapes and each.nodes:
            label += f"\\n{each.output_shape}"
        lines.append(f'  {names[id(each)]} [label="{label}"];')
        sources = [tensor.history.operation for node in each.nodes for tensor in node.inputs]
        found = (names[id(source)] for source in sources if id(source) in names)
        edges += [f"  {name} -> {names[id(each)]};" for name in dict.fromkeys(found)]
    return "\n".join([*lines, *edges, "}"])
