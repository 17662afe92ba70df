"""Symbolic tensors of functional models, the calls that connect them, and masks of tensors."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import runtime as tf
from runtime.keras.base.names import auto_name

_masks: dict[int, tuple[weakref.ref[Any], Any]] = {}


def attach_mask(tensor: object, mask: object) -> None:
    """Keep a mask [batch, steps] for as long as its tensor lives; None: no mask."""
    if mask is None or not isinstance(tensor, tf.Tensor):
        return
    number = id(tensor)
    reference = weakref.ref(tensor, lambda _: _masks.pop(number, None))
    _masks[number] = reference, mask


def mask_of(tensor: object) -> Any:
    """Return the mask of a tensor, or None."""
    found = _masks.get(id(tensor)) if _masks else None
    return None if found is None or found[0]() is not tensor else found[1]


def masks_of(tensors: object) -> Any:
    """Return the masks of a structure of tensors in the same structure; None if none has a mask."""
    if isinstance(tensors, tf.Tensor) or not tf.nest.is_nested(tensors):
        return mask_of(tensors)
    masks = [mask_of(tensor) for tensor in tf.nest.flatten(tensors)]
    if all(mask is None for mask in masks):
        return None
    return tf.nest.pack_sequence_as(tensors, masks)


class History(NamedTuple):
    """The origin of a symbolic tensor: an output of a call of an operation."""

    operation: Operation
    node_index: int
    tensor_index: int


class KerasTensor(tf.Tensor):
    """A tensor of a functional model: dtype, shape and history, no value.

    Args:
      shape: the dimensions, None for unknown ones; the first is that of the batch.
      dtype: the dtype.
      name: the name; None: a new one.

    >>> KerasTensor((None, 3), name="x")
    <KerasTensor shape=(None, 3), dtype=float32, sparse=False, ragged=False, name=x>
    """

    __slots__ = ("_known", "history", "name")

    history: History

    def __init__(self, shape: Any, dtype: Any = "float32", name: str | None = None) -> None:
        self._known = tf.TensorSpec(shape, dtype)
        self.name = name or auto_name("keras_tensor")

    @property
    def spec(self) -> tf.TensorSpec:
        """Dtype and shape."""
        return self._known

    def forget_batch_size(self) -> None:
        """Take batches of all sizes."""
        self._known = tf.TensorSpec([None, *self.shape[1:]], self.dtype)

    @property
    def ndim(self) -> int | None:
        """The number of dimensions."""
        return self.shape.rank

    def __hash__(self) -> int:
        return id(self)

    def __bool__(self) -> bool:
        raise TypeError(f"A symbolic KerasTensor cannot be used as a boolean: {self!r}.")

    def __iter__(self) -> Any:
        raise TypeError(f"Iterating over a symbolic KerasTensor is not supported: {self!r}.")

    def __array__(self, dtype: object = None, copy: bool | None = None) -> Any:
        raise ValueError(
            f"{self!r} is a placeholder of a functional model and has no value: NumPy cannot "
            "compute with it. Use an operation of the runtime or of keras, or a layer."
        )

    def __tf_defer__(
        self,
        name: str,
        run: Callable[..., Sequence[tf.Tensor]],
        inputs: Sequence[tf.Tensor],
        specs: Sequence[tf.TensorSpec],
    ) -> tuple[tf.Tensor, ...]:
        """Record an operation of the runtime as a part of the functional model."""
        outputs = tuple(KerasTensor(spec.shape, spec.dtype) for spec in specs)
        result = outputs[0] if len(outputs) == 1 else outputs
        RuntimeOperation(name, run).record(tuple(inputs), {}, result)
        return outputs

    def __repr__(self) -> str:
        return (
            f"<KerasTensor shape={tuple(self.shape)}, dtype={self.dtype.name}, sparse=False, "
            f"ragged=False, name={self.name}>"
        )


class Node:
    """One call of an operation with symbolic tensors, somewhere in its arguments."""

    def __init__(
        self, operation: Operation, args: Any, kwargs: dict[str, Any], outputs: Any
    ) -> None:
        self.operation = operation
        self.args = args
        self.kwargs = kwargs
        self.outputs = outputs
        self.inputs = [each for each in tf.nest.flatten((args, kwargs)) if is_keras_tensor(each)]
        self.output_tensors: list[KerasTensor] = tf.nest.flatten(outputs)
        self.index = len(operation.nodes)
        for number, tensor in enumerate(self.output_tensors):
            tensor.history = History(operation, self.index, number)

    def call(self, values: dict[int, Any]) -> Any:
        """Call the operation again, with tensors by the `id` of the symbolic ones they replace."""
        if len(self.args) == 1 and not self.kwargs and type(self.args[0]) is KerasTensor:
            return self.operation(values[id(self.args[0])])
        args, kwargs = substitute((self.args, self.kwargs), values)
        return self.operation(*args, **kwargs)


def substitute(structure: object, values: dict[int, Any]) -> Any:
    """Return a structure with values in place of its symbolic tensors."""
    return tf.nest.map_structure(
        lambda item: values[id(item)] if type(item) is KerasTensor else item, structure
    )


def output_spec(function: Callable[..., Any], args: object, kwargs: dict[str, Any]) -> Any:
    """Return symbolic outputs of a function for symbolic arguments, by tracing it.

    The mask of a symbolic tensor is its spec: a trace gets a tensor for it, as a run does.
    """
    inputs = [each for each in tf.nest.flatten((args, kwargs)) if is_keras_tensor(each)]
    masked = [each for each in inputs if mask_of(each) is not None]
    specs = [each.spec for each in inputs] + [mask_of(each) for each in masked]

    def run(*tensors: Any) -> Any:
        values = {id(each): tensor for each, tensor in zip(inputs, tensors, strict=False)}
        for each, mask in zip(masked, tensors[len(inputs) :], strict=True):
            attach_mask(values[id(each)], mask)
        own_args, own_kwargs = substitute((args, kwargs), values)
        result = function(*own_args, **own_kwargs)
        return result, [*map(mask_of, tf.nest.flatten(result))]

    traced = tf.function(run, autograph=False).get_concrete_function(*specs)
    results, masks = traced.structured_outputs
    outputs = tf.nest.map_structure(
        lambda each: each if each is None else KerasTensor(each.shape, each.dtype), results
    )
    for tensor, mask in zip(tf.nest.flatten(outputs), masks, strict=True):
        attach_mask(tensor, None if mask is None else tf.TensorSpec(mask.shape, mask.dtype))
    return outputs


class Operation:
    """A callable on symbolic tensors; `nodes` holds its calls."""

    nodes: list[Node]
    _name: str

    @property
    def name(self) -> str:
        """The name."""
        return self._name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the outputs."""
        raise NotImplementedError

    def record(self, args: object, kwargs: dict[str, Any], outputs: object) -> Any:
        """Note a call with symbolic tensors.

        Args:
          args, kwargs: the arguments of the call.
          outputs: its results.

        Returns:
          The results.
        """
        self.nodes.append(Node(self, args, kwargs, outputs))
        return outputs


class RuntimeOperation(Operation):
    """An operation of the runtime in a functional model: its type, and what computes it."""

    def __init__(self, kind: str, run: Callable[..., Sequence[tf.Tensor]]) -> None:
        self._name = auto_name(kind)
        self._run = run
        self.kind = kind
        self.nodes = []

    def __call__(self, *inputs: Any) -> Any:
        """Run the operation."""
        outputs = self._run(*inputs)
        return outputs[0] if len(outputs) == 1 else outputs

    def get_config(self) -> dict[str, Any]:
        """Raise ValueError: the operation has arguments that JSON cannot hold."""
        raise ValueError(
            f"A model that applies the operation {self.kind} of the runtime to a symbolic tensor "
            "cannot be saved. Put the computation into the `call` method of a layer, or into a "
            "`keras.layers.Lambda` with a registered function."
        )


def is_keras_tensor(value: object) -> bool:
    """Return whether a value is a symbolic tensor of a functional model."""
    return isinstance(value, KerasTensor)


def holds_keras_tensor(args: Sequence[Any], kwargs: dict[str, Any]) -> bool:
    """Return whether arguments of a call hold a symbolic tensor, also in lists and dicts."""
    return any(
        type(value) is KerasTensor
        or (
            isinstance(value, (list, tuple, dict))
            and any(map(is_keras_tensor, tf.nest.flatten(value)))
        )
        for value in (*args, *kwargs.values())
    )
