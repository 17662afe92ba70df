"""The parts of rich that print models and training, imported without a draw of random numbers.

rich draws from Python's generator when it is first imported, which may be after a program's
`random.seed`: the same program would draw other numbers in its first run than in its second.
"""

import random

_state = random.getstate()

from rich.box import HEAVY_HEAD as HEAVY_HEAD  # noqa: E402
from rich.console import Console as Console  # noqa: E402
from rich.live import Live as Live  # noqa: E402
from rich.markup import escape as escape  # noqa: E402
from rich.table import Table as Table  # noqa: E402
from rich.text import Text as Text  # noqa: E402

random.setstate(_state)
