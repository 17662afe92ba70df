"""What all tests share."""

from __future__ import annotations

import sys

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "sample",
    max_examples=12,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
settings.register_profile(
    "many", settings.get_profile("sample"), max_examples=1000, derandomize=False
)
settings.load_profile("sample")


@pytest.fixture(autouse=True)
def seeds_of_a_new_process() -> None:
    """Let `random.set_seed` decide weights, whichever test before called `set_random_seed`."""
    seeds = sys.modules.get("runtime.keras.base.seeds")
    if seeds is not None:
        seeds.SOURCE.is_python = False


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-golden",
        action="store_true",
        help="write what the golden cases become now into their files; read the difference",
    )
