"""How variables reach the ranks of a launcher's command line that somebody else wrote."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from leadline.backends.launchers.step import Command
from leadline.errors import UsageError

PRELOAD = "LD_PRELOAD"
"""What the loader takes before a program's own libraries: a list, which others may have begun."""
Forward: TypeAlias = Callable[[Sequence[str], Mapping[str, str], Mapping[str, str]], Command]
"""Takes the words from the launcher on, the variables for ranks, and the launcher's environment.

Of PRELOAD the value joins what the words or the environment have already, as `_together` says.
"""


def by_genv(
    words: Sequence[str], variables: Mapping[str, str], environment: Mapping[str, str]
) -> Command:
    """Hydra's -genv NAME VALUE, also where the user keeps the environment from ranks (-genvnone).

    The launcher, its proxies and ssh don't load what ranks load.
    """
    launcher, *rest = words
    mine = _joined(variables, environment)
    given = _given(rest, ("-genv", "--genv"), pairs=True)
    locally = _given(rest, ("-env", "--env"), pairs=True)
    for place in (*given, *locally):
        rest[place] = _completed(rest[place], variables[PRELOAD], environment)
    if given:
        del mine[PRELOAD]
    return Command((launcher, *_settings("-genv", mine.items()), *rest), {})


def by_x(
    words: Sequence[str], variables: Mapping[str, str], environment: Mapping[str, str]
) -> Command:
    """Open MPI's -x NAME, whose values come from the environment: 4.x ends one at a ";".

    To 4.x the words count for one of several programs only, so each gets them.
    """
    launcher, *rest = words
    mine = _joined(variables, environment)
    preload = mine.pop(PRELOAD, None)
    given = _given(rest, ("-x", "--x"), pairs=False)
    for place in given:
        rest[place] = _completed(rest[place], variables[PRELOAD], environment)
    own = () if given or preload is None else ("-x", f"{PRELOAD}={preload}")
    words_of_each = [*own, *(word for name in mine for word in ("-x", name))]
    following = [part for word in rest for part in (word, *(words_of_each if word == ":" else ()))]
    return Command((launcher, *words_of_each, *following), mine)


def by_inheritance(
    words: Sequence[str], variables: Mapping[str, str], environment: Mapping[str, str]
) -> Command:
    """Tasks of srun have its environment, unless --export names what they get: then these, too.

    Raises:
        UsageError: They get nothing.
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
    """The variables, PRELOAD together with what the environment has."""
    if PRELOAD not in variables:
        return dict(variables)
    both = _together(variables[PRELOAD], environment.get(PRELOAD, ""))
    return dict(variables) | {PRELOAD: both}


def _together(mine: str, theirs: str) -> str:
    """Mine behind theirs: tools see all that programs call, sanitisers insist on being first.

    An MPI library among theirs stays behind mine, which would never be called otherwise.
    """
    found = [word for word in re.split("[ :]", theirs) if word]
    libraries = (k for k, word in enumerate(found) if word.rpartition("/")[2].startswith("libmpi"))
    place = next(libraries, len(found))
    return ":".join([*found[:place], mine, *found[place:]])


def _given(words: Sequence[str], options: Sequence[str], *, pairs: bool) -> list[int]:
    """Where the user's value of PRELOAD is: in NAME=VALUE, or with `pairs` also after the NAME."""
    places = []
    for index, option in enumerate(words[:-1]):
        name, equals, _ = words[index + 1].partition("=")
        if option in options and name == PRELOAD:
            places.append(index + 1 + (pairs and not equals))
    return [place for place in places if place < len(words)]


def _completed(word: str, mine: str, environment: Mapping[str, str]) -> str:
    """The user's `word`, a value or NAME=VALUE or NAME, with mine together with the value."""
    name, equals, value = word.partition("=")
    if name != PRELOAD:
        return _together(mine, word)
    return f"{PRELOAD}={_together(mine, value if equals else environment.get(PRELOAD, ''))}"


def _settings(option: str, variables: Iterable[tuple[str, str]]) -> list[str]:
    return [word for name, value in variables for word in (option, name, value)]
