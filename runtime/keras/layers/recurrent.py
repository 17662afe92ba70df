"""Recurrent layers: cells that compute one step, and a layer that runs a cell along the steps.

A layer is one loop of the graph, whatever the number of steps. What a cell computes of the inputs
alone is computed for all steps at once before the loop.

Sources: Hochreiter and Schmidhuber, "Long Short-Term Memory", 1997; Cho et al., "Learning Phrase
Representations using RNN Encoder-Decoder", 2014.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

import runtime as tf
from runtime.keras.base.conversion import user_code
from runtime.keras.base.layer import Layer
from runtime.keras.base.names import snake_case
from runtime.keras.base.seeds import draw_seed
from runtime.keras.base.standard import (
    REQUIRED,
    InputSpec,
    StandardLayer,
    known_axis,
    weight_options,
)
from runtime.keras.layers.core import in_training, last_axis_product

Recall = Callable[[Any], Any]
"""A function that multiplies a state by the recurrent kernel."""

_WEIGHTS = weight_options(
    activity=True, kernel="glorot_uniform", recurrent="orthogonal", bias="zeros"
)
_SIMPLE = {
    "units": REQUIRED, "activation": "tanh", "use_bias": True, "*": None, **_WEIGHTS
}  # fmt: skip
_GATED = {
    "units": REQUIRED, "activation": "tanh", "recurrent_activation": "sigmoid", "use_bias": True,
    "*": None, **_WEIGHTS,
}  # fmt: skip
_DROPOUT = {"dropout": 0.0, "recurrent_dropout": 0.0}
_SEQUENCE = {
    "return_sequences": False, "return_state": False, "go_backwards": False,
    "stateful": False,
}  # fmt: skip


class _Cell(StandardLayer):
    """Base class of cells: variables, and the split of a step into two parts.

    `_project` computes what depends on the inputs alone, `_step` the rest.
    """

    docs = {
        "units": "the size of outputs and states.",
        "recurrent_activation": "activation of the gates, or its name.",
    }
    gates: int
    states = 1

    def _set_up(self) -> None:
        self.state_size = [self.units] * self.states if self.states > 1 else self.units
        self.output_size = self.units
        draw_seed()  # Keras draws one for dropout; those of `SimpleRNN` come before the weights.

    def build(self, input_shape: object) -> None:
        """Create `kernel`, `recurrent_kernel` and `bias`."""
        width, size = self.units * self.gates, known_axis(self, input_shape, -1)
        self.input_spec = InputSpec(axes={-1: size})
        self.kernel = self.add_option_weight("kernel", (size, width))
        self.recurrent_kernel = self.add_option_weight(
            "recurrent_kernel", (self.units, width), prefix="recurrent"
        )
        # The bias of the gated unit has a row for the inputs and one for the state.
        shape = (2, width) if self.gates == 3 else (width,)
        self.bias = self.add_option_weight("bias", shape, self.use_bias)

    def call(self, inputs: Any, states: Any) -> Any:
        """Compute (output, states) of one step.

        Args:
          inputs: shape [batch, features].
          states: the state of shape [batch, units], or a list of the states.

        Returns:
          The output, shape [batch, units], and the states in the form in which they were given.
        """
        is_list = isinstance(states, (list, tuple))
        old = list(states) if is_list else [states]
        self.check_states(self, inputs.shape[0], old)
        output, new = self._step(self._project(inputs), old, self._recall())
        return output, (new if is_list else new[0])

    def check_states(self, owner: Any, batch: int | None, states: list[Any]) -> None:
        """Raise ValueError if states have another number or shape; it names the layer `owner`."""
        wanted = tf.TensorShape([batch, self.units])
        shapes = [tf.TensorShape(np.shape(state)) for state in states]
        if len(states) != self.states or not all(map(wanted.is_compatible_with, shapes)):
            found = ", ".join(str(tuple(shape)) for shape in shapes) or "none"
            is_kept = getattr(owner, "stateful", False)
            remedy = " A stateful layer keeps the batch size of its first call." if is_kept else ""
            raise ValueError(
                f"Layer '{owner.name}' needs {self.states} state(s) of shape {tuple(wanted)}. "
                f"Received shapes: {found}.{remedy}"
            )

    def _recall(self) -> Recall:
        """Return the product with the recurrent kernel, which is read once for all steps."""
        kernel = tf.convert_to_tensor(self.recurrent_kernel)
        if self.bias is None or self.gates != 3:
            return lambda state: tf.matmul(state, kernel)
        bias = self.bias[1]
        return lambda state: tf.matmul(state, kernel) + bias

    def _project(self, inputs: Any) -> Any:
        """Compute what depends on the inputs alone, shape [..., gates * units]."""
        outputs = last_axis_product(tf.cast(inputs, self.compute_dtype), self.kernel)
        if self.bias is None:
            return outputs
        return outputs + (self.bias[0] if self.gates == 3 else self.bias)

    def _step(self, projected: Any, states: Any, recall: Recall) -> tuple[Any, list[Any]]:
        """Compute output and states of a step from the result of `_project`."""
        raise NotImplementedError

    def get_initial_state(self, batch_size: object = None, dtype: object = None) -> list[Any]:
        """Return the states before the first step: zeros.

        Args:
          batch_size: number of sequences, an int or an int scalar.
          dtype: the dtype; None: that of computation.
        """
        shape = tf.stack([batch_size, self.units])
        return [tf.zeros(shape, dtype or self.compute_dtype) for _ in range(self.states)]


class _SimpleRNNCell(_Cell):
    """`activation(inputs @ kernel + state @ recurrent_kernel + bias)`."""

    parameters = _SIMPLE
    gates = 1

    def _step(self, projected: Any, states: Any, recall: Recall) -> tuple[Any, list[Any]]:
        output = user_code(self.activation)(projected + recall(states[0]))
        return output, [output]


class _GRUCell(_Cell):
    """Gated recurrent unit whose reset gate applies after the product."""

    parameters = _GATED
    gates = 3

    def _step(self, projected: Any, states: Any, recall: Recall) -> tuple[Any, list[Any]]:
        (state,) = states
        x_update, x_reset, x_new = tf.split(projected, 3, -1)
        h_update, h_reset, h_new = tf.split(recall(state), 3, -1)
        gate = user_code(self.recurrent_activation)
        update = gate(x_update + h_update)
        new = user_code(self.activation)(x_new + gate(x_reset + h_reset) * h_new)
        output = update * state + (1.0 - update) * new
        return output, [output]


class LSTMCell(_Cell):
    """Long short-term memory: input, forget and output gates and a cell state; see `LSTM`.

    >>> cell = LSTMCell(4)
    >>> output, states = cell(tf.ones([2, 3]), [tf.zeros([2, 4]), tf.zeros([2, 4])])
    >>> output.shape, len(states)
    (TensorShape([2, 4]), 2)
    """

    parameters = _GATED
    gates = 4
    states = 2

    def build(self, input_shape: object) -> None:
        """Create `kernel`, `recurrent_kernel` and `bias`, 1 for the forget gate."""
        super().build(input_shape)
        if self.use_bias:
            forget = slice(self.units, 2 * self.units)
            self.bias[forget].assign(tf.ones([self.units], self.bias.dtype))

    def _step(self, projected: Any, states: Any, recall: Recall) -> tuple[Any, list[Any]]:
        state, memory = states
        into, forget, new, out = tf.split(projected + recall(state), 4, -1)
        gate, activation = user_code(self.recurrent_activation), user_code(self.activation)
        memory = gate(forget) * memory + gate(into) * activation(new)
        output = gate(out) * activation(memory)
        return output, [output, memory]


class RNN(StandardLayer):
    """Run a cell along the steps of sequences.

    Args:
      cell: layer with a method `call(inputs, states)` that returns (output, states), and an
        attribute `state_size`.
      return_sequences: whether to return the outputs of all steps, not of the last one alone.
      return_state: whether to return the states after the last step, too.
      go_backwards: whether to begin with the last step.
      stateful: whether the states of a batch are the first ones of the next batch.

    >>> RNN(LSTMCell(4), return_sequences=True)(tf.ones([2, 5, 3])).shape
    TensorShape([2, 5, 4])
    """

    _TF_MODULE_IGNORED_PROPERTIES = Layer._TF_MODULE_IGNORED_PROPERTIES | {"states"}

    parameters = {"cell": REQUIRED, **_SEQUENCE}
    supports_masking = True
    input_spec = InputSpec(min_ndim=3)
    states: Any = None
    """The states that a stateful layer keeps between batches; None before the first one."""

    zero_output_for_mask = False
    """True if the outputs of masked steps are zeros, not those of the step before."""

    def _set_up(self) -> None:
        if not (callable(self.cell) and hasattr(self.cell, "state_size")):
            raise TypeError(
                f"`cell` of RNN is a layer with an attribute `state_size`, not {self.cell!r}. Add "
                "a layer for each of several cells: `RNN(cell, return_sequences=True)`."
            )

    def build(self, input_shape: Any) -> None:
        """Create the variables of the cell, and states if the layer is stateful.

        Raises:
          ValueError: if the layer is stateful, and the batch size unknown.
        """
        shape = input_shape[0] if isinstance(input_shape, list) else input_shape
        if isinstance(self.cell, Layer) and not self.cell.built:
            self.cell._build_from({"input_shape": (shape[0], *shape[2:])})
        if isinstance(self.cell, _Cell):
            self.input_spec = InputSpec(min_ndim=3, axes=self.cell.input_spec.axes)
        if self.stateful:
            if shape[0] is None:
                raise ValueError(
                    f"If an RNN is stateful, it needs to know its batch size. Layer '{self.name}' "
                    "received inputs of unknown batch size: pass `batch_shape` to `keras.Input`, "
                    "or add a `keras.Input` with one."
                )
            self.states = tf.nest.map_structure(
                lambda state: tf.Variable(state, trainable=False, name="rnn_state"),
                self.get_initial_state(shape[0]),
            )

    def get_initial_state(self, batch_size: object) -> list[Any]:
        """Return the states before the first step.

        Args:
          batch_size: number of sequences, an int or an int scalar.
        """
        if hasattr(self.cell, "get_initial_state"):
            return list(self.cell.get_initial_state(batch_size=batch_size))
        sizes = self.cell.state_size
        sizes = sizes if isinstance(sizes, (list, tuple)) else [sizes]
        shapes = [(size,) if isinstance(size, int) else tuple(size) for size in sizes]
        return [tf.zeros(tf.stack([batch_size, *each]), self.compute_dtype) for each in shapes]

    def reset_state(self) -> None:
        """Set the states of a stateful layer to zeros.

        Raises: ValueError if the layer is not stateful, or not built.
        """
        if self.states is None:
            raise ValueError(
                f"Layer '{self.name}' has no states to reset: create it with stateful=True, and "
                "call it once."
            )
        for state in tf.nest.flatten(self.states):
            state.assign(tf.zeros_like(state))

    def call(
        self, sequences: Any, initial_state: Any = None, mask: Any = None, training: Any = False
    ) -> Any:
        """Run the cell along the steps.

        Args:
          sequences: shape [batch, steps, ...]; also a list of the sequences and initial states.
          initial_state: the states before the first step; None: zeros, or those that a stateful
            layer keeps.
          mask: bools of shape [batch, steps]; masked steps change neither states nor output.
          training: whether dropout acts.

        Raises: ValueError for a mask or states of other shapes.
        Returns: Output of the last step, or outputs of all steps; with `return_state` a tuple of
          that and the states.
        """
        if isinstance(sequences, (list, tuple)):
            sequences, *initial_state = sequences
        mask = mask[0] if isinstance(mask, (list, tuple)) else mask
        if initial_state is None and self.stateful:
            initial_state = tf.nest.map_structure(lambda each: each.read_value(), self.states)
        elif initial_state is None:
            known = sequences.shape[0]
            batch = tf.shape(sequences)[0] if known is None else known
            initial_state = self.get_initial_state(batch)
        elif not isinstance(initial_state, (list, tuple)):
            initial_state = [initial_state]
        if mask is not None and not sequences.shape[:2].is_compatible_with(np.shape(mask)):
            raise ValueError(
                f"`mask` of layer '{self.name}' has shape {tuple(np.shape(mask))}, but the "
                f"sequences have shape {tuple(sequences.shape)}."
            )
        if self._is_split:
            self.cell.check_states(self, sequences.shape[0], list(initial_state))
        last, outputs, states = self._run(sequences, list(initial_state), mask, training)
        if self.stateful:
            kept = tf.nest.flatten(self.states)
            for variable, state in zip(kept, tf.nest.flatten(states), strict=True):
                variable.assign(tf.cast(state, variable.dtype))
        result = outputs if self.return_sequences else last
        return (result, *states) if self.return_state else result

    def _run(self, sequences: Any, states: Any, mask: Any, training: Any, kept: Any = None) -> Any:
        """The last output, the outputs [batch, steps, ...], and the states after the last step.

        Each step multiplies the first state by `kept`, unless that is None.
        """
        states = tf.nest.map_structure(tf.convert_to_tensor, states)
        step = self.cell
        if self._is_split:
            sequences, recall = self.cell._project(sequences), self.cell._recall()
            step = functools.partial(self.cell._step, recall=recall)
            step = step if kept is None else _with_factors(step, kept)
        inputs = _swap(sequences)
        masks = None if mask is None else _swap(mask)
        batch, count = sequences.shape[:2]
        steps = tf.shape(inputs)[0] if count is None else count
        shape, dtype, known = self._output_spec(inputs, states, step)

        def body(place: Any, last: Any, outputs: Any, *flat: Any) -> Any:
            old = tf.nest.pack_sequence_as(states, list(flat))
            own = steps - 1 - place if self.go_backwards else place
            output, new = step(inputs[own], old)
            if masks is not None:
                select = functools.partial(_select, masks[own])
                other = tf.zeros_like(last) if self.zero_output_for_mask else last
                output, new = select(output, other), tf.nest.map_structure(select, new, old)
            pairs = zip(tf.nest.flatten(new), flat, strict=True)
            fixed = [tf.ensure_shape(fresh, before.shape) for fresh, before in pairs]
            return place + 1, output, outputs.write(place, output), *fixed

        first = tf.ensure_shape(tf.zeros(shape, dtype), known)
        array = tf.TensorArray(dtype, size=steps, element_shape=known)
        _, last, outputs, *final = tf.while_loop(
            lambda place, *_: place < steps,
            body,
            (tf.constant(0), first, array, *tf.nest.flatten(states)),
        )
        outputs = _swap(outputs.stack())
        outputs = tf.ensure_shape(outputs, [batch, count, *outputs.shape[2:]])
        return last, outputs, tf.nest.pack_sequence_as(states, final)

    @property
    def _is_split(self) -> bool:
        """True if a step of the cell is `_project` and `_step`, not a `call` of the program."""
        return isinstance(self.cell, _Cell) and type(self.cell).call is _Cell.call

    def _output_spec(self, inputs: Any, states: Any, step: Any) -> Any:
        """Dynamic shape, dtype and known shape of an output."""
        if self._is_split:
            return tf.shape(states[0]), states[0].dtype, states[0].shape
        output, _ = step(inputs[0], states)
        return tf.shape(output), output.dtype, output.shape

    def compute_mask(self, inputs: object, mask: object = None) -> Any:
        """Return the mask for outputs of all steps, and None for states."""
        mask = mask[0] if isinstance(mask, (list, tuple)) else mask
        own = mask if self.return_sequences else None
        if not self.return_state:
            return own
        return [own, *(None for _ in tf.nest.flatten(self.cell.state_size))]


def _swap(sequences: Any) -> Any:
    """Exchange the axes of batch and steps."""
    return tf.transpose(sequences, [1, 0, *range(2, len(sequences.shape))])


def _select(counts: Any, fresh: Any, old: Any) -> Any:
    """Rows of one tensor where the step counts, of another one elsewhere."""
    shape = tf.concat([tf.shape(counts), tf.ones([len(fresh.shape) - 1], tf.int32)], 0)
    return tf.where(tf.reshape(counts, shape), fresh, old)


class _Recurrent(RNN):
    """An `RNN` whose cell has the parameters of the layer."""

    docs = {
        **_Cell.docs,
        **dict.fromkeys(_SEQUENCE, "as of `RNN`."),
        "dropout": "fraction of the features that are 0 in all steps of a sequence while training.",
        "recurrent_dropout": "the same of the state before each step.",
    }
    cell_class: Any
    dropout: float
    recurrent_dropout: float

    def _set_up(self) -> None:
        for name in _DROPOUT:
            if not 0 <= getattr(self, name) < 1:
                raise ValueError(f"`{name}` is in [0, 1). Received: {name}={getattr(self, name)}")
        names = self.cell_class.parameters.keys() - {"*"}
        options = {name: getattr(self, name) for name in names}
        label = snake_case(self.cell_class.__name__.strip("_"))
        self.cell = self.cell_class(**options, name=label, dtype=self.dtype_policy)

    def _run(self, sequences: Any, states: Any, mask: Any, training: Any, kept: Any = None) -> Any:
        factors = _kept(sequences[:, :1], self.dropout, training)
        sequences = sequences if factors is None else sequences * factors
        kept = _kept(states[0], self.recurrent_dropout, training)
        return super()._run(sequences, states, mask, training, kept)


def _with_factors(step: Any, factors: Any) -> Any:
    """Return a step that multiplies the first state by factors before."""

    def scaled(projected: Any, states: Any) -> Any:
        return step(projected, [states[0] * factors, *states[1:]])

    return scaled


def _kept(values: Any, rate: float, training: Any) -> Any:
    """Factors of elements of which dropout keeps some; None to keep all."""
    if not rate or training is None or training is False:
        return None
    ones = tf.ones_like(values)
    return in_training(training, lambda: tf.nn.dropout(ones, rate), lambda: ones)


def _recurrent(name: str, cell: Any, doc: str) -> Any:
    doc = f"{doc}\n\n>>> {name}(4)(tf.ones([2, 5, 3])).shape\nTensorShape([2, 4])\n"
    own = {"cell_class": cell, "parameters": {**cell.parameters, **_DROPOUT, **_SEQUENCE}}
    return type(name, (_Recurrent,), {"__doc__": doc, "__module__": __name__, **own})


SimpleRNN = _recurrent("SimpleRNN", _SimpleRNNCell, "Fully connected recurrent layer.")
GRU = _recurrent("GRU", _GRUCell, "Gated recurrent units.")
LSTM = _recurrent("LSTM", LSTMCell, "Long short-term memory.")


class Bidirectional(StandardLayer):
    """A recurrent layer and its copy that runs backwards, with outputs side by side.

    Args:
      layer: the recurrent layer.

    >>> Bidirectional(LSTM(3))(tf.ones([2, 5, 4])).shape
    TensorShape([2, 6])
    """

    parameters = {"layer": REQUIRED}
    supports_masking = True
    layer: Any

    def _set_up(self) -> None:
        kind, config = type(self.layer), self.layer.get_config()
        if "go_backwards" not in config:
            raise ValueError(
                "`layer` of Bidirectional is a recurrent layer, such as `LSTM`, not "
                f"{self.layer!r}."
            )
        name, backwards = config["name"].removeprefix("forward_"), not config["go_backwards"]
        self.layer = self.forward_layer = kind.from_config(config | {"name": f"forward_{name}"})
        self.backward_layer = kind.from_config(
            config | {"name": f"backward_{name}", "go_backwards": backwards}
        )
        self.return_sequences = bool(self.layer.return_sequences)
        for each in (self.forward_layer, self.backward_layer):
            each.zero_output_for_mask = self.return_sequences

    def build(self, input_shape: object) -> None:
        """Build both layers."""
        for each in (self.forward_layer, self.backward_layer):
            if not each.built:
                each._build_from({"input_shape": input_shape})

    def call(self, sequences: Any, initial_state: Any = None, mask: Any = None) -> Any:
        """Run both layers.

        Args:
          sequences, mask: as of `RNN`.
          initial_state: states of the forward layer, then those of the backward layer.

        Returns: The outputs along the last axis; with `return_state` a tuple of them and the states
          of both.
        """
        half = len(initial_state or ()) // 2
        first, second = (
            each(sequences, initial_state=state, mask=mask)
            for each, state in (
                (self.forward_layer, initial_state and initial_state[:half]),
                (self.backward_layer, initial_state and initial_state[half:]),
            )
        )
        (first, *own), (second, *other) = (
            each if isinstance(each, tuple) else [each] for each in (first, second)
        )
        second = tf.reverse(second, [1]) if self.return_sequences else second
        merged = tf.cast(tf.concat([first, second], -1), self.compute_dtype)
        return (merged, *own, *other) if own else merged

    def compute_mask(self, inputs: object, mask: object = None) -> Any:
        """Return the mask for outputs of all steps."""
        mask = mask[0] if isinstance(mask, (list, tuple)) else mask
        return mask if self.return_sequences else None
