"""What a function leaves in objects outside is there after each call, as in plain Python."""

import functools

import pytest

import runtime as tf


class Account:
    opened = 0

    def __init__(self):
        self.total = 0
        self.log = []
        self.rows = [[0, 0], [1, 1]]
        self.names = {"n": 0}

    def add(self, amount):
        self.total += amount


LAST = 0


def plain(value):
    """Python's numbers for tensors."""
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return value.numpy().item() if isinstance(value, tf.Tensor) else value


def attribute(account, x):
    account.total += x
    return account.total


def attribute_in_a_branch(account, x):
    if x > 0:
        account.total = x
    return x


def attribute_in_a_loop(account, x):
    for i in range(x):
        account.total += i
    return x


def by_a_method(account, x):
    if x > 0:
        account.add(x)
    return account.total


def list_that_grows(account, x):
    account.log.append(x)
    return len(account.log)


def list_that_grows_in_a_branch(account, x):
    if x > 0:
        account.log.append(x)
    return x


def nested_items(account, x):
    for row in account.rows:
        if x > 0:
            row[0] = x
    return x


def item_of_a_dict(account, x):
    if x > 1:
        account.names["n"] += 1
    return account.names["n"]


def class_attribute(account, x):
    if x > 0:
        Account.opened += 1
    return x


def global_name(account, x):
    global LAST
    LAST = LAST * 2 + x
    return LAST


PROGRAMS = [
    attribute, attribute_in_a_branch, attribute_in_a_loop, by_a_method, list_that_grows,
    list_that_grows_in_a_branch, nested_items, item_of_a_dict, class_attribute, global_name,
]  # fmt: skip
CALLS = [(1, 2, -3, 4), (-1, -2), (0, 5, 5)]


def observed(run, program, calls, number):
    global LAST
    account = Account()
    rows = account.rows[0]
    Account.opened = LAST = 0
    results = [plain(run(account, number(x))) for x in calls]
    assert rows is account.rows[0]
    return results, plain(vars(account)), plain(Account.opened), plain(LAST)


@pytest.mark.parametrize("calls", CALLS, ids=str)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_each_call_leaves_what_python_leaves(program, calls):
    staged = tf.function(program)
    assert observed(staged, program, calls, tf.constant) == observed(program, program, calls, int)


def test_a_number_stays_a_number_of_python():
    account = Account()

    def count(x):
        for _ in tf.range(x):
            account.total += 1
        return x

    counted = tf.function(count)
    for total in (3, 6, 9):
        counted(tf.constant(3))
        assert type(account.total) is int
        assert account.total == total


def test_the_second_graph_serves_all_further_calls():
    account = Account()
    staged = tf.function(lambda x: attribute(account, x))
    for _ in range(5):
        staged(tf.constant(1))
    assert plain(account.total) == 5
    assert staged.experimental_get_tracing_count() == 2


def test_what_python_assigns_happens_while_tracing():
    account = Account()

    def note(x):
        account.log.append("traced")
        return x

    staged = tf.function(note)
    staged(tf.constant(1))
    staged(tf.constant(2))
    assert account.log == ["traced"]


def test_functions_see_what_functions_they_call_left():
    account = Account()
    inner = tf.function(lambda x: attribute(account, x))

    @tf.function
    def outer(x):
        inner(x)
        inner(x + 1)
        return account.total * 10

    assert [plain(outer(tf.constant(1))) for _ in range(3)] == [30, 60, 90]
    assert plain(account.total) == 9


@pytest.mark.parametrize("make", [tf.Module, lambda: tf.keras.Sequential([])])
def test_attributes_of_a_module_of_no_class_of_the_program(make):
    def keep(net, x):
        for _ in tf.range(2):
            x = x + net.last
            net.last = x
        if x > 5.0:
            net.log.append(x)
        return x

    def left(run):
        net = make()
        net.last, net.log = tf.constant(1.0), []
        results = [plain(run(net, tf.constant(x))) for x in (1.0, 2.0, -90.0)]
        return results, plain(net.last), list(map(plain, net.log))

    assert left(tf.function(keep)) == left(keep)


class Noted:
    def __init__(self):
        self.last = None

    @tf.function
    def double(self, x):
        self.last = x * 2.0
        return x


@pytest.mark.parametrize("autograph", [True, False])
def test_what_only_a_graph_that_is_called_reaches_is_left_there(autograph):
    noted = Noted()
    concrete = noted.double.get_concrete_function(tf.TensorSpec([None], tf.float32))
    outer = tf.function(lambda x: concrete(x), autograph=autograph)
    for number in (1.0, 2.0, 3.0):
        outer(tf.constant([number]))
        assert noted.last.numpy() == [2.0 * number]


def best(account, x):
    if account.best is None or x > account.best:
        account.best = x
    return account.best


def dict_that_grows(account, x):
    account.names[len(account.names)] = x
    return x


def in_a_variable_around():
    total = 0

    def add(x):
        nonlocal total
        total += x
        return total

    return add


def on_an_account(program):
    account = Account()
    return lambda x: (program(account, x), account.total)


MAKERS = [
    in_a_variable_around,
    *[functools.partial(on_an_account, p) for p in (attribute, attribute_in_a_loop, by_a_method)],
]


@pytest.mark.parametrize("make", MAKERS)
def test_a_concrete_function_goes_on_with_numbers_that_it_changes(make):
    program = make()
    concrete = tf.function(make()).get_concrete_function(tf.TensorSpec([], tf.int32))
    for number in (1, 2, 3):
        result = tf.nest.map_structure(plain, concrete(tf.constant(number)))
        assert result == program(number)


@pytest.mark.parametrize("program", [best, list_that_grows, dict_that_grows])
def test_a_concrete_function_refuses_what_it_cannot_go_on_with(program):
    account = Account()
    account.best = None
    staged = tf.function(lambda x: program(account, x))
    concrete = staged.get_concrete_function(tf.TensorSpec([], tf.int32))
    concrete(tf.constant(2))
    for call in (concrete, tf.function(lambda x: concrete(x))):
        with pytest.raises(ValueError, match=r"`account\.\w+` has changed since this graph"):
            call(tf.constant(1))
    assert plain(account.best) == (2 if program is best else None)


def test_what_only_a_graph_that_is_called_reaches_is_not_left_by_a_staged_statement():
    concrete = Noted().double.get_concrete_function(tf.TensorSpec([], tf.float32))

    def called_in_a_branch(x):
        if x > 0.0:
            concrete(x)
        return x

    with pytest.raises(TypeError, match=r"changes `self.last`.*Call the function in place") as info:
        tf.function(called_in_a_branch)(tf.constant(1.0))
    assert any(entry.name == "called_in_a_branch" for entry in info.traceback)


def test_the_graph_of_an_instance_has_no_part_in_attributes_of_another():
    one, other = Noted(), Noted()
    for each in (one, one, other, other):
        each.double(tf.constant(1.0))
    graph = Noted.double.concrete_functions(other)[-1].graph
    writes = [op for op in graph.operations if op.type == "WriteOutside"]
    assert [op.attrs["place"].owner for op in writes] == [vars(other)]


def test_an_error_while_tracing_leaves_no_tensor():
    account = Account()

    def fail(x):
        account.total = x
        raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        tf.function(fail)(tf.constant(1))
    assert account.total == 0


def test_an_object_made_inside_that_keeps_a_tensor_is_refused():
    account = Account()

    class Entry:
        def __init__(self, value):
            self.value = value

    def keep(x):
        account.last = Entry(x)
        return x

    with pytest.raises(TypeError, match=r"`account.last` outlives the function"):
        tf.function(keep)(tf.constant(1))


def test_an_object_made_inside_that_may_keep_a_tensor_is_refused():
    account = Account()
    account.last = None

    def keep(x):
        entry = Account()
        entry.rows = [x]
        if x > 0:
            account.last = entry
        return x

    with pytest.raises(TypeError, match=r"`account.last` outlives the function"):
        tf.function(keep)(tf.constant(1))
    assert account.last is None


@pytest.mark.parametrize("made", [lambda: {"a": 1, "b": "x"}, lambda: [2], lambda: (3, 0.5)])
def test_a_list_of_numbers_of_python_that_a_branch_leaves(made):
    account = Account()
    account.last = None

    def keep(x):
        if x > 0:
            account.last = [made()]
        return x

    staged = tf.function(keep)
    for x, left in ((-1, None), (1, [made()]), (-2, [made()])):
        staged(tf.constant(x))
        assert account.last == left
        assert left is None or type(account.last[0]) is type(left[0])


def test_a_dict_that_may_gain_a_key_is_refused_and_put_back():
    account = Account()

    def keep(x):
        if x > 0:
            account.names["new"] = x
        return x

    with pytest.raises(TypeError, match="leaves keys in it only where"):
        tf.function(keep)(tf.constant(1))
    assert account.names == {"n": 0}


def test_a_list_returned_twice_is_one_list():
    def twice(x):
        row = [x, 0]
        return row, {"row": row}, [x, 0]

    first, second, other = tf.function(twice)(tf.constant(1))
    assert first is second["row"]
    assert first is not other


def item_of_a_tuple():
    kept = ([9, 0],)
    return lambda: kept[0]


def default_of_a_parameter():
    def get(row=[9, 0]):  # noqa: B006
        return row

    return get


def argument_of_a_partial():
    return functools.partial(lambda row: row, [9, 0])


WAYS = [item_of_a_tuple, default_of_a_parameter, argument_of_a_partial]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_a_list_that_a_place_takes_over_is_still_the_list_of_what_is_no_place(way):
    def results(run, number):
        row_of, account = way(), Account()

        def take_over(x):
            row = row_of()
            if x > 0:
                row[1] = x
            was_taken = account.log is row
            account.log = row
            return was_taken, row[1]

        run = run(take_over)
        return [[*map(plain, run(number(x)))] for x in (3, -3, 2)], account.log is row_of()

    expected = results(lambda function: function, int)
    assert expected == ([[False, 3], [True, 3], [True, 2]], True)
    assert results(tf.function, tf.constant) == expected
