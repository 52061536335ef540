"""`leadline completion`: a script that makes a shell complete commands and options.

The scripts are generated from the commands' parsers.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from leadline.cli.parsing.parser import meaning
from leadline.errors import SLIP, unknown_name

WITH_VALUES = ("unexpected:16", "cyclic:2x2:all", "halo:2x2x2", "iallreduce:overlapped:work=20us")
"""Patterns whose options have values, as examples to edit."""
OR_FILE = "NAME|FILE"
"""Metavar of options that take a bundled machine or a file."""


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
    """Its name of one letter, with its dash; empty: none beside `name`."""
    or_file: bool = False
    """Whether a file does as well as one of `values`."""


@dataclass(frozen=True, slots=True)
class Subcommand:
    """One command of the program."""

    name: str
    meaning: str
    options: tuple[Option, ...]
    words: tuple[str, ...] = ()
    """The words that it takes besides options; empty: anything, a file among others."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `leadline completion`."""
    parser.add_argument("shell", metavar="bash|zsh|fish", help="shell that the script is for")
    parser.epilog = 'In ~/.bashrc: eval "$(leadline completion bash)"'


def execute(arguments: argparse.Namespace) -> int:
    """Prints the script, which is to be read by the shell's start-up file."""
    from leadline.cli import COMMANDS, parser_of

    if arguments.shell not in SHELLS:
        raise unknown_name("shell", arguments.shell, SHELLS, cutoff=SLIP)
    commands = []
    for name, does in COMMANDS.items():
        parser = parser_of(name)
        words = [_values(action) for action in parser._actions if not action.option_strings]
        options = tuple(map(_option, options_of(parser)))
        commands.append(Subcommand(name, does, options, sum(words, ())))
    print(SHELLS[arguments.shell](commands), end="")
    return 0


def options_of(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """A command's options, and those of its actions where it has some."""
    inner = [
        one
        for action in parser._actions
        if isinstance(action, argparse._SubParsersAction)
        for one in action.choices.values()
    ]
    parsers = [parser, *inner]
    found = {a.option_strings[-1]: a for one in parsers for a in one._actions if a.option_strings}
    return list(found.values())


def _option(action: argparse.Action) -> Option:
    """What shells have to know of an option."""
    name = max(action.option_strings, key=len)
    short = next((one for one in action.option_strings if not one.startswith("--")), "")
    return Option(
        name,
        meaning(action),
        has_value=action.nargs != 0,
        values=_values(action),
        short="" if short == name else short,
        or_file=action.metavar == OR_FILE,
    )


def _values(action: argparse.Action) -> tuple[str, ...]:
    """The words that it takes; empty: any.

    They are names that a part of the program has, patterns as suites do and by example, or the
    choices that argparse knows.
    """
    from leadline.backends.kinds import INSTALLABLE, KINDS
    from leadline.cli import COMMANDS
    from leadline.cli.parsing.jobs import method_words
    from leadline.hosts.emulated.link import LINKS
    from leadline.papers.catalogue import PAPERS, STUDIES
    from leadline.patterns.suites import SUITES
    from leadline.simulate.machine_files import shipped_names

    if action.metavar == OR_FILE:
        return tuple(shipped_names())
    if action.dest == "library" and not action.option_strings:
        return tuple(INSTALLABLE)
    if action.dest == "method":
        return tuple(method_words())
    if action.dest == "patterns":
        named = (pattern for suite in SUITES.values() for pattern in suite.patterns)
        return tuple(dict.fromkeys((*named, *WITH_VALUES)))
    names: Mapping[str, Iterable[str]] = {
        "about": COMMANDS, "study": STUDIES, "paper": PAPERS, "backends": KINDS, "link": LINKS,
    }  # fmt: skip
    if action.dest in names:
        return tuple(names[action.dest])
    words = tuple(action.choices or str(action.metavar or "").split("|"))
    return tuple(word for word in words if word.islower()) if len(words) > 1 else ()


def bash(commands: Sequence[Subcommand]) -> str:
    """For bash 4: names of commands first, then options, or values, or files."""
    options = "\n".join(
        f"        {command.name}) words={_quoted([option.name for option in command.options])} ;;"
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
    cases = []
    for command in commands:
        options = []
        for option in command.options:
            text = option.meaning.translate(str.maketrans("[]:", "(),"))
            words = " ".join(option.values).replace(":", "\\:")
            either = f"{{compadd - {words}; _files}}" if option.or_file else f"({words})"
            value = f":value:{either if words else '_files'}" if option.has_value else ""
            for name in filter(None, (option.short, option.name)):
                options.append(_quoted([f"{name}[{text}]{value}"]))
        rest = f"'*:word:({' '.join(command.words)})'" if command.words else "'*:file:_files'"
        cases.append(f"        {command.name}) _arguments {' '.join(options)} {rest} ;;")
    shown = "\n".join(cases)
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
{shown}
    esac
}}
compdef _leadline leadline
"""


def _quoted(words: Sequence[str]) -> str:
    """`words`, separated by blanks, as one word that a shell takes literally."""
    return "'" + " ".join(words).replace("'", "'\\''") + "'"


def fish(commands: Sequence[Subcommand]) -> str:
    """For fish 3."""
    lines = [
        f"complete -c leadline -f -n __fish_use_subcommand -a {command.name} "
        f"-d {_fish_quoted(command.meaning)}"
        for command in commands
    ]
    for command in commands:
        after = f"complete -c leadline -n '__fish_seen_subcommand_from {command.name}'"
        if command.words:
            lines.append(f"{after} -f -a {_fish_quoted(' '.join(command.words))}")
        for option in command.options:
            name = option.name
            told = f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
            short = f" -s {option.short.removeprefix('-')}" if option.short else ""
            value = " -r" if option.has_value else ""
            alone = "" if option.or_file else " -f"
            words = f"{alone} -a {_fish_quoted(' '.join(option.values))}" if option.values else ""
            lines.append(f"{after} {told}{short}{value}{words} -d {_fish_quoted(option.meaning)}")
    return "\n".join(lines) + "\n"


def _fish_quoted(text: str) -> str:
    """`text` as one word of fish, whose quotes know backslashes."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


SHELLS: Mapping[str, Callable[[Sequence[Subcommand]], str]] = {
    "bash": bash,
    "zsh": zsh,
    "fish": fish,
}
