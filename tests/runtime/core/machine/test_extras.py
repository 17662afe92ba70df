"""Optional libraries."""

import sys

import pytest

from runtime.core.machine.extras import load_extra


def test_a_library_that_is_there_is_loaded():
    assert load_extra("json.decoder", "image", "decode_png") is sys.modules["json.decoder"]


def test_one_that_is_missing_names_the_extra_that_installs_it():
    with pytest.raises(ModuleNotFoundError, match=r'^f needs nowhere: pip install ".*\[plot\]"$'):
        load_extra("nowhere.at.all", "plot", "f")


def test_a_library_that_lacks_one_of_its_own_says_so_itself(tmp_path, monkeypatch):
    (tmp_path / "incomplete.py").write_text("import nowhere")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="No module named 'nowhere'"):
        load_extra("incomplete", "plot", "f")
