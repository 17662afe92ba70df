"""A person who watches sees how far a run is."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.autograph.cli.processes import in_terminal


def test_a_person_who_watches_sees_a_progress_bar(tree: Path) -> None:
    shown = in_terminal([sys.executable, "-m", "autograph", "convert", "src", "-i"], tree)
    assert b"Converting" in shown
    assert b"2 converted, 2 unchanged" in shown
