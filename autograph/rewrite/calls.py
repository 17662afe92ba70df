"""Rewrite calls of functions that may need conversion: `ag__.converted(f)(x)`.

>>> from autograph.rewrite.show import show
>>> show("y = g(x, *rest, key=1)", "x, rest")
y = ag__.converted(g)(x, *rest, key=1)
>>> show("n = len(xs)", "xs")
n = ag__.converted(len)(xs)

So does one that counts frames, because those of the blocks of statements do not count.
>>> show("warnings.warn('old', stacklevel=2)")
ag__.converted(warnings.warn)('old', stacklevel=2)

So do the functions of `math`, which take tensors then.
>>> show("y = math.floor(x)", "x")
y = ag__.converted(math.floor)(x)

So does one that `operators/world.py` has an entry for, also of a module that needs no conversion.
>>> show("start = time.time()")
start = ag__.converted(time.time)()

So does a function of a library that calls functions given to it, which are converted then.
>>> show("rows = functools.reduce(step, rows)", "rows")
rows = ag__.converted(functools.reduce)(step, rows)

The class of a list, dict, number or string, which the running program may hold in another form:
>>> show("ok = type(x) is list and isinstance(y, list)", "x, y")
ok = ag__.is_(ag__.type_(x), list) and ag__.converted(isinstance)(y, list)

Left alone: functions that are known to need none, and those that look at the frame they are
called from.
>>> show("ok = isinstance(x, Dog) and super().check(hash(x))", "self, x")
ok = isinstance(x, Dog) and ag__.converted(super().check)(hash(x))
>>> show('''
... def inner(): return 1
... y = inner() + 'a b'.count(x)
... ''', "x")
def inner(): return 1
y = inner() + 'a b'.count(x)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from autograph.analysis.effects import counts_frames, reads_frame
from autograph.operators.builtins import MATH, OVERLOADED
from autograph.operators.items import BY_METHOD, METHODS
from autograph.operators.items import OVERLOADS as OF_ITEMS
from autograph.operators.moved import COMPARISONS
from autograph.operators.world import NAMES as EFFECTS
from autograph.operators.wrappers import HIGHER_ORDER
from autograph.rewrite.attributes import method
from autograph.rewrite.comprehensions import consumed, is_consumed, is_read, items
from autograph.rewrite.expressions import Context, bare, operator_call, rewrites
from autograph.rewrite.known import is_constant, is_super
from autograph.rewrite.spacing import with_parts
from autograph.rewrite.strings import text_call

_OF_AN_OBJECT = frozenset({"dir", "vars"})
"""Built-in functions that read an object, or without an argument the frame."""

_REPRESENTED = frozenset(
    (
        "Collection", "Container", "Counter", "Integral", "Iterable", "Mapping", "MutableMapping",
        "MutableSequence", "Number", "OrderedDict", "Real", "Sequence", "Sized", "bool", "complex",
        "defaultdict", "dict", "float", "int", "list", "str", "tuple",
        "bool_", "complex128", "complex64", "complexfloating", "float16", "float32", "float64",
        "floating", "generic", "inexact", "int16", "int32", "int64", "int8", "integer", "ndarray",
        "number", "signedinteger", "uint16", "uint32", "uint64", "uint8", "unsignedinteger",
    )
)  # fmt: skip
"""Classes of lists, dicts, numbers, strings and arrays, which a library may represent by its own
values.
"""

_AT_INDEX = frozenset({"get", "insert", "pop"})
"""Container methods with a single staged argument, the first."""

_OF_CONTAINERS = frozenset({"sort", *BY_METHOD}.union(*METHODS.values()))
_OPERATORS = frozenset({*COMPARISONS, *(each.__name__ for each in OF_ITEMS)})
"""Functions of `operator` whose arguments may be staged, or lists and dicts that are state."""
_STRINGS = (cst.SimpleString, cst.ConcatenatedString, cst.FormattedString)
_OF_VALUES = frozenset({"format", "format_map", "join"})
"""Methods of string literals with an operator of their own."""


@rewrites(cst.Call)
def call(node: cst.Call, context: Context) -> Any:
    """Rewrite `f(x)` as `ag__.converted(f)(x)`."""
    if is_super(node, context):
        return _explicit_super(node, context)
    if is_consumed(node, context):
        return consumed(node, context)
    if _makes_text(node, context):
        return _text_of(node, context)
    changed = _with_rewritten_parts(node, context)
    changed = method(changed, node)
    if _asks_for_type(node, context):
        return context.replaced(node, changed.with_changes(func=operator_call("type_").func))
    if not context.convert_calls or not _may_need_conversion(node, context):
        return changed
    converted = operator_call("converted", changed.func)
    return context.replaced(node, changed.with_changes(func=converted))


def _with_rewritten_parts(node: cst.Call, context: Context) -> Any:
    if _is_print(node, context):
        return _printing(node, context)
    if is_read(node, context):
        given, *options = node.args
        args = [items(given, context), *map(context.rewrite, options)]
        return context.replaced(node, with_parts(node, args=args))
    return context.inside(node)


def _makes_text(node: cst.Call, context: Context) -> bool:
    function = node.func
    if not isinstance(function, cst.Attribute) or not isinstance(function.value, _STRINGS[:2]):
        return False
    of_values = function.attr.value in _OF_VALUES and bool(node.args)
    return of_values and context.staged and context.convert_calls and not context.quotes


def _text_of(node: cst.Call, context: Context) -> Any:
    """Rewrite `"...".format(x)` and `"...".join(xs)`."""
    function: Any = node.func
    args = [_in_parentheses(context.rewrite(arg)) for arg in node.args]
    text = bare(context.rewrite(function.value))
    changed = operator_call(function.attr.value, text).with_changes(
        whitespace_before_args=node.whitespace_before_args
    )
    return context.replaced(node, changed.with_changes(args=[*changed.args, *args]))


def _in_parentheses(arg: cst.Arg) -> cst.Arg:
    """Parenthesize a generator expression that was the only argument."""
    if not isinstance(arg.value, cst.GeneratorExp) or arg.value.lpar:
        return arg
    value = arg.value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return arg.with_changes(value=value)


def _is_print(node: cst.Call, context: Context) -> bool:
    function = node.func
    return (
        isinstance(function, cst.Name)
        and function.value == "print"
        and context.is_builtin("print")
        and context.convert_calls
        and not context.quotes
    )


def _printing(node: cst.Call, context: Context) -> Any:
    """Rewrite a `print` argument: an f-string is formatted when it prints."""
    args = [_printed_argument(arg, context) for arg in node.args]
    if all(new is old for new, old in zip(args, node.args, strict=True)):
        return node
    return context.replaced(node, node.with_changes(args=args))


def _printed_argument(arg: cst.Arg, context: Context) -> cst.Arg:
    value = arg.value
    if arg.star or arg.keyword or not isinstance(value, _STRINGS[1:]):
        return context.inside(arg)  # type: ignore[no-any-return]
    changed = text_call(value, context, "printed")
    return arg if changed is value else context.replaced(arg, arg.with_changes(value=changed))


def _explicit_super(node: cst.Call, context: Context) -> Any:
    """Rewrite `super()` with explicit arguments in a generated function: it reads its frame."""
    if not context.in_closure or context.first_parameter is None:
        return node
    arguments = [cst.Arg(cst.Name("__class__")), cst.Arg(cst.Name(context.first_parameter))]
    return context.replaced(node, node.with_changes(args=arguments))


def _may_need_conversion(node: cst.Call, context: Context) -> bool:
    function: Any = node.func
    name, owner = _name_and_owner(function)
    if reads_frame(name, owner):
        return counts_frames(name, owner) and _says_how_many(name, node.args)
    if isinstance(function, cst.Name):
        of_object = function.value in _OF_AN_OBJECT and len(node.args) == 1
        return _name_may(function.value, context, of_object or _asks_for_represented(node, context))
    if isinstance(function, cst.Attribute):
        return _attribute_may(function, context, node.args)
    return not isinstance(function, cst.Lambda) or any(each.star for each in node.args)


def _asks_for_type(node: cst.Call, context: Context) -> bool:
    """Return whether a call is `type(x)` of a value that may be a stand-in."""
    if not isinstance(node.func, cst.Name) or node.func.value != "type" or len(node.args) != 1:
        return False
    plain = not node.args[0].star and not context.quotes
    return plain and context.staged and context.convert_calls and context.is_builtin("type")


def _asks_for_represented(node: cst.Call, context: Context) -> bool:
    """Return whether a call is `isinstance` of a value that may be represented."""
    if not isinstance(node.func, cst.Name) or node.func.value != "isinstance":
        return False
    if len(node.args) != 2:
        return False
    if _name_of(node.args[0].value) in context.scope.tested:  # it may be None
        return True
    return any(_name_of(each) in _REPRESENTED for each in _classes(node))


def _classes(node: cst.Call) -> list[Any]:
    """Return the classes in a call of `isinstance`."""
    given: Any = node.args[1].value
    return [each.value for each in given.elements] if isinstance(given, cst.Tuple) else [given]


def _name_of(node: object) -> str:
    named = node.attr if isinstance(node, cst.Attribute) else node
    return named.value if isinstance(named, cst.Name) else ""


def _name_and_owner(function: object) -> tuple[str | None, str | None]:
    if isinstance(function, cst.Attribute):
        owner = function.value
        return function.attr.value, owner.value if isinstance(owner, cst.Name) else None
    return function.value if isinstance(function, cst.Name) else None, None


def _says_how_many(name: str | None, args: Sequence[cst.Arg]) -> bool:
    """Return whether a call that counts frames goes beyond its own frame."""
    if name != "warn":
        return name == "stack" or bool(args)
    return len(args) > 2 or any(arg.star or _is_named(arg, "stacklevel") for arg in args)


def _is_named(arg: cst.Arg, name: str) -> bool:
    return arg.keyword is not None and arg.keyword.value == name


def _name_may(name: str, context: Context, of_object: bool = False) -> bool:
    if context.is_builtin(name):
        overloaded = name in OVERLOADED or name in EFFECTS
        return (of_object or overloaded) and not context.quotes
    if name in context.shadowed:
        return True
    scope = context.scope
    if name in scope.local_functions:
        return False
    module = scope.outer
    known = name in module.converted or name in module.plain
    return not (known and scope.is_of_module(name))


def _attribute_may(function: cst.Attribute, context: Context, args: Sequence[cst.Arg]) -> bool:
    if isinstance(function.value, _STRINGS):
        return False
    root: Any = function.value
    if isinstance(root, cst.Name) and root.value in context.scope.containers:
        name = function.attr.value
        at_constant = name in _AT_INDEX and all(is_constant(arg.value) for arg in args[:1])
        at_constant &= name != "get" or not context.gains_keys(root.value)
        looks = name in _OF_CONTAINERS and not at_constant
        return looks or root.value in context.shadowed
    draws = False
    while isinstance(root, cst.Attribute):
        draws |= root.attr.value == "random"
        root = root.value
    if not isinstance(root, cst.Name):
        return True
    scope = context.scope
    hidden = root.value in context.shadowed or not scope.is_of_module(root.value)
    name = function.attr.value
    special = draws or name in EFFECTS or name in HIGHER_ORDER
    special |= root.value == "math" and name in MATH
    special |= root.value == "operator" and name in _OPERATORS
    return hidden or special or root.value not in scope.outer.plain
