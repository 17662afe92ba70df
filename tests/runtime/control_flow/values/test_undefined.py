"""`del` of variables, items and attributes in staged statements."""

import pytest

import autograph
import runtime as tf
from tests.runtime.control_flow.agreement import check

SIGNS = [(3,), (-3,), (0,)]


def in_both_branches(x):
    z = 1
    if x > 0:
        y = z + x
        del z
    else:
        y = z
        del z
    return y


def in_one_branch(x):
    z = x * 2
    y = 0
    if x > 0:
        y = z
        del z
    return y


def several(x):
    a, b = x, 2
    y = 0
    if x > 0:
        y = a + b
        del a, (b)
    return y


def of_a_list(x):
    row = [x, 2]
    if x > 0:
        y = row[0]
        del row
    else:
        y = row[1]
    return y


def assigned_again(x):
    z = 1
    if x > 0:
        del z
        z = x
    return z


def of_a_name_of_the_body(n):
    total = 0
    for i in range(n):
        k = i * 2
        total += k
        del k
    return total


def of_the_loop_variable(n):
    total = 0
    for i in range(n):
        if i == 1:
            del i
        else:
            total += i
    return total


def before_a_return(x):
    z = x + 1
    if x > 0:
        y = z * 2
        del z
        return y
    return z


def of_a_capture_of_a_pattern(x):
    match x:
        case 3:
            y = 1
        case v:
            y = v * 2
            del v
    return y


def of_an_item(x):
    d = {"a": 1, "b": 2}
    if x > 0:
        del d["a"]
    return d


def of_an_attribute(x):
    class Box:
        pass

    box = Box()
    box.a = x
    if x > 0:
        del box.a
    return getattr(box, "a", 10)


READ = []


def reads(program):
    """A program that may read what it has deleted."""
    READ.append(program)
    return program


@reads
def read_after_one_branch(x):
    z = 1
    if x > 0:
        del z
    return z


@reads
def read_after_both(x):
    z = 1
    if x > 0:
        del z
    else:
        del z
    return z


@reads
def parameter_read(x):
    y = x + 1
    if x > 0:
        del x
    return x + y


@reads
def list_read(x):
    row = [1, 2]
    if x > 0:
        del row
    else:
        row[0] = x
    return row


@reads
def deleted_again(x):
    z = 1
    if x > 0:
        del z
    del z
    return x


@reads
def deleted_in_an_inner_branch(x):
    z = 1
    y = 3
    if x > 0:
        if x > 2:
            del z
        y = 2
    return y + z


@reads
def deleted_in_each_iteration(n):
    k = 1
    while n > 1:
        del k
        n -= 1
    return n


@reads
def deleted_in_some_iteration(n):
    k = 1
    while n > 1:
        k = n
        if k == 2:
            del k
        n -= 1
    return k


@reads
def updated_after(x):
    z = 1
    if x > 0:
        del z
    z += x
    return z


@reads
def read_in_an_expression_that_is_delayed(x):
    z = x
    if x > 0:
        del z
    return x < 5 and z > -1


@pytest.mark.parametrize(
    "program",
    [
        in_both_branches,
        in_one_branch,
        several,
        of_a_list,
        assigned_again,
        of_a_name_of_the_body,
        of_the_loop_variable,
        before_a_return,
        of_a_capture_of_a_pattern,
        of_an_item,
        of_an_attribute,
        *READ,
    ],
    ids=lambda each: each.__name__,
)
def test_del_agrees_with_plain_python(program):
    check(program, *SIGNS)


def read_by_an_inner_function(x):
    z = x

    def read():
        return z

    if x > 0:
        del z
    return read()


def test_an_inner_function_that_reads_a_deleted_variable_raises_where_the_branch_ran():
    staged = tf.function(read_by_an_inner_function)
    assert int(staged(tf.constant(-3))) == -3
    with pytest.raises(NameError, match="'z'"):
        staged(tf.constant(3))


def test_a_variable_read_after_del_is_named_with_its_line():
    staged = tf.function(read_after_one_branch)
    with pytest.raises(UnboundLocalError, match="'z'") as caught:
        staged(tf.constant(3))
    line = read_after_one_branch.__code__.co_firstlineno + 5
    assert f'{__file__}", line {line}' in str(caught.value.__notes__)


OUTSIDE = 1


def deletes_a_global_variable(x):
    global OUTSIDE
    if x > 0:
        del OUTSIDE
    return x


def test_del_of_a_global_variable_is_refused_under_a_tensor():
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="bool"):
        tf.function(deletes_a_global_variable)(tf.constant(3))
    assert autograph.to_graph(deletes_a_global_variable)(-3) == -3
    assert OUTSIDE == 1
