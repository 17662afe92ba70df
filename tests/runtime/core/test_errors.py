import pickle
import re
from pathlib import Path

import pytest

import runtime as tf

KINDS = [
    getattr(tf.errors, name)
    for name in dir(tf.errors)
    if isinstance(getattr(tf.errors, name), type)
]
OP_ERRORS = [
    kind for kind in KINDS if issubclass(kind, tf.errors.OpError) and kind is not tf.errors.OpError
]
CODES = {
    "UnknownError": 2, "InvalidArgumentError": 3, "NotFoundError": 5, "AlreadyExistsError": 6,
    "PermissionDeniedError": 7, "ResourceExhaustedError": 8, "FailedPreconditionError": 9,
    "OutOfRangeError": 11, "UnimplementedError": 12, "InternalError": 13, "UnavailableError": 14,
    "DataLossError": 15,
}  # fmt: skip


@pytest.mark.parametrize("name", CODES)
def test_codes(name):
    error = getattr(tf.errors, name)(None, None, "what happened")
    assert error.error_code == CODES[name]
    constant = "".join("_" * (c.isupper() and i > 0) + c for i, c in enumerate(name[:-5])).upper()
    assert getattr(tf.errors, constant) == CODES[name]


@pytest.mark.parametrize("kind", OP_ERRORS)
def test_parts(kind):
    error = kind("definition", "operation", "what happened")
    assert (error.node_def, error.op, error.message) == ("definition", "operation", "what happened")
    assert str(error) == "what happened"
    copied = pickle.loads(pickle.dumps(error))
    assert type(copied) is kind
    assert copied.message == error.message
    assert copied.error_code == error.error_code


@pytest.mark.parametrize("kind", OP_ERRORS)
def test_of_takes_the_message_first(kind):
    error = kind.of("what happened")
    assert (type(error), error.message, error.op) == (kind, "what happened", None)
    assert kind.of("what happened", "operation").op == "operation"


def test_raises_have_no_dummy_arguments():
    root = Path(tf.__file__).parent
    dummies = re.compile(r"raise \w+\(\s*None,\s*None,")
    found = [path for path in root.rglob("*.py") for _ in dummies.findall(path.read_text())]
    assert {path.name for path in found} <= {"errors.py"}, "write SomeError.of(message)"


def test_a_code_of_its_own():
    error = tf.errors.OpError("definition", "operation", "m", tf.errors.DATA_LOSS)
    assert (error.node_def, error.op, error.message) == ("definition", "operation", "m")
    assert error.error_code == 15
    assert pickle.loads(pickle.dumps(error)).error_code == 15


def test_more_arguments_are_no_code():
    assert tf.errors.DataLossError(None, None, "m", "more").error_code == 15


@pytest.mark.parametrize("kind", KINDS)
def test_tracebacks_print_a_public_name(kind):
    assert kind.__module__ == "runtime.errors"


@pytest.mark.parametrize("traced", [False, True])
def test_mismatches_are_caught_alike_eagerly_and_traced(traced):
    def add(x, y):
        return x + y

    run = tf.function(add) if traced else add
    for kind in (tf.errors.InvalidArgumentError, TypeError):
        with pytest.raises(kind):
            run(tf.constant([1]), tf.constant([1.0]))
    for kind in (tf.errors.InvalidArgumentError, ValueError):
        with pytest.raises(kind):
            run(tf.constant([1, 2]), tf.constant([1, 2, 3]))


def test_words_of_a_dtype_mismatch():
    counts, weights = tf.constant([1, 2]), tf.constant([1.0, 2.0])
    with pytest.raises(tf.errors.InvalidArgumentError) as eager:
        weights + counts
    assert str(eager.value) == (
        "cannot compute AddV2 as input #1(zero-based) was expected to be a float tensor but is a "
        "int32 tensor [Op:AddV2]\n"
        "AddV2 needs one dtype, but `weights` is float32[2] and `counts` is int32[2]. Convert one "
        "of them, for instance with runtime.cast(x, runtime.float32)."
    )
    with pytest.raises(TypeError, match=r"`weights` is float32.* and input #1 is int32"):
        weights + tf.constant(1)
    with pytest.raises(
        TypeError,
        match="Input 'y' of 'AddV2' Op has type int32 that does not match type float32 of argument",
    ):
        tf.function(lambda: weights + counts)()


def test_words_of_a_dtype_that_is_not_taken():
    with pytest.raises(
        tf.errors.InvalidArgumentError,
        match=r"Value for attr 'T' of int32 is not in the list of allowed values: half, float, "
        r"double, complex64, complex128 \[Op:Sqrt\]",
    ):
        tf.sqrt(tf.constant([4]))
    with pytest.raises(TypeError, match="Value passed to parameter 'x' has DataType int32 not in"):
        tf.function(tf.sqrt)(tf.constant([4]))
