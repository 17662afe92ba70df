"""Draw figures as a chart: for each program a bar per library, on a logarithmic scale.

python -m tools.bench.chart FIGURES.json CHART.svg
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

BAR, GAP, LEFT, WIDTH, RIGHT = 11, 14, 120, 560, 70
COLORS = {
    "plan": "#3b6ea8", "native": "#d1495b", "numpy": "#9aa5b1", "numba": "#66a182",
    "jax": "#edae49", "tensorflow": "#c9b6a3", "tensorflow xla": "#8d6a4f",
}  # fmt: skip
"""The libraries in the order of their bars."""

Times = Mapping[str, Mapping[str, float]]
"""Seconds by program and library."""


def times(figures: Sequence[Mapping[str, Any]]) -> Times:
    """Return the medians of figures.

    Each pair of an engine and a peer is measured by itself. A peer's time is that of the median
    ratio to the plan, so that bars have the ratios of the table.
    """
    found: dict[str, dict[str, list[float]]] = {}
    for figure in figures:
        program, _, engine = figure["label"].partition(", ")
        own = found.setdefault(program, {})
        own.setdefault(engine or "plan", []).append(figure["seconds"])
    result = {
        program: {engine: min(seconds) for engine, seconds in engines.items()}
        for program, engines in found.items()
    }
    for figure in figures:
        if "," not in figure["label"] and figure["ratio"]:
            own_times = result[figure["label"]]
            own_times[figure["peer"]] = own_times["plan"] / figure["ratio"]
    return result


def chart(found: Times, note: str) -> str:
    """Return the chart as the text of an SVG image."""
    libraries = [name for name in COLORS if any(name in each for each in found.values())]
    every = [seconds for each in found.values() for seconds in each.values()]
    low, high = math.floor(math.log10(min(every))), math.ceil(math.log10(max(every)))

    def x(seconds: float) -> float:
        return LEFT + WIDTH * (math.log10(seconds) - low) / (high - low)

    parts = list(_legend(libraries))
    y = 40.0
    top = y
    for program, each in found.items():
        bars = [(name, each[name]) for name in libraries if name in each]
        middle = y + BAR * len(bars) / 2 + 4
        parts.append(_text(LEFT - 8, middle, program.replace("_", " "), "end"))
        for name, seconds in bars:
            parts.append(_bar(y, x(seconds) - LEFT, COLORS[name]))
            parts.append(_text(x(seconds) + 4, y + BAR - 2, _duration(seconds), size=9))
            y += BAR
        y += GAP
    for power in range(low, high + 1):
        at = x(10.0**power)
        parts.insert(0, f'<path d="M{at:.1f} {top - 6} V{y:.1f}" stroke="#e3e6ea"/>')
        parts.append(_text(at, y + 10, _duration(10.0**power), "middle", 9))
    parts.append(_text(8, y + 28, note, size=9))
    size = f"{LEFT + WIDTH + RIGHT} {y + 36:.0f}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" font-family="sans-serif">\n'
        '<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _legend(libraries: Sequence[str]) -> list[str]:
    parts, at = [], float(LEFT)
    for name in libraries:
        parts.append(f'<rect x="{at}" y="12" width="10" height="10" fill="{COLORS[name]}"/>')
        parts.append(_text(at + 14, 21, name))
        at += 34 + 6.5 * len(name)
    return parts


def _bar(y: float, length: float, color: str) -> str:
    return f'<rect x="{LEFT}" y="{y:.1f}" width="{length:.1f}" height="{BAR - 1}" fill="{color}"/>'


def _text(x: float, y: float, text: str, anchor: str = "start", size: int = 12) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}"'
    return f"<text {place}>{escape(text)}</text>"


def _duration(seconds: float) -> str:
    """Return seconds in the unit that suits them.

    >>> _duration(0.0123), _duration(4.2e-6), _duration(1.0)
    ('12 ms', '4.2 us', '1 s')
    """
    unit, size = next(
        (pair for pair in (("s", 1.0), ("ms", 1e-3)) if seconds >= pair[1]), ("us", 1e-6)
    )
    return (
        f"{seconds / size:.2g} {unit}" if seconds < 100 * size else f"{seconds / size:.0f} {unit}"
    )


def drawn(about: Mapping[str, Any]) -> str:
    """Return the chart of what `python -m tools.bench --json` writes."""
    versions = ", ".join(f"{name} {version}".strip() for name, version in about["versions"].items())
    load = f", load {about['load'][0]:.1f}" if about["load"] else ""
    note = f"Median of a call; {about['machine']}{load}; {versions}; {about['date'][:10]}"
    return chart(times(about["figures"]), note)


def main(source: str, target: str) -> None:
    """Read a file of figures; write their chart."""
    about = json.loads(Path(source).read_text(encoding="utf-8"))
    Path(target).write_text(drawn(about), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
