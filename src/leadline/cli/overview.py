"""The page that `leadline --help` prints: the commands along the chain, and where to begin."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping

BEGINNING = """\
in a minute:
  leadline doctor
  leadline run --patterns pingpong,allreduce --budget 30s --out first
  leadline report first
With --buffers separate, times compare with those of OSU and IMB.
`leadline COMMAND --help` says more of a command."""


def overview(chain: Mapping[str, Mapping[str, str]], width: int) -> str:
    """The commands by the link of the `chain` that they belong to, in lines up to `width`."""
    margin = max(len(name) for commands in chain.values() for name in commands) + 4
    lines = [line for link in chain.items() for line in _link(*link, margin, width)]
    return "\n".join([*lines, BEGINNING])


def _link(name: str, commands: Mapping[str, str], margin: int, width: int) -> Iterator[str]:
    yield f"{name}:"
    for command, does in commands.items():
        first = f"  {command}".ljust(margin)
        yield from textwrap.wrap(does, width, initial_indent=first, subsequent_indent=" " * margin)
    yield ""
