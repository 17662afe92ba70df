"""Single operations by their op type: `runtime.raw_ops`."""

import numpy as np
import pytest

import runtime as tf

raw = tf.raw_ops

VALUES = [
    (lambda: raw.AddV2(x=1, y=2), 3),
    (lambda: raw.MatMul(a=[[1.0, 2.0]], b=[[3.0], [4.0]]), [[11.0]]),
    (lambda: raw.MatMul(a=[[1.0], [2.0]], b=[[3.0], [4.0]], transpose_a=True), [[11.0]]),
    (lambda: raw.Sum(input=[[1, 2]], axis=1, keep_dims=True), [[3]]),
    (lambda: raw.Sum(input=[1, 2], axis=[]), [1, 2]),
    (lambda: raw.ConcatV2(values=[[1], [2]], axis=0), [1, 2]),
    (lambda: raw.Cast(x=1.5, DstT=tf.int32), 1),
    (lambda: raw.Squeeze(input=[[1]], axis=[0]), [1]),
    (lambda: raw.Where(condition=[True]), [[0]]),
    (lambda: raw.Select(condition=[True, False], x=[1, 2], y=[3, 4]), [1, 4]),
    (lambda: raw.Transpose(x=[[1, 2]], perm=[1, 0]), [[1], [2]]),
    (lambda: raw.StringJoin(inputs=["a", "b"], separator="-"), b"a-b"),
    (lambda: raw.ExpandDims(input=np.float64([1.0]), axis=0), [[1.0]]),
    (lambda: raw.ReluGrad(gradients=[1.0, 1.0], features=[2.0, -2.0]), [1.0, 0.0]),
]


@pytest.mark.parametrize(("call", "expected"), VALUES)
def test_values(call, expected):
    np.testing.assert_array_equal(call().numpy(), expected)


@pytest.mark.parametrize(("call", "expected"), VALUES)
def test_values_in_functions(call, expected):
    np.testing.assert_array_equal(tf.function(call)().numpy(), expected)


def test_an_output_of_several_tensors_is_a_list():
    parts = raw.Split(axis=0, value=[1, 2], num_split=2)
    assert isinstance(parts, list) and [part.numpy().tolist() for part in parts] == [[1], [2]]


def test_several_outputs_have_names():
    found = raw.Unique(x=[5, 5, 7])
    assert found.y.numpy().tolist() == [5, 7] and found.idx.numpy().tolist() == [0, 0, 1]


def test_no_output():
    assert raw.NoOp() is None
    with tf.Graph().as_default():
        assert raw.NoOp(name="nothing").name == "nothing"


def test_operations_have_names():
    with tf.Graph().as_default(), tf.name_scope("layer"):
        names = [raw.Neg(x=1.0, name=name).op.name for name in (None, None, "minus")]
    assert names == ["layer/Neg", "layer/Neg_1", "layer/minus"]


def test_arrays_and_tensors_decide_dtypes():
    assert raw.AddV2(x=np.float64(1), y=2).dtype is tf.float64
    assert raw.Range(start=0, limit=tf.constant(3, tf.int64), delta=1).dtype is tf.int64


def test_variables():
    v = tf.Variable(1.0)
    raw.AssignVariableOp(resource=v.handle, value=5.0)
    assert raw.ReadVariableOp(resource=v.handle, dtype=tf.float32).numpy() == 5.0


REFUSED = [
    (lambda: raw.Add(1, 2), r"add only takes keyword args \(possible keys: \['x', 'y', 'name'\]\)"),
    (lambda: raw.MatMul(a=1), r"mat_mul\(\) missing 1 required positional argument: 'b'"),
    (lambda: raw.Add(x=1, y=2, z=3), r"add\(\) got an unexpected keyword argument 'z'"),
    (lambda: raw.Squeeze(input=[[1]], squeeze_dims=[0]), "unexpected keyword argument"),
    (lambda: raw.Pack(values=1), "Expected list for 'values' argument, not 1"),
]


@pytest.mark.parametrize(("call", "text"), REFUSED)
def test_refused(call, text):
    with pytest.raises(TypeError, match=text):
        call()


def test_operands_of_two_dtypes_are_refused():
    with pytest.raises((TypeError, tf.errors.InvalidArgumentError)):
        raw.AddV2(x=tf.constant(1), y=tf.constant(1.0))


def test_placeholders_have_no_value():
    with pytest.raises(tf.errors.InvalidArgumentError, match="You must feed a value"):
        raw.Placeholder(dtype=tf.float32)


def test_op_types_are_listed():
    assert {"MatMul", "ConcatV2", "SplitV"} <= set(dir(raw))
    assert "If" not in dir(raw)
    for name in ("If", "NoSuchOp", "matmul"):
        with pytest.raises(AttributeError, match=f"has no attribute '{name}'"):
            getattr(raw, name)


def test_signatures_are_shown():
    import inspect

    assert str(inspect.signature(raw.Sum)) == "(input, axis, keep_dims=False, name=None)"
    assert repr(raw.Sum) == "<function Sum>"
