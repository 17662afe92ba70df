"""Files that programs fetch: from a local cache, or from a `file://` address."""

from __future__ import annotations

import hashlib
import os
import shutil
import tarfile
import urllib.parse
import urllib.request
import zipfile
from typing import Any


def keras_home() -> str:
    """Return the directory of caches: `KERAS_HOME`, or `~/.keras`."""
    return os.environ.get("KERAS_HOME") or os.path.join(os.path.expanduser("~"), ".keras")


def get_file(
    fname: Any = None,
    origin: str | None = None,
    untar: bool = False,
    md5_hash: str | None = None,
    file_hash: str | None = None,
    cache_subdir: str = "datasets",
    hash_algorithm: str = "auto",
    extract: bool = False,
    archive_format: Any = "auto",
    cache_dir: Any = None,
    force_download: bool = False,
) -> str:
    """Return the path of a file in the local cache; nothing is downloaded from a network.

    Args:
      fname: name of the file; None: that of `origin`.
      origin: address of the file. One that begins with `file://` is copied into the cache.
      untar, extract: whether to unpack an archive, tar or zip.
      md5_hash, file_hash: MD5 or SHA-256 of the file, in hexadecimal digits.
      cache_subdir: directory in the cache.
      hash_algorithm: `md5`, `sha256`, or `auto`: by the number of digits.
      archive_format: has no effect; the format is that of the file.
      cache_dir: directory of the cache; None: `KERAS_HOME`, or `~/.keras`.
      force_download: whether to copy a `file://` address again.

    Returns: path of the file; that of the directory with the content of an archive.
    Raises: FileNotFoundError if the file is neither there nor at a `file://` address; ValueError
      if it has another hash.
    """
    if fname is None and origin is None:
        raise ValueError("`get_file` needs `fname` or `origin`.")
    name = os.fspath(fname) if fname else os.path.basename(urllib.parse.urlparse(origin).path)
    directory = os.path.join(os.fspath(cache_dir or keras_home()), cache_subdir)
    path = os.path.join(directory, str(name))
    unpacked = extract or untar
    folder = path
    if unpacked:
        path, folder = _archive_and_folder(path)
        if os.path.isdir(folder) and not force_download:
            return folder
    source = urllib.parse.urlparse(origin or "")
    if source.scheme == "file" and (force_download or not os.path.exists(path)):
        os.makedirs(directory, exist_ok=True)
        shutil.copyfile(urllib.request.url2pathname(source.path), path)
    if not os.path.exists(path):
        fetch = f"curl -L --create-dirs -o '{path}' '{origin}'" if origin else f"cp FILE '{path}'"
        raise FileNotFoundError(
            f"There is no file '{path}', and nothing is downloaded. Fetch it once:\n  {fetch}"
        )
    _check_hash(path, file_hash or md5_hash, hash_algorithm)
    return _unpack(path, folder) if unpacked else path


def _archive_and_folder(path: str) -> tuple[str, str]:
    """Return the paths of an archive and its content; Keras gives both one name without ending."""
    for ending in (".tar.gz", ".zip"):
        if path.endswith(ending):
            return path, path.removesuffix(ending) + "_extracted"
    return (path, f"{path}_extracted") if os.path.isfile(path) else (f"{path}_archive", path)


def _check_hash(path: str, wanted: str | None, algorithm: str) -> None:
    if wanted is None:
        return
    kind = (
        {32: "md5", 64: "sha256"}.get(len(wanted), "sha256") if algorithm == "auto" else algorithm
    )
    with open(path, "rb") as file:
        found = hashlib.file_digest(file, kind).hexdigest()
    if found != wanted:
        raise ValueError(f"File '{path}' has {kind} {found}, expected {wanted}. Delete the file.")


def _unpack(path: str, folder: str) -> str:
    os.makedirs(folder, exist_ok=True)
    if tarfile.is_tarfile(path):
        with tarfile.open(path) as archive:
            archive.extractall(folder, filter="data")
    elif zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as packed:
            packed.extractall(folder)
    else:
        raise ValueError(f"File '{path}' is neither a tar nor a zip archive.")
    return folder
