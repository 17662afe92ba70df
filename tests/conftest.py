"""What all tests share."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-golden",
        action="store_true",
        help="write what the golden cases become now into their files; read the difference",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out what takes minutes, unless marks are asked for by name."""
    if config.getoption("-m"):
        return
    left_out = pytest.mark.skip(reason="takes minutes; run with -m slow")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(left_out)
