"""Device names as programs write them."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

_PART = re.compile(r"(job|replica|task|device):(.+)", re.IGNORECASE)
_SHORT = re.compile(r"(cpu|gpu)(?::(\d+|\*))?", re.IGNORECASE)


class DeviceName(NamedTuple):
    """The parts of a device name; None for a missing part."""

    job: str | None = None
    replica: int | None = None
    task: int | None = None
    kind: str | None = None
    number: int | None = None

    @classmethod
    def parse(cls, text: str) -> DeviceName:
        """Parse a name such as `/cpu:0`, `GPU:1` or `/job:localhost/replica:0/task:0/device:CPU:0`.

        Raises:
          ValueError: if the text is not a device name.

        >>> DeviceName.parse("/gpu:1")
        DeviceName(job=None, replica=None, task=None, kind='GPU', number=1)
        """
        fields: dict[str, Any] = {}
        for part in text.strip("/").split("/") if text.strip("/") else ():
            fields.update(_parsed_part(part, text))
        return cls(**fields)

    def __str__(self) -> str:
        """Return the form that graphs store, `/device:CPU:0`."""
        parts = [("job", self.job), ("replica", self.replica), ("task", self.task)]
        text = "".join(f"/{name}:{value}" for name, value in parts if value is not None)
        if self.kind is None:
            return text
        return f"{text}/device:{self.kind}:{'*' if self.number is None else self.number}"

    @property
    def is_here(self) -> bool:
        """True if the name can refer to a device of this process."""
        return self.job in (None, "localhost") and not self.replica and not self.task


def _parsed_part(part: str, text: str) -> dict[str, Any]:
    long = _PART.fullmatch(part)
    name, value = (long[1].lower(), long[2]) if long else ("device", part)
    if name == "device":
        short = _SHORT.fullmatch(value)
        if short:
            number = short[2]
            return {
                "kind": short[1].upper(),
                "number": None if number in (None, "*") else int(number),
            }
    elif name == "job":
        return {"job": value}
    elif value.isdigit():
        return {name: int(value)}
    raise ValueError(
        f"Unknown attribute '{part.partition(':')[0]}' is encountered while parsing the device "
        f"spec: '{text}'. There are names like '/cpu:0' and '/gpu:0'."
    )
