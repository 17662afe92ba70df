"""A change of an object that cannot be state is refused by its name."""

import pytest

from autograph import StagingError
from autograph.reach.walk import Reach


class Tags(set):
    pass


@pytest.mark.parametrize(
    ("value", "change"),
    [
        (Tags({1}), lambda value: value.add(2)),
        (bytearray(2), lambda value: value.append(1)),
        (iter([1, 2]), next),
        (memoryview(bytearray(2)), lambda value: value.__setitem__(0, 1)),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_cannot_be_state_is_refused_by_name(value, change):
    reach = Reach([], {"value": value})
    change(value)
    with pytest.raises(StagingError, match="`value`"):
        reach.changed()
