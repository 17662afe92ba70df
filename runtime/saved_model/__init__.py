"""`runtime.saved_model`: models in folders, which run without the program that made them."""

from runtime.core import namespaces
from runtime.saved_model.assets import Asset as Asset
from runtime.saved_model.loading import load as load
from runtime.saved_model.saving import SaveOptions as SaveOptions
from runtime.saved_model.saving import save as save


def __dir__() -> list[str]:
    """Return the public names."""
    return namespaces.public_names(globals())
