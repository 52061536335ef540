"""Manual pages in troff's macros man, generated from the same parsers as --help."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

from leadline import __version__
from leadline.cli import CHAIN, COMMANDS, parser_for, parser_of
from leadline.cli.parsing.parser import (
    BEGINNING,
    LONG,
    SHORT,
    inner_parsers,
    invocation,
    meaning,
    synopsis,
)

PROGRAM = "leadline"
TITLE = "Leadline"
DATE = "2026-11-27"
"""Date of the version: no clock is read, so that every build makes the same pages."""
_LETTERS = {"\\": r"\e", "-": r"\-", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti"}
_SPECIAL = re.compile(r"[\\\-'`^~]")


def manual_pages() -> dict[str, str]:
    """The text of each page by its file's name: leadline.1, leadline-run.1 ..."""
    found = {f"{PROGRAM}.1": _overview(parser_for(None))}
    for name, does in COMMANDS.items():
        found[f"{PROGRAM}-{name}.1"] = _command(name, does, parser_of(name))
    return {name: "\n".join([*lines, ""]) for name, lines in found.items()}


def escaped(text: str) -> str:
    """`text` as troff prints it literally: no letter and no leading point is a request."""
    shown = _SPECIAL.sub(lambda found: _LETTERS[found[0]], text)
    return re.sub(r"^\.", r"\\&.", shown, flags=re.MULTILINE)


def _head(name: str, does: str) -> Iterator[str]:
    yield f'.TH {escaped(name.upper())} 1 "{DATE}" "{TITLE} {__version__}" "{TITLE}"'
    yield from (".nh", ".ad l")  # option names and values are to be copied
    yield from (".SH NAME", f"{escaped(name)} \\- {escaped(does)}", ".SH SYNOPSIS")


def _overview(program: argparse.ArgumentParser) -> Iterator[str]:
    yield from _head(PROGRAM, "measure, compare, model, map and simulate message passing")
    yield rf"\fB{PROGRAM}\fR \fICOMMAND\fR ..."
    yield from (".SH DESCRIPTION", escaped(str(program.description)))
    yield from _options(program)
    yield ".SH COMMANDS"
    for link, commands in CHAIN.items():
        yield f".SS {escaped(link)}"
        for name, does in commands.items():
            yield from (".TP", rf"\fB{escaped(f'{PROGRAM}-{name}')}\fR(1)", escaped(does))
    yield from (".SH EXAMPLES", ".nf", *map(escaped, BEGINNING.splitlines()), ".fi")


def _command(name: str, does: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    yield from _head(f"{PROGRAM}-{name}", does)
    yield escaped(synopsis(parser))
    yield from _options(parser)
    for action, inner in inner_parsers(parser).items():
        yield f".SH {escaped(f'{name} {action}'.upper())}"
        yield from (escaped(str(inner.description)), ".PP", escaped(synopsis(inner)))
        yield from _options(inner, ".SS")
    if parser.epilog:
        yield from (".SH NOTES", escaped(str(parser.epilog)))
    yield from (".SH SEE ALSO", rf"\fB{PROGRAM}\fR(1)")


def _options(parser: argparse.ArgumentParser, heading: str = ".SH") -> Iterator[str]:
    """The words and options of `parser`, a section a group."""
    beside = (SHORT, LONG) if heading != ".SH" else ()
    for group in parser._action_groups:
        shown = [
            action
            for action in group._group_actions
            if not {*action.option_strings} & {*beside}
            and not isinstance(action, argparse._SubParsersAction)
        ]
        if shown:
            yield f"{heading} {escaped(str(group.title).upper())}"
        for action in shown:
            yield from (".TP", rf"\fB{escaped(invocation(action))}\fR", escaped(meaning(action)))
