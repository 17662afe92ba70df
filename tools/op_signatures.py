"""Writes the rows of runtime/export/signature_table.py; needs TensorFlow, whose op types they are.

    python -m tools.op_signatures [OP_TYPE ...]

The rows are those of the op types that the table has, and of those named.
"""

from __future__ import annotations

import importlib
import sys
import textwrap
from pathlib import Path
from typing import Any

from runtime.export import signature_table

_WIDTH = 96


def _value(kind: str, held: Any, dtype_name: Any) -> str:
    if kind in "bi":
        return str(getattr(held, kind)).lower()
    if kind == "s":
        text: str = held.s.decode()
        return '"' + text.replace("\n", "\\n") + '"'
    if kind == "type":
        return str(dtype_name(held.type))
    if kind == "shape":
        return "[...]" if held.shape.unknown_rank else str([dim.size for dim in held.shape.dim])
    if kind == "list":
        items = [str(item) for item in (*held.list.i, *held.list.f)]
        items += [str(dtype_name(item)) for item in held.list.type]
        return "{" + ",".join(items) + "}"
    return format(float(getattr(held, kind)), "g")


def _port(arg: Any, dtype_name: Any) -> str:
    if arg.type_list_attr:
        return f"{arg.name}:*{arg.type_list_attr}"
    kind = arg.type_attr or dtype_name(arg.type)
    return f"{arg.name}:{arg.number_attr}*{kind}" if arg.number_attr else f"{arg.name}:{kind}"


def _row(op: Any, dtype_name: Any) -> str:
    attrs = []
    for attr in op.attr:
        text = f"{attr.name}:{attr.type}"
        if attr.HasField("default_value"):
            held = attr.default_value
            text += f"={_value(held.WhichOneof('value'), held, dtype_name)}"
        attrs.append(text)
    inputs = " ".join(_port(arg, dtype_name) for arg in op.input_arg)
    outputs = " ".join(_port(arg, dtype_name) for arg in op.output_arg)
    row = " ".join(f"{op.name} | {inputs} | {outputs} | {' '.join(attrs)}".split())
    lines = textwrap.wrap(
        row, _WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(lines)


def table(names: set[str]) -> str:
    """The rows of the op types that TensorFlow has among these names."""
    tensorflow: Any = importlib.import_module("tensorflow")
    registry: Any = importlib.import_module("tensorflow.python.framework.op_def_registry")

    def dtype_name(number: int) -> str:
        return str(tensorflow.as_dtype(number).name)

    found = [registry.get(name) for name in sorted(names)]
    there = [op for op in found if op is not None and not op.HasField("deprecation")]
    return "\n".join(_row(op, dtype_name) for op in there)


def main() -> None:
    """Writes the table anew."""
    path = Path(signature_table.__file__)
    text = path.read_text()
    head, rows, tail = text.partition('r"""\n')[0], signature_table.TABLE, '"""\n'
    known = {row.partition(" ")[0] for row in rows.splitlines() if row[:1].isalpha()}
    path.write_text(f'{head}r"""\n{table(known | set(sys.argv[1:]))}\n{tail}')


if __name__ == "__main__":
    main()
