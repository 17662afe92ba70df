"""Names of TensorFlow that are left out say so, and name what there is."""

import functools
import re

import pytest

import runtime as tf
from runtime.absent import ABSENT


def exists(path):
    found = tf
    for part in path.split("."):
        found = getattr(found, part, None)
        if found is None:
            return False
    return True


@pytest.mark.parametrize("name", ABSENT)
def test_a_name_that_is_left_out_names_one_that_exists(name):
    *spaces, last = name.split(".")
    namespace = functools.reduce(getattr, spaces, tf)
    assert last not in dir(namespace)
    with pytest.raises(AttributeError, match=rf"no attribute '{last}': .*\. Use ") as caught:
        getattr(namespace, last)
    named = re.findall(r"`([\w.]+)`", str(caught.value))
    foreign = {"cProfile", "tf.range", "ConcreteFunction.plan_source"}
    missing = [path for path in named if path not in foreign and not exists(path)]
    assert not missing


def test_sparse_functions_of_io_name_the_dense_one():
    with pytest.raises(AttributeError, match=r"tensors are dense here\. Use `io.serialize_tensor`"):
        tf.io.serialize_sparse  # noqa: B018
    with pytest.raises(AttributeError, match=r"no attribute 'serialize_sparce'$"):
        tf.io.serialize_sparce  # noqa: B018


def test_other_names_are_missing_without_advice():
    with pytest.raises(AttributeError, match=r"^module 'runtime' has no attribute 'matmull'$"):
        tf.matmull  # noqa: B018
    assert not hasattr(tf, "ragged")


@pytest.mark.parametrize(
    ("name", "path"), [("log", "math.log"), ("random_normal", "random.normal")]
)
def test_a_name_of_version_1_says_where_it_is_now(name, path):
    with pytest.raises(AttributeError, match=rf"no attribute '{name}'\. Use `{path}`\.$") as caught:
        getattr(tf, name)
    assert caught.value.obj is tf
    assert exists(path)


@pytest.mark.parametrize("version", [tf.__version__, tf.version.VERSION])
def test_the_version_is_one_of_tensorflow_2_and_says_what_this_is(version):
    assert version.startswith("2.")
    assert [int(part) for part in version.split(".")[:2]] >= [2, 0]
    assert "autograph" in version


@pytest.mark.parametrize("name", ["initializers", "losses", "metrics", "optimizers"])
def test_packages_of_keras_have_a_name_at_the_top(name):
    assert name in dir(tf)
    assert getattr(tf, name) is getattr(tf.keras, name)
