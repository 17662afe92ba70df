import dataclasses
import math

import pytest

import autograph
import runtime as tf
from autograph.conversion.generated_comparisons import write_comparisons


def classes():
    """The same classes, defined anew: writing out changes the code of their functions."""

    @dataclasses.dataclass(order=True)
    class Item:
        cost: object
        key: object = 0
        note: object = dataclasses.field(default="", compare=False)

    @dataclasses.dataclass
    class Child(Item):
        more: object = 0

    @dataclasses.dataclass(order=True)
    class Empty:
        pass

    return Item, Child, Empty


def outcomes(item, child, empty):
    """What all comparisons of some objects give, or the error."""
    nan = math.nan
    objects = [
        *(item(1), item(1, 0, "other"), item(1, 2), item(2, 0), item(nan), item([nan, 1])),
        *(child(1), child(1, 0, "", 5), empty(), empty(), 1, None),
    ]
    results = []
    for left in objects:
        for right in objects:
            results += [left == right, left != right]
            for name in ("__lt__", "__le__", "__gt__", "__ge__"):
                try:
                    results.append(getattr(left, name)(right))
                except (TypeError, AttributeError) as error:
                    results.append(str(error))
    return results


def test_written_comparisons_do_what_generated_ones_do():
    generated, written = classes(), classes()
    for kind in written:
        write_comparisons(kind)
    for one, other in zip(generated, written, strict=True):
        assert one.__eq__.__code__ != other.__eq__.__code__
    assert outcomes(*written) == outcomes(*generated)


def test_a_field_may_have_the_name_of_an_attribute_of_all_classes():
    @dataclasses.dataclass(init=False)
    class Context:
        __module__: object
        value: object

        def __init__(self, module, value):
            self.__module__, self.value = module, value

    write_comparisons(Context)
    assert Context("a", 1) == Context("a", 1) != Context("b", 1)


def test_an_own_comparison_stays():
    space = autograph.exec(
        "import dataclasses\n"
        "@dataclasses.dataclass\n"
        "class Own:\n"
        "    x: int\n"
        "    def __eq__(self, other):\n"
        "        return self.x + 1 == other.x\n"
    )
    code = space["Own"].__eq__.__code__
    write_comparisons(space["Own"])
    assert space["Own"].__eq__.__code__ is code


def test_a_class_without_fields_stays():
    class Plain:
        def __eq__(self, other):
            return True

    code = Plain.__eq__.__code__
    write_comparisons(Plain)
    assert Plain.__eq__.__code__ is code


def test_a_tensor_decides_a_comparison_of_data_objects():
    item, _, _ = classes()

    @tf.function
    def least(xs):
        best = item(100, -1)
        for i, x in enumerate(xs):
            if item(x, i) < best:
                best = item(x, i)
        return best.key, item(xs[0]) == item(3)

    place, equal = least(tf.constant([3, 1, 2]))
    assert (int(place), bool(equal)) == (1, True)


@pytest.mark.parametrize("value", [3, 4])
def test_an_object_of_the_program_is_found_by_its_own_comparison(value):
    item, _, _ = classes()

    @tf.function
    def found(x):
        items = [item(1), item(3)]
        return item(x) in items, item(x) not in items

    inside, outside = found(tf.constant(value))
    assert (bool(inside), bool(outside)) == (value == 3, value != 3)


@pytest.mark.parametrize("value", [3, 4])
def test_containers_of_objects_are_compared_by_their_own_comparison(value):
    item, _, _ = classes()

    @tf.function
    def compared(x):
        row, other = [item(x), 2], [item(3), 2]
        return row == other, (row[0], 1) != (other[0], 1), {"a": row} == {"a": other}

    assert [*map(bool, compared(tf.constant(value)))] == [value == 3, value != 3, value == 3]
