from runtime.ops.signal.cosine_transforms import dct as dct
from runtime.ops.signal.cosine_transforms import idct as idct
from runtime.ops.signal.cosine_transforms import inverse_mdct as inverse_mdct
from runtime.ops.signal.cosine_transforms import (
    linear_to_mel_weight_matrix as linear_to_mel_weight_matrix,
)
from runtime.ops.signal.cosine_transforms import mdct as mdct
from runtime.ops.signal.cosine_transforms import (
    mfccs_from_log_mel_spectrograms as mfccs_from_log_mel_spectrograms,
)
from runtime.ops.signal.fourier import fft as fft
from runtime.ops.signal.fourier import fft2d as fft2d
from runtime.ops.signal.fourier import fft3d as fft3d
from runtime.ops.signal.fourier import fftshift as fftshift
from runtime.ops.signal.fourier import ifft as ifft
from runtime.ops.signal.fourier import ifft2d as ifft2d
from runtime.ops.signal.fourier import ifft3d as ifft3d
from runtime.ops.signal.fourier import ifftshift as ifftshift
from runtime.ops.signal.fourier import irfft as irfft
from runtime.ops.signal.fourier import irfft2d as irfft2d
from runtime.ops.signal.fourier import irfft3d as irfft3d
from runtime.ops.signal.fourier import rfft as rfft
from runtime.ops.signal.fourier import rfft2d as rfft2d
from runtime.ops.signal.fourier import rfft3d as rfft3d
from runtime.ops.signal.fourier_nd import signal_fftnd, signal_ifftnd, signal_irfftnd, signal_rfftnd
from runtime.ops.signal.frames import frame as frame
from runtime.ops.signal.frames import hamming_window as hamming_window
from runtime.ops.signal.frames import hann_window as hann_window
from runtime.ops.signal.frames import inverse_stft as inverse_stft
from runtime.ops.signal.frames import inverse_stft_window_fn as inverse_stft_window_fn
from runtime.ops.signal.frames import kaiser_bessel_derived_window as kaiser_bessel_derived_window
from runtime.ops.signal.frames import kaiser_window as kaiser_window
from runtime.ops.signal.frames import overlap_and_add as overlap_and_add
from runtime.ops.signal.frames import stft as stft
from runtime.ops.signal.frames import vorbis_window as vorbis_window

fftnd = signal_fftnd
ifftnd = signal_ifftnd
irfftnd = signal_irfftnd
rfftnd = signal_rfftnd
