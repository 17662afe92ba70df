"""Data sets, read from local files in the formats of Keras."""

from runtime.keras.datasets import cifar10 as cifar10
from runtime.keras.datasets import fashion_mnist as fashion_mnist
from runtime.keras.datasets import mnist as mnist
