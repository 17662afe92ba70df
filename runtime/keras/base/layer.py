"""The base class of layers and models."""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from types import FunctionType
from typing import Any, Self

import numpy as np

import runtime as tf
from runtime.keras import initializers, regularizers
from runtime.keras.base.conversion import user_code
from runtime.keras.base.names import CONTEXT, auto_name, path_scope
from runtime.keras.base.signature import (
    CallSignature,
    as_shapes,
    call_signature,
    is_numbers,
    is_tensors,
    map_shapes,
    shapes_of,
)
from runtime.keras.base.symbolic import (
    KerasTensor,
    Node,
    Operation,
    attach_mask,
    holds_keras_tensor,
    masks_of,
    output_spec,
)
from runtime.keras.base.variable import DTypePolicy, Variable, as_policy
from runtime.keras.families import show_signature, suggestion
from runtime.keras.metrics import Mean
from runtime.keras.saving.registry import create, serialize


class _State:
    """Internal state of a layer, apart from the attributes of the program.

    Functions that are traced follow the attributes of objects of the program, and write at each run
    what changed in them. They do not look into this object: what is in it belongs to one trace.
    """

    def __init__(self, arguments: dict[str, Any] | None) -> None:
        self.arguments = arguments
        self.built = False
        self.trained: list[Variable] = []
        self.losses: list[Any] = []
        self.metrics: dict[str | None, Mean] = {}
        self.nodes: list[Node] = []
        self.build_shapes: dict[str, Any] = {}
        self.build_ended = False


def attribute(path: str, doc: str) -> Any:
    """Return a property that reads an attribute, or one of an attribute."""
    return property(operator.attrgetter(path), doc=doc)


class Layer(tf.Module, Operation):
    """A function of tensors with variables.

    A derived class creates its variables in `build(input_shape)`, or in its constructor, and
    computes in `call(inputs)`. Layers and variables that its attributes hold, also in lists and
    dicts, belong to it.

    Args:
      activity_regularizer: function of the outputs whose result, divided by the size of the batch,
        is a loss.
      trainable: whether the variables are trained.
      dtype: a dtype or dtype policy; None: the global policy.
      autocast: whether float inputs are cast to the dtype of computation.
      name: the name; None: that of the class in snake case, made unique.
      input_shape, input_dim: shape of the inputs without the batch dimension, or its one size, for
        the first layer of a `Sequential`.

    Raises:
      ValueError: for a name that is not a string or contains `/`.
      TypeError: for an unknown argument.

    >>> class Scale(Layer):
    ...     def build(self, input_shape):
    ...         self.factor = self.add_weight((input_shape[-1],), "ones", name="factor")
    ...     def call(self, inputs):
    ...         return inputs * self.factor
    >>> layer = Scale(name="scale")
    >>> print(layer(tf.constant([[1.0, 2.0]])).numpy(), [v.path for v in layer.weights])
    [[1. 2.]] ['scale/factor']
    """

    _TF_MODULE_IGNORED_PROPERTIES = frozenset({"_own_weights", "_state"})

    supports_masking: bool = False
    input_spec: Any = None
    _state: _State
    _own_weights: tuple[Variable, ...] = ()

    def __init_subclass__(cls, **kwargs: object) -> None:
        """Have `build` note that it ran, whoever calls it."""
        super().__init_subclass__(**kwargs)
        if "build" in vars(cls):
            cls.build = _noted(cls.build)  # type: ignore[method-assign]

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Notes the arguments of the constructor, for `get_config`."""
        layer = super().__new__(cls)
        layer.__dict__["_state"] = _State(_arguments(cls, args, kwargs))
        return layer

    def __init__(
        self,
        *,
        activity_regularizer: Any = None,
        trainable: bool = True,
        dtype: Any = None,
        autocast: bool = True,
        name: str | None = None,
        input_shape: Any = None,
        input_dim: int | None = None,
        **kwargs: Any,
    ) -> None:
        for unknown in kwargs:
            constructors = (type(self).__init__, Layer.__init__)
            names = [name for each in constructors for name in call_signature(each).names]
            kind = type(self).__name__
            raise TypeError(f"{kind} has no argument {unknown!r}. {suggestion(unknown, names)}")
        if name is not None and (not isinstance(name, str) or "/" in name):
            raise ValueError(
                f"Argument `name` must be a string and cannot contain character `/`. Received: "
                f"name={name} (of type {type(name)})"
            )
        self._name = name or auto_name(type(self).__name__)
        self._trainable = bool(trainable)
        self.dtype_policy: DTypePolicy = as_policy(dtype)
        self.autocast = autocast
        self.activity_regularizer = regularizers.get(activity_regularizer)
        if isinstance(input_shape, int):
            raise ValueError(
                f"Cannot convert '{input_shape}' to a shape. Write it as a tuple: "
                f"input_shape=({input_shape},)."
            )
        shape = input_shape if input_dim is None else (input_dim,)
        self._batch_shape = None if shape is None else (None, *shape)

    # ---- names and dtypes ----

    compute_dtype = attribute("dtype_policy.compute_dtype", "The dtype of computation.")
    variable_dtype = attribute("dtype_policy.variable_dtype", "The dtype of variables.")
    dtype = attribute("variable_dtype", "The same as `variable_dtype`.")
    nodes = attribute("_state.nodes", "The calls with symbolic tensors.")

    # ---- variables ----

    @property
    def built(self) -> bool:
        """True if the variables exist."""
        return self._state.built

    @built.setter
    def built(self, value: bool) -> None:
        self._state.built = value

    def build(self, input_shape: object) -> None:
        """Create the variables; layers that have some override it.

        Args:
          input_shape: shape of the first argument of `call`, a tuple, or a list or dict of tuples.
        """
        self._state.built = True

    def add_weight(
        self,
        shape: object = None,
        initializer: object = None,
        dtype: object = None,
        trainable: bool = True,
        *,
        regularizer: object = None,
        constraint: object = None,
        name: str | None = None,
    ) -> Variable:
        """Create a variable of the layer.

        Args:
          shape: the shape; None: a scalar.
          initializer: initializer or its name; None: `glorot_uniform` for floats, else `zeros`.
          dtype: the dtype; None: `variable_dtype`.
          trainable: whether the variable is trained.
          regularizer: regularizer or its name, for a loss of the layer.
          constraint: constraint that optimizers apply after each step.
          name: the name in the layer; None: a new one, `variable`, `variable_1`, ...

        Returns:
          The variable.

        Raises: ValueError if the shape is a name, or in `call`, which would create one each time.
        """
        if isinstance(shape, str):
            raise ValueError(f"Pass the name as `name={shape!r}`: the first argument is the shape.")
        if CONTEXT.calling and self._state.build_ended:
            raise ValueError(
                f"Layer '{self.name}' cannot create variables in `call`, which would create others "
                "at each call. Create them in `__init__` or `build`."
            )
        name = name or auto_name("variable")
        kind = tf.as_dtype(dtype or self.variable_dtype)
        default = "glorot_uniform" if kind.is_floating else "zeros"
        initialize = initializers.get(default if initializer is None else initializer)
        dims = tuple(tf.TensorShape(() if shape is None else shape).as_list())
        around = CONTEXT.path if self.name in CONTEXT.path else (self.name,)
        with tf.init_scope():
            variable = Variable(
                initialize(dims, dtype=kind),
                trainable and self.trainable,
                name=name,
                dtype=kind,
                path="/".join((*around, name)),
                regularizer=regularizers.get(regularizer),
                constraint=constraint,
            )
        self._own_weights = (*self._own_weights, variable)
        if trainable:
            self._state.trained.append(variable)
        if CONTEXT.calling:
            CONTEXT.created = (*CONTEXT.created, variable)
        return variable

    def _members(self) -> Iterator[Any]:
        """Yield the layers, modules and variables in the attributes, in order."""
        return _objects(self._attributes())

    def _attributes(self) -> list[Any]:
        """Return the values of attributes that may be, or hold, layers, modules and variables."""
        ignored = self._TF_MODULE_IGNORED_PROPERTIES
        return [
            value
            for name, value in vars(self).items()
            if type(value) not in PLAIN and name not in ignored
        ]

    @property
    def _sublayers(self) -> list[Layer]:
        return _unique([each for each in self._members() if isinstance(each, Layer)])

    def _flatten_layers(self) -> Iterator[Layer]:
        """Yield this layer and the inner layers, each once, outer ones first."""
        seen: set[int] = set()
        waiting: list[Layer] = [self]
        while waiting:
            layer = waiting.pop()
            if id(layer) not in seen:
                seen.add(id(layer))
                yield layer
                waiting.extend(reversed(layer._sublayers))

    @property
    def weights(self) -> list[tf.Variable]:
        """The variables: first the own ones, trainable ones first, then those of inner layers."""
        return self._all_weights()

    def _all_weights(self, around: tuple[int, ...] = ()) -> list[tf.Variable]:
        """Return the variables, built or not; `around` holds the enclosing layers."""
        own: list[tf.Variable] = [*self._own_weights]
        inner: list[tf.Variable] = []
        for each in self._members():
            if isinstance(each, tf.Variable):
                own.append(each)
            elif isinstance(each, Layer):
                if id(each) not in around:
                    inner.extend(each._all_weights((*around, id(self))))
            elif not hasattr(each, "update_state"):  # Metrics have variables of their own.
                inner.extend(each.variables)
        trained = {id(each) for each in self._state.trained}
        own.sort(key=lambda variable: not (variable.trainable or id(variable) in trained))
        return _unique((*own, *inner))

    @property
    def trainable_weights(self) -> list[tf.Variable]:
        """The variables that are trained."""
        return [each for each in self.weights if self.trainable and each.trainable]

    @property
    def non_trainable_weights(self) -> list[tf.Variable]:
        """The variables that are not trained."""
        return [each for each in self.weights if not (self.trainable and each.trainable)]

    variables = attribute("weights", "The same as `weights`.")
    trainable_variables = attribute("trainable_weights", "The same as `trainable_weights`.")
    non_trainable_variables = attribute("non_trainable_weights", "`non_trainable_weights`.")

    @property
    def trainable(self) -> bool:
        """True if the variables are trained; setting it sets it for inner layers, too."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        for layer in self._flatten_layers():
            layer._trainable = bool(value)
            for variable in layer._state.trained:
                variable.trainable = bool(value)

    def get_weights(self) -> list[Any]:
        """Return the values of the variables as arrays."""
        return [variable.numpy() for variable in self.weights]

    def set_weights(self, weights: Iterable[Any]) -> None:
        """Set the values of the variables.

        Args:
          weights: arrays in the order of `weights`.

        Raises: ValueError for another number of arrays, or arrays of other shapes.
        """
        values, variables = [*map(np.asarray, weights)], self.weights
        if len(values) != len(variables):
            raise ValueError(
                f"You called `set_weights(weights)` on layer '{self.name}' with a weight list of "
                f"length {len(values)}, but the layer was expecting {len(variables)} weights."
            )
        for variable, value in zip(variables, values, strict=True):
            if tuple(variable.shape) != value.shape:
                raise ValueError(
                    f"Layer {self.name} weight shape {tuple(variable.shape)} of '{variable.name}' "
                    f"is not compatible with provided weight shape {value.shape}."
                )
        for variable, value in zip(variables, values, strict=True):
            variable.assign(tf.cast(value, variable.dtype))

    def count_params(self) -> int:
        """Return the number of elements of all variables. Raises ValueError before `build`."""
        if not self.built:
            raise ValueError(
                f"Layer '{self.name}' isn't built: it has no variables to count. Call "
                "`build(input_shape)`, or call it on a batch."
            )
        return sum(each.shape.num_elements() or 0 for each in self._all_weights())

    # ---- losses and metrics ----

    def add_loss(self, loss: object) -> None:
        """Add losses to those of the call: see `losses`.

        Args:
          loss: scalar tensor, or a list of them.

        Raises: ValueError outside of a call of a layer, where the next call would forget it; for a
          function.
        """
        if not CONTEXT.calling:
            raise ValueError(
                f"`add_loss` of layer '{self.name}' is used outside of a call of a layer, but the "
                "next call forgets its losses. Use it in `call`, and call the layer itself."
            )
        if callable(loss):
            raise ValueError(
                f"`add_loss` of layer '{self.name}' takes tensors, not {loss!r}: add its result."
            )
        CONTEXT.losses = True
        self._state.losses.extend(loss if isinstance(loss, (list, tuple)) else [loss])

    def add_metric(
        self, value: object, name: str | None = None, aggregation: object = "mean"
    ) -> None:
        """Report the mean of a value of each call in `fit` and `evaluate`.

        Args:
          value: scalar or tensor.
          name: the name of the metric; None: `mean`.
          aggregation: has no effect: the metric is the mean.
        """
        metrics = self._state.metrics
        if name not in metrics:
            with tf.init_scope():
                metrics[name] = Mean(name or "mean")
        metrics[name].update_state(value)

    @property
    def losses(self) -> list[Any]:
        """The losses of the last call, and those of regularizers of variables."""
        eager = tf.executing_eagerly()
        losses = (loss for layer in self._flatten_layers() for loss in layer._state.losses)
        added = [loss for loss in losses if not (eager and tf.is_symbolic_tensor(loss))]
        regularized = [
            user_code(variable.regularizer)(variable)
            for variable in (self._all_weights() if self.trainable else ())
            if variable.trainable and isinstance(variable, Variable)
            if variable.regularizer is not None
        ]
        return [*added, *regularized]

    def _clear_losses(self) -> None:
        for layer in self._flatten_layers():
            layer._state.losses.clear()

    # ---- calls ----

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the outputs; every derived class overrides it.

        Args:
          *args, **kwargs: the inputs, of which the first is a tensor or a structure of tensors;
            `training` and `mask` where a layer takes them.

        Returns:
          A tensor, or a structure of tensors.
        """
        raise NotImplementedError(
            f"Layer {type(self).__name__} does not have a `call()` method implemented."
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Build the layer if it is not built, and compute the outputs.

        Args:
          *args, **kwargs: the arguments of `call`. `training` and masks that are not given are
            those of the call around, and of the layers that computed the inputs.

        Returns: What `call` returns; symbolic tensors for symbolic tensors.
        Raises: ValueError if the inputs do not fit the layer.
        """
        signature = call_signature(type(self).call)
        if holds_keras_tensor(args, kwargs):
            return self._call_symbolically(signature, args, kwargs)
        kwargs = self._with_masks(signature, args, kwargs)
        first = args[0] if args else kwargs.get(signature.first)
        mask = masks_of(first)
        if self.autocast:
            if args and isinstance(args[0], (list, tuple)) and is_numbers(args[0]):
                args = (tf.convert_to_tensor(args[0]), *args[1:])
            args = tuple([self._convert(value) for value in args])
            kwargs = {name: self._convert(value) for name, value in kwargs.items()}
        self._check_inputs(args[0] if args else first)
        was_built = self.built
        if not was_built:
            self._build(signature, args, kwargs)
        before = CONTEXT.training, CONTEXT.calling, CONTEXT.compute_dtype
        if not CONTEXT.calling and CONTEXT.losses:
            self._clear_losses()
        CONTEXT.training = self._with_training(signature, args, kwargs)
        CONTEXT.calling = True
        mixed = self.compute_dtype != self.variable_dtype
        CONTEXT.compute_dtype = self.compute_dtype if mixed else None
        try:
            with nullcontext() if was_built else path_scope(self.name):
                outputs = user_code(self.call)(*args, **kwargs)
            if self.activity_regularizer is not None:
                for output in tf.nest.flatten(outputs):
                    loss = user_code(self.activity_regularizer)(output)
                    self.add_loss(loss / tf.cast(tf.shape(output)[0], loss.dtype))
            self._attach_masks(first, mask, outputs)
            if CONTEXT.created and not before[1] and tf.inside_function():
                self._require_created()
        except tf.errors.OpError as error:
            error.add_note(f"in layer '{self.name}' ({type(self).__name__})")
            raise
        finally:
            CONTEXT.training, CONTEXT.calling, CONTEXT.compute_dtype = before
            if CONTEXT.created and not CONTEXT.calling:
                CONTEXT.created = ()
        return outputs

    def _require_created(self) -> None:
        """Raise ValueError for a variable of a trace that no attribute holds: it is never trained.

        Each trace would create another one, such as those for training and for evaluation.
        """
        held = {id(each) for each in self.weights}
        for variable in CONTEXT.created:
            if id(variable) not in held:
                raise ValueError(
                    f"`call` of layer '{self.name}' creates the variable '{variable.path}', which "
                    "no attribute of the layer holds. Create the layer of the variable in "
                    "`__init__`, and keep it in an attribute."
                )

    def _with_training(
        self, signature: CallSignature, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """Return `training`: the argument, that of the call around, or the default of `call`.

        It is added to `kwargs` if `call` takes it.
        """
        place = signature.training_place
        is_positional = place is not None and place < len(args)
        candidates = (
            args[place or 0] if is_positional else kwargs.get("training"),
            CONTEXT.training,
            signature.training,
        )
        training = next((each for each in candidates if each is not None), None)
        if place is not None and not is_positional and training is not None:
            kwargs["training"] = training
        elif place is None and not signature.takes_any:
            kwargs.pop("training", None)
        return training

    def _check_inputs(self, inputs: object) -> None:
        if self.input_spec is not None:
            self.input_spec.check(self.name, next(iter(tf.nest.flatten(inputs)), None))

    def _convert(self, value: object) -> Any:
        """Convert arrays of an argument to tensors, and floats to the dtype of computation."""
        if isinstance(value, tf.Tensor):
            wanted = self.compute_dtype
            if value.dtype.is_floating and value.dtype.name != wanted:
                return tf.cast(value, wanted)
            return value
        if isinstance(value, (np.ndarray, np.generic)):
            return self._convert(tf.convert_to_tensor(value))
        if isinstance(value, (list, tuple, dict)) and value:
            return tf.nest.map_structure(self._convert, value)
        return value

    def _with_masks(
        self, signature: CallSignature, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> dict[str, Any]:
        """Return the keyword arguments, with the masks of tensors."""
        if not signature.masks:
            return kwargs
        given = signature.by_name(args, kwargs)
        found = {
            parameter: masks_of(given[name])
            for name, parameter in signature.masks.items()
            if name in given and given.get(parameter) is None
        }
        places = signature.names[: len(args)]
        return kwargs | {
            name: mask for name, mask in found.items() if mask is not None and name not in places
        }

    def compute_mask(self, inputs: object, previous_mask: object) -> Any:
        """Return the mask of the outputs: here that of the inputs.

        Args:
          inputs: the first argument of the call.
          previous_mask: its mask, bools or None.
        """
        return previous_mask

    def _attach_masks(self, inputs: object, mask: object, outputs: object) -> None:
        passes = type(self).compute_mask is Layer.compute_mask
        if passes and (mask is None or not self.supports_masking):
            return
        masks = user_code(self.compute_mask)(inputs, mask)
        if masks is None:
            return
        masks = masks if isinstance(masks, (list, tuple)) else [masks]
        for tensor, each in zip(tf.nest.flatten(outputs), masks, strict=False):
            attach_mask(tensor, each)

    # ---- building ----

    def _build(
        self, signature: CallSignature, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> None:
        given = signature.by_name(args, kwargs).items()
        self._build_from({f"{n}_shape": shapes_of(each) for n, each in given if is_tensors(each)})

    def _build_from(self, shapes: dict[str, Any]) -> None:
        """Build the layer for arguments of these shapes, by parameter of `build`."""
        names = call_signature(type(self).build).names
        if len(names) > 1:
            shapes = {name: shapes[name] for name in names if name in shapes}
        else:
            shapes = {"input_shape": next(iter(shapes.values()), None)}
        self._state.build_shapes = shapes
        with tf.init_scope():
            if len(names) == 1:
                self.build(shapes["input_shape"])
            else:
                self.build(**(shapes if names else {}))
        self._state.build_ended = True

    def get_build_config(self) -> dict[str, Any] | None:
        """Return the shapes for which the layer was built; None if it is not."""
        return (self.built and self._state.build_shapes) or None

    def _forget_batch_size(self) -> None:
        """Note that the layer was built for batches of several sizes."""
        shapes = self._state.build_shapes
        for name, value in shapes.items():
            shapes[name] = value and map_shapes(lambda shape: (None, *shape[1:]), value)
        for tensor in tf.nest.flatten([node.outputs for node in self._state.nodes]):
            tensor.forget_batch_size()

    def build_from_config(self, config: dict[str, Any]) -> None:
        """Build the layer for the shapes of `get_build_config`.

        Args:
          config: the shapes by parameter of `build`.
        """
        shapes = {name: as_shapes(value) for name, value in config.items() if value is not None}
        if shapes and not self.built:
            self._build_from(shapes)

    # ---- symbolic calls ----

    def _call_symbolically(
        self, signature: CallSignature, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        self._check_inputs(args[0] if args else kwargs.get(signature.first))
        if not self.built:
            self._build(signature, args, kwargs)
        with path_scope(self.name):
            outputs = self._returned(self.compute_output_spec(*args, **kwargs))
        return self.record(args, kwargs, outputs)

    def _returned(self, outputs: Any) -> Any:
        """Return what `call` returned. Raises TypeError for None."""
        if outputs is None:
            raise TypeError(
                f"`call` of layer '{self.name}' of class {type(self).__name__} returns None. Does "
                "it lack a `return`?"
            )
        return outputs

    def compute_output_spec(self, *args: object, **kwargs: object) -> Any:
        """Return symbolic outputs for symbolic arguments of `call`, by tracing it.

        Args:
          *args, **kwargs: symbolic tensors, and other arguments of `call`.
        """
        outputs = output_spec(self, args, kwargs)
        self._clear_losses()
        return outputs

    def compute_output_shape(self, input_shape: Any) -> Any:
        """Return the shape of the outputs, by tracing a call.

        Args:
          input_shape: shape of the inputs, a tuple, or a list or dict of tuples.
        """
        shapes = as_shapes(input_shape)
        if not self.built:
            self._build_from({"input_shape": shapes})
        inputs = map_shapes(lambda shape: KerasTensor(shape, self.compute_dtype), shapes)
        return shapes_of(self.compute_output_spec(inputs))

    @property
    def input(self) -> Any:
        """The symbolic inputs of the first call."""
        args = self._first_node.args
        return args[0] if len(args) == 1 else args

    output = attribute("_first_node.outputs", "The symbolic outputs of the first call.")
    input_shape = property(lambda self: shapes_of(self.input), doc="The shape of `input`.")
    output_shape = property(lambda self: shapes_of(self.output), doc="The shape of `output`.")

    @property
    def _first_node(self) -> Node:
        if not self._state.nodes:
            raise AttributeError
        return self._state.nodes[0]

    def __getattr__(self, name: str) -> Any:
        """Explain why an attribute is missing."""
        kind = type(self).__name__
        if "_name" not in vars(self) and not name.startswith("__"):
            raise RuntimeError(
                f"In layer {kind}, you forgot to call `super().__init__()` as the first statement "
                "in the `__init__()` method. Go add it!"
            )
        if isinstance(getattr(type(self), name, None), property):
            raise AttributeError(
                f"The layer {self.name} has never been called and thus has no defined {name}. "
                "Call it with the result of `keras.Input`."
            )
        raise AttributeError(f"'{kind}' object has no attribute '{name}'")

    # ---- configs ----

    def _base_config(self) -> dict[str, Any]:
        policy = serialize(self.dtype_policy)
        return {"name": self.name, "trainable": self.trainable, "dtype": policy}

    def get_config(self) -> dict[str, Any]:
        """Return the arguments of the constructor, JSON-compatible.

        Raises: NotImplementedError if an argument of the constructor is not JSON-compatible.
        """
        config = self._base_config()
        if self.activity_regularizer is not None:
            config["activity_regularizer"] = serialize(self.activity_regularizer)
        return self._with_arguments(config) if type(self).get_config is Layer.get_config else config

    def _with_arguments(self, config: dict[str, Any]) -> dict[str, Any]:
        """Return a config with the arguments of the program's constructor."""
        if self._state.arguments is None:
            raise NotImplementedError(
                f"Object {type(self).__name__} was created by passing non-serializable argument "
                "values in `__init__()`, and therefore the layer must override `get_config()`. It "
                "returns the arguments of the constructor, for instance\n"
                "def get_config(self):\n"
                "    return {**super().get_config(), 'units': self.units}"
            )
        has_name = "name" in self._state.arguments
        base = config if has_name else {key: config[key] for key in ("trainable", "dtype")}
        return {**base, **self._state.arguments}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """Create a layer from the result of `get_config`.

        Args:
          config: the arguments of the constructor by name.

        Returns:
          The layer.

        Raises:
          TypeError: if the constructor does not take these arguments.
        """
        return create(cls, config)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}, built={self.built}>"


for _method in (Layer.__new__, Layer.__init__):
    show_signature(_method, inspect.signature(Layer.__init__))


def _noted(build: Callable[..., None]) -> Callable[..., None]:
    """Wrap a method `build`: it marks its layer as built, and keeps the shapes."""

    @functools.wraps(build)
    def noted(self: Layer, *args: Any, **kwargs: Any) -> None:
        is_inner = CONTEXT.path[-1:] == (self.name,)
        with nullcontext() if is_inner else path_scope(self.name):
            build(self, *args, **kwargs)
        self._state.built = True
        shape = (*args, *kwargs.values(), None)[0]
        if shape is not None and not self._state.build_shapes:
            self._state.build_shapes = {"input_shape": as_shapes(shape)}

    return noted


def is_own(kind: type) -> bool:
    """Return whether a class belongs to this package."""
    return str(kind.__module__).startswith("runtime.")


def _arguments(kind: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any] | None:
    """Return the arguments of a constructor as a config; None if one is not JSON-compatible."""
    if is_own(kind):
        return None
    try:
        bound = inspect.signature(kind.__init__).bind(None, *args, **kwargs)
        config: dict[str, Any] = {}
        for name, value in list(bound.arguments.items())[1:]:
            parameter = inspect.signature(kind.__init__).parameters[name]
            is_rest = parameter.kind is parameter.VAR_KEYWORD
            config.update(value if is_rest else {name: value})
        return {name: serialize(value) for name, value in config.items()}
    except (TypeError, ValueError, NotImplementedError):
        return None


PLAIN = frozenset({type(None), bool, int, float, str, FunctionType, DTypePolicy, _State})
"""Types of attributes that hold no layers: most attributes, which one look skips."""


_NESTS = (dict, list, tuple)
_HOLDERS = (tf.Module, tf.Variable)


def _objects(value: Any) -> Iterator[Any]:
    """Yield the layers, modules and variables in a dict, list or tuple."""
    for each in value.values() if isinstance(value, dict) else value:
        if type(each) in PLAIN:
            continue
        if isinstance(each, _HOLDERS):
            yield each
        elif isinstance(each, _NESTS):
            yield from _objects(each)


def _unique(items: Iterable[Any]) -> list[Any]:
    return list({id(each): each for each in items}.values())
