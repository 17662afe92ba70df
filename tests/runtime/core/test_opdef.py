"""Op definitions and their registry."""

import operator

import numpy as np
import pytest

from runtime.core import dtypes
from runtime.core.opdef import (
    BOOL,
    NUMERIC,
    OpDef,
    PythonOperator,
    Ufunc,
    all_ops,
    lookup,
    register,
)


def test_a_name_belongs_to_one_op_type():
    with pytest.raises(ValueError, match="the op type AddV2 is defined twice"):
        register(OpDef("AddV2", {}, lambda: (), lambda xp: ()))
    with pytest.raises(KeyError):
        lookup("NoSuchOp")
    assert lookup("AddV2") in all_ops()


def test_groups_of_dtypes():
    assert dtypes.float16 in NUMERIC
    assert dtypes.bool not in NUMERIC
    assert BOOL.members == {dtypes.bool}


@pytest.mark.parametrize(("text", "infix"), [("{} + {}", True), ("-{}", False), ("abs({})", False)])
def test_python_operators_that_arrays_have_too(text, infix):
    assert PythonOperator(text, operator.add).infix is infix


def test_a_function_of_the_namespace_takes_constants_in_the_dtype_of_the_array():
    relu = Ufunc("maximum", (0,))
    array = np.array([-1.0, 2.0], np.float32)
    result = relu(np, array)
    assert (result.dtype, result.tolist()) == (np.float32, [0.0, 2.0])
    assert relu.source(["x"], "float32") == "np.maximum(x, float32(0))"
    assert Ufunc("add").source(["x", "y"], "int32", "z") == "np.add(x, y, out=z)"


def test_definitions_show_their_sign_and_name():
    assert (lookup("AddV2").sign, lookup("Shape").sign) == ("{} + {}", "")
    assert repr(lookup("AddV2")) == "<op AddV2>"
