"""`runtime.io`: files, and tensors as bytes."""

from autograph import namespaces

_SPARSE = ("deserialize_many_sparse", "serialize_many_sparse", "serialize_sparse")


def _absent(name: str) -> AttributeError:
    text = f"module 'runtime.io' has no attribute {name!r}"
    if name in _SPARSE:
        text += ": tensors are dense here. Use `io.serialize_tensor`."
    return AttributeError(text, name=name)


__getattr__, __dir__, __all__ = namespaces.on_demand(__name__, _absent)
