"""GPUs that an installed array library reports."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from runtime.core.machine import accelerators
from runtime.core.machine.accelerators import Accelerator, logical_cpu


@pytest.fixture
def installed(monkeypatch):
    """Replaces the libraries; those that are not named are not installed."""

    def only(**libraries):
        for name in ("cupy", "jax"):
            found = libraries.get(name)
            monkeypatch.setitem(sys.modules, name, found)
        spec = lambda name: libraries.get(name)  # noqa: E731
        monkeypatch.setattr(accelerators.importlib.util, "find_spec", spec)
        accelerators.accelerators.cache_clear()
        return accelerators.accelerators()

    yield only
    accelerators.accelerators.cache_clear()


def without_gpu(*_):
    raise RuntimeError("no GPU")


def test_without_a_library_there_is_none(installed):
    assert installed() == ()


def test_a_library_without_a_gpu_reports_none(installed):
    assert installed(jax=SimpleNamespace(devices=without_gpu)) == ()


def test_each_gpu_of_the_library_has_a_name(installed):
    found = installed(jax=SimpleNamespace(devices=lambda kind: ["a", "b"], numpy=np))
    assert [each.index for each in found] == [0, 1]
    assert found[1].name == "/job:localhost/replica:0/task:0/device:GPU:1"
    assert found[0].xp is np


def test_logical_cpus_share_memory_and_kernels():
    one = logical_cpu(1)
    array = np.ones(3)
    assert one.put(array) is array
    assert (one.kind, one.xp, one) == ("CPU", np, logical_cpu(1))
    assert one.name.endswith("/device:CPU:1")


def test_accelerators_differ_even_if_all_fields_agree():
    first, second = (Accelerator(0, np, np.asarray, np.asarray) for _ in range(2))
    assert first != second
