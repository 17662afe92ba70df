"""Verdicts as tables and lists for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tools.outcomes.programs import Program
from tools.outcomes.trial import OUTCOMES, Verdict

Judged = Sequence[tuple[Program, Verdict]]
MOST_REASONS = 40
MOST_TEXT = 1200


def table(judged: Judged) -> str:
    """Return the number of programs tried, agreed, refused and wrong for each item."""
    counts = {item: Counter[str]() for item in sorted({program.item for program, _ in judged})}
    for program, verdict in judged:
        counts[program.item][verdict.outcome] += 1
    counts["total"] = Counter(verdict.outcome for _, verdict in judged)
    width = max(map(len, counts))
    lines = [f"{'item':{width}}" + "".join(f"{name:>9}" for name in ("tried", *OUTCOMES))]
    for item, found in counts.items():
        numbers = (found.total(), *(found[outcome] for outcome in OUTCOMES))
        lines.append(f"{item:{width}}" + "".join(f"{number:9}" for number in numbers))
    return "\n".join([*lines, "", *_reasons(judged)])


def _reasons(judged: Judged) -> list[str]:
    reasons = Counter(v.reason for _, v in judged if v.outcome == "refused")
    common = reasons.most_common(MOST_REASONS)
    return ["refused by reason:", *(f"{n:6}  {reason}" for reason, n in common)]


def details(judged: Judged) -> str:
    """Return a Markdown list of wrong programs with what was expected, then refused ones."""
    wrong = [(p, v) for p, v in judged if v.outcome == "wrong"]
    refused = [(p, v) for p, v in judged if v.outcome == "refused"]
    kinds = Counter(v.reason.partition(":")[0] for _, v in wrong)
    lines = ["# Outcomes", "", "```", table(judged), "```", "", "## Wrong, by kind", ""]
    lines += [f"- {n} {kind}" for kind, n in kinds.most_common()]
    lines += ["", "## Wrong programs", ""]
    for program, verdict in wrong:
        lines += [f"### {program.key}: {verdict.reason}", "", *_program(program, verdict), ""]
    lines += ["## Refused programs", ""]
    lines += [f"- {p.key} {v.form} {v.call}: {v.reason}" for p, v in refused]
    return "\n".join(lines) + "\n"


def _program(program: Program, verdict: Verdict) -> list[str]:
    return [
        f"call `{verdict.call}` under `{verdict.form}`",
        "```python",
        program.text.rstrip(),
        "```",
        f"expected: {verdict.expected[:MOST_TEXT]}",
        "```",
        verdict.got[-MOST_TEXT:],
        "```",
    ]
