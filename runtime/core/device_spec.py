"""Names of devices in parts."""

from __future__ import annotations

from typing import Any

from runtime.core.device_names import DeviceName


class DeviceSpec:
    """The name of a device in parts; None stands for what is left open.

    Args:
      job, replica, task: the process.
      device_type: "CPU" or "GPU".
      device_index: the number of the device.

    >>> DeviceSpec(device_type="CPU", device_index=0).to_string()
    '/device:CPU:0'
    """

    def __init__(
        self,
        job: str | None = None,
        replica: int | None = None,
        task: int | None = None,
        device_type: str | None = None,
        device_index: int | None = None,
    ) -> None:
        """Takes the parts."""
        kind = str(device_type).upper() if device_type in ("cpu", "gpu") else device_type
        self._name = DeviceName(
            None if job is None else str(job),
            None if replica is None else int(replica),
            None if task is None else int(task),
            None if kind is None else str(kind),
            None if device_index is None else int(device_index),
        )

    @classmethod
    def from_string(cls, spec: str) -> DeviceSpec:
        """Takes a name apart. Raises ValueError for a text that names no device."""
        if sum(part.lower().startswith(("cpu", "gpu", "device")) for part in spec.split("/")) > 1:
            raise ValueError(
                f"Multiple device types are not allowed while parsing the device spec: {spec}."
            )
        return cls(*DeviceName.parse(spec))

    def parse_from_string(self, spec: str) -> DeviceSpec:
        """The same as `from_string`."""
        return self.from_string(spec)

    @property
    def job(self) -> str | None:
        """The job, or None."""
        return self._name.job

    @property
    def replica(self) -> int | None:
        """The replica, or None."""
        return self._name.replica

    @property
    def task(self) -> int | None:
        """The task, or None."""
        return self._name.task

    @property
    def device_type(self) -> str | None:
        """The kind of device, or None."""
        return self._name.kind

    @property
    def device_index(self) -> int | None:
        """The number of the device, or None."""
        return self._name.number

    def to_string(self) -> str:
        """The name as a text."""
        return str(self._name)

    def make_merged_spec(self, dev: DeviceSpec) -> DeviceSpec:
        """The parts of `dev`, and its own where `dev` leaves them open."""
        given = {name: value for name, value in dev._parts() if value is not None}
        return self.replace(**given)

    def replace(self, **kwargs: Any) -> DeviceSpec:
        """The same with other parts. Raises TypeError for a part that there is not."""
        return DeviceSpec(**{**dict(self._parts()), **kwargs})

    def _parts(self) -> list[tuple[str, Any]]:
        names = ("job", "replica", "task", "device_type", "device_index")
        return list(zip(names, self._name, strict=True))

    def __eq__(self, other: object) -> bool:
        """Whether all parts are equal."""
        return isinstance(other, DeviceSpec) and self._name == other._name

    def __hash__(self) -> int:
        """Hashes the parts."""
        return hash(self._name)

    def __repr__(self) -> str:
        """Gives `<DeviceSpec(job=None, ...)>`."""
        parts = (f"{name}={value}" for name, value in self._parts())
        return f"<DeviceSpec({', '.join(parts)})>"
