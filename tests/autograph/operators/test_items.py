"""Items as values and targets: converted code does what Python does, once and in its order."""

from __future__ import annotations

from typing import Any

import pytest

import autograph
from autograph.operators.items import at, delete_item, get_item, method_of_container, set_item
from tests.autograph.tiny_library import Value, run


class Recorder:
    """Writes down each attribute and item that is read, set or deleted."""

    def __init__(self, log: list[str], name: str) -> None:
        self.__dict__["log"] = log
        self.__dict__["name"] = name

    def __getattr__(self, name: str) -> Any:
        self.log.append(f"{self.name}.{name}")
        return Recorder(self.log, f"{self.name}.{name}")

    def __setattr__(self, name: str, value: Any) -> None:
        self.log.append(f"{self.name}.{name} = {value}")

    def __getitem__(self, key: Any) -> Any:
        self.log.append(f"{self.name}[{key}]")
        return Recorder(self.log, f"{self.name}[{key}]")

    def __setitem__(self, key: Any, value: Any) -> None:
        self.log.append(f"{self.name}[{key}] = {value}")

    def __delitem__(self, key: Any) -> None:
        self.log.append(f"del {self.name}[{key}]")

    def __iadd__(self, other: Any) -> Any:
        self.log.append(f"{self.name} += {other}")
        return f"{self.name}+{other}"


def simple(a, say):
    a[say("i")] = say("v")


def nested(a, say):
    a[say("i")][say("j")] = say("v")


def attribute(a, say):
    a.x[say("i")] = say("v")


def long_path(a, say):
    a.x[say("i")].y[say("j")][say("k")] = say("v")


def augmented(a, say):
    a[say("i")] += say("v")


def augmented_path(a, say):
    a.x[say("i")][say("j")] += say("v")


def chained(a, say):
    a[say("i")] = a.x[say("j")] = b = say("v")
    return b


def several(a, say):
    a[say("i")], a.x[say("j")], (b, *a[say("k")]) = say("u"), say("v"), "wxy"
    return b


def names_between(a, say):
    i = 0
    i, a[i], a = 1, say("v"), say("b")
    return i


def swapped(a, say):
    a[say("i")], a[say("j")] = a[say("j")].name, a[say("i")].name


def in_for(a, say):
    for a[say("i")] in "xy":
        a[say("j")] = 1


def in_for_path(a, say):
    for a.x[say("i")] in "xy":
        pass


def deleted(a, say):
    del a[say("i")], a.x[say("j")][say("k")]


def annotated(a, say):
    a[say("i")]: int = say("v")
    a.x[say("j")]: int = say("w")


def sliced(a, say):
    a[say("i") : say("j")] = say("v")
    return a[say("i") : say("j")].name, a[say("i"), say("j")].name


def several_in_a_line(a, say):
    a[say("i")] = b = 1; a.x[say("j")] = b  # fmt: skip  # noqa: E702
    return b


PROGRAMS = (
    simple, nested, attribute, long_path, augmented, augmented_path, chained, several,
    names_between, swapped, in_for, in_for_path, deleted, annotated, sliced, several_in_a_line,
)  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_every_part_is_evaluated_once_in_the_order_of_python(program):
    def observed(function):
        log: list[str] = []

        def say(word):
            log.append(word)
            return word

        return function(Recorder(log, "a"), say), log

    assert observed(autograph.to_graph(program)) == observed(program)


def test_errors_are_those_of_python_without_frames_of_operators():
    def index(a, i):
        return a[i]

    def assign(a, i):
        a.x[i] = 1

    def update(a, i):
        a[i] += 1

    for program, a, i, kind in (
        (index, [1], 1, IndexError),
        (index, {}, "k", KeyError),
        (index, None, 0, TypeError),
        (assign, object(), 0, AttributeError),
        (update, (1,), 0, TypeError),
    ):
        with pytest.raises(kind) as plain:
            program(a, i)
        with pytest.raises(kind) as converted:
            autograph.to_graph(program)(a, i)
        assert str(converted.value) == str(plain.value)
        frames = [entry.path.name for entry in converted.traceback]
        assert "items.py" not in frames


def test_a_path_rebinds_what_holds_a_value_that_cannot_change():
    class Holder:
        w = Value([1, 2])

    holder = Holder()
    at(holder).w[0] = 5
    assert holder.w.held == [5, 2]
    rows = {"a": [Value([1, 2])]}
    at(rows)["a"][0][1] += 7
    assert rows["a"][0].held == [1, 9]


def test_a_path_leaves_objects_of_python_where_they_are():
    class Holder:
        stored = 0

        def __init__(self):
            self.rows = [1, 2]

        @property
        def w(self):
            return self.rows

        @w.setter
        def w(self, value):
            type(self).stored += 1

    holder = Holder()
    at(holder).w[0] = 5
    at(holder).w[0] += 1
    assert holder.rows == [6, 2]
    assert Holder.stored == 0


def test_a_path_without_a_holder_refuses_a_value_that_cannot_change():
    with pytest.raises(autograph.errors.StagingError, match=r"`x\[i, j\] = v`"):
        at(Value([1]))[0] = 2


@pytest.mark.parametrize("container", [[1, 2], (1, 2), {0: 1}, "ab", b"ab", range(2)])
def test_a_library_without_items_is_refused(container):
    with pytest.raises(autograph.errors.StagingError, match="cannot choose among Python values"):
        get_item(container, Value(0))


def test_a_library_without_items_is_refused_for_targets():
    for container in ([1, 2], {0: 1}):
        with pytest.raises(autograph.errors.StagingError, match="cannot choose"):
            set_item(container, Value(0), 5)


def test_a_library_without_items_is_refused_for_keys_of_methods():
    get = method_of_container({0: 1}.get)
    with pytest.raises(autograph.errors.StagingError, match="cannot choose"):
        get(Value(0), 5)
    assert get(0, Value(5)) == 1
    with pytest.raises(autograph.errors.StagingError, match="cannot choose"):
        delete_item({0: 1}, Value(0))


def test_objects_of_the_program_get_a_staged_index_themselves():
    class Table:
        def __getitem__(self, index):
            return index.held

        def __setitem__(self, index, value):
            self.set = index.held, value

    table = Table()
    assert get_item(table, Value(3)) == 3
    assert set_item(table, Value(3), 4) is table
    assert table.set == (3, 4)


def test_constant_indexes_and_types_stay_as_they_are():
    def program(a, i):
        b = list[int]
        return a[0], a["k"], a[-1], a[1:2], a[:], a[..., i], a[:, i], b

    assert "get_item" not in autograph.to_code(program)


class Box:
    def __init__(self, x: Any) -> None:
        self.x = x


@pytest.mark.parametrize(
    ("statement", "left"),
    [
        ("at(a)['k'][0][1] = 5", {"k": [[1, 5], (3, [4])]}),
        ("at(a)['k'][0] += [6]", {"k": [[1, 2, 6], (3, [4])]}),
        ("at(a)['k'][1][1][0] *= 2", {"k": [[1, 2], (3, [8])]}),
        ("at(a)['k'][0][:1] = 'xy'", {"k": [["x", "y", 2], (3, [4])]}),
        ("del at(a)['k'][0][0]", {"k": [[2], (3, [4])]}),
        ("del at(a)['k']", {}),
        ("at(a)[1, 2] = None", {"k": [[1, 2], (3, [4])], (1, 2): None}),
    ],
)
def test_paths_of_lists_and_dicts(statement: str, left: object) -> None:
    a = {"k": [[1, 2], (3, [4])]}
    exec(statement, {"at": at, "a": a})
    assert a == left


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        ("at(a)[0][7] = 5", "IndexError: list assignment index out of range"),
        ("at(a)[1][0] = 5", "TypeError: 'tuple' object does not support item assignment"),
        ("at(a).x[0] = 5", "AttributeError: 'list' object has no attribute 'x'"),
        ("at(a)[2][0] = 5", "TypeError: 'int' object does not support item assignment"),
        ("at(a)[0] -= [1]", "TypeError: unsupported operand type(s) for -=: 'list' and 'list'"),
        ("del at(a)[9]", "IndexError: list assignment index out of range"),
    ],
)
def test_errors_of_paths_are_those_of_python(statement: str, error: str) -> None:
    a = [[1], (2,), 3]
    with pytest.raises(Exception) as caught:
        exec(statement, {"at": at, "a": a})
    assert f"{caught.type.__name__}: {caught.value}" == error
    assert a == [[1], (2,), 3]
    with pytest.raises(Exception) as plain:
        exec(statement.replace("at(a)", "a"), {"a": a})
    assert str(plain.value) == str(caught.value)


def test_a_staged_value_in_a_list_is_replaced_in_the_list() -> None:
    a = {"k": [Value([1, 2])], "b": Box([Value([3])])}
    at(a)["k"][0][1] = 5
    at(a)["b"].x[0][0] = 6
    at(a)["k"] += [7]
    assert (a["k"][0].held, a["b"].x[0].held, a["k"][1]) == ([1, 5], [6], 7)


def test_items_are_assigned_to_a_new_value() -> None:
    text = "def f(xs, ys):\n    xs[0] = 7\n    ys[0] = 7\n    xs[1] += 1\n    return xs, ys\n"
    ys = [0, 0]
    assert run(text, Value([1, 2]), ys) == ([7, 3], [7, 0])
    assert ys == [7, 0]


def test_an_attribute_path_ends_at_a_number():
    class Box:
        pass

    box = Box()
    box.rows, box.total = [[1, 2], [3]], 4
    at(box).rows[0][1] += 5
    at(box).rows[1] = box.total
    assert box.rows == [[1, 7], 4]
    with pytest.raises(TypeError, match="'int' object does not support item assignment"):
        at(box).total[0] = 1
    with pytest.raises(TypeError, match="does not support item deletion"):
        del at(box).total[0]
