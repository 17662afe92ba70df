"""Print a converted snippet, for the example at the top of each rewrite."""

from __future__ import annotations

import textwrap

from autograph.pipeline import convert_text


def show(snippet: str, parameters: str = "") -> None:
    """Convert a function with a snippet as its body, and print the body.

    Args:
      snippet: statements.
      parameters: the parameters of the function around them, as text.

    >>> show("y = f(x)", "x")
    y = ag__.converted(f)(x)
    """
    body = textwrap.indent(snippet.strip("\n"), "    ")
    # What a decorator gives is called through an operator: the parameters are never alternatives.
    text = f"@decorator\ndef function({parameters}):\n{body}\n"
    converted = convert_text(text, header=False).text
    print(textwrap.dedent(converted.split("\n", 2)[2]), end="")
