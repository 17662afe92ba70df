"""`python -m autograph`: the command line."""

import os
import sys

if __name__ == "__main__":
    # `python -m` puts the current folder first; a user's rich.py there is not the one meant.
    if not sys.flags.safe_path and sys.path[:1] in ([""], [os.getcwd()]):
        del sys.path[0]
    from autograph.cli import main

    sys.exit(main())
