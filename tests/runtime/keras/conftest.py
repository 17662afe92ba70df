"""A local cache of files."""

import pytest


@pytest.fixture
def home(tmp_path, monkeypatch):
    """The folder of the local cache that data sets are read from."""
    monkeypatch.setenv("KERAS_HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "datasets").mkdir(parents=True)
    return tmp_path / "home" / "datasets"
