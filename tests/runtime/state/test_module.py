import pytest

import runtime as tf


class Block(tf.Module):
    def __init__(self, name=None):
        super().__init__(name=name)
        self.w = tf.Variable(1.0, name="w")
        self.rest = [tf.Variable(2.0, name="l", trainable=False)]
        self.table = {"b": tf.Variable(3.0, name="b"), "a": tf.Variable(4.0, name="a")}
        self.inner = None
        self.same = self.w

    @tf.Module.with_name_scope
    def make(self):
        return tf.Variable(1.0, name="made")


@pytest.fixture
def block():
    outer = Block()
    outer.inner = Block(name="kid")
    return outer


def test_variables_in_the_order_of_attributes(block):
    names = [v.name for v in block.variables]
    assert names == ["l:0", "w:0", "a:0", "b:0"] * 2
    assert len(block.trainable_variables) == 6
    assert [float(v) for v in block.non_trainable_variables] == [2.0, 2.0]
    assert isinstance(block.variables, tuple)


def test_modules_inside(block):
    assert block.submodules == (block.inner,)
    block.inner.back = block
    assert block.submodules == (block.inner,)


def test_names():
    assert Block().name == "block"
    assert type("MyBigModule2D", (tf.Module,), {})().name == "my_big_module2_d"
    for wrong in ("a b", "1a"):
        with pytest.raises(ValueError, match="is not a valid module name"):
            tf.Module(name=wrong)


def test_scopes_of_names(block):
    assert block.make().name == "block/made:0"
    assert block.inner.make().name == "kid/made:0"
    with tf.name_scope("outside"):
        assert Block().make().name == "outside/block/made:0"


def test_in_a_function(block):
    @tf.function
    def total(x):
        return x * sum(block.trainable_variables)

    assert float(total(tf.constant(1.0))) == 16.0
