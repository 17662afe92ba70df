"""Conversions of functions on disk: the converter's parsers take longer to import than all else.

A conversion depends on the text, on what surrounds it, on the converter and on Python; see
`autograph.code_cache` for that of whole modules.
"""

from __future__ import annotations

import marshal
import sys

from autograph.code_cache import converter_version
from autograph.conversion_result import Conversion, Enclosing, Refusal
from autograph.stored import Store, key_of

STORE = Store("conversions", 10_000)


def convert(text: str, filename: str, enclosing: Enclosing) -> Conversion:
    """Return the conversion of a function's text, from disk if it is there.

    Like bytecode, nothing is written where `sys.dont_write_bytecode` is true.

    Args:
      text: the definition of the function.
      filename: the file name in error messages.
      enclosing: the context of the function.

    Raises:
      ConversionError: if the text is not Python.
    """
    key = key_of(text, repr(_sorted(enclosing)), converter_version(), sys.version)
    stored = STORE.load(key)
    if stored is not None:
        return _loaded(stored)
    # Import late: its parsers take longer to import than everything else together.
    from autograph import pipeline

    made = pipeline.convert_text(
        text, filename=filename, header=False, positions=True, enclosing=enclosing
    )
    if not sys.dont_write_bytecode:
        STORE.store(key, _dumped(made))
    return made


def _sorted(enclosing: Enclosing) -> tuple[object, ...]:
    sets = (enclosing.free, enclosing.plain, enclosing.bound, enclosing.partial)
    return (enclosing.class_name, enclosing.annotates, *map(sorted, sets))


def _dumped(made: Conversion) -> bytes:
    refusals = [
        (each.line, each.col, each.end_line, each.end_col, each.construct, each.reason, each.remedy)
        for each in made.refusals
    ]
    return marshal.dumps((made.text, made.changed, made.spans, refusals, made.operators))


def _loaded(data: bytes) -> Conversion:
    text, changed, spans, refusals, operators = marshal.loads(data)
    return Conversion(text, changed, spans, tuple(Refusal(*each) for each in refusals), operators)
