"""Programs that the tests of the command line convert, and what is in a folder."""

from __future__ import annotations

from pathlib import Path

import autograph

CLIP = """\
def clip(x, limit):
    # keeps x below limit
    if x > limit:
        x = limit
    return x
"""
PLAIN = "ANSWER = 42  # nothing to convert\n"
STAYS = """\
def totals(stream):
    result = 0
    for x in stream:
        result += x
        yield result
"""
NET = f"""{CLIP}

class Net:
    def call(self, x):
        if x:
            x = 1
        return x
"""


def converted(text: str) -> str:
    return autograph.convert_source(text)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
