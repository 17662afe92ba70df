"""JPEG and PNG images, decoded and encoded by Pillow (extra `image`)."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, Namespace
from runtime.core.dtypes import DType
from runtime.core.machine.extras import load_extra
from runtime.core.opdef import STRING, DTypes, sample
from runtime.core.spec import spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.define import define_op
from runtime.ops.strings.elements import invalid

_BYTE = DTypes("uint8", dtypes.uint8)
_FORMATS = ("JPEG", "PNG", "GIF")
_MODES = {1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}

# ITU-R BT.601 luma in units of 1/32768, truncated: the weights of libpng's rgb_to_gray.
_GRAY = np.array([9797, 19234, 3737], np.uint32)
_GRAY_SHIFT = 15


def _decode(xp: Namespace, contents: Array, channels: int, dtype: DType, function: str) -> Any:
    pillow = load_extra("PIL.Image", "image", function)
    if np.ndim(contents):
        raise invalid(f"`contents` must be scalar but got shape {list(np.shape(contents))}")
    data: bytes = contents if isinstance(contents, bytes) else contents[()]
    try:
        # Images of any size are decoded: the limit of Pillow's `open` is one of warnings.
        image = pillow.open(io.BytesIO(data), formats=_FORMATS)
        array = _pixels(image, channels)
    except pillow.UnidentifiedImageError:
        words = f"Unknown image file format of {len(data)} bytes. One of JPEG, PNG, GIF required."
        raise invalid(words) from None
    except (OSError, SyntaxError, ValueError) as error:
        raise invalid(f"Invalid image data, size {len(data)}: {error}") from None
    if dtype is dtypes.uint16 and array.dtype != np.uint16:
        raise invalid("decode_png with dtype uint16 takes gray images of 16 bits; use uint8.")
    return array if array.dtype == dtype.numpy_dtype else (array >> 8).astype(np.uint8)


def _pixels(image: Array, channels: int) -> Any:
    """Return the pixels, uint8, or uint16 of gray images of 16 bits."""
    if image.format == "JPEG":
        if channels == 4:
            raise ValueError("JPEG does not support 4 channels")
        # libjpeg itself gives the luma of an image as its gray values.
        image.draft(_MODES[channels] if channels else image.mode, image.size)
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


def _rows(image: object) -> Any:
    array = np.asarray(image)
    return array.reshape(*array.shape[:2], -1)


def _with_channels(pixels: Array, channels: int) -> Any:
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


def _file_of(pixels: Array, channels: tuple[int, ...], **options: object) -> bytes:
    """Return pixels as a file; `options` are those of Pillow's `save`."""
    pillow = load_extra("PIL.Image", "image", f"a {options['format']} file")
    if pixels.ndim != 3 or pixels.shape[-1] not in channels or not pixels.size:
        numbers = " or ".join(map(str, channels))
        raise invalid(
            f"image must have shape [height, width, channels] with {numbers} channels and one "
            f"pixel at least, got {list(pixels.shape)}"
        )
    image = pillow.fromarray(
        np.ascontiguousarray(pixels[..., 0] if pixels.shape[-1] == 1 else pixels)
    )
    buffer = io.BytesIO()
    image.save(buffer, **options)
    return buffer.getvalue()


def png_of(pixels: object) -> bytes:
    """Return uint8 pixels of shape [height, width, channels] as a PNG file.

    >>> png_of(np.zeros((2, 3, 4), np.uint8))[1:4]
    b'PNG'
    """
    return _file_of(pixels, (1, 2, 3, 4), format="PNG")


def _encode_jpeg(xp: object, image: object, format: str, quality: int) -> Any:
    wanted = {"grayscale": (1,), "rgb": (3,), "": (1, 3)}[format]
    options = {"quality": quality, "subsampling": "4:2:0", "dpi": (300, 300)}
    return np.array(_file_of(image, wanted, format="JPEG", **options), object)


# The smallest PNG file: one black pixel.
_PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a"
    "49444154789c636000000002000148afa4710000000049454e44ae426082"
)
_DECODE = define_op(
    "DecodeImageFile",
    {"contents": STRING},
    lambda contents, channels, dtype, **attrs: spec_of(dtype, (None, None, channels or None)),
    _decode,
    samples=(
        sample(_PIXEL, channels=3, dtype=dtypes.uint8, function="decode_png"),
        sample(_PIXEL, channels=0, dtype=dtypes.uint8, function="decode_jpeg"),
    ),
)
_ENCODE_JPEG = define_op(
    "EncodeJpeg",
    {"image": _BYTE},
    lambda image, **attrs: spec_of(dtypes.string, ()),
    _encode_jpeg,
    samples=(sample(np.zeros((2, 2, 3), np.uint8), format="", quality=95),),
)


def decode_jpeg(contents: TensorLike, channels: int = 0, *, name: str | None = None) -> Tensor:
    """Decode a JPEG, PNG or GIF image.

    Args:
      contents: bytes of the file, a string scalar.
      channels: 1 for gray, 3 for RGB, 4 for RGB with alpha (PNG alone), 0 for those of the file.

    Returns: uint8 tensor of shape [height, width, channels].
    Raises:
      InvalidArgumentError: for data of other formats, damaged data, or other channels.
      ModuleNotFoundError: without Pillow; names the extra.

    >>> decode_jpeg(encode_jpeg(np.zeros((2, 3, 1), np.uint8))).shape
    TensorShape([2, 3, 1])
    """
    return _decoded(contents, channels, dtypes.uint8, "decode_jpeg", name)


def decode_png(
    contents: TensorLike, channels: int = 0, dtype: object = dtypes.uint8, name: str | None = None
) -> Tensor:
    """Decode a PNG, JPEG or GIF image; arguments and errors are those of `decode_jpeg`.

    Args:
      contents, channels, name: as in `decode_jpeg`.
      dtype: uint8, or uint16 for gray images of 16 bits.

    Returns:
      Tensor of shape [height, width, channels] and dtype `dtype`.

    Raises:
      TypeError: for another dtype.
      InvalidArgumentError, ModuleNotFoundError: as for `decode_jpeg`.

    >>> pixels = np.arange(6, dtype=np.uint8).reshape(2, 3, 1)
    >>> print(decode_png(png_of(pixels)).numpy()[..., 0])
    [[0 1 2]
     [3 4 5]]
    """
    kind = dtypes.as_dtype(dtype)
    if kind not in (dtypes.uint8, dtypes.uint16):
        raise TypeError(f"decode_png: dtype must be uint8 or uint16, not {kind.name}")
    return _decoded(contents, channels, kind, "decode_png", name)


def _decoded(
    contents: TensorLike, channels: int, dtype: DType, function: str, name: str | None
) -> Tensor:
    if channels not in (0, 1, 3, 4):
        raise invalid(f"`channels` must be 0, 1, 3 or 4 but got {channels}")
    return _DECODE(contents, channels=channels, dtype=dtype, function=function, name=name)


def encode_jpeg(
    image: TensorLike, format: str = "", quality: int = 95, *, name: str | None = None
) -> Tensor:
    """Encode an image as JPEG, color with half the resolution (4:2:0).

    Args:
      image: uint8 tensor of shape [height, width, 1 or 3].
      format: "grayscale", "rgb", or "" for what the channels say.
      quality: from 0 to 100.

    Returns: The bytes of the file, a string scalar.
    Raises:
      InvalidArgumentError: for other shapes.
      ModuleNotFoundError: without Pillow; names the extra.

    >>> encode_jpeg(np.zeros((2, 3, 3), np.uint8)).numpy()[:2]
    b'\\xff\\xd8'
    """
    if format not in ("", "grayscale", "rgb"):
        raise invalid(f"format must be 'grayscale', 'rgb' or '', not {format!r}")
    return _ENCODE_JPEG(image, format=format, quality=quality, name=name)
