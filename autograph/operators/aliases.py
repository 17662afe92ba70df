"""Lists and dicts that a staged statement chose among.

After `if test: a = [3, 4]` the variable names the new list, or the one that it named before, as the
running program decides. Nobody can tell as long as neither changes. A change of one would have to
reach the other, or not: so from then on the other one refuses every use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from autograph.errors import StagingError
from autograph.operators.frames import user_line
from autograph.operators.moved import part
from autograph.staging import Choice, trace


def note_choice(label: str, sources: Iterable[Any], result: Any) -> None:
    """Record that a value is one of several lists or dicts, as the running program decides.

    Args:
      label: the variable that names it.
      sources: the objects that it may be.
      result: the value; lists and dicts in it count, too.
    """
    olds = list(containers_in(tuple(sources)))
    news = [each for each in containers_in(result) if all(each is not old for old in olds)]
    if not olds or not news:
        return
    choice = Choice(label, olds, news, [_items(each) for each in (*olds, *news)])
    for each in (*olds, *news):
        trace.choices.setdefault(id(each), []).append(choice)


def before_change(container: Any) -> None:
    """Is called before converted code changes a list or dict while something is traced."""
    line = trace.lines[id(container), "contents"] = user_line()
    for choice in trace.choices.get(id(container), ()):
        is_old = any(container is each for each in choice.olds)
        for other in choice.news if is_old else choice.olds:
            part(other, choice.label, line)
        choice.is_settled = True


def check_choices() -> None:
    """Raises if code that is not converted changed a list or dict that was chosen among."""
    for choice in {id(each): each for known in trace.choices.values() for each in known}.values():
        objects = (*choice.olds, *choice.news)
        if not choice.is_settled and [_items(each) for each in objects] != choice.items:
            raise StagingError(
                f"`{choice.label}` may be one of several lists or dicts, as a staged statement "
                "decides, and one of them is changed afterwards: only the running program knows "
                "whether the others change, too.",
                remedy=f"Change a copy, for instance list({choice.label}).",
            )


def containers_in(value: Any) -> Iterator[Any]:
    """A list or dict, and those in it, each once."""
    seen: dict[int, Any] = {}
    waiting = [value]
    while waiting:
        each = waiting.pop()
        kind = type(each)
        if kind in (list, tuple, dict) and id(each) not in seen:
            seen[id(each)] = each
            waiting += each.values() if kind is dict else each
    return (each for each in seen.values() if type(each) is not tuple)


def _items(container: Any) -> list[int]:
    """What a list or dict holds, by identity."""
    if type(container) is list:
        return [id(item) for item in container]
    return [id(item) for pair in container.items() for item in pair]
