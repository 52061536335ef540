"""`leadline completion`: a script that makes a shell complete commands and options.

The scripts are made from what the command line knows.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from leadline.errors import SLIP, unknown_name

WITH_VALUES = ("unexpected:16", "cyclic:2x2:all", "halo:2x2x2", "iallreduce:overlapped:work=20us")
"""Patterns whose options have values, to begin from."""
OR_FILE = "NAME|FILE"
"""How options say that they take a machine that comes along, or a file."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline completion`."""
    parser.add_argument("shell", metavar="bash|zsh|fish", help="which one")
    parser.epilog = 'In ~/.bashrc: eval "$(leadline completion bash)"'


def execute(arguments: argparse.Namespace) -> int:
    """Prints the script, which is to be read by the shell's start-up file."""
    from leadline.cli import COMMANDS

    if arguments.shell not in SHELLS:
        raise unknown_name("shell", arguments.shell, SHELLS, cutoff=SLIP)
    print(SHELLS[arguments.shell]([_command(*entry) for entry in COMMANDS.items()]), end="")
    return 0


def _command(name: str, meaning: str) -> Subcommand:
    from leadline.cli import parser_of

    parser = parser_of(name)
    options = options_of(parser)
    words = [_values(action) for action in parser._actions if not action.option_strings]
    return Subcommand(name, meaning, tuple(map(_option, options)), sum(words, ()))


def options_of(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """A command's options, and those of its actions where it has some."""
    parsers = [parser, *(inner for action in parser._actions for inner in _within(action))]
    found = {a.option_strings[-1]: a for one in parsers for a in one._actions if a.option_strings}
    return list(found.values())


def _within(action: argparse.Action) -> list[argparse.ArgumentParser]:
    has_parsers = isinstance(action, argparse._SubParsersAction)
    return list(action.choices.values()) if has_parsers and isinstance(action.choices, dict) else []


def _option(action: argparse.Action) -> Option:
    name = max(action.option_strings, key=len)
    short = next((one for one in action.option_strings if not one.startswith("--")), "")
    return Option(
        name,
        (action.help or "").replace("%%", "%"),
        has_value=action.nargs != 0,
        values=_values(action),
        short="" if short == name else short,
        or_file=action.metavar == OR_FILE,
    )


def _values(action: argparse.Action) -> tuple[str, ...]:
    """The words that it takes; empty: any."""
    named = _named(action)
    if named is not None:
        return tuple(named)
    words = action.choices or str(action.metavar or "").split("|")
    return tuple(word for word in words if word.islower()) if len(tuple(words)) > 1 else ()


def _named(action: argparse.Action) -> Iterable[str] | None:
    """Names that a part of the tool has, patterns as suites do and by example; None: none does."""
    from leadline.backends.kinds import INSTALLABLE, KINDS
    from leadline.cli import COMMANDS
    from leadline.cli.parsing.search import method_words
    from leadline.hosts.emulated.link import LINKS
    from leadline.papers.catalogue import PAPERS, STUDIES
    from leadline.simulate.machine_files import shipped_names

    if action.metavar == OR_FILE:
        return shipped_names()
    if action.dest == "library":
        return None if action.option_strings else INSTALLABLE
    if action.dest in ("method", "patterns"):
        return method_words() if action.dest == "method" else _patterns()
    papers = list(PAPERS)
    names = {"about": COMMANDS, "study": STUDIES, "paper": papers, "backends": KINDS, "link": LINKS}
    return names.get(action.dest)


def _patterns() -> Iterable[str]:
    from leadline.measure.suites import SUITES

    named = (pattern for suite in SUITES.values() for pattern in suite.patterns)
    return dict.fromkeys((*named, *WITH_VALUES))


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a command."""

    name: str
    """With its dashes."""
    meaning: str
    has_value: bool
    values: tuple[str, ...]
    """The words that it takes; empty: anything, a file among others."""
    short: str = ""
    """Its name of one letter, with its dash; empty: it has none beside `name`."""
    or_file: bool = False
    """Whether a file does as well as one of `values`."""


@dataclass(frozen=True, slots=True)
class Subcommand:
    """One command of the program."""

    name: str
    meaning: str
    options: tuple[Option, ...]
    words: tuple[str, ...] = ()
    """What it takes besides; empty: anything, a file among others."""


def bash(commands: Sequence[Subcommand]) -> str:
    """For bash 4: names of commands first, then options, or values, or files."""
    options = "\n".join(
        f"        {command.name}) words={_quoted(_names(command.options))} ;;"
        for command in commands
    )
    valued = "\n".join(
        f"        {command.name}\\ {option.name}) words={_quoted(option.values)} ;;"
        for command in commands
        for option in command.options
        if option.values
    )
    others = "\n".join(
        f"        {command.name}) words={_quoted(command.words)} ;;"
        for command in commands
        if command.words
    )
    return f"""_leadline() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words=
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W {_quoted([c.name for c in commands])} -- "$word")
        return
    fi
    case "${{COMP_WORDS[1]}} $before" in
{valued}
    esac
    if [ -z "$words" ] && [[ $word == -* ]]; then
        case ${{COMP_WORDS[1]}} in
{options}
        esac
    elif [ -z "$words" ] && [[ $before != -* ]]; then
        case ${{COMP_WORDS[1]}} in
{others}
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}}
complete -o default -F _leadline leadline
"""


def zsh(commands: Sequence[Subcommand]) -> str:
    """For zsh, after compinit."""
    names = "\n".join(f"        {_quoted([f'{c.name}:{c.meaning}'])}" for c in commands)
    cases = "\n".join(
        f"        {c.name}) _arguments {' '.join(_zsh_options(c))} {_zsh_words(c)} ;;"
        for c in commands
    )
    return f"""#compdef leadline
_leadline() {{
    local -a commands=(
{names}
    )
    if (( CURRENT == 2 )); then
        _describe command commands
        return
    fi
    local command=$words[2]
    shift words
    (( CURRENT-- ))
    case $command in
{cases}
    esac
}}
compdef _leadline leadline
"""


def fish(commands: Sequence[Subcommand]) -> str:
    """For fish 3."""
    return "\n".join(_fish_lines(commands)) + "\n"


SHELLS: Mapping[str, Callable[[Sequence[Subcommand]], str]] = {
    "bash": bash,
    "zsh": zsh,
    "fish": fish,
}


def _names(options: Sequence[Option]) -> list[str]:
    return [option.name for option in options]


def _quoted(words: Sequence[str]) -> str:
    """`words`, separated by blanks, as one word that a shell takes literally."""
    return "'" + " ".join(words).replace("'", "'\\''") + "'"


def _zsh_options(command: Subcommand) -> Iterator[str]:
    for option in command.options:
        meaning = option.meaning.translate(str.maketrans("[]:", "(),"))
        words = " ".join(option.values).replace(":", "\\:")
        either = f"{{compadd - {words}; _files}}" if option.or_file else f"({words})"
        values = either if words else "_files"
        value = f":value:{values}" if option.has_value else ""
        for name in filter(None, (option.short, option.name)):
            yield _quoted([f"{name}[{meaning}]{value}"])


def _zsh_words(command: Subcommand) -> str:
    return f"'*:word:({' '.join(command.words)})'" if command.words else "'*:file:_files'"


def _fish_lines(commands: Sequence[Subcommand]) -> Iterator[str]:
    for command in commands:
        meaning = _fish_quoted(command.meaning)
        yield f"complete -c leadline -f -n __fish_use_subcommand -a {command.name} -d {meaning}"
    for command in commands:
        if command.words:
            yield (
                f"complete -c leadline -n '__fish_seen_subcommand_from {command.name}' "
                f"-f -a {_fish_quoted(' '.join(command.words))}"
            )
        for option in command.options:
            value = " -r" if option.has_value else ""
            short = f" -s {option.short.removeprefix('-')}" if option.short else ""
            alone = "" if option.or_file else " -f"
            words = f"{alone} -a {_fish_quoted(' '.join(option.values))}" if option.values else ""
            yield (
                f"complete -c leadline -n '__fish_seen_subcommand_from {command.name}' "
                f"{_fish_name(option.name)}{short}{value}{words} "
                f"-d {_fish_quoted(option.meaning)}"
            )


def _fish_name(name: str) -> str:
    """A name of an option, as `complete` is told of one."""
    return f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"


def _fish_quoted(text: str) -> str:
    """`text` as one word of fish, whose quotes know backslashes."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
