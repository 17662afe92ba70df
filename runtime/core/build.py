"""How the package was built: there is nothing in it that a compiler made."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path


def get_build_info() -> OrderedDict[str, bool]:
    """For which devices the package was compiled: for none, it is Python.

    GPUs are those of CuPy and JAX, which know how they were built.

    >>> get_build_info()["is_cuda_build"]
    False
    """
    return OrderedDict(is_cuda_build=False, is_rocm_build=False, is_tensorrt_build=False)


def get_compile_flags() -> list[str]:
    """What a compiler has to be told to find headers of the package: nothing, there are none.

    >>> get_compile_flags()
    []
    """
    return []


def get_link_flags() -> list[str]:
    """What a linker has to be told to find libraries of the package: nothing, there are none.

    >>> get_link_flags()
    []
    """
    return []


def get_lib() -> str:
    """The folder of the package.

    >>> from pathlib import Path
    >>> Path(get_lib(), "sysconfig.py").exists()
    True
    """
    return str(Path(__file__).parent.parent)
