"""Completion scripts for shells, made from what the command line knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass


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
