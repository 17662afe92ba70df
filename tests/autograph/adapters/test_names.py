"""Each tensor library that an adapter stages has a name, and its values are found by it."""

from __future__ import annotations

import pytest

from autograph import staging
from autograph.adapters.names import ADAPTERS, TENSOR_LIBRARIES


@pytest.mark.parametrize("module", ADAPTERS)
def test_functions_of_a_library_with_an_adapter_are_not_converted(module: str) -> None:
    assert module in TENSOR_LIBRARIES


@pytest.mark.parametrize("module", ADAPTERS)
def test_an_adapter_is_loaded_for_the_classes_of_its_library(module: str) -> None:
    pytest.importorskip(module)
    library = staging.library_of_class(type("Value", (), {"__module__": f"{module}.values"}))
    assert library is ADAPTERS[module]()
