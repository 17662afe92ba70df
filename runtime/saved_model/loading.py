"""Loading a model that `save` has written."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

import runtime.saved_model.op_types  # noqa: F401 - a file names them
from runtime.core.context import init_scope
from runtime.core.errors import DataLossError, OpError
from runtime.core.shapes import compatible
from runtime.core.tensor import EagerTensor
from runtime.functions.concrete import ConcreteFunction
from runtime.io.file_system import Named
from runtime.io.value_file import ValueFile
from runtime.saved_model.assets import Asset, asset_file
from runtime.saved_model.functions import FunctionReader, RestoredFunction, decode_parameters
from runtime.saved_model.graphs import FILE, VERSION, GraphReader
from runtime.saved_model.signatures import SignatureMap
from runtime.saved_model.values import Json, Reader
from runtime.state.module import Module
from runtime.state.variable import Variable


class LoadedObject(Module):
    """An object of a loaded model, with the attributes of the saved one."""

    def __repr__(self) -> str:
        return f"<LoadedObject with {', '.join(n for n in vars(self) if not n.startswith('_'))}>"


class CallableObject(LoadedObject):
    """An object of a loaded model whose method `__call__` was saved."""

    def __call__(self, *args: object, **kwargs: object) -> Any:
        """Run the function."""
        return vars(self)["__call__"](*args, **kwargs)


def load(export_dir: Named, tags: object = None, options: object = None) -> Any:
    """Load a model, without the program that saved it.

    Args:
      export_dir: the folder.
      tags, options: have no effect.

    Returns: an object with the attributes of the saved one: variables, functions, assets, lists,
      dicts, numbers and texts. Functions run for the types of arguments for which they were saved,
      and can be differentiated, used in other functions and saved again. The attribute `signatures`
      has the signatures by name.
    Raises: OSError if there is no model; DataLossError for one that is damaged, or that another
      program or version wrote.

    >>> import runtime as tf, tempfile
    >>> model = tf.Module()
    >>> model.square = tf.function(lambda x: x * x)
    >>> _ = model.square(tf.constant(2.0))
    >>> with tempfile.TemporaryDirectory() as home:
    ...     tf.saved_model.save(model, home)
    ...     loaded = load(home)
    >>> print(loaded.square(tf.constant(3.0)))
    tf.Tensor(9.0, shape=(), dtype=float32)
    """
    folder = os.fsdecode(export_dir)
    path = os.path.join(folder, FILE)
    if not os.path.isfile(path):
        theirs = os.path.join(folder, "saved_model.pb")
        if os.path.isfile(theirs):
            raise OSError(f"{theirs} is a model of TensorFlow, which cannot be read here")
        raise OSError(f"SavedModel file does not exist at: {path}")
    file = ValueFile(path)
    with _damage(path), init_scope():
        return _Loader(file, folder).root()


@contextlib.contextmanager
def _damage(path: str) -> Iterator[None]:
    """Raise DataLossError for whatever a model that does not fit together leads to."""
    try:
        yield
    except DataLossError:
        raise
    except (
        *(ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError),
        *(TypeError, ValueError, OpError),
    ) as error:
        raise DataLossError.of(
            f"{path} is damaged, or no saved model: {type(error).__name__}: {error}"
        ) from error


class _Loader:
    """A model that is being read."""

    def __init__(self, file: ValueFile, folder: str) -> None:
        structure = file.structure
        if structure["kind"] != "saved model":
            raise ValueError(f"it holds a {structure['kind']!r}")
        if structure["version"] != VERSION:
            raise ValueError(f"it is of version {structure['version']!r}, not {VERSION}")
        self._file = file
        self._folder = folder
        self._nodes: list[Json] = structure["nodes"]
        self._reader = Reader(file.array)
        self._objects: dict[int, Any] = {}
        self._building: set[int] = set()
        graphs = GraphReader(self._reader)
        for encoded in structure["graphs"]:
            graphs.read(encoded)
        functions = FunctionReader(self._reader, graphs, self._handle)
        self._functions = [functions.read(encoded) for encoded in structure["functions"]]
        self._signatures = structure["signatures"]

    def root(self) -> Any:
        """Decode the objects; return the root."""
        root = self._object(0)
        if not isinstance(root, LoadedObject):
            raise ValueError("its root is not an object")
        names = {str(name): self._function(at) for name, at in self._signatures.items()}
        vars(root)["signatures"] = SignatureMap(names)
        return root

    def _handle(self, position: Json) -> EagerTensor:
        held = self._object(position)
        variable = held.variable if isinstance(held, Asset) else held
        if not isinstance(variable, Variable) or not isinstance(variable.handle, EagerTensor):
            raise ValueError(f"node {position!r} is not a variable")
        return variable.handle

    def _function(self, position: Json) -> ConcreteFunction:
        if type(position) is not int or not 0 <= position < len(self._functions):
            raise ValueError(f"{position!r} is not a function")
        return self._functions[position]

    def _object(self, position: Json) -> Any:
        """Return the object of a node; lists, dicts and objects may hold each other."""
        if type(position) is not int or not 0 <= position < len(self._nodes):
            raise ValueError(f"{position!r} is not a node")
        if position not in self._objects:
            if position in self._building:
                raise ValueError(f"node {position} holds itself")
            self._building.add(position)
            node = self._nodes[position]
            self._objects[position] = _MAKERS[node["kind"]](self, position, node)
        return self._objects[position]

    def _variable(self, position: int, node: Json) -> Variable:
        array = self._file.array(node["value"])
        dims = node["shape"]
        known = None if dims is None else tuple(dims)
        dtype, held = self._file.spec(node["value"])
        if dtype.name != node["dtype"] or not compatible(known, held):
            raise ValueError(f"variable {node['name']!r} is {dtype.name}{held}")
        return Variable(
            EagerTensor(array),
            trainable=bool(node["trainable"]),
            name=str(node["name"]),
            shape=dims,
        )

    def _asset(self, position: int, node: Json) -> Asset:
        return Asset(asset_file(self._folder, node["file"]))

    def _restored(self, position: int, node: Json) -> RestoredFunction:
        concretes = [self._function(at) for at in node["functions"]]
        variables = {id(v): v for concrete in concretes for v in concrete.variables}
        return RestoredFunction(
            str(node["name"]),
            decode_parameters(self._reader, node["parameters"]),
            self._reader.decode(node["specs"]),
            concretes,
            list(variables.values()),
        )

    def _concrete(self, position: int, node: Json) -> ConcreteFunction:
        return self._function(node["function"])

    def _value(self, position: int, node: Json) -> Any:
        return self._reader.decode(node["value"])

    def _tensor(self, position: int, node: Json) -> EagerTensor:
        return EagerTensor(self._reader.decode(node["value"]))

    def _children(self, node: Json) -> Iterator[tuple[Any, Any]]:
        for name, child in node["children"]:
            yield self._reader.decode(name), self._object(child)

    def _list(self, position: int, node: Json) -> list[Any]:
        made = self._objects[position] = []
        made += [part for _, part in self._children(node)]
        return made

    def _dict(self, position: int, node: Json) -> dict[Any, Any]:
        made = self._objects[position] = {}
        made.update(self._children(node))
        return made

    def _tuple(self, position: int, node: Json) -> tuple[Any, ...]:
        return tuple(part for _, part in self._children(node))

    def _attributes(self, position: int, node: Json) -> LoadedObject:
        names = [name for name, _ in node["children"]]
        if not all(isinstance(name, str) for name in names):
            raise ValueError(f"node {position} has attributes {names}")
        made = self._objects[position] = (CallableObject if "__call__" in names else LoadedObject)()
        vars(made).update(self._children(node))
        return made


_MAKERS = {
    "asset": _Loader._asset,
    "concrete": _Loader._concrete,
    "dict": _Loader._dict,
    "function": _Loader._restored,
    "list": _Loader._list,
    "object": _Loader._attributes,
    "tensor": _Loader._tensor,
    "tuple": _Loader._tuple,
    "value": _Loader._value,
    "variable": _Loader._variable,
}
