"""Values that a variable may not have."""

import pytest

import autograph
from fixtures.staging.lazy_arrays import Lazy, run
from tests.autograph.adapters.compiled import in_jax, in_torch


def test_loop_that_ends_by_itself_leaves_no_value():
    @autograph.convert()
    def program(x):
        while x < 10:
            x = x * 2
            found = x
        return found

    with pytest.raises(UnboundLocalError, match="`found` is read"):
        run(program, 3.0)


def reached_by_and(x):
    if x > 0 and (y := x * 2) > 1:
        return y
    return x


def reached_by_or(x):
    if x < 0 or (y := x * 2) < 1:
        return x
    return y


def reached_by_three(x):
    if not (x > 0 and (y := x * 2) > 1 and (z := y * x) < 10):
        return x
    return y + z


@pytest.mark.parametrize("program", [reached_by_and, reached_by_or, reached_by_three])
@pytest.mark.parametrize("x", [-1.0, 0.25, 1.0, 3.0])
def test_operand_that_decided_has_assigned_its_variable(program, x):
    assert run(autograph.convert()(program), x) == program(x)


def test_operand_that_may_not_have_run_leaves_no_value():
    @autograph.convert()
    def program(x):
        if x > 0 or (y := x * 2) > 1:
            return y
        return x

    with pytest.raises(UnboundLocalError):
        run(program, 3.0)


# ---- variables of which a check says that they have a value ----


def first_below_one(xs):
    for x in xs:
        if x < 1:
            return x
    raise ValueError("none")


def found_by_flag(xs):
    found = False
    for x in xs:
        if x < 1:
            found, best = True, x
            break
    if not found:
        raise ValueError("none")
    return best + 1


def found_as_asserted(xs):
    found = False
    for x in xs:
        if x < 1:
            found, best = True, x
    assert found, "none"
    return best


def found_or_else(xs):
    for x in xs:
        if x < 1:
            best = 2 * x
            break
    else:
        raise ValueError("none")
    return best


def halved_below_one(xs):
    x = xs[0]
    for _ in range(4):
        if x == 7:
            raise ZeroDivisionError("seven")
        if x < 1:
            return x
        x = x / 2
    raise ValueError("none")


def halved_while_true(xs):
    x, steps = xs[0], 0
    while True:
        if x < 1:
            return x
        if steps == 3:
            raise ValueError("none")
        x = x / 2
        steps += 1


def found_in_a_branch(xs):
    if xs[0] == 4:
        return xs[1]
    return first_below_one(xs)


CHECKED = [
    first_below_one,
    found_by_flag,
    found_as_asserted,
    found_or_else,
    halved_below_one,
    halved_while_true,
    found_in_a_branch,
]


@pytest.mark.parametrize("staged", [run, in_jax, in_torch])
@pytest.mark.parametrize("program", CHECKED)
def test_check_says_that_a_variable_has_a_value(program, staged):
    for xs in ([0.5, 2.0, 3.0], [2.0, 0.5, 3.0], [4.0, 3.0, 0.25]):
        assert staged(autograph.convert()(program), xs) == pytest.approx(program(xs))
    error = AssertionError if program is found_as_asserted else ValueError
    kind = {run: error}.get(staged, RuntimeError)
    with pytest.raises(kind, match="none"):
        staged(autograph.convert()(program), [9.0, 9.0, 8.0])


def test_check_in_a_branch_says_nothing_after_it():
    @autograph.convert()
    def program(x):
        found = x > 3
        if found:
            best = x
        if x < 2:
            assert found
        return best

    with pytest.raises(UnboundLocalError, match="`best`"):
        run(program, 2.5)


# ---- variables that may be None ----


def first_negative(xs):
    found = None
    for i in range(3):
        if xs[i] < 0:
            found = i, xs[i]
            break
    if found is None:
        return -1, 0.0
    i, x = found
    return i, x * 2


def smallest_above_one(xs):
    best = None
    for i in range(3):
        if xs[i] > 1 and (best is None or xs[i] < best):
            best = xs[i]
    return best if best is not None else -1.0


def until_steady(xs):
    x, previous, steps = xs[0], None, 0
    while x > 0.1:
        if previous is not None and previous - x < 0.2:
            break
        previous, x, steps = x, x * 0.7, steps + 1
    return x, steps


class Largest:
    def __init__(self):
        self.value = None

    def see(self, x):
        if x > 0 and (self.value is None or x > self.value):
            self.value = x


def largest_in_an_object(xs):
    largest = Largest()
    for i in range(3):
        largest.see(xs[i])
    return 0.0 if largest.value is None else largest.value


def two_at_once(xs):
    big = middle = None
    for i in range(3):
        if xs[i] > 2:
            big = xs[i]
        elif xs[i] > 1:
            middle = xs[i]
    if big is not None and middle is not None:
        return big + middle
    if big is not None:
        return big
    return 0.0 if middle is None else middle


def none_again(xs):
    value = xs[0]
    if value > 1:
        value = None
    if value is not None and not isinstance(value, tuple):
        return value
    return 7.0


OPTIONAL = [
    first_negative,
    smallest_above_one,
    until_steady,
    largest_in_an_object,
    two_at_once,
    none_again,
]


@pytest.mark.parametrize("staged", [run, in_jax, in_torch])
@pytest.mark.parametrize("program", OPTIONAL)
def test_variable_that_is_tested_for_none_may_be_none(program, staged):
    for xs in ([1.5, -2.0, 3.0], [5.0, 3.0, 1.25], [0.5, 0.25, 0.0]):
        found = staged(autograph.convert()(program), xs)
        assert found == pytest.approx(program(xs))


def test_use_of_a_variable_that_may_be_none_is_refused():
    def program(x):
        y = None
        if x > 0:
            y = x
        if y is None:
            x = x + 1
        return x + y

    with pytest.raises(TypeError, match=r"`y` is used where it may be None(.|\n)*in program"):
        run(autograph.convert()(program), 1.0)


def test_result_that_may_be_none_is_refused():
    def program(x):
        y = None
        if x > 0:
            y = x
        if y is None:
            x = x + 1
        return y

    with pytest.raises(TypeError, match="`y` is used where it may be None"):
        run(autograph.convert()(program), 1.0)


def test_class_of_a_variable_that_may_be_none_is_refused():
    def program(x):
        y = None
        if x > 0:
            y = x
        if isinstance(y, Lazy):
            return x
        return 0.0 if y is None else y

    with pytest.raises(TypeError, match="`y` is used where it may be None"):
        run(autograph.convert()(program), 1.0)


class Node:
    def __init__(self, value):
        self.value = value


def has_assigned(x):
    node = Node(x)
    if x > 0:
        node.extra = x
    return hasattr(node, "extra")


def has_deleted(x):
    node = Node(x)
    if x > 0:
        del node.value
    return hasattr(node, "value")


def gets_assigned(x):
    node = Node(x)
    if x > 0:
        node.extra = x
    return getattr(node, "extra", 5.0)


def counts_assigned(x):
    node = Node(x)
    if x > 0:
        node.extra = x
    return len(vars(node))


@pytest.mark.parametrize("program", [has_assigned, has_deleted, gets_assigned, counts_assigned])
def test_whether_an_attribute_exists_is_refused_where_a_branch_decides_it(program):
    with pytest.raises(TypeError, match="has a value"):
        run(autograph.convert()(program), -1.0)


def test_attribute_exists_where_the_test_says_so():
    @autograph.convert()
    def program(x):
        node = Node(x)
        positive = x > 0
        found = 0.0
        if positive:
            node.extra = x
        if positive and hasattr(node, "extra"):
            found = getattr(node, "extra", 5.0)
        return found

    assert (run(program, 2.0), run(program, -2.0)) == (2.0, 0.0)
