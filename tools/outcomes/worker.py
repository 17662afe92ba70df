"""A child process: reads one program a line as JSON, writes its verdict as JSON."""

from __future__ import annotations

import json
import logging
import os
import signal
import sys
from dataclasses import asdict

from tools.outcomes.programs import Program
from tools.outcomes.trial import FORMS, judge


def main() -> None:
    """Say that it is ready, then answer requests until the input ends.

    Answers go to a copy of the standard output; the output itself is closed to programs.
    """
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    # The notice that a program is traced anew, because its globals grow, is no output of it.
    logging.getLogger("runtime.function").setLevel(logging.ERROR)
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        program = Program(*(request[name] for name in ("item", "name", "text", "calls")))
        signal.setitimer(signal.ITIMER_PROF, request["limit"])  # SIGPROF ends the process
        verdict = judge(program, tuple(request.get("forms") or FORMS))
        signal.setitimer(signal.ITIMER_PROF, 0)
        print(json.dumps(asdict(verdict)), file=answers, flush=True)


if __name__ == "__main__":
    main()
