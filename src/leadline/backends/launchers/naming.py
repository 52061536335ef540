"""Which hosts a launcher's command line names."""

from __future__ import annotations

from collections.abc import Sequence

LISTS = ("-hosts", "--hosts", "-host", "--host", "-H")
"""Options of Hydra and Open MPI that are followed by names: a,b or a:2,b:2."""
FILES = ("-f", "-machinefile", "--machinefile", "-hostfile", "--hostfile")
"""Options that are followed by a file of names."""


def hosts_named(words: Sequence[str]) -> list[str]:
    """Their names, each once, in the order in which ranks come to them; empty where none is."""
    lists = _values(words, LISTS)
    names = (name.partition(":")[0] for one in lists for name in one.split(","))
    return list(dict.fromkeys(filter(None, names)))


def hostfile_named(words: Sequence[str]) -> str | None:
    """The path of the file that has them instead."""
    return next(iter(_values(words, FILES)), None)


def _values(words: Sequence[str], options: Sequence[str]) -> list[str]:
    return [words[i + 1] for i, word in enumerate(words[:-1]) if word in options]
