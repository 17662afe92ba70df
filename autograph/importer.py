"""Conversion on import.

    with autograph.importing("mypkg"):
        import mypkg.model

A finder at the head of `sys.meta_path` asks the other finders for the module and wraps their
loader. The wrapper returns converted code. File name, lines, source and resources stay those of
the user's file.
"""

from __future__ import annotations

import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import types
import warnings
import zipimport
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograph import code_cache
from autograph.code_cache import CachedCode, Left
from autograph.conversion.refusals import StaysPython, remember
from autograph.errors import AutographError
from autograph.forks import Lock

# The converter and its dependencies: they are imported before any conversion.
OWN_PARTS = frozenset({"autograph", "gast", "astor", "libcst", "yaml"})


class AlreadyImportedError(AutographError):
    """A module to be converted on import is already imported.

    Args:
      modules: the dotted names of all such modules.
    """

    def __init__(self, modules: Sequence[str]) -> None:
        """Name the modules and the remedy."""
        self.modules = tuple(modules)
        super().__init__(
            f"{self.subject} already imported, so converting on import comes too late. "
            "Install the hook before the first import of the package, "
            "or remove its modules from sys.modules and import it anew."
        )

    @property
    def subject(self) -> str:
        """Return the first eight modules, with the verb."""
        rest = len(self.modules) - 8
        names = ", ".join(self.modules[:8]) + (f" and {rest} more" if rest > 0 else "")
        return f"{names} {'is' if len(self.modules) == 1 else 'are'}"


@dataclass(frozen=True)
class Options:
    """The options of one import hook.

    Args:
      packages: dotted names; each includes its submodules.
      strict: raise if any statement would stay Python.
      only: functions to convert, as `module:qualified.name`. None: all.
    """

    packages: tuple[str, ...]
    strict: bool = False
    only: frozenset[str] | None = None

    def covers(self, module: str) -> bool:
        """Return whether the module is one of the packages or a submodule of one."""
        return any(module == name or module.startswith(f"{name}.") for name in self.packages)

    def only_in(self, module: str) -> frozenset[str] | None:
        """Return the qualified names to convert in one module; None: all."""
        if self.only is None:
            return None
        pairs = (entry.split(":", 1) for entry in self.only)
        return frozenset(function for owner, function in pairs if owner == module)


@dataclass(frozen=True)
class ImportedModule:
    """The result of converting one module.

    Args:
      name: its dotted name.
      filename: its file.
      changed: whether anything in it was rewritten.
      left: the statements that stayed Python, with reasons.
      from_cache: whether the code was read from the cache on disk.
    """

    name: str
    filename: str
    changed: bool
    left: tuple[Left, ...]
    from_cache: bool


@dataclass(eq=False)
class ImportHook(importlib.abc.MetaPathFinder):
    """A finder that converts modules. Create it with `install_import_hook`.

    Args:
      options: what to convert and how.
    Attributes:
      modules: the converted modules, by name.
      skipped: from the name of each unconverted module to the reason.
    """

    options: Options
    modules: dict[str, ImportedModule] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: types.ModuleType | None = None,
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of the later finders, with a converting loader."""
        if not self.options.covers(fullname):
            return None
        spec = self._plain_spec(fullname, path, target)
        if spec is None or not spec.has_location:
            return spec  # Namespace packages, built-in and frozen modules have no text.
        reason = why_not(spec)
        if reason is not None:
            self._skip(fullname, reason)
            return spec
        loader = ConvertingLoader(spec.loader, self)
        spec.cached = code_cache.path_for(loader.get_filename(fullname)) or spec.cached
        spec.loader = loader
        return spec

    def uninstall(self) -> None:
        """Stop converting. Imported modules stay converted."""
        with contextlib.suppress(ValueError):
            sys.meta_path.remove(self)

    def _plain_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: types.ModuleType | None,
    ) -> importlib.machinery.ModuleSpec | None:
        finders = iter(tuple(sys.meta_path))
        for finder in finders:
            # Ask only the finders after this one: two hooks would otherwise ask each other.
            if finder is self:
                break
        for finder in finders:
            spec = finder.find_spec(fullname, path, target)
            if spec is not None:
                return spec
        return None

    def _skip(self, fullname: str, reason: str) -> None:
        self.skipped[fullname] = reason
        if reason == BYTECODE_ONLY:
            if self.options.strict:
                raise ImportError(f"{fullname} cannot be converted: {reason}.", name=fullname)
            warnings.warn(f"{fullname} stays Python: {reason}.", RuntimeWarning, stacklevel=2)


BYTECODE_ONLY = (
    "there is only bytecode, no source; install it with its .py files, "
    "or convert it ahead of time with `autograph convert`"
)


def why_not(spec: importlib.machinery.ModuleSpec) -> str | None:
    """Return the reason why a module cannot be converted; None if it can."""
    loader = spec.loader
    if isinstance(loader, importlib.machinery.ExtensionFileLoader):
        return "it is a compiled extension"
    if isinstance(loader, importlib.machinery.SourcelessFileLoader):
        return BYTECODE_ONLY
    if isinstance(loader, zipimport.zipimporter):
        return BYTECODE_ONLY if loader.get_source(spec.name) is None else None
    if isinstance(loader, importlib.machinery.SourceFileLoader) and not _transforms(type(loader)):
        # Hy patches this class of Python's to load its own language.
        is_python = str(loader.path).endswith((".py", ".pyw"))
        return None if is_python else "its file is not named as one of Python"
    return f"its loader {type(loader).__qualname__} builds the code in its own way"


def _transforms(loader: type) -> bool:
    plain: type = importlib.machinery.SourceFileLoader
    return any(
        getattr(loader, method) is not getattr(plain, method)
        for method in ("exec_module", "get_code", "source_to_code")
    )


class ConvertingLoader(importlib.abc.ExecutionLoader):
    """A loader that wraps another and differs from it in the code alone."""

    def __init__(self, plain: Any, hook: ImportHook) -> None:
        """Wrap `plain`, which has the source of the module."""
        self.plain = plain
        self.hook = hook

    def __getattr__(self, name: str) -> Any:
        """Forward to the wrapped loader: resources, paths, data."""
        if name == "plain":  # Asked for before __init__ has run, as copy and pickle do.
            raise AttributeError(name)
        return getattr(self.plain, name)

    def __repr__(self) -> str:
        """Name the wrapped loader."""
        return f"<ConvertingLoader of {self.plain!r}>"

    def is_package(self, fullname: str) -> bool:
        """Return whether the module is a package."""
        return bool(self.plain.is_package(fullname))

    def get_source(self, fullname: str) -> str | None:
        """Return the user's text, for tracebacks and `inspect`."""
        source: str | None = self.plain.get_source(fullname)
        return source

    def get_filename(self, fullname: str) -> str:
        """Return the user's .py file, also if a zip file holds its bytecode, too."""
        filename = str(self.plain.get_filename(fullname))
        return filename.removesuffix("c") if filename.endswith(".pyc") else filename

    def get_code(self, fullname: str) -> types.CodeType | None:
        """Return the converted code of the module.

        Args:
          fullname: the dotted name of the module.

        Raises:
          SyntaxError: as the wrapped loader does.
          ConversionError: in strict mode, if a statement would stay Python.
        """
        try:
            source = self.plain.get_source(fullname)
        except (ImportError, SyntaxError):
            # Not decodable: the wrapped loader raises Python's own error.
            plain_code: types.CodeType | None = self.plain.get_code(fullname)
            return plain_code
        module = self._convert(fullname, source, self.get_filename(fullname))
        return module.code

    def _convert(self, fullname: str, source: str, filename: str) -> CachedCode:
        options = self.hook.options
        only = options.only_in(fullname)
        key = code_cache.key(source, filename, strict=options.strict, only=only)
        cache = code_cache.path_for(filename)
        found = code_cache.read(cache, key)
        result = found or convert_module(source, filename, strict=options.strict, only=only)
        if found is None:
            code_cache.write(cache, key, result, beside=Path(filename))
        for each in result.left:
            remember(
                StaysPython(
                    filename, each.line, each.end_line, each.construct, each.reason, each.remedy
                )
            )
        self.hook.modules[fullname] = ImportedModule(
            fullname, filename, result.changed, result.left, from_cache=found is not None
        )
        return result


def convert_module(
    source: str, filename: str, *, strict: bool, only: frozenset[str] | None
) -> CachedCode:
    """Convert and compile the text of a module.

    Args:
      source: the text.
      filename: its file.
      strict: raise if any statement would stay Python.
      only: qualified names of the functions to convert. None: all.

    Raises:
      SyntaxError: Python's own, if the text is not Python.
      ConversionError: in strict mode, if a statement would stay Python.
    """
    # Import late: a module from the cache needs no parser.
    from autograph import loading, pipeline

    try:
        conversion = pipeline.convert_text(
            source, filename=filename, strict=strict, only=only, positions=True
        )
    except AutographError:
        compile(source, filename, "exec", dont_inherit=True)
        raise
    code = (
        loading.compile_module(conversion, filename, source)
        if conversion.changed
        else compile(source, filename, "exec", dont_inherit=True)
    )
    left = code_cache.name_functions(source, conversion.refusals)
    return CachedCode(code, conversion.changed, left)


_installing = Lock()


def install_import_hook(
    *packages: str, strict: bool = False, only: Iterable[str] | None = None
) -> ImportHook:
    """Convert packages on import, until the hook is uninstalled.

    Args:
      *packages: dotted names; each includes its submodules.
      strict: raise if a statement would stay Python.
      only: functions to convert, as `module:qualified.name`. None: all.

    Returns:
      The hook. `hook.uninstall()` ends it; `hook.modules` lists the converted modules.

    Raises:
      AlreadyImportedError: if a module of the packages is already imported.
      ValueError: if a name is no dotted module name, or is part of the converter.

    >>> hook = install_import_hook("sched")
    >>> import sched
    >>> sched.scheduler().empty()
    True
    >>> list(hook.modules)
    ['sched']
    >>> hook.uninstall()
    """
    options = Options(
        tuple(dict.fromkeys(packages)), strict, None if only is None else frozenset(only)
    )
    _check_names(options)
    # Load the dependencies of converted modules now, not during the import of one.
    from autograph import ag__  # noqa: F401

    if any(name.partition(".")[0] in sys.stdlib_module_names for name in options.packages):
        from autograph import pipeline  # noqa: F401  (it is built on the standard library)
    hook = ImportHook(options)
    with _installing:
        # In this order, so that no other thread imports one of them in between.
        sys.meta_path.insert(0, hook)
        loaded = _already_imported(options)
        if loaded:
            hook.uninstall()
            raise AlreadyImportedError(loaded)
    return hook


@contextlib.contextmanager
def importing(
    *packages: str, strict: bool = False, only: Iterable[str] | None = None
) -> Iterator[ImportHook]:
    """Convert packages that are imported inside the `with` block. Modules imported after the block,
    for instance inside a function, stay plain Python.

    Args:
      *packages: dotted names; each includes its submodules.
      strict: raise if a statement would stay Python.
      only: as for `install_import_hook`.

    Returns:
      A context manager; its value is the import hook.

    Raises:
      ValueError, AlreadyImportedError: as for `install_import_hook`.

    >>> with importing("sndhdr_example") as hook:
    ...     pass
    >>> hook.modules
    {}
    """
    hook = install_import_hook(*packages, strict=strict, only=only)
    try:
        yield hook
    finally:
        hook.uninstall()


def _check_names(options: Options) -> None:
    if not options.packages:
        raise ValueError('name at least one package, as in importing("mypkg")')
    for name in options.packages:
        if not all(part.isidentifier() for part in name.split(".")):
            raise ValueError(f"{name!r} is not the dotted name of a module, such as 'mypkg.models'")
        if name.partition(".")[0] in OWN_PARTS:
            raise ValueError(f"{name!r} is part of the converter, which cannot convert itself")
    for entry in options.only or ():
        module, colon, function = entry.partition(":")
        if not (colon and function and options.covers(module)):
            raise ValueError(
                f"only={entry!r} does not name a function of {', '.join(options.packages)}; "
                "write 'module:function' or 'module:Class.method'"
            )


def _already_imported(options: Options) -> list[str]:
    return sorted(
        name
        for name, module in tuple(sys.modules.items())
        if options.covers(name) and _has_other_code(module, options)
    )


def _has_other_code(module: types.ModuleType | None, options: Options) -> bool:
    spec = getattr(module, "__spec__", None)
    if spec is None:
        return module is not None
    if isinstance(spec.loader, ConvertingLoader):
        theirs = spec.loader.hook.options
        same = theirs.only_in(spec.name) == options.only_in(spec.name)
        return not (same and theirs.strict >= options.strict)
    return bool(spec.has_location)
