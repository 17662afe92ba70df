"""Saving a model: its variables, its functions as graphs, its assets, and plain values.

The folder of a model has the file `saved_model.safetensors`, as `runtime.io.value_file` describes
it, and the directory `assets`. The structure in the file is a JSON object:

    {"kind": "saved model", "version": 1, "nodes": [...], "graphs": [...], "functions": [...],
     "signatures": {NAME: FUNCTION, ...}}

`runtime.saved_model.graphs` describes `graphs`, and `runtime.saved_model.functions` `functions`.
`nodes` are the objects of the model, the first is the root. Each has a `kind`:

- `object`, `list`, `tuple`, `dict`: `children` are pairs of a name and the position of a node.
  Names are those of attributes, or keys, encoded as `runtime.saved_model.values` says;
- `variable`: `value` is the name of its array; `name`, `dtype`, `shape` and `trainable` are as
  they say;
- `function`: `name`, `parameters`, `specs` (the `input_signature`, or null) and `functions`, the
  positions of its graphs; `concrete`: `function`, the position of one;
- `asset`: `file`, its name in the directory `assets`;
- `tensor`, `value`: `value` is encoded.

Nothing in it is code, and loading runs none.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from autograph.reach.places import Entry, Place
from runtime.control_flow.values.layouts import specs
from runtime.core.errors import UnimplementedError
from runtime.core.observed import restore_awaited
from runtime.core.operation import Operation
from runtime.core.tensor import EagerTensor
from runtime.core.thread import STATE
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.methods import Method
from runtime.functions.outside_ops import FormOf
from runtime.functions.polymorphic import Function
from runtime.io.file_system import Named, makedirs
from runtime.io.value_file import write_values
from runtime.saved_model.assets import Asset, asset_names, copy_asset, remove_assets
from runtime.saved_model.attributes import assignments
from runtime.saved_model.functions import FunctionWriter, encode_parameters
from runtime.saved_model.graphs import FILE, VERSION
from runtime.saved_model.signatures import SignatureMap, signature_functions
from runtime.saved_model.values import CannotBeSaved, Json, Writer, is_plain
from runtime.state.cells import Cell
from runtime.state.object_graph import is_walked, object_graph, parts, path_text
from runtime.state.variable import Variable

_CALLABLE = (Function, Method, ConcreteFunction)


@dataclass(frozen=True)
class SaveOptions:
    """Options of `save`.

    Args:
      experimental_custom_gradients: no effect: gradients that a program states itself
        (`tf.custom_gradient`) are always saved.

    >>> SaveOptions(experimental_custom_gradients=True).experimental_custom_gradients
    True
    """

    experimental_custom_gradients: bool = True


def save(
    obj: object, export_dir: Named, signatures: object = None, options: SaveOptions | None = None
) -> None:
    """Save an object so that a process with only this package can load and run it.

    Saved are the variables that the object holds, in attributes, lists, dicts and other objects;
    all graphs of each `tf.function` among its attributes and methods, with the variables that they
    use; assets; numbers, texts and structures of them in public attributes. What the functions read
    of other Python objects is frozen in their graphs. Attributes that they assign are not saved,
    and a loaded function assigns none.

    Args:
      obj: a `Module` or another object with attributes.
      export_dir: the folder; a model in it is replaced, and stays whole until then.
      signatures: a function with an `input_signature`, a concrete function, or a dict of them by
        name; None: the only function of `obj` that has an `input_signature` and returns tensors,
        if there is one.
      options: has no effect.

    Raises: ValueError for an object without attributes, and for signatures without a single graph;
      UnimplementedError that names the operation and its line, for a function that needs what is
      not saved: Python code, datasets and other objects from outside.

    >>> import runtime as tf, tempfile
    >>> class Scale(tf.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.factor = tf.Variable(3.0)
    ...     @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    ...     def __call__(self, x):
    ...         return x * self.factor
    >>> with tempfile.TemporaryDirectory() as home:
    ...     tf.saved_model.save(Scale(), home)
    ...     loaded = tf.saved_model.load(home)
    >>> print(loaded(tf.constant([1.0, 2.0])))
    tf.Tensor([3. 6.], shape=(2,), dtype=float32)
    """
    if STATE.graph is not None:
        raise RuntimeError(
            f"a model cannot be saved while the function `{STATE.graph.name}` is recorded: do it "
            "outside the function."
        )
    if not is_walked(obj) or isinstance(obj, (list, tuple, dict)):
        raise ValueError(
            "Expected an object with attributes, such as `tf.Module`, for export. Got "
            f"{obj!r} with type {type(obj)}."
        )
    restore_awaited()
    folder = os.fsdecode(export_dir)
    makedirs(folder)
    model = _Model(obj, folder)
    for name, concrete in signature_functions(obj, signatures, dict(_methods(obj))).items():
        model.signatures[name] = model.functions.add(concrete)
    path = os.path.join(folder, FILE)
    before = asset_names(path)
    write_values(path, model.writer.arrays, model.structure())
    remove_assets(folder, [name for name in before if name not in model.assets])


def _methods(value: object) -> Iterator[tuple[str, Method[..., Any]]]:
    """Return the methods of an object that are functions of this package."""
    for kind in reversed(type(value).__mro__):
        for name, held in vars(kind).items():
            if isinstance(held, Function) and inspect.getattr_static(value, name) is held:
                yield name, held.__get__(value)


def _parts(value: object) -> Iterator[tuple[Any, Any]]:
    if isinstance(value, SignatureMap):
        return
    for name, part in parts(value):
        private = not isinstance(value, dict) and str(name).startswith("_")
        if not (private and is_plain(part)):
            yield name, part
    if not isinstance(value, (list, tuple, dict)):
        yield from _methods(value)


def _is_leaf(value: object) -> bool:
    kinds = (Variable, Asset, EagerTensor, *_CALLABLE)
    return isinstance(value, kinds) or is_plain(value)


class _Model:
    """A model that is being written.

    Attributes:
      writer: encodes values.
      functions: encodes functions.
      signatures: the positions of signatures, by name.
      assets: the names of the files of assets.
    """

    def __init__(self, root: object, folder: str) -> None:
        self.writer = Writer()
        self.functions = FunctionWriter(self.writer, self._node_of, self._is_lost)
        self.signatures: dict[str, int] = {}
        self.assets: list[str] = []
        self._folder = folder
        self._nodes: list[Json] = []
        self._cells: dict[Cell, int] = {}
        graph = object_graph(root, _is_leaf, _parts)
        with_attributes = [each for each in graph.objects if hasattr(each, "__dict__")]
        self._attributes = {id(each.__dict__) for each in with_attributes}
        leaves = {i for i, value in enumerate(graph.objects) if _is_leaf(value)}
        self._graph = graph.only(leaves)
        for number, value in enumerate(self._graph.objects):
            cell = _cell_of(value)
            if cell is not None:
                self._cells[cell] = number
        self._nodes = [{} for _ in self._graph.objects]
        for number, value in enumerate(self._graph.objects):
            self._nodes[number] = self._node(number, value)

    def structure(self) -> Json:
        """Return the structure of the file.

        Raises: UnimplementedError for a function that reads what another one assigns.
        """
        lost = self._lost_places()
        self._refuse_reads(lost)
        names = {(id(place.owner), place.key) for place in lost}
        for value, node in zip(self._graph.objects, self._nodes, strict=False):
            if node["kind"] == "object":
                held = id(getattr(value, "__dict__", None))
                node["children"] = [it for it in node["children"] if (held, it[0]) not in names]
        return {
            "kind": "saved model",
            "version": VERSION,
            "nodes": self._nodes,
            "graphs": self.functions.graphs.graphs,
            "functions": self.functions.functions,
            "signatures": self.signatures,
        }

    def _is_lost(self, op: Operation) -> bool:
        """Return whether an operation assigns a tensor to an attribute of the model.

        A run found such a tensor in the attribute, so that none goes another way at the next run.
        """
        place, form = op.attrs["place"], op.attrs["form"]
        is_attribute = isinstance(place, Entry) and id(place.owner) in self._attributes
        return is_attribute and bool(specs(form)) and FormOf(form).matches(place.read())

    def _lost_places(self) -> list[Entry]:
        """Return the attributes of the model that functions assign, which are not saved."""
        graphs = [concrete.graph for concrete in self.functions.concretes()]
        writes = (op for graph in graphs for op in assignments(graph))
        return [op.attrs["place"] for op in writes if self._is_lost(op)]

    def _refuse_reads(self, places: Sequence[Place]) -> None:
        """Raise UnimplementedError if a function reads an attribute that another one assigns."""
        for concrete in self.functions.concretes():
            for place in places:
                if concrete.guards is not None and concrete.guards.read(place):
                    raise UnimplementedError.of(
                        f"function {concrete.name} cannot be saved: it reads "
                        f"`{place.label}`, which another function assigns. Hold it in a Variable."
                    )

    def _node_of(self, cell: Cell) -> int:
        """Return the position of a variable; one that no attribute holds is added."""
        if cell not in self._cells:
            variable = cell.variable()
            if not isinstance(variable, Variable):
                raise CannotBeSaved("there is a variable that nothing holds any more")
            self._cells[cell] = len(self._nodes)
            self._nodes.append(self._variable(variable, len(self._nodes)))
        return self._cells[cell]

    def _node(self, number: int, value: object) -> Json:
        if isinstance(value, Variable):
            return self._variable(value, number)
        if isinstance(value, Asset):
            self.assets.append(copy_asset(value, self._folder, self.assets))
            return {"kind": "asset", "file": self.assets[-1]}
        if isinstance(value, ConcreteFunction):
            return {"kind": "concrete", "function": self.functions.add(value)}
        try:
            if isinstance(value, (Function, Method)):
                return self._function(value)
            if isinstance(value, EagerTensor):
                return {"kind": "tensor", "value": self.writer.encode(value.array)}
            if is_plain(value):
                return {"kind": "value", "value": self.writer.encode(value)}
            return self._holder(number, value)
        except CannotBeSaved as error:
            path = path_text(self._graph.paths[number])
            raise UnimplementedError.of(f"{path} cannot be saved: {error}") from None

    def _holder(self, number: int, value: object) -> Json:
        kinds = (("list", list), ("tuple", tuple), ("dict", dict))
        kind = next((name for name, each in kinds if isinstance(value, each)), "object")
        children = self._graph.children[number]
        pairs = [[self.writer.encode(name), child] for name, child in children.items()]
        return {"kind": kind, "children": pairs}

    def _variable(self, variable: Variable, number: int) -> Json:
        key = f"variable/{number}"
        self.writer.arrays[key] = variable.numpy()
        dims = variable.spec.dims
        return {
            "kind": "variable",
            "value": key,
            "dtype": variable.dtype.name,
            "name": variable.name.removesuffix(":0"),
            "trainable": variable.trainable,
            "shape": None if dims is None else list(dims),
        }

    def _function(self, function: Function[..., Any] | Method[..., Any]) -> Json:
        instance = function.__self__ if isinstance(function, Method) else None
        of = cast(Function[..., Any], getattr(function, "__func__", function))
        concretes = [_current(function, each) for each in of.concrete_functions(instance)]
        if not concretes and of.input_signature is not None:
            concretes = [function.get_concrete_function()]
        own = list(of.signature.python.parameters.values())
        signature = inspect.Signature(own[1:] if instance is not None else own)
        specs = of.input_signature
        return {
            "kind": "function",
            "name": of.name,
            "parameters": encode_parameters(self.writer, signature),
            "specs": None if specs is None else self.writer.encode(tuple(specs)),
            "functions": [self.functions.add(concrete) for concrete in concretes],
        }


def _current(
    function: Function[..., Any] | Method[..., Any], concrete: ConcreteFunction
) -> ConcreteFunction:
    """Return a graph for the same types, recorded anew if what it read outside has changed."""
    if concrete.is_current():
        return concrete
    args, kwargs = concrete.structured_input_signature
    return function.get_concrete_function(*args, **kwargs)


def _cell_of(value: object) -> Cell | None:
    variable = value.variable if isinstance(value, Asset) else value
    held = variable.handle if isinstance(variable, Variable) else None
    return held.array if isinstance(held, EagerTensor) else None
