"""Inputs, outputs and attributes of op types in a GraphDef."""

from runtime.core import dtypes
from runtime.export.signature_table import TABLE
from runtime.export.signatures import Port, parsed, signature

ROWS = TABLE.strip().replace("\n    ", " ").splitlines()


def test_a_row_states_ports_kinds_and_defaults():
    found = parsed(
        "Op | x:N*T y:int32 | z:*Tout | N:int T:type=float32 Tout:list(type) a:shape=[1]"
    )
    assert found.inputs == (
        Port("x", type_attr="T", number_attr="N"),
        Port("y", dtypes.int32),
    )
    assert found.outputs == (Port("z", list_attr="Tout"),)
    assert found.kinds == {"N": "int", "T": "type", "Tout": "list(type)", "a": "shape"}
    assert found.defaults == {"T": dtypes.float32, "a": (1,)}
    assert found.inferred == {"N", "T"}


def test_elementwise_ops_need_no_row():
    found = signature("Sin")
    assert "Sin" not in {row.split()[0] for row in ROWS}
    assert (found.inputs, found.outputs) == (
        (Port("x", type_attr="T"),),
        (Port("y", type_attr="T"),),
    )


def test_what_tensorflow_lacks_has_no_signature():
    assert signature("RaiseWhen") is None
    assert signature("NoSuchOp") is None
