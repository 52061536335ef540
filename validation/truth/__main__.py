"""Prints how often intervals and verdicts are right, row by row as it comes.

python -m validation.truth [--short]
"""

from __future__ import annotations

import argparse

from validation.truth import line, simulations


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(prog="python -m validation.truth", description=__doc__)
    parser.add_argument("--short", action="store_true", help="only to see that it works")
    thoroughness = 0.01 if parser.parse_args().short else 1.0
    for one in simulations():
        print(line(one.row(thoroughness)), flush=True)


main()
