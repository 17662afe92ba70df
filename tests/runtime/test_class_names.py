"""No message shows the name of an internal class."""

from __future__ import annotations

import importlib.util
import inspect
import pkgutil
import re

import numpy as np
import pytest

import autograph
import runtime as tf

OPTIONAL = "" if importlib.util.find_spec("jax") else r"|engines\.xla"
PUBLIC = {"EagerTensor"}  # TensorFlow's word, in TensorFlow's messages


def modules():
    for package in (autograph, tf):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not re.search(f"__main__|adapters|pytest_plugin|ipython{OPTIONAL}", found.name):
                yield importlib.import_module(found.name)


def classes(module) -> set[str]:
    return {name for name in dir(module) if inspect.isclass(getattr(module, name))}


def internal_names() -> set[str]:
    """Classes with a name of two words or more that no public module offers."""
    offered = [autograph, tf, tf.compat.v1]
    offered += [
        module for module in (getattr(tf, name) for name in dir(tf)) if inspect.ismodule(module)
    ]
    public = PUBLIC.union(*map(classes, offered))
    own = {
        name
        for module in modules()
        for name, value in vars(module).items()
        if inspect.isclass(value) and value.__module__.split(".")[0] in ("runtime", "autograph")
    }
    return {name for name in own - public if re.match(r"_?[A-Z][a-z]+[A-Z]", name)}


INTERNAL = re.compile(rf"\b({'|'.join(sorted(internal_names()))})\b")


def test_the_names_that_are_looked_for():
    names = internal_names()
    assert {"SymbolicTensor", "GrowingList", "PossiblyUndefined", "PartialDict"} <= names
    assert not names & {"TensorShape", "TensorSpec", "VariantError"}


def with_list(use):
    def f(x):
        rows = []
        for i in tf.range(x):
            rows.append(i)
        return use(rows)

    return f


def with_dict(use):
    def f(x):
        held = {}
        if x > 0:
            held["a"] = x
        return use(held)

    return f


def with_unbound(use):
    def f(x):
        if x > 0:
            y = x
        return use(y)

    return f


def delete(value, key):
    del value[key]


class Plain:
    pass


USES = {
    "attribute": lambda v: v.foo,
    "method": lambda v: v.nothing(1),
    "set attribute": lambda v: setattr(v, "foo", 1),
    "call": lambda v: v("a"),
    "text": lambda v: "a" + v,
    "number": lambda v: v + 1.5,
    "object": lambda v: v + Plain(),
    "compare": lambda v: v < Plain(),
    "format": lambda v: f"{v:d}",
    "percent": lambda v: "%d" % v,  # noqa: UP031
    "index": lambda v: v["a"],
    "index by object": lambda v: v[Plain()],
    "delete": lambda v: delete(v, 0),
    "set item": lambda v: v.__setitem__("k", Plain()),
    "unpack": lambda v: {**v},
    "star": lambda v: [*v],
    "iterate": lambda v: [a for a, b in v],
    "hash": lambda v: {v: 1},
    "len": len,
    "int": int,
    "float": float,
    "bool": lambda v: [1][bool(v)],
    "position": lambda v: [1, 2][v],
    "range": lambda v: range(v, "a"),
    "open": lambda v: open(v),  # noqa: SIM115
    "bytes": lambda v: bytes(v),
    "round": lambda v: round(v, "a"),
    "sum": lambda v: sum(v, "a"),
    "max": lambda v: max(v, Plain()),
    "sorted": lambda v: sorted(v, key=3),
    "zip": lambda v: [*zip(v, Plain())],  # noqa: B905
    "with": lambda v: v.__enter__(),
    "array": lambda v: np.array(v) + 1,
    "array attribute": lambda v: np.sum(v),
    "constant": lambda v: tf.constant(v, tf.string),
    "wrong dtype": lambda v: tf.cast(v, "nothing"),
    "wrong shape": lambda v: tf.reshape(v, "a"),
    "matmul": lambda v: tf.matmul(v, v),
    "stack": lambda v: tf.stack([v, "a"]),
    "concat": lambda v: tf.concat([v, "a"], 0),
    "while": lambda v: tf.while_loop(lambda i: i < "a", lambda i: i, [v]),
    "cond": lambda v: tf.cond(v, lambda: 1, lambda: "a"),
    "map": lambda v: tf.map_fn(3, v),
    "signature": lambda v: tf.function(lambda a: a)(v, v),
    "variable": lambda v: tf.Variable(Plain()),
    "spec": lambda v: tf.TensorSpec(v, "a"),
    "shape": lambda v: tf.TensorShape([Plain()]),
    "returned object": lambda v: Plain(),
}
WAYS = {
    "tensor": lambda use: lambda x: use(x),
    "vector": lambda use: lambda x: use(tf.stack([x, x])),
    "list": with_list,
    "dict": with_dict,
    "unbound": with_unbound,
    "shape": lambda use: lambda x: use(tf.shape(x)),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("use", USES)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("traced", [True, False])
def test_no_message_shows_an_internal_class(use, way, traced):
    program = WAYS[way](USES[use])
    try:
        (tf.function(program) if traced else program)(tf.constant(1))
    except Exception as error:
        shown = f"{error} {getattr(error, '__notes__', '')}"
        assert not INTERNAL.search(shown), shown


@pytest.mark.parametrize("way", WAYS)
def test_no_text_of_a_value_shows_an_internal_class(way):
    shown = []

    def use(value):
        shown.append(repr(value))
        return tf.constant(1)

    tf.function(WAYS[way](tf.autograph.experimental.do_not_convert(use)))(tf.constant(1))
    assert not INTERNAL.search(shown[0])
