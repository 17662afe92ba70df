"""A pytest plugin that converts packages while their tests run.

    pytest --autograph-convert=mypkg[,other] [--autograph-strict]

The import hook is installed when pytest loads the plugin, before any conftest.
"""

from __future__ import annotations

import copy
import os
import shlex
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from autograph.importer import AlreadyImportedError, ImportHook

REPORT = "autograph"  # The key under which a worker of pytest-xdist sends its counts.


@dataclass
class Conversions:
    """The conversions of this run, summed over the workers of pytest-xdist.

    Args:
      packages: the packages that are converted.
      hook: the import hook; None without packages.
      modules: for each converted module, its statements that stayed Python, as
        (function, position and reason).
      skipped: from unconverted modules to reasons.
    """

    packages: tuple[str, ...] = ()
    strict: bool = False
    hook: ImportHook | None = None
    modules: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)

    def install(self, packages: tuple[str, ...], strict: bool) -> None:
        """Install the import hook.

        Raises:
          pytest.UsageError: if one of the packages is already imported.
        """
        if not packages or (packages, strict) == (self.packages, self.strict):
            return
        # Import late: a run without the option must not pay for the converter.
        from autograph import importer

        self.uninstall()
        try:
            self.hook = importer.install_import_hook(*packages, strict=strict)
        except importer.AlreadyImportedError as error:
            raise pytest.UsageError(_too_late(error)) from None
        except ValueError as error:
            raise pytest.UsageError(f"--autograph-convert: {error}") from None
        self.packages, self.strict = packages, strict

    def uninstall(self) -> None:
        """Remove the import hook. Imported modules stay converted."""
        if self.hook is not None:
            self.collect()
            self.hook.uninstall()
            self.hook = None

    def collect(self) -> None:
        """Add the results of this process's hook."""
        if self.hook is None:
            return
        for name, module in self.hook.modules.items():
            self.modules[name] = [
                (each.function, f"{module.filename}:{each.line}: {each.construct}: {each.reason}")
                for each in module.left
            ]
        self.skipped.update(self.hook.skipped)

    def lines(self, verbose: bool) -> Iterable[str]:
        """Yield the lines of the summary."""
        left = {(name, function) for name, each in self.modules.items() for function, _ in each}
        yield (
            f"autograph: {_count(len(self.modules), 'module')} converted, "
            f"{_count(len(left), 'function')} with statements left in Python"
        )
        for package in self.packages:
            if not any(_is_in(package, name) for name in (*self.modules, *self.skipped)):
                yield f"autograph: {package} was not imported by any test"
        if verbose:
            yield from (f"  {reason}" for each in self.modules.values() for _, reason in each)
            yield from (f"  {name} stays Python: {why}" for name, why in self.skipped.items())


_conversions = pytest.StashKey[Conversions]()


def pytest_addoption(parser: pytest.Parser, pluginmanager: pytest.PytestPluginManager) -> None:
    """Declare the options, and apply them before further plugins are imported."""
    group = parser.getgroup("autograph", "conversion with autograph")
    group.addoption(
        "--autograph-convert",
        action="append",
        default=[],
        metavar="PACKAGE[,PACKAGE]",
        help="convert these packages while the tests import them; repeatable",
    )
    group.addoption(
        "--autograph-strict",
        action="store_true",
        help="fail where a statement of them would stay Python",
    )
    if pluginmanager.get_name(sys.modules[__name__]) != "autograph":
        # Loaded by -p: the entry point would register the plugin a second time.
        pluginmanager.set_blocked("autograph")
    config = pluginmanager.get_plugin("pytestconfig")
    assert isinstance(config, pytest.Config)
    config.stash[_conversions] = Conversions()
    arguments = _arguments_so_far(config)
    _install(config, parser.parse_known_args(arguments, namespace=copy.copy(config.option)))


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Apply the options of all sources, before the first conftest."""
    _install(early_config, early_config.known_args_namespace)


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the import hook at the end of the run."""
    config.stash[_conversions].uninstall()


def pytest_report_header(config: pytest.Config) -> str | None:
    """Return the header line: the packages being converted."""
    conversions = config.stash[_conversions]
    if not conversions.packages:
        return None
    strict = " (strict)" if conversions.strict else ""
    return f"autograph: converting {', '.join(conversions.packages)}{strict}"


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In a worker of pytest-xdist: send the results to the controller."""
    conversions = session.config.stash[_conversions]
    conversions.collect()
    to_controller = getattr(session.config, "workeroutput", None)
    if to_controller is not None:
        to_controller[REPORT] = [conversions.modules, conversions.skipped]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """In the controller of pytest-xdist: add the results of a worker."""
    report = getattr(node, "workeroutput", {}).get(REPORT)
    if report is not None:
        conversions = node.config.stash[_conversions]
        conversions.modules.update(report[0])
        conversions.skipped.update(report[1])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the counts of converted modules and unstaged statements; with -v each statement."""
    config = terminalreporter.config
    conversions = config.stash[_conversions]
    if conversions.packages:
        for line in conversions.lines(verbose=config.get_verbosity() > 0):
            terminalreporter.write_line(line)


def _arguments_so_far(config: pytest.Config) -> list[str]:
    try:
        configured = config.getini("addopts")
    except (KeyError, ValueError):  # Read so early that the settings are not there yet.
        configured = []
    environment = shlex.split(os.environ.get("PYTEST_ADDOPTS", ""))
    given = [os.fspath(each) for each in config.invocation_params.args]
    return [*configured, *environment, *given]


def _install(config: pytest.Config, options: Any) -> None:
    named = (each.split(",") for each in options.autograph_convert)
    packages = dict.fromkeys(name.strip() for names in named for name in names)
    config.stash[_conversions].install(tuple(packages), options.autograph_strict)


def _too_late(error: AlreadyImportedError) -> str:
    return (
        f"--autograph-convert: {error.subject} imported before the tests, too early to be "
        "converted. "
        "A plugin named with -p, in PYTEST_PLUGINS or installed, or the program that started "
        "pytest has imported them. Put `-p autograph.pytest_plugin` first on the command line, "
        "or switch that plugin off with `-p no:NAME`."
    )


def _is_in(package: str, module: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
