"""Recursion: of known depth it is traced, on a traced value refused at once."""

import time

import pytest

import autograph
from tests.autograph.adapters.jax.loops import doubled

jax = pytest.importorskip("jax")


@autograph.convert()
def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


@autograph.convert()
def is_even(n):
    if n == 0:
        return True
    return is_odd(n - 1)


def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)


@autograph.convert()
def horner(x, degree):
    if degree == 0:
        return x
    if x > 100:
        return x
    return horner(x * 2 + 1, degree - 1)


@pytest.mark.parametrize(("program", "name"), [(factorial, "factorial"), (is_even, "is_odd")])
def test_recursion_on_a_tensor_is_refused_at_once(program, name):
    jax.jit(doubled)(1.0)
    start = time.process_time()
    with pytest.raises(RecursionError, match=f"`{name}` calls itself") as caught:
        jax.jit(program)(5)
    assert time.process_time() - start < 3
    assert f'File "{__file__}", line ' in str(caught.value)


def test_recursion_of_known_depth_is_traced():
    assert jax.jit(horner, static_argnums=1)(1.0, 20) == 127


@jax.tree_util.register_pytree_with_keys_class
class Named:
    """A pytree that reads its attributes by code with branches, before it has any, too."""

    def __init__(self, items):
        if items:
            items = dict(items)
        super().__setattr__("items", items)

    def __getattr__(self, name):
        if "items" not in vars(self) or name not in self.items:
            raise AttributeError(name)
        return self.items[name]

    def tree_flatten_with_keys(self):
        keys = sorted(self.items)
        return [(jax.tree_util.DictKey(key), self.items[key]) for key in keys], keys

    @classmethod
    def tree_unflatten(cls, keys, leaves):
        return cls(zip(keys, leaves, strict=True))


def test_object_that_is_being_made_in_a_branch_is_not_looked_into():
    def scaled(x):
        named = Named({"a": x})
        if x > 0:
            named = jax.tree.map(lambda leaf: leaf * 2, named)
        return named.a

    assert jax.jit(autograph.convert()(scaled))(3.0) == 6


def test_recursion_on_new_objects_is_refused():
    def shrunk(named):
        if named.a < 1:
            return named.a
        return shrunk(Named({"a": named.a / 2}))

    with pytest.raises(RecursionError, match="staged statements are nested here") as caught:
        jax.jit(autograph.convert()(lambda x: shrunk(Named({"a": x}))))(3.0)
    assert f'File "{__file__}", line ' in str(caught.value)
