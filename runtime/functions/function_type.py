"""Public types of parameters and results: `FunctionType` and `FunctionSpec`."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from runtime.core import dtypes
from runtime.core.spec import TensorSpec, TypeSpec, spec_of
from runtime.core.structure import flatten
from runtime.functions.signature import Signature
from runtime.functions.trace_type import in_words
from runtime.state.variable_type import VariableType


class ValueType(TypeSpec):
    """The type of a structure or Python value that is the same for all calls of a graph.

    Attributes:
      value: the structure, with specs instead of tensors.

    >>> ValueType([TensorSpec([]), 2])
    List[TensorSpec(shape=(), dtype=tf.float32, name=None), Literal[2]]
    """

    __slots__ = ("value",)

    def __init__(self, value: object) -> None:
        """Store the structure."""
        self.value = value

    def is_subtype_of(self, other: object) -> bool:
        """Return whether the types are equal."""
        return bool(self == other)

    def most_specific_common_supertype(self, others: Sequence[Any]) -> ValueType | None:
        """Return this type if the others are equal, else None."""
        return self if all(self == other for other in others) else None

    def is_compatible_with(self, spec_or_value: object) -> bool:
        """Return whether the argument is this type, or the value that it describes."""
        return bool(self in (spec_or_value, type_of(spec_or_value)))

    def __eq__(self, other: object) -> bool:
        """Compare the described values."""
        return isinstance(other, ValueType) and repr(self) == repr(other)

    def __hash__(self) -> int:
        """Hash the text form."""
        return hash(repr(self))

    def __repr__(self) -> str:
        """Return the form used in signatures: `Literal[2]`, `List[...]`."""
        return in_words(self.value)


def type_of(value: object) -> Any:
    """Return the type of an argument or result with specs instead of tensors.

    >>> type_of(TensorSpec([])), type_of(3)
    (TensorSpec(shape=(), dtype=tf.float32, name=None), Literal[3])
    """
    return value if isinstance(value, (TypeSpec, VariableType)) else ValueType(value)


class Parameter(inspect.Parameter):
    """A parameter of a function, with its type.

    Args:
      name, kind: as in `inspect.Parameter`.
      optional: whether there is a default.
      type_constraint: the type; None: any.

    >>> Parameter("x", Parameter.POSITIONAL_ONLY, False, TensorSpec([])).optional
    False
    """

    __slots__ = ("optional", "type_constraint")

    def __init__(self, name: str, kind: Any, optional: bool, type_constraint: object) -> None:
        """Store the fields."""
        empty = inspect.Parameter.empty
        super().__init__(
            name,
            kind,
            default=_DEFAULT if optional else empty,
            annotation=empty if type_constraint is None else type_constraint,
        )
        self.optional = optional
        self.type_constraint = type_constraint

    def __repr__(self) -> str:
        """Return the fields as text."""
        return (
            f"Parameter(name={self.name}, kind={self.kind.name}, optional={self.optional!r}, "
            f"type_constraint={self.type_constraint!r})"
        )


class _Default:
    """The marker of a default; the type does not contain its value."""

    def __repr__(self) -> str:
        return "<captured_default_value>"


_DEFAULT = _Default()


class FunctionType(inspect.Signature):
    """Parameters, result and captured tensors of a function or of one of its graphs.

    Attributes:
      parameters: parameters with a `type_constraint`, by name.
      output: the type of the result; None without a graph.
      captures: the specs of the captured tensors, by `id` of the tensor.

    >>> import runtime as tf
    >>> f = tf.function(lambda x, n=2: [x * float(n)])
    >>> print(f.get_concrete_function(tf.TensorSpec([], tf.float32)).function_type)
    (x: TensorSpec(shape=(), dtype=tf.float32, name=None), n: Literal[2]) -> \
List[TensorSpec(shape=(), dtype=tf.float32, name=None)]
    """

    __slots__ = ("captures", "output")

    def __init__(
        self,
        parameters: Sequence[Parameter],
        captures: Mapping[int, TensorSpec] | None = None,
        return_annotation: object = None,
    ) -> None:
        """Store the fields."""
        empty = inspect.Signature.empty
        output = empty if return_annotation is None else return_annotation
        super().__init__(parameters, return_annotation=output)
        self.captures = dict(captures or {})
        self.output = return_annotation

    @property
    def flat_inputs(self) -> list[Any]:
        """The specs of the input tensors, in order; a variable is its handle."""
        found = [part for p in self.parameters.values() for part in _leaves(p.annotation)]
        handle = spec_of(dtypes.resource, ())
        kinds = ((leaf, isinstance(leaf, VariableType)) for leaf in found)
        return [handle if variable else leaf for leaf, variable in kinds]

    @property
    def flat_outputs(self) -> list[Any]:
        """The specs of the result tensors, in order."""
        return _leaves(self.output)

    def __repr__(self) -> str:
        """Return one line for each parameter, the result and each captured tensor."""
        inputs = [
            f"  {p.name} ({p.kind.name}): {getattr(p, 'type_constraint', None)!r}"
            for p in self.parameters.values()
        ]
        captures = [f"  {key}: {spec!r}" for key, spec in self.captures.items()]
        return "\n".join(
            [
                *("Input Parameters:", *(inputs or ["  None"])),
                *("Output Type:", f"  {self.output!r}"),
                *("Captures:", *(captures or ["  None"])),
            ]
        )


def _leaves(kind: object) -> list[Any]:
    held = kind.value if isinstance(kind, ValueType) else kind
    return [leaf for leaf in flatten(held)[0] if isinstance(leaf, (TensorSpec, VariableType))]


def parameters_of(signature: inspect.Signature, bound: Mapping[str, Any]) -> list[Parameter]:
    """Return the parameters of one graph; each argument in `*args` and `**kwargs` is a
    parameter.
    """
    by_position: list[Parameter] = []
    by_name: list[Parameter] = []
    only_by_position = False
    for name, value in bound.items():
        kind = signature.parameters[name].kind
        if kind is Parameter.VAR_POSITIONAL:
            only_by_position = bool(value)
            by_position += (
                Parameter(f"{name}_{i}", Parameter.POSITIONAL_ONLY, False, type_of(part))
                for i, part in enumerate(value)
            )
        elif kind is Parameter.VAR_KEYWORD:
            by_name += (
                Parameter(key, Parameter.KEYWORD_ONLY, False, type_of(part))
                for key, part in value.items()
            )
        else:
            own = by_name if kind is Parameter.KEYWORD_ONLY else by_position
            own.append(Parameter(name, kind, False, type_of(value)))
    if only_by_position:
        by_position = [
            Parameter(p.name, Parameter.POSITIONAL_ONLY, False, p.type_constraint)
            for p in by_position
        ]
    return [*by_position, *by_name]


class FunctionSpec:
    """The parameters of a `Function`, with the specs of its input signature.

    Args:
      signature: the parameters.

    >>> import runtime as tf
    >>> f = tf.function(lambda x, n=2: x * n)
    >>> f.function_spec.arg_names, f.function_spec.default_values
    (['x', 'n'], {'n': 2})
    """

    def __init__(self, signature: Signature) -> None:
        """Store the signature."""
        self._signature = signature

    @property
    def _parameters(self) -> list[inspect.Parameter]:
        own = self._signature.python.parameters.values()
        return [p for place, p in enumerate(own) if place or p.name != "self"]

    @property
    def arg_names(self) -> list[str]:
        """The names of the positional parameters."""
        kinds = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
        return [p.name for p in self._parameters if p.kind in kinds]

    @property
    def default_values(self) -> dict[str, Any]:
        """The defaults, by name."""
        return {p.name: p.default for p in self._parameters if p.default is not Parameter.empty}

    @property
    def fullargspec(self) -> inspect.FullArgSpec:
        """The parameters, in the form of `inspect.getfullargspec`."""
        return _full_arg_spec(self._parameters, self.arg_names)

    @property
    def input_signature(self) -> tuple[Any, ...] | None:
        """The specs of the input signature, or None."""
        return self._signature.specs

    @property
    def flat_input_signature(self) -> tuple[Any, ...]:
        """The flat specs of the input signature; without one, None for each required parameter."""
        if self.input_signature is not None:
            return tuple(flatten(list(self.input_signature))[0])
        stars = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
        free = [p for p in self._parameters if p.kind not in stars]
        return tuple(None for p in free if p.default is Parameter.empty)

    @property
    def function_type(self) -> FunctionType:
        """The parameters with the types of the input signature."""
        prescribed = self._signature.prescribed
        own = [
            Parameter(p.name, p.kind, p.default is not Parameter.empty, _kind(p, prescribed))
            for p in self._parameters
        ]
        return FunctionType(own)

    def signature_summary(self, default_values: bool = False) -> str:
        """Return the parameters, one on each line.

        Args:
          default_values: whether to append the defaults.
        """
        lines = [repr(self.function_type)]
        if default_values:
            shown = [f"  {name}: {value!r}" for name, value in self.default_values.items()]
            lines += ["Defaults:", *(shown or ["  None"])]
        return "\n".join(lines)


def _kind(parameter: inspect.Parameter, prescribed: Mapping[str, Any]) -> Any:
    known = parameter.name in prescribed
    return type_of(prescribed[parameter.name]) if known else None


def _full_arg_spec(own: list[inspect.Parameter], names: list[str]) -> inspect.FullArgSpec:
    by_kind = {kind: [p for p in own if p.kind is kind] for kind in (_STAR, _TWO_STARS, _NAMED)}
    given = [p for p in own if p.default is not Parameter.empty]
    return inspect.FullArgSpec(
        args=names,
        varargs=next((p.name for p in by_kind[_STAR]), None),
        varkw=next((p.name for p in by_kind[_TWO_STARS]), None),
        defaults=tuple(p.default for p in given if p.kind is not _NAMED) or None,
        kwonlyargs=[p.name for p in by_kind[_NAMED]],
        kwonlydefaults={p.name: p.default for p in given if p.kind is _NAMED} or None,
        annotations={p.name: p.annotation for p in own if p.annotation is not Parameter.empty},
    )


_STAR, _TWO_STARS = Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD
_NAMED = Parameter.KEYWORD_ONLY
