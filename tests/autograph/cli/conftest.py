"""Trees of files to convert."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.autograph.cli import projects
from tests.autograph.cli.trees import CLIP, PLAIN


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Two packages deep, with a file to convert, one without, and one that is not Python."""
    (tmp_path / "src/pkg/deep").mkdir(parents=True)
    (tmp_path / "src/pkg/__init__.py").write_text("")
    (tmp_path / "src/pkg/clip.py").write_text(CLIP)
    (tmp_path / "src/pkg/plain.py").write_text(PLAIN)
    (tmp_path / "src/pkg/deep/clip.py").write_text(CLIP)
    (tmp_path / "src/pkg/table.csv").write_text("1,2\n")
    return tmp_path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository of Git with files to convert in several folders."""
    (tmp_path / ".git").mkdir()
    projects.write(tmp_path, "a.py", "pkg/b.py", "pkg/generated/c.py", "tests/d_pb2.py")
    return tmp_path
