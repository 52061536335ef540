"""How variables reach the ranks of a launcher's command line that somebody else wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from leadline.backends.launchers.step import Command
from leadline.errors import UsageError

PRELOAD = "LD_PRELOAD"
"""What the loader takes before a program's own libraries: a list, which others may have begun."""
Forward: TypeAlias = Callable[[Sequence[str], Mapping[str, str], Mapping[str, str]], Command]
"""Takes the words from the launcher on, the variables for ranks, and the launcher's environment.

Of PRELOAD the value is put before what the words or the environment have already.
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
        rest[place] = _before(mine_of=variables, word=rest[place], environment=environment)
    if given:
        del mine[PRELOAD]
    return Command((launcher, *_settings("-genv", mine.items()), *rest), {})


def by_x(
    words: Sequence[str], variables: Mapping[str, str], environment: Mapping[str, str]
) -> Command:
    """Open MPI's -x NAME, whose values come from the environment: 4.x ends one at a ";"."""
    launcher, *rest = words
    mine = _joined(variables, environment)
    preload = mine.pop(PRELOAD, None)
    given = _given(rest, ("-x", "--x"), pairs=False)
    for place in given:
        rest[place] = _before(mine_of=variables, word=rest[place], environment=environment)
    own = () if given or preload is None else ("-x", f"{PRELOAD}={preload}")
    names = (word for name in mine for word in ("-x", name))
    return Command((launcher, *own, *names, *rest), mine)


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
    """The variables, PRELOAD before what the environment has."""
    both = [found[PRELOAD] for found in (variables, environment) if found.get(PRELOAD)]
    return dict(variables) | ({PRELOAD: ":".join(both)} if PRELOAD in variables else {})


def _given(words: Sequence[str], options: Sequence[str], *, pairs: bool) -> list[int]:
    """Where the user's value of PRELOAD is: in NAME=VALUE, or with `pairs` also after the NAME."""
    places = []
    for index, option in enumerate(words[:-1]):
        name, equals, _ = words[index + 1].partition("=")
        if option in options and name == PRELOAD:
            places.append(index + 1 + (pairs and not equals))
    return [place for place in places if place < len(words)]


def _before(*, mine_of: Mapping[str, str], word: str, environment: Mapping[str, str]) -> str:
    """The user's `word`, a value or NAME=VALUE or NAME, with mine before the value."""
    name, equals, value = word.partition("=")
    if name != PRELOAD:
        return f"{mine_of[PRELOAD]}:{word}" if word else mine_of[PRELOAD]
    theirs = value if equals else environment.get(PRELOAD, "")
    return f"{PRELOAD}={mine_of[PRELOAD]}{':' * bool(theirs)}{theirs}"


def _settings(option: str, variables: Iterable[tuple[str, str]]) -> list[str]:
    return [word for name, value in variables for word in (option, name, value)]
