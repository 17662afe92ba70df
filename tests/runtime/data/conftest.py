"""Files that datasets read."""

import pytest


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Write files of texts into the working directory."""
    monkeypatch.chdir(tmp_path)

    def write(**texts):
        for name, text in texts.items():
            data = text.encode() if isinstance(text, str) else text
            (tmp_path / name.replace("_", ".")).write_bytes(data)

    return write
