"""What the tests of every feature ask."""

from __future__ import annotations

import textwrap
from types import ModuleType

from tools.outcomes.feature_programs import CALLS, generate
from tools.outcomes.programs import Program
from tools.outcomes.trial import Verdict, judge

SEEDS = range(60)


def programs(feature: ModuleType) -> list[Program]:
    """Return the programs of the first seeds."""
    name = feature.__name__.rpartition(".")[2]
    return [generate(seed, name) for seed in SEEDS]


def uses(feature: ModuleType, *forms: str) -> bool:
    """Return whether each text is in one of the programs of a feature."""
    bodies = [each.text.partition("def program(")[2] for each in programs(feature)]
    return all(any(form in body for body in bodies) for form in forms)


def sample(feature: ModuleType) -> Program:
    """Return the program in the docstring of a feature."""
    body = textwrap.dedent((feature.__doc__ or "").partition("\n")[2])
    text = f"{feature.FEATURE.prelude}\n{body}"
    return Program("random", "sample", text, CALLS)


def sample_agrees(feature: ModuleType) -> bool:
    """Return whether the program in the docstring agrees with plain Python in every form."""
    return judge(sample(feature)) == Verdict("agreed")
