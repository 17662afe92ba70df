"""Models: subclassed, functional and sequential."""

from runtime.keras import families
from runtime.keras.base.input import Input as Input
from runtime.keras.models.model import Functional as Functional
from runtime.keras.models.model import Model as Model
from runtime.keras.models.model import clone_model as clone_model
from runtime.keras.models.model import model_from_json as model_from_json
from runtime.keras.models.sequential import Sequential as Sequential
from runtime.keras.saving.archive import load_model as load_model

__dir__, __getattr__ = families.namespace(globals(), "use the methods of `keras.Model`")
