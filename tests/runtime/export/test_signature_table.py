"""The rows that transcribe TensorFlow's registry."""

import pytest

from runtime.export.signature_table import TABLE
from runtime.export.signatures import parsed

ROWS = TABLE.strip().replace("\n    ", " ").splitlines()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.split()[0])
def test_a_type_with_a_default_is_that_of_an_input_or_output(row):
    """A line that continues the wrong row gives its op an attribute that TensorFlow refuses."""
    found = parsed(row)
    used = {port.type_attr for port in (*found.inputs, *found.outputs)}
    own = {name for name, kind in found.kinds.items() if kind == "type" and name in found.defaults}
    assert own <= used
