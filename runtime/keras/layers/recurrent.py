"""Recurrent layers: cells that compute one step, and a layer that runs a cell along the steps.

A layer is one loop of the graph, whatever the number of steps. What a cell computes of the inputs
alone is computed for all steps at once before the loop.

Sources: Hochreiter and Schmidhuber, "Long Short-Term Memory", 1997; Cho et al., "Learning Phrase
Representations using RNN Encoder-Decoder", 2014.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import runtime as tf
from runtime.keras import initializers
from runtime.keras.base.arguments import assign_arguments
from runtime.keras.base.conversion import user_code
from runtime.keras.base.layer import Layer
from runtime.keras.base.spec import InputSpec
from runtime.keras.layers.core import add_weights, known_axis, positive


class _Cell(Layer):
    """What the cells share: variables, dropout, and the split into two parts of a step.

    `project` computes what depends on the inputs alone, `step` the rest.
    """

    gates: int
    states = 1

    def _set_up(self, arguments: dict[str, Any]) -> None:
        assign_arguments(self, arguments)
        self.units = positive("units", arguments["units"])
        self.dropout = min(1.0, max(0.0, arguments["dropout"]))
        self.recurrent_dropout = min(1.0, max(0.0, arguments["recurrent_dropout"]))
        self.state_size = [self.units] * self.states if self.states > 1 else self.units
        self.output_size = self.units
        self.bias: Any = None

    def build(self, input_shape: Any) -> None:
        """Create `kernel`, `recurrent_kernel` and `bias`."""
        width = self.units * self.gates
        self.kernel = add_weights(self, kernel=(known_axis(self, input_shape, -1), width))
        self.recurrent_kernel = self.add_weight(
            shape=(self.units, width),
            name="recurrent_kernel",
            initializer=self.recurrent_initializer,
            regularizer=self.recurrent_regularizer,
            constraint=self.recurrent_constraint,
        )
        if self.use_bias:
            self.bias = self._add_bias(width)

    def _add_bias(self, width: int) -> Any:
        return add_weights(self, bias=(width,))

    def call(self, inputs: Any, states: Any, training: Any = False) -> Any:
        """Compute one step.

        Args:
          inputs: shape [batch, features].
          states: the state of shape [batch, units], or a list of the states.
          training: whether elements are dropped.

        Returns:
          (output, states).
        """
        given = list(states) if isinstance(states, (list, tuple)) else [states]
        inputs, masks = self._drop(inputs, given[0], training)
        output, new = self.step(self.project(inputs), given, masks)
        return output, (new if isinstance(states, (list, tuple)) else new[0])

    def _drop(self, inputs: Any, state: Any, training: Any) -> tuple[Any, Any]:
        """The inputs with dropout, and the factors of the state."""
        if training and self.dropout:
            inputs = tf.nn.dropout(inputs, self.dropout, seed=self.seed)
        return inputs, self.recurrent_factors(state, training)

    def recurrent_factors(self, state: Any, training: Any) -> Any:
        """Return the dropout mask of the state, which is the same for all steps; None: none."""
        if not (training and self.recurrent_dropout):
            return None
        return tf.nn.dropout(tf.ones_like(state), self.recurrent_dropout, seed=self.seed)

    def project(self, inputs: Any) -> Any:
        """Compute what depends on the inputs alone, shape [..., gates * units]."""
        is_matrix = len(inputs.shape) == 2
        kernel = tf.cast(self.kernel, inputs.dtype)
        outputs = tf.matmul(inputs, kernel) if is_matrix else tf.tensordot(inputs, kernel, 1)
        return outputs if self.bias is None else outputs + self._input_bias()

    def _input_bias(self) -> Any:
        return self.bias

    def step(self, projected: Any, states: Sequence[Any], factors: Any) -> tuple[Any, list[Any]]:
        """Compute output and states of a step from the result of `project`."""
        raise NotImplementedError

    def get_initial_state(self, batch_size: Any = None, dtype: Any = None) -> list[Any]:
        """Return the states before the first step: zeros.

        Args:
          batch_size: the size of the batch.
          dtype: the dtype; None: that of computation.
        """
        shape = tf.stack([batch_size, self.units])
        return [tf.zeros(shape, dtype or self.compute_dtype) for _ in range(self.states)]


class SimpleRNNCell(_Cell):
    """`activation(inputs @ kernel + state @ recurrent_kernel + bias)`.

    Args: see `SimpleRNN`.

    >>> output, states = SimpleRNNCell(4)(tf.ones([2, 3]), [tf.zeros([2, 4])])
    >>> output.shape
    TensorShape([2, 4])
    """

    gates = 1

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None,
        bias_regularizer: Any = None,
        kernel_constraint: Any = None,
        recurrent_constraint: Any = None,
        bias_constraint: Any = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        seed: int | None = None,
        **kwargs: Any,
    ) -> None:
        """Creates the cell without variables."""
        super().__init__(**kwargs)
        self._set_up(locals())

    def step(self, projected: Any, states: Sequence[Any], factors: Any) -> tuple[Any, list[Any]]:
        """Compute output and states of a step."""
        state = states[0] if factors is None else states[0] * factors
        output = user_code(self.activation)(projected + tf.matmul(state, self.recurrent_kernel))
        return output, [output]


class GRUCell(_Cell):
    """Gated recurrent unit: an update gate and a reset gate.

    Args: see `GRU`.

    >>> output, states = GRUCell(4)(tf.ones([2, 3]), [tf.zeros([2, 4])])
    >>> output.shape
    TensorShape([2, 4])
    """

    gates = 3

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        recurrent_activation: Any = "sigmoid",
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros",
        kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None,
        bias_regularizer: Any = None,
        kernel_constraint: Any = None,
        recurrent_constraint: Any = None,
        bias_constraint: Any = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        reset_after: bool = True,
        seed: int | None = None,
        **kwargs: Any,
    ) -> None:
        """Creates the cell without variables."""
        super().__init__(**kwargs)
        self._set_up(locals())

    def _add_bias(self, width: int) -> Any:
        return add_weights(self, bias=(2, width) if self.reset_after else (width,))

    def _input_bias(self) -> Any:
        return self.bias[0] if self.reset_after else self.bias

    def step(self, projected: Any, states: Sequence[Any], factors: Any) -> tuple[Any, list[Any]]:
        """Compute output and states of a step."""
        (state,) = states
        seen = state if factors is None else state * factors
        x_update, x_reset, x_new = tf.split(projected, 3, -1)
        if self.reset_after:
            inner = tf.matmul(seen, self.recurrent_kernel)
            if self.bias is not None:
                inner += self.bias[1]
            h_update, h_reset, h_new = tf.split(inner, 3, -1)
            update = user_code(self.recurrent_activation)(x_update + h_update)
            new = x_new + user_code(self.recurrent_activation)(x_reset + h_reset) * h_new
        else:
            gates, last = (self.recurrent_kernel[:, : 2 * self.units],
                           self.recurrent_kernel[:, 2 * self.units :])  # fmt: skip
            h_update, h_reset = tf.split(tf.matmul(seen, gates), 2, -1)
            update = user_code(self.recurrent_activation)(x_update + h_update)
            reset = user_code(self.recurrent_activation)(x_reset + h_reset)
            new = x_new + tf.matmul(reset * seen, last)
        output = update * state + (1.0 - update) * user_code(self.activation)(new)
        return output, [output]


class LSTMCell(_Cell):
    """Long short-term memory: input, forget and output gates, and a memory beside the output.

    Args: see `LSTM`.

    >>> cell = LSTMCell(4)
    >>> output, states = cell(tf.ones([2, 3]), [tf.zeros([2, 4]), tf.zeros([2, 4])])
    >>> output.shape, len(states)
    (TensorShape([2, 4]), 2)
    """

    gates = 4
    states = 2

    def __init__(
        self,
        units: int,
        activation: Any = "tanh",
        recurrent_activation: Any = "sigmoid",
        use_bias: bool = True,
        kernel_initializer: Any = "glorot_uniform",
        recurrent_initializer: Any = "orthogonal",
        bias_initializer: Any = "zeros",
        unit_forget_bias: bool = True,
        kernel_regularizer: Any = None,
        recurrent_regularizer: Any = None,
        bias_regularizer: Any = None,
        kernel_constraint: Any = None,
        recurrent_constraint: Any = None,
        bias_constraint: Any = None,
        dropout: float = 0.0,
        recurrent_dropout: float = 0.0,
        seed: int | None = None,
        **kwargs: Any,
    ) -> None:
        """Creates the cell without variables."""
        super().__init__(**kwargs)
        self._set_up(locals())

    def _add_bias(self, width: int) -> Any:
        return self.add_weight(
            shape=(width,),
            name="bias",
            initializer=self._first_bias if self.unit_forget_bias else self.bias_initializer,
            regularizer=self.bias_regularizer,
            constraint=self.bias_constraint,
        )

    def _first_bias(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        """The bias with ones for the forget gate."""
        make, one = self.bias_initializer, (self.units,)
        ones = initializers.get("ones")(one, dtype=dtype)
        rest = make((self.units * 2,), dtype=dtype)
        return tf.concat([make(one, dtype=dtype), ones, rest], 0)

    def step(self, projected: Any, states: Sequence[Any], factors: Any) -> tuple[Any, list[Any]]:
        """Compute output and states of a step."""
        state, memory = states
        seen = state if factors is None else state * factors
        gates = projected + tf.matmul(seen, self.recurrent_kernel)
        into, forget, new, out = tf.split(gates, 4, -1)
        gate, activation = user_code(self.recurrent_activation), user_code(self.activation)
        memory = gate(forget) * memory + gate(into) * activation(new)
        output = gate(out) * activation(memory)
        return output, [output, memory]


def _require_cell(cell: Any) -> None:
    if not hasattr(cell, "call") or not hasattr(cell, "state_size"):
        raise ValueError(
            "A cell of an RNN must have a `call` method and a `state_size` attribute. Received: "
            f"cell={cell}"
        )


def _call_cell(cell: Any, inputs: Any, states: Any, training: Any) -> Any:
    takes_training = isinstance(cell, _Cell)
    return cell(inputs, states, training=training) if takes_training else cell(inputs, states)


def _first_states(cell: Any, batch: Any, dtype: Any) -> Any:
    if hasattr(cell, "get_initial_state"):
        return cell.get_initial_state(batch_size=batch)
    sizes = cell.state_size if isinstance(cell.state_size, (list, tuple)) else [cell.state_size]
    return [tf.zeros(tf.stack([batch, *_dims(size)]), dtype) for size in sizes]


def _dims(size: Any) -> tuple[int, ...]:
    return (size,) if isinstance(size, int) else tuple(size)


class RNN(Layer):
    """Run a cell along the steps of sequences.

    Args:
      cell: layer with a method `call(inputs, states)` that returns (output, states), and an
        attribute `state_size`.
      return_sequences: whether to return the outputs of all steps, not of the last one alone.
      return_state: whether to return the states after the last step, too.
      go_backwards: whether to begin with the last step.
      stateful: whether the states of a batch are the first ones of the next batch.
      unroll: whether the graph has each step, instead of a loop.
      zero_output_for_mask: whether masked steps have zeros as output, not the output before.

    Raises:
      ValueError: for something that is no cell.

    >>> RNN(LSTMCell(4), return_sequences=True)(tf.ones([2, 5, 3])).shape
    TensorShape([2, 5, 4])
    """

    _TF_MODULE_IGNORED_PROPERTIES = Layer._TF_MODULE_IGNORED_PROPERTIES | {"_state_variables"}

    def __init__(
        self,
        cell: Any,
        return_sequences: bool = False,
        return_state: bool = False,
        go_backwards: bool = False,
        stateful: bool = False,
        unroll: bool = False,
        zero_output_for_mask: bool = False,
        **kwargs: Any,
    ) -> None:
        """Holds the cell."""
        super().__init__(**kwargs)
        _require_cell(cell)
        assign_arguments(self, {k: v for k, v in locals().items() if k != "kwargs"})
        self.supports_masking = True
        self.input_spec = InputSpec(min_ndim=3)
        self._state_variables: Any = None

    @property
    def states(self) -> Any:
        """The states that a stateful layer keeps between batches; None before the first one."""
        return self._state_variables

    def build(self, input_shape: Any) -> None:
        """Create the variables of the cell, and states if the layer is stateful."""
        shape = input_shape[0] if isinstance(input_shape, list) else input_shape
        if isinstance(self.cell, Layer) and not self.cell.built:
            self.cell._build_from({"input_shape": (shape[0], *shape[2:])})
        if self.stateful:
            if shape[0] is None:
                raise ValueError(
                    f"If an RNN is stateful, it needs to know its batch size. Layer '{self.name}' "
                    "received inputs of unknown batch size: pass `batch_shape` to `keras.Input`, "
                    "or `batch_input_shape` to the first layer."
                )
            first = _first_states(self.cell, shape[0], self.compute_dtype)
            self._state_variables = tf.nest.map_structure(
                lambda state: tf.Variable(state, trainable=False, name="rnn_state"), first
            )

    def get_initial_state(self, batch_size: Any) -> list[Any]:
        """Return the states before the first step.

        Args:
          batch_size: the size of the batch.
        """
        return list(_first_states(self.cell, batch_size, self.compute_dtype))

    def reset_state(self) -> None:
        """Set the states of a stateful layer to zeros.

        Raises:
          ValueError: if the layer is not stateful, or not built.
        """
        if self._state_variables is None:
            raise ValueError(
                f"Layer '{self.name}' has no states to reset: create it with stateful=True, and "
                "call it once."
            )
        for state in tf.nest.flatten(self._state_variables):
            state.assign(tf.zeros_like(state))

    reset_states = reset_state

    def call(
        self,
        sequences: Any,
        initial_state: Any = None,
        mask: Any = None,
        training: Any = False,
    ) -> Any:
        """Run the cell along the steps.

        Args:
          sequences: shape [batch, steps, ...]; also a list of the sequences and initial states.
          initial_state: the states before the first step; None: zeros, or those that a stateful
            layer keeps.
          mask: bools of shape [batch, steps]; masked steps change no state.
          training: whether the cell drops elements.

        Returns:
          Output of the last step, or outputs of all steps; with `return_state` a list of that and
          the states.
        """
        if isinstance(sequences, (list, tuple)):
            sequences, *initial_state = sequences
        mask = mask[0] if isinstance(mask, (list, tuple)) else mask
        if initial_state is None:
            initial_state = self._initial_states(sequences)
        elif not isinstance(initial_state, (list, tuple)):
            initial_state = [initial_state]
        last, outputs, states = self._run(sequences, list(initial_state), mask, training)
        if self.stateful:
            kept = tf.nest.flatten(self._state_variables)
            for variable, state in zip(kept, tf.nest.flatten(states), strict=True):
                variable.assign(tf.cast(state, variable.dtype))
        result = outputs if self.return_sequences else last
        return [result, *states] if self.return_state else result

    def _initial_states(self, sequences: Any) -> Any:
        if self.stateful:
            return tf.nest.map_structure(lambda each: each.read_value(), self._state_variables)
        known = sequences.shape[0]
        return self.get_initial_state(tf.shape(sequences)[0] if known is None else known)

    def _run(self, sequences: Any, states: Any, mask: Any, training: Any) -> Any:
        """The last output, the outputs [batch, steps, ...], and the states after the last step."""
        cell, factors, step = self.cell, None, None
        batch = sequences.shape[0]
        if isinstance(cell, _Cell):
            if training and cell.dropout:
                dims = tf.shape(sequences)
                shape = [dims[0], 1, dims[2]]  # One mask for all steps.
                sequences = tf.nn.dropout(sequences, cell.dropout, shape, cell.seed)
            factors = cell.recurrent_factors(states[0], training)
            sequences, step = cell.project(sequences), cell.step
        order = [1, 0, *range(2, len(sequences.shape))]
        inputs = tf.transpose(sequences, order)
        masks = None if mask is None else tf.transpose(mask, [1, 0])
        count = inputs.shape[0]
        steps = tf.shape(inputs)[0] if count is None else count

        def one(place: Any, states: Any, before: Any) -> Any:
            own = steps - 1 - place if self.go_backwards else place
            if step is not None:
                output, new = step(inputs[own], states, factors)
            else:
                output, new = _call_cell(cell, inputs[own], states, training)
            if masks is None:
                return output, output, new
            counts = masks[own]
            rest = tf.zeros_like(output) if before is None else before
            kept = _select(counts, output, rest)
            shown = _select(counts, output, tf.zeros_like(output) if self.zero_output_for_mask
                            else rest)  # fmt: skip
            return (
                kept,
                shown,
                tf.nest.map_structure(lambda fresh, old: _select(counts, fresh, old), new, states),
            )

        states = tf.nest.map_structure(tf.convert_to_tensor, states)
        if self.unroll and count is not None:
            return _unroll(one, states, count)
        last, outputs, states = _loop(one, states, steps, self._output_spec(inputs, states, one))
        outputs = tf.transpose(outputs, [1, 0, *range(2, len(outputs.shape))])
        shape = outputs.shape.as_list()
        outputs = tf.ensure_shape(outputs, [batch, count, *shape[2:]])
        return last, outputs, states

    def _output_spec(self, inputs: Any, states: Any, one: Any) -> Any:
        """Shape and dtype of an output."""
        if isinstance(self.cell, _Cell):
            state = tf.nest.flatten(states)[-1]
            size = self.cell.output_size
            return tf.stack([tf.shape(state)[0], size]), state.dtype, [state.shape[0], size]
        output, _, _ = one(tf.constant(0), states, None)
        return tf.shape(output), output.dtype, output.shape

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """Return the mask for outputs of all steps, and None for states."""
        mask = mask[0] if isinstance(mask, (list, tuple)) else mask
        own = mask if self.return_sequences else None
        if not self.return_state:
            return own
        return [own, *(None for _ in tf.nest.flatten(self.cell.state_size))]


def _select(counts: Any, fresh: Any, old: Any) -> Any:
    """Rows of one tensor where the step counts, of another one elsewhere."""
    shape = tf.concat([tf.shape(counts), tf.ones([len(fresh.shape) - 1], tf.int32)], 0)
    return tf.where(tf.reshape(counts, shape), fresh, old)


def _unroll(one: Any, states: Any, count: int) -> Any:
    outputs, before = [], None
    for place in range(count):
        before, shown, states = one(place, states, before)
        outputs.append(shown)
    return before, tf.stack(outputs, 1), states


def _loop(one: Any, states: Any, steps: Any, spec: Any) -> Any:
    """Run all steps in one loop; outputs have shape [steps, batch, ...]."""
    shape, dtype, known = spec
    first = tf.ensure_shape(tf.zeros(shape, dtype), known)
    flat = tf.nest.flatten(states)

    def body(place: Any, before: Any, outputs: Any, *own: Any) -> Any:
        given = tf.nest.pack_sequence_as(states, list(own))
        last, shown, new = one(place, given, before)
        pairs = zip(tf.nest.flatten(new), own, strict=True)
        fixed = [tf.ensure_shape(fresh, old.shape) for fresh, old in pairs]
        return place + 1, last, outputs.write(place, shown), *fixed

    array = tf.TensorArray(dtype, size=steps, element_shape=known)
    _, last, outputs, *final = tf.while_loop(
        lambda place, *_: place < steps, body, (tf.constant(0), first, array, *flat)
    )
    return last, outputs.stack(), tf.nest.pack_sequence_as(states, final)


class _Recurrent(RNN):
    """{title}

    Args:
      units: the size of outputs and states.
      activation: activation of the outputs, or its name.
      recurrent_activation: activation of the gates, or its name; not of `SimpleRNN`.
      use_bias: whether a bias is added.
      kernel_initializer, recurrent_initializer, bias_initializer: initializers or their names.
      unit_forget_bias: whether the bias of the forget gate begins with 1; of `LSTM`.
      kernel_regularizer, recurrent_regularizer, bias_regularizer: regularizers of the variables.
      activity_regularizer: regularizer of the outputs.
      kernel_constraint, recurrent_constraint, bias_constraint: constraints of the variables.
      dropout: fraction of the inputs that is dropped while training.
      recurrent_dropout: fraction of the states that is dropped while training.
      seed: seed of the dropout; None: that of the program.
      reset_after: whether the reset gate follows the product with the kernel; of `GRU`.
      return_sequences, return_state, go_backwards, stateful, unroll: see `RNN`.
      use_cudnn: has no effect.
    """

    cell_class: Any
    _not_in_config = frozenset({"units", "cell", "use_cudnn"})
    _of_layer = (
        "return_sequences", "return_state", "go_backwards", "stateful", "unroll",
        "zero_output_for_mask", "activity_regularizer", "name", "trainable", "autocast",
        "input_shape", "batch_input_shape", "input_dim",
    )  # fmt: skip

    def __init__(self, units: int, *args: Any, use_cudnn: Any = "auto", **kwargs: Any) -> None:
        """Creates the layer and its cell."""
        own = {name: kwargs.pop(name) for name in self._of_layer if name in kwargs}
        dtype = kwargs.pop("dtype", None)
        try:
            cell = self.cell_class(units, *args, dtype=dtype, **kwargs)
        except TypeError as error:
            raise ValueError(
                f"Unrecognized arguments passed to {type(self).__name__}: {error}"
            ) from error
        super().__init__(cell, dtype=dtype, **own)

    def __getattr__(self, name: str) -> Any:
        """Look up arguments of the cell."""
        cell = vars(self).get("cell")
        if cell is not None and name in vars(cell):
            return getattr(cell, name)
        return super().__getattr__(name)

    def _own_config(self) -> dict[str, Any]:
        cell: Layer = self.cell
        return super()._own_config() | cell._own_config()

    @classmethod
    def _argument_names(cls) -> tuple[str, ...]:
        own: tuple[str, ...] = cls.cell_class._argument_names()
        return (*super()._argument_names(), *own)


def _recurrent(name: str, cell: Any, title: str) -> Any:
    doc = str(_Recurrent.__doc__).replace("{title}", title)
    return type(name, (_Recurrent,), {"__doc__": doc, "__module__": __name__, "cell_class": cell})


SimpleRNN = _recurrent("SimpleRNN", SimpleRNNCell, "Fully connected recurrent layer.")
GRU = _recurrent("GRU", GRUCell, "Gated recurrent units.")
LSTM = _recurrent("LSTM", LSTMCell, "Long short-term memory.")
