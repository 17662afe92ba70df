from runtime.saved_model.assets import Asset as Asset
from runtime.saved_model.loading import load as load
from runtime.saved_model.saving import SaveOptions as SaveOptions
from runtime.saved_model.saving import save as save
