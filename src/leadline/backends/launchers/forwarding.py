"""Launchers' command lines that somebody else wrote.

How variables reach the ranks that they start, and which hosts they name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from leadline.backends.launchers import Command
from leadline.errors import UsageError

PRELOAD = "LD_PRELOAD"
"""Variable with a list of libraries to load before a program's own; others may have set it too."""
Forward: TypeAlias = Callable[[Sequence[str], Mapping[str, str], Mapping[str, str]], Command]
"""Takes the words from the launcher on, the variables for ranks, and the launcher's environment.

The value of PRELOAD is combined with what the words or the environment have already, as by
`_together`.
"""
HOST_LISTS = ("-hosts", "--hosts", "-host", "--host", "-H")
"""Options of Hydra and Open MPI that are followed by host names: a,b or a:2,b:2."""
HOST_FILES = ("-f", "-machinefile", "--machinefile", "-hostfile", "--hostfile")
"""Options that are followed by the path of a file of host names."""


def by_genv(
    words: Sequence[str], variables: Mapping[str, str], environment: Mapping[str, str]
) -> Command:
    """Hydra's -genv NAME VALUE, also where the user keeps the environment from ranks (-genvnone).

    The launcher, its proxies and ssh don't load what ranks load.
    """
    launcher, *rest = words
    values = _joined(variables, environment)
    given = _given(rest, ("-genv", "--genv"), pairs=True)
    locally = _given(rest, ("-env", "--env"), pairs=True)
    for place in (*given, *locally):
        rest[place] = _completed(rest[place], variables[PRELOAD], environment)
    if given:
        del values[PRELOAD]
    settings = [word for name, value in values.items() for word in ("-genv", name, value)]
    return Command((launcher, *settings, *rest), {})


def by_x(
    words: Sequence[str], variables: Mapping[str, str], environment: Mapping[str, str]
) -> Command:
    """Open MPI's -x NAME, whose values come from the environment: 4.x cuts a value at a ";".

    In 4.x the words count for one of several programs only, so they are given to each.
    """
    launcher, *rest = words
    values = _joined(variables, environment)
    preload = values.pop(PRELOAD, None)
    given = _given(rest, ("-x", "--x"), pairs=False)
    for place in given:
        rest[place] = _completed(rest[place], variables[PRELOAD], environment)
    own = () if given or preload is None else ("-x", f"{PRELOAD}={preload}")
    words_of_each = [*own, *(word for name in values for word in ("-x", name))]
    following = [part for word in rest for part in (word, *(words_of_each if word == ":" else ()))]
    return Command((launcher, *words_of_each, *following), values)


def by_inheritance(
    words: Sequence[str], variables: Mapping[str, str], environment: Mapping[str, str]
) -> Command:
    """Tasks of srun inherit its environment; where --export lists names, the variables are added.

    Raises:
        UsageError: --export keeps the whole environment from the tasks.
    """
    named = []
    for word in words:
        option, equals, value = word.partition("=")
        if option == "--export" and value.upper() in ("NONE", "NIL"):
            raise UsageError(f"{word} keeps all variables from the ranks; leave it out")
        listed = option == "--export" and equals and not value.startswith("ALL")
        named.append(f"{word},{','.join(variables)}" if listed else word)
    return Command(tuple(named), _joined(variables, environment))


def _joined(variables: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, str]:
    """The variables, PRELOAD combined with the environment's."""
    if PRELOAD not in variables:
        return dict(variables)
    both = _together(variables[PRELOAD], environment.get(PRELOAD, ""))
    return dict(variables) | {PRELOAD: both}


def _together(added: str, present: str) -> str:
    """The list `present` with the library `added` behind it.

    Tools see all that programs call, and sanitisers insist on being first. Only an MPI library in
    the list stays behind `added`, which would never be called otherwise.
    """
    found = [word for word in re.split("[ :]", present) if word]
    libraries = (k for k, word in enumerate(found) if word.rpartition("/")[2].startswith("libmpi"))
    place = next(libraries, len(found))
    return ":".join([*found[:place], added, *found[place:]])


def _given(words: Sequence[str], options: Sequence[str], *, pairs: bool) -> list[int]:
    """Indices of the user's values of PRELOAD: NAME=VALUE, or with `pairs` also after the NAME."""
    places = []
    for index, option in enumerate(words[:-1]):
        name, equals, _ = words[index + 1].partition("=")
        if option in options and name == PRELOAD:
            places.append(index + 1 + (pairs and not equals))
    return [place for place in places if place < len(words)]


def _completed(word: str, added: str, environment: Mapping[str, str]) -> str:
    """The user's `word`, a value or NAME=VALUE or NAME, its value combined with `added`."""
    name, equals, value = word.partition("=")
    if name != PRELOAD:
        return _together(added, word)
    return f"{PRELOAD}={_together(added, value if equals else environment.get(PRELOAD, ''))}"


def hosts_named(words: Sequence[str]) -> list[str]:
    """The hosts that `words` name, each once, in the order in which ranks are put on them."""
    names = (
        name.partition(":")[0] for value in _values(words, HOST_LISTS) for name in value.split(",")
    )
    return list(dict.fromkeys(filter(None, names)))


def hostfile_named(words: Sequence[str]) -> str | None:
    """The path of the file of hosts that `words` name; None: they name no file."""
    return next(iter(_values(words, HOST_FILES)), None)


def _values(words: Sequence[str], options: Sequence[str]) -> list[str]:
    return [words[i + 1] for i, word in enumerate(words[:-1]) if word in options]
