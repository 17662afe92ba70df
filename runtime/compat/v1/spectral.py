"""`compat.v1.spectral`: Fourier transforms."""

from runtime.ops.fourier import fft as fft
from runtime.ops.fourier import fft2d as fft2d
from runtime.ops.fourier import fft3d as fft3d
from runtime.ops.fourier import ifft as ifft
from runtime.ops.fourier import ifft2d as ifft2d
from runtime.ops.fourier import ifft3d as ifft3d
from runtime.ops.fourier import irfft as irfft
from runtime.ops.fourier import irfft2d as irfft2d
from runtime.ops.fourier import irfft3d as irfft3d
from runtime.ops.fourier import rfft as rfft
from runtime.ops.fourier import rfft2d as rfft2d
from runtime.ops.fourier import rfft3d as rfft3d
