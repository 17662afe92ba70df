"""Numbers in the text of messages."""

import pytest

from runtime.export.messages import AttrValue


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.1, "0.1"),
        (1.0, "1"),
        (1e10, "1e+10"),
        (123456789.0, "123456792"),
        (float("inf"), "inf"),
        (float("-inf"), "-inf"),
        (float("nan"), "nan"),
        (-0.0, "-0"),
    ],
)
def test_text_of_floats(number, text):
    assert str(AttrValue(f=number)) == f"f: {text}\n"
