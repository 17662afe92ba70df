"""JPEG and PNG images, decoded and encoded by Pillow (extra `image`)."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.extras import load_extra
from runtime.core.opdef import STRING, DTypes, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.define import define_op
from runtime.ops.string_elements import invalid

_BYTE = DTypes("uint8", dtypes.uint8)
_DEPTHS = DTypes("uint8 or uint16", dtypes.uint8, dtypes.uint16)
_FORMATS = ("JPEG", "PNG", "GIF")
_MODES = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}

# ITU-R BT.601 luma in units of 1/32768, truncated: the weights of libpng's rgb_to_gray.
_GRAY = np.array([9797, 19234, 3737], np.uint32)
_GRAY_SHIFT = 15


def _image_spec(channels: int, dtype: DType) -> TensorSpec:
    return spec_of(dtype, (None, None, channels or None))


def _decode(xp: Any, contents: Any, channels: int, dtype: DType, ratio: int, function: str) -> Any:
    pillow = load_extra("PIL.Image", "image", function)
    if np.ndim(contents):
        raise invalid(f"`contents` must be scalar but got shape {list(np.shape(contents))}")
    data: bytes = contents if isinstance(contents, bytes) else contents[()]
    try:
        # Images of any size are decoded: the limit of Pillow's `open` is one of warnings.
        image = pillow.open(io.BytesIO(data), formats=_FORMATS)
        array = _pixels(image, channels, ratio)
    except pillow.UnidentifiedImageError:
        words = f"Unknown image file format of {len(data)} bytes. One of JPEG, PNG, GIF required."
        raise invalid(words) from None
    except (OSError, SyntaxError, ValueError) as error:
        raise invalid(f"Invalid image data, size {len(data)}: {error}") from None
    if dtype is dtypes.uint16 and array.dtype != np.uint16:
        raise invalid("decode_png with dtype uint16 takes gray images of 16 bits; use uint8.")
    return array if array.dtype == dtype.numpy_dtype else (array >> 8).astype(np.uint8)


def _pixels(image: Any, channels: int, ratio: int) -> Any:
    """Return the pixels, uint8, or uint16 of gray images of 16 bits."""
    if image.format == "JPEG":
        if channels == 4:
            raise ValueError("JPEG does not support 4 channels")
        # libjpeg itself scales, and gives the luma of an image as its gray values.
        size = image.width // ratio, image.height // ratio
        image.draft(_MODES[channels] if channels else image.mode, size)
        mode = _MODES.get(channels, "L" if image.mode == "L" else "RGB")
        return _rows(image.convert(mode))
    if image.format == "GIF":
        if channels not in (0, 3):
            raise ValueError(f"channels must be 0 or 3 for GIF, got {channels}")
        return _rows(image.convert("RGB"))
    if image.mode == "P":
        image = image.convert("RGBA" if "transparency" in image.info else "RGB")
    array = _rows(image.convert("L") if image.mode == "1" else image)
    return _with_channels(array, channels or array.shape[-1])


def _rows(image: Any) -> Any:
    array = np.asarray(image)
    return array.reshape(*array.shape[:2], -1)


def _with_channels(pixels: Any, channels: int) -> Any:
    """Convert between gray, gray with alpha, RGB and RGB with alpha."""
    have = pixels.shape[-1]
    if have == channels:
        return pixels
    color, alpha = (pixels[..., :-1], pixels[..., -1:]) if have in (2, 4) else (pixels, None)
    if channels >= 3 and color.shape[-1] == 1:
        color = np.repeat(color, 3, -1)
    elif channels < 3 and color.shape[-1] == 3:
        color = (color @ _GRAY >> _GRAY_SHIFT).astype(pixels.dtype)[..., None]
    if channels in (1, 3):
        return color
    opaque = np.full_like(color[..., :1], np.iinfo(pixels.dtype).max)
    return np.concatenate([color, opaque if alpha is None else alpha], -1)


def _buffer(image: Any, **options: Any) -> Any:
    buffer = io.BytesIO()
    image.save(buffer, **options)
    return np.array(buffer.getvalue(), object)


def _image_of(pixels: Any, function: str, channels: tuple[int, ...]) -> Any:
    pillow = load_extra("PIL.Image", "image", function)
    array = np.asarray(pixels)
    if array.ndim != 3 or array.shape[-1] not in channels:
        numbers = " or ".join(map(str, channels))
        raise invalid(
            f"image must have shape [height, width, channels] with {numbers} channels, got "
            f"{list(array.shape)}"
        )
    if not array.size:
        raise invalid(f"image must have pixels, got shape {list(array.shape)}")
    return pillow.fromarray(np.ascontiguousarray(array[..., 0] if array.shape[-1] == 1 else array))


def _encode_jpeg(
    xp: Any,
    image: Any,
    format: str,
    quality: int,
    progressive: bool,
    optimize_size: bool,
    subsampling: str,
    density: tuple[int, int],
) -> Any:
    wanted = {"grayscale": (1,), "rgb": (3,), "": (1, 3)}[format]
    return _buffer(
        _image_of(image, "encode_jpeg", wanted),
        format="JPEG",
        quality=quality,
        progressive=progressive,
        optimize=optimize_size,
        subsampling=subsampling,
        dpi=density,
    )


def png_of(pixels: Any) -> bytes:
    """Return an array of pixels as a PNG file; see `encode_png`.

    >>> png_of(np.zeros((2, 3, 4), np.uint8))[1:4]
    b'PNG'
    """
    return bytes(_encode_png(np, pixels, -1)[()])


def _encode_png(xp: Any, image: Any, compression: int) -> Any:
    array = np.asarray(image)
    if array.dtype == np.uint16 and array.shape[-1:] != (1,):
        raise invalid("encode_png takes uint16 images with 1 channel only; use uint8.")
    made = _image_of(array, "encode_png", (1, 2, 3, 4))
    return _buffer(made, format="PNG", compress_level=6 if compression < 0 else compression)


# The smallest PNG file: one black pixel.
_PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a"
    "49444154789c636000000002000148afa4710000000049454e44ae426082"
)
_DECODE = define_op(
    "DecodeImageFile",
    {"contents": STRING},
    lambda contents, channels, dtype, **attrs: _image_spec(channels, dtype),
    _decode,
    samples=(
        sample(_PIXEL, channels=3, dtype=dtypes.uint8, ratio=1, function="decode_png"),
        sample(_PIXEL, channels=0, dtype=dtypes.uint8, ratio=1, function="decode_jpeg"),
    ),
)
_STRING_SCALAR = spec_of(dtypes.string, ())
_ENCODE_JPEG = define_op(
    "EncodeJpeg",
    {"image": _BYTE},
    lambda image, **attrs: _STRING_SCALAR,
    _encode_jpeg,
    samples=(
        sample(
            np.zeros((2, 2, 3), np.uint8),
            format="",
            quality=95,
            progressive=False,
            optimize_size=False,
            subsampling="4:2:0",
            density=(300, 300),
        ),
    ),
)
_ENCODE_PNG = define_op(
    "EncodePng",
    {"image": _DEPTHS},
    lambda image, compression: _STRING_SCALAR,
    _encode_png,
    samples=(sample(np.zeros((2, 2, 1), np.uint8), compression=-1),),
)


def decode_jpeg(
    contents: TensorLike,
    channels: int = 0,
    ratio: int = 1,
    fancy_upscaling: bool = True,
    try_recover_truncated: bool = False,
    acceptable_fraction: float = 1,
    dct_method: str = "",
    name: str | None = None,
) -> Tensor:
    """Decode a JPEG, PNG or GIF image.

    Args:
      contents: bytes of the file, a string scalar.
      channels: 1 for gray, 3 for RGB, 4 for RGB with alpha (PNG alone), 0 for those of the file.
      ratio: the factor by which a JPEG image is made smaller, 1, 2, 4 or 8.
      fancy_upscaling, try_recover_truncated, acceptable_fraction: the defaults only.
      dct_method: "INTEGER_ACCURATE", or "" for the same.
      name: name for the operation.

    Returns:
      uint8 tensor of shape [height, width, channels].

    Raises:
      InvalidArgumentError: for data of other formats, damaged data, or other channels.
      ModuleNotFoundError: without Pillow; names the extra.

    >>> decode_jpeg(encode_jpeg(np.zeros((2, 3, 1), np.uint8))).shape
    TensorShape([2, 3, 1])
    """
    if (fancy_upscaling, try_recover_truncated, acceptable_fraction) != (True, False, 1):
        raise NotImplementedError(
            "decode_jpeg: fancy_upscaling, try_recover_truncated and acceptable_fraction have "
            "their defaults only; leave them out."
        )
    if dct_method not in ("", "INTEGER_ACCURATE"):
        raise NotImplementedError(
            f"decode_jpeg: dct_method is 'INTEGER_ACCURATE', not {dct_method!r}; leave it out."
        )
    if ratio not in (1, 2, 4, 8):
        raise invalid(f"ratio must be 1, 2, 4, or 8, got {ratio}")
    _require_channels(channels)
    return _DECODE(
        contents,
        channels=channels,
        dtype=dtypes.uint8,
        ratio=ratio,
        function="decode_jpeg",
        name=name,
    )


def decode_png(
    contents: TensorLike, channels: int = 0, dtype: Any = dtypes.uint8, name: str | None = None
) -> Tensor:
    """Decode a PNG, JPEG or GIF image.

    Args:
      contents: bytes of the file, a string scalar.
      channels: as in `decode_jpeg`.
      dtype: uint8, or uint16 for gray images of 16 bits.
      name: name for the operation.

    Returns:
      Tensor of shape [height, width, channels].

    Raises:
      InvalidArgumentError: for data of other formats, damaged data, or other channels.
      ModuleNotFoundError: without Pillow; names the extra.

    >>> pixels = np.arange(6, dtype=np.uint8).reshape(2, 3, 1)
    >>> print(decode_png(encode_png(pixels)).numpy()[..., 0])
    [[0 1 2]
     [3 4 5]]
    """
    kind = dtypes.as_dtype(dtype)
    if kind not in (dtypes.uint8, dtypes.uint16):
        raise TypeError(f"decode_png: dtype must be uint8 or uint16, not {kind.name}")
    _require_channels(channels)
    return _DECODE(
        contents, channels=channels, dtype=kind, ratio=1, function="decode_png", name=name
    )


def _require_channels(channels: int) -> None:
    if channels not in (0, 1, 3, 4):
        raise invalid(f"`channels` must be 0, 1, 3 or 4 but got {channels}")


def encode_jpeg(
    image: TensorLike,
    format: str = "",
    quality: int = 95,
    progressive: bool = False,
    optimize_size: bool = False,
    chroma_downsampling: bool = True,
    density_unit: str = "in",
    x_density: int = 300,
    y_density: int = 300,
    xmp_metadata: str = "",
    name: str | None = None,
) -> Tensor:
    """Encode an image as JPEG.

    Args:
      image: uint8 tensor of shape [height, width, 1 or 3].
      format: "grayscale", "rgb", or "" for what the channels say.
      quality: from 0 to 100.
      progressive: whether the file is progressive.
      optimize_size: whether a second pass makes the file smaller.
      chroma_downsampling: whether color has half the resolution (4:2:0).
      density_unit, x_density, y_density: pixels per unit, "in" or "cm".
      xmp_metadata: the default only.
      name: name for the operation.

    Returns:
      The bytes of the file, a string scalar.

    Raises:
      InvalidArgumentError: for other shapes.
      ModuleNotFoundError: without Pillow; names the extra.

    >>> encode_jpeg(np.zeros((2, 3, 3), np.uint8)).numpy()[:2]
    b'\\xff\\xd8'
    """
    if xmp_metadata:
        raise NotImplementedError("encode_jpeg writes no XMP metadata: leave xmp_metadata out.")
    if format not in ("", "grayscale", "rgb"):
        raise invalid(f"format must be 'grayscale', 'rgb' or '', not {format!r}")
    if density_unit not in ("in", "cm"):
        raise invalid(f"density_unit must be 'in' or 'cm', not {density_unit!r}")
    scale = 2.54 if density_unit == "cm" else 1
    return _ENCODE_JPEG(
        image,
        format=format,
        quality=quality,
        progressive=progressive,
        optimize_size=optimize_size,
        subsampling="4:2:0" if chroma_downsampling else "4:4:4",
        density=(round(x_density * scale), round(y_density * scale)),
        name=name,
    )


def encode_png(image: TensorLike, compression: int = -1, name: str | None = None) -> Tensor:
    """Encode an image as PNG.

    Args:
      image: uint8 tensor of shape [height, width, channels] with 1 to 4 channels, or uint16 with 1.
      compression: from 0 (fast) to 9 (small); -1 is 6.
      name: name for the operation.

    Returns:
      The bytes of the file, a string scalar.

    Raises:
      InvalidArgumentError: for other shapes.
      ModuleNotFoundError: without Pillow; names the extra.

    >>> encode_png(np.zeros((2, 3, 4), np.uint8)).numpy()[1:4]
    b'PNG'
    """
    if not -1 <= compression <= 9:
        raise invalid(f"compression should be in [-1,9], got {compression}")
    return _ENCODE_PNG(image, compression=compression, name=name)
