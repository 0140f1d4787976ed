"""The command line: `python -m scorekeeper tally match.json`. Runs on bare Python with nothing installed."""

import sys

from scorekeeper.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
