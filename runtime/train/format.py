"""The format of a checkpoint: one file of values, with the object graph as its structure.

A checkpoint `PREFIX` is the file `PREFIX.safetensors`, as `runtime.io.value_file` describes it. Its
structure is a JSON object:

    {"kind": "checkpoint", "nodes": [{"children": {NAME: NODE, ...}, "key": KEY}, ...]}

A node represents an object of the program that has state, or that leads to one; the first is the
root. `children` has the positions of the nodes that it holds, by the name of the attribute, the key
of the dict, or the position in the list. A node with state has a `key`, the name of its array:
the names from the root to it, joined by `/`, and the kind of state. In names `.` is written as
`..`, and `/` as `.S`. TensorFlow's checkpoints name their values the same way.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from runtime.core.errors import DataLossError, NotFoundError
from runtime.core.observed import restore_awaited
from runtime.io.file_system import makedirs
from runtime.io.value_file import ValueFile, write_values
from runtime.state.object_graph import SavedState, object_graph, path_text

SUFFIX = ".safetensors"

Array = Any


def is_state(value: object) -> bool:
    """Return whether an object has state that a checkpoint saves."""
    return isinstance(value, SavedState)


class Node(NamedTuple):
    """An object of the program that saved the checkpoint.

    Attributes:
      children: the positions of the nodes that it holds, by name.
      key: the name of its array, or None if it has no state.
      path: the names from the root to it.
    """

    children: Mapping[str, int]
    key: str | None
    path: tuple[str, ...]


def write_checkpoint(root: object, prefix: str) -> None:
    """Write the state of everything that an object holds.

    Raises: ValueError for a dict with a key that leads to state and is not a string; OpError if the
      file cannot be written.
    """
    restore_awaited()
    graph = object_graph(root, is_state)
    found = {i for i, value in enumerate(graph.objects) if is_state(value)}
    graph = graph.only(found)
    nodes: list[dict[str, Any]] = []
    values: dict[str, Array] = {}
    for value, children, path in zip(graph.objects, graph.children, graph.paths, strict=True):
        _require_texts(value, children, path)
        node: dict[str, Any] = {"children": children}
        if isinstance(value, SavedState):
            node["key"] = "/".join((*map(_escaped, path), value.state_suffix))
            values[node["key"]] = value.saved_state()
        nodes.append(node)
    directory = os.path.dirname(prefix)
    if directory:
        makedirs(directory)
    write_values(prefix + SUFFIX, values, {"kind": "checkpoint", "nodes": nodes})


def _require_texts(value: object, children: Mapping[Any, int], path: tuple[Any, ...]) -> None:
    for name in children:
        if not isinstance(name, str):
            raise ValueError(
                f"Unable to save the object {path_text(path)}: the dictionary contains a "
                f"non-string key, {name!r}, which leads to a variable. Use strings as keys."
            )


def _escaped(name: str) -> str:
    return name.replace(".", "..").replace("/", ".S")


def open_checkpoint(prefix: str) -> tuple[ValueFile, list[Node]]:
    """Open a checkpoint, and check all of its structure.

    Raises: NotFoundError if there is none; DataLossError for a damaged file, or one of another
      program.
    """
    path = prefix + SUFFIX
    if not os.path.exists(path):
        raise _missing(prefix)
    file = ValueFile(path)
    try:
        return file, _nodes(file)
    except (LookupError, TypeError, ValueError) as error:
        raise DataLossError.of(f"{path} is not a checkpoint: {error}") from error


def _missing(prefix: str) -> Exception:
    if os.path.exists(f"{prefix}.index"):
        return DataLossError.of(
            f"{prefix}.index is a checkpoint of TensorFlow, which cannot be read here; a "
            f"checkpoint of this package is a file {prefix}{SUFFIX}.",
        )
    if os.path.isdir(prefix):
        return DataLossError.of(
            f"Unable to open table file {prefix}: Is a directory. "
            f"`train.latest_checkpoint({prefix!r})` is the newest checkpoint in it.",
        )
    return NotFoundError.of(
        f"Error when restoring from checkpoint at {prefix}: Failed to find any matching files for "
        f"{prefix}{SUFFIX}\nPlease double-check that the path is correct. You may be missing the "
        "checkpoint suffix (e.g. the '-1' in 'path/to/ckpt-1').",
    )


def _nodes(file: ValueFile) -> list[Node]:
    structure = file.structure
    if structure["kind"] != "checkpoint":
        raise ValueError(f"it holds a {structure['kind']!r}")
    listed = structure["nodes"]
    if not isinstance(listed, list) or not listed:
        raise ValueError("it has no nodes")
    paths: dict[int, tuple[str, ...]] = {0: ()}
    for number, node in enumerate(listed):
        for name, child in node["children"].items():
            if type(child) is not int or not 0 <= child < len(listed):
                raise ValueError(f"node {number} holds the node {child!r}, which is not there")
            # Nodes are in breadth-first order, so the first holder has the shortest path.
            paths.setdefault(child, (*paths.get(number, ("?",)), name))
    nodes = [
        Node(node["children"], node.get("key"), paths.get(number, ("?",)))
        for number, node in enumerate(listed)
    ]
    keys = [node.key for node in nodes if node.key is not None]
    if len(set(keys)) < len(keys) or not set(keys) <= set(file):
        raise ValueError("its nodes and its values do not belong together")
    return nodes
