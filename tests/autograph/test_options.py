"""Options and features of a conversion."""

from __future__ import annotations

from typing import Any

import pytest

import autograph
from autograph import Feature


def absolute(x: Any) -> Any:
    y = 0
    if x > 0:
        y = x
    elif x < 0:
        y = -x
    return y


def test_features() -> None:
    for features in (Feature.ALL, [Feature.LISTS, Feature.NAME_SCOPES], None):
        assert autograph.to_graph(absolute, experimental_optional_features=features)(-1) == 1
    with pytest.raises(TypeError, match="is no feature"):
        autograph.to_graph(absolute, experimental_optional_features="ALL")  # type: ignore[arg-type]
    assert autograph.experimental.Feature is Feature
