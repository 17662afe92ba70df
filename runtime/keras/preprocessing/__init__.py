"""Names of `keras.preprocessing`; most programs find them in `keras.utils`."""

from runtime.keras.preprocessing import image as image
from runtime.keras.preprocessing import sequence as sequence
