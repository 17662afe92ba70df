"""The examples of methods name the class that has them: `Dataset`, defined after its bases."""

import pytest

from runtime.data.dataset import Dataset


@pytest.fixture(autouse=True)
def _dataset(doctest_namespace: dict[str, object]) -> None:
    doctest_namespace["Dataset"] = Dataset
