"""Names of `keras.preprocessing`."""

from runtime.keras.preprocessing import image as image
from runtime.keras.preprocessing import sequence as sequence
