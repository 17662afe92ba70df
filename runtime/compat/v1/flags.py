"""`compat.v1.flags`: arguments of a program, `--name=value`."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any


class FlagValues:
    """The flags of a program. Attributes are their values.

    >>> values = FlagValues()
    >>> values.define("steps", 10, "how often", int)
    >>> values(["program", "--steps=3", "file"])
    ['program', 'file']
    >>> values.steps
    3
    """

    def __init__(self) -> None:
        """Starts without flags."""
        self.__dict__["_parser"] = argparse.ArgumentParser(allow_abbrev=False)
        self.__dict__["_values"] = {}
        self.__dict__["_needed"] = set()
        self.__dict__["_switches"] = set()

    def define(
        self,
        name: str,
        default: Any,
        help: str | None,
        convert: Callable[[str], Any],
        **options: Any,
    ) -> None:
        """Adds a flag. Raises ValueError if there is one of that name."""
        if name in self._values:
            raise ValueError(f"The flag '{name}' is defined twice.")
        text = None if help is None else help.replace("%", "%%")
        self._parser.add_argument(
            f"--{name}", type=convert, default=argparse.SUPPRESS, help=text, **options
        )
        self._values[name] = default

    def define_switch(self, name: str, default: Any, help: str | None) -> None:
        """Adds a flag that is True or False: `--name`, `--noname`, `--name=false`."""
        self.define(name, default, help, _truth)
        self._switches.add(name)
        self._parser.add_argument(
            f"--no{name}",
            dest=name,
            action="store_false",
            default=argparse.SUPPRESS,
            help=argparse.SUPPRESS,
        )

    def require(self, name: str) -> None:
        """Makes a flag one that must be given."""
        self._needed.add(name)

    def __call__(self, argv: Sequence[str], known_only: bool = False) -> list[str]:
        """Reads arguments; gives the name of the program and those that are no flags.

        Ends the program with a message for a flag that is not known or has no good value.
        """
        full = [f"{item}=true" if item[2:] in self._switches else item for item in argv[1:]]
        found, left = self._parser.parse_known_args(full)
        self._values.update(vars(found))
        unknown = [item for item in left if item.startswith("--") and item != "--"]
        if unknown and not known_only:
            self._parser.error(f"Unknown command line flag {unknown[0]!r}")
        missing = sorted(name for name in self._needed if self._values.get(name) is None)
        if missing:
            self._parser.error(f"flag --{missing[0]}=None: Flag must have a value other than None.")
        return [*argv[:1], *left]

    def __getattr__(self, name: str) -> Any:
        """The value of a flag. Raises AttributeError if there is none of that name."""
        try:
            return self._values[name]
        except KeyError:
            raise AttributeError(f"there is no flag {name!r}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        """Gives a flag a value. Raises AttributeError if there is none of that name."""
        if name not in self._values:
            raise AttributeError(f"there is no flag {name!r}")
        self._values[name] = value

    def __contains__(self, name: str) -> bool:
        """Whether there is a flag of that name."""
        return name in self._values

    def __delattr__(self, name: str) -> None:
        """Takes a flag out of the values."""
        self._values.pop(name, None)

    def flag_values_dict(self) -> dict[str, Any]:
        """The values of all flags by name."""
        return dict(self._values)


FLAGS = FlagValues()


def _truth(text: str) -> bool:
    found = {"true": True, "t": True, "1": True, "false": False, "f": False, "0": False}
    if text.lower() not in found:
        raise argparse.ArgumentTypeError(f"Non-boolean argument to boolean flag: {text}")
    return found[text.lower()]


def _listed(value: Any) -> Any:
    if value is None or isinstance(value, (list, tuple)):
        return value
    return [item.strip() for item in value.split(",")] if value else []


def DEFINE_string(name: str, default: str | None, help: str | None) -> None:
    """Adds a flag that is a text.

    >>> DEFINE_string("directory_of_example", "/data", "where the data are")
    >>> FLAGS.directory_of_example
    '/data'
    """
    FLAGS.define(name, default, help, str)


def DEFINE_integer(name: str, default: int | None, help: str | None) -> None:
    """Adds a flag that is a whole number.

    >>> DEFINE_integer("steps_of_example", 10, "how many steps")
    >>> FLAGS.steps_of_example
    10
    """
    FLAGS.define(name, default, help, lambda text: int(text, 0))


def DEFINE_float(name: str, default: float | None, help: str | None) -> None:
    """Adds a flag that is a number.

    >>> DEFINE_float("rate_of_example", 0.1, "how fast")
    >>> FLAGS.rate_of_example
    0.1
    """
    FLAGS.define(name, None if default is None else float(default), help, float)


def DEFINE_boolean(name: str, default: bool | None, help: str | None) -> None:
    """Adds a flag that is True or False: `--name` and `--noname`.

    >>> DEFINE_boolean("quiet_in_example", False, "whether to print nothing")
    >>> FLAGS.quiet_in_example
    False
    """
    FLAGS.define_switch(name, default, help)


def DEFINE_bool(name: str, default: bool | None, help: str | None) -> None:
    """The same as `DEFINE_boolean`.

    >>> DEFINE_bool("loud_in_example", False, "whether to print all")
    >>> FLAGS.loud_in_example
    False
    """
    FLAGS.define_switch(name, default, help)


def DEFINE_enum(
    name: str, default: str | None, enum_values: Sequence[str], help: str | None
) -> None:
    """Adds a flag that is one of several texts.

    >>> DEFINE_enum("mode_of_example", "train", ["train", "test"], "what to do")
    >>> FLAGS.mode_of_example
    'train'
    """
    FLAGS.define(name, default, help, str, choices=list(enum_values))


def DEFINE_list(name: str, default: Any, help: str | None) -> None:
    """Adds a flag that is a list of texts with commas between them.

    >>> DEFINE_list("words_of_example", "a,b", "some words")
    >>> FLAGS.words_of_example
    ['a', 'b']
    """
    FLAGS.define(name, _listed(default), help, _listed)


def mark_flag_as_required(flag_name: str) -> None:
    """Makes a flag one that must be given.

    >>> DEFINE_string("needed_by_example", "given", "what must be there")
    >>> mark_flag_as_required("needed_by_example")
    """
    FLAGS.require(flag_name)


def mark_flags_as_required(flag_names: Sequence[str]) -> None:
    """Makes several flags ones that must be given.

    >>> mark_flags_as_required([])
    """
    for name in flag_names:
        FLAGS.require(name)
