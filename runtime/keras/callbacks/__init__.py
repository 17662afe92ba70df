"""Callbacks: what happens before and after epochs and batches."""

from runtime.keras.callbacks.callback import Callback as Callback
from runtime.keras.callbacks.callback import CallbackList as CallbackList
from runtime.keras.callbacks.callback import History as History
from runtime.keras.callbacks.callback import ProgbarLogger as ProgbarLogger
from runtime.keras.callbacks.callback import callback_list as callback_list
from runtime.keras.callbacks.callback import numbers as numbers
from runtime.keras.callbacks.monitors import EarlyStopping as EarlyStopping
from runtime.keras.callbacks.monitors import ModelCheckpoint as ModelCheckpoint
from runtime.keras.callbacks.others import LambdaCallback as LambdaCallback
from runtime.keras.callbacks.others import TensorBoard as TensorBoard
