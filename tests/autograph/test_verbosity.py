"""What is logged and printed at each level of verbosity."""

from __future__ import annotations

import logging

import pytest

import autograph


def test_verbosity(caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]) -> None:
    def f(x: int) -> int:
        return 1 if x else 2

    with caplog.at_level(logging.INFO, logger="autograph"):
        autograph.set_verbosity(3, alsologtostdout=True)
        try:
            autograph.to_graph(f)(12345)
        finally:
            autograph.set_verbosity(0)
    assert "converted" in caplog.text and "if_exp" in caplog.text
    assert "12345" not in caplog.text
    assert "if_exp" in capsys.readouterr().out
    with pytest.raises(ValueError, match="0 or more"):
        autograph.set_verbosity(-1)


def test_trace_prints(capsys: pytest.CaptureFixture[str]) -> None:
    autograph.trace("x", 3)
    assert capsys.readouterr().out == "x 3\n"
