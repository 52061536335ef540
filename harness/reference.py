"""Tables of docs/ that are made from the code: `make reference` writes them, a test checks them.

A table stands between the two lines

    <!-- make reference: KIND WORDS -->
    <!-- end -->

KIND is a key of TABLES, WORDS say which one of its tables. What else a page has is prose by hand.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from harness.places import ROOT
from leadline.backends.kinds import INSTALLABLE, KINDS
from leadline.cli import CHAIN, parser_of
from leadline.cli.commands.completion import options_of
from leadline.cli.parsing.parser import meaning
from leadline.measure.known_patterns import known_patterns
from leadline.papers.catalogue import all_papers
from leadline.patterns.names import FOREIGN_NAMES, Vocabulary
from leadline.patterns.pattern import Pattern
from leadline.patterns.programs.collectives import ALGORITHMS
from leadline.patterns.suites import SUITES
from leadline.record.warnings import WarningKind
from leadline.simulate.machine_files import machine_named, shipped_names

PAGES = (ROOT / "docs" / "reference.md", ROOT / "docs" / "schemas" / "README.md")
SCHEMAS = ROOT / "docs" / "schemas"
GENERATED = re.compile(
    r"(<!-- make reference: (\w+)(?: ([^\n]*))? -->\n).*?(<!-- end -->)", re.DOTALL
)
NOTHING = "-"
MORE: Mapping[str, str] = {
    "strict": "#what-isnt-whole",
    "run suite": "numbers.md#applications",
    "run patterns": "#leadline-patterns",
    "run variant": "#settings-of-a-variant",
    "run machine": "#simulated-ranks",
    "run buffers": "numbers.md#buffers",
    "run cadence": "numbers.md#time",
    "run all-ranks": "numbers.md#many-ranks",
    "run budget": "numbers.md#the-budget-is-kept",
    "run precision": "numbers.md#blocks",
    "run bind": "numbers.md#more-ranks-than-cores",
    "run hosts": "howto.md#measure-on-a-cluster",
    "run launcher": "#who-starts-ranks",
    "run link-bound": "numbers.md#more-ranks-than-cores",
    "run against": "#old-against-new",
    "run strict": "",
    "import ranks": "#outputs-on-several-numbers-of-ranks",
    "compare between": "numbers.md#two-runs",
    "fit between": "numbers.md#closed-forms",
    "map grid": "mapping.md#what-communicates",
    "map graph": "mapping.md#what-communicates",
    "map machine": "mapping.md#machines",
    "map allocation": "mapping.md#allocations",
    "map job": "mapping.md#several-jobs",
    "map metric": "mapping.md#metrics",
    "map method": "mapping.md#methods",
    "map emit": "mapping.md#apply-it",
    "exec map": "mapping.md#metrics",
    "exec machine": "#leadline-map",
    "exec simulate": "#leadline-simulate",
    "simulate library": "#machines-that-come-along",
    "simulate allocation": "#leadline-map",
    "simulate mapping": "#leadline-map",
    "reproduce report": "#the-page-of-papers",
    "reproduce runs": "#papers-measured-here",
}
"""Where the docs say more of an option of a command, or of all commands; "": nowhere."""


def main() -> None:
    for page in PAGES:
        page.write_text(regenerated(page.read_text()))


def regenerated(text: str) -> str:
    """A page with all of its generated tables as the code has them now; KeyError: no such table."""

    def table(found: re.Match[str]) -> str:
        begin, kind, words, end = found.groups(default="")
        return f"{begin}{TABLES[kind](words)}\n{end}"

    return GENERATED.sub(table, text)


def markdown(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def code(text: str) -> str:
    return f"`{escaped(text)}`"


def escaped(text: str) -> str:
    return text.replace("|", "\\|")


# -- commands --------------------------------------------------------------------------------------


def commands(_: str) -> str:
    rows = [
        (link if number == 0 else "", code(command), does)
        for link, known in CHAIN.items()
        for number, (command, does) in enumerate(known.items())
    ]
    return markdown(("to", "command", "does"), rows)


def options(words: str) -> str:
    """Options of a command, or of one of its groups: "run", "run what to measure"."""
    command, _, group = words.partition(" ")
    parser = parser_of(command)
    chosen = {
        id(action)
        for one in parser._action_groups
        if one.title == (group or one.title)
        for action in one._group_actions
    }
    rows = []
    for action in options_of(parser):
        name = action.option_strings[-1]
        if name.startswith("--") and name != "--help" and (not group or id(action) in chosen):
            option = code(f"{name} {value_of(action)}".strip())
            rows.append((option, default_of(action), meaning_of(command, name, action)))
    return markdown(("option", "default", "meaning"), rows)


def value_of(action: argparse.Action) -> str:
    if action.nargs == 0:
        return ""
    metavar = str(action.metavar or action.dest.upper())
    metavar = f"[{metavar}]" if action.nargs == "?" else metavar
    return " ".join([metavar] * (action.nargs if isinstance(action.nargs, int) else 1))


def default_of(action: argparse.Action) -> str:
    return code(str(action.default)) if action.nargs != 0 and action.default else NOTHING


def meaning_of(command: str, name: str, action: argparse.Action) -> str:
    """The help text without the default that has a column, and where more is said."""
    text = meaning(action)
    if action.default:
        text = text.replace(f" (default: {action.default})", "")
    text += "; required" if action.required else ""
    text = re.sub(r"(?<![\w`-])(--[a-z][a-z-]*)(?=[\s,;:)]|$)", r"`\1`", escaped(text))
    bare = name.removeprefix("--")
    schema = SCHEMAS / f"{command}.json"
    at = MORE.get(f"{command} {bare}", MORE.get(bare, ""))
    if bare == "json" and schema.exists():
        return f"{text} ([schema](schemas/{schema.name}))"
    return f"{text} ([more]({at}))" if at else text


# -- patterns --------------------------------------------------------------------------------------


def suites(_: str) -> str:
    rows = [
        (code(name), str(len(suite.patterns)), f"{suite.budget_s / 60:g} min")
        for name, suite in SUITES.items()
    ]
    return markdown(("suite", "patterns", "budget"), rows)


def patterns(_: str) -> str:
    rows = [
        (code(one.pattern.name), one.pattern.summary, "; ".join(behind(one.pattern)))
        for one in known_patterns()
    ]
    return markdown(("pattern", "measures", "options"), rows)


def behind(pattern: Pattern) -> Iterator[str]:
    """What may stand behind a pattern's name, and which sizes and numbers of ranks it takes."""
    for option in pattern.options.values():
        yield (
            ", ".join(code(f":{word}") for word in option.words)
            or f"{code(f':{option.key}=')} {option.allowed}"
        )
    if pattern.granularity > 1:
        yield f"multiples of {pattern.granularity} B"
    elif pattern.least_bytes:
        yield f"at least {pattern.least_bytes} B"
    if pattern.in_pairs:
        yield "an even number of ranks"


def names(words: str) -> str:
    """The names that patterns have elsewhere: "same", or "near" ones that differ."""
    if words == "near":
        rows = [(code(o.name), code(o.pattern), o.differs) for o in FOREIGN_NAMES if o.differs]
        return markdown(("OSU, IMB, MPI", "nearest", "difference"), rows)
    same = [one for one in FOREIGN_NAMES if not one.differs]
    table = [
        (
            code(pattern),
            *(
                ", ".join(
                    code(one.name)
                    for one in same
                    if (one.pattern, one.vocabulary) == (pattern, vocabulary)
                )
                or NOTHING
                for vocabulary in Vocabulary
            ),
        )
        for pattern in dict.fromkeys(one.pattern for one in same)
    ]
    return markdown(("pattern", *Vocabulary), table)


# -- warnings, keys --------------------------------------------------------------------------------


def warnings(_: str) -> str:
    rows = [(code(kind.code), kind.when, kind.remedy) for kind in WarningKind]
    return markdown(("code", "when", "remedy"), rows)


def keys(words: str) -> str:
    """Keys that an object in a published schema always has.

    `words` are the schema, the object's name there ("-": the whole), and the heading of the column.
    """
    name, definition, heading = words.split(" ", maxsplit=2)
    schema = json.loads((SCHEMAS / f"{name}.json").read_text())
    found = schema if definition == "-" else schema["$defs"][definition]
    rows = [
        (code(key), described(found["properties"][key]))
        for key in found["required"]
        if key != "format"
    ]
    return markdown((heading, "is"), rows)


def described(value: Mapping[str, Any]) -> str:
    """The description of a key as a table has it, and the values of an enumeration."""
    text = escaped(value["description"]).rstrip(".")
    begins_with_a_name = text[1:2].isupper()
    values = [word for one in (value, *value.get("anyOf", ())) for word in one.get("enum", ())]
    listed = f": {', '.join(map(code, values))}" if values else ""
    return (text if begins_with_a_name else text[0].lower() + text[1:]) + listed


def schemas(_: str) -> str:
    rows = []
    for path in sorted(SCHEMAS.glob("*.json")):
        schema = json.loads(path.read_text())
        rows.append((f"[{path.stem}]({path.name})", code(schema["title"]), described(schema)))
    return markdown(("schema", "of", "one object"), rows)


# -- libraries, papers -----------------------------------------------------------------------------


def backends(_: str) -> str:
    rows = []
    for kind in KINDS.values():
        if kind.sources:  # others are scripted: tests alone have them
            got = [code(f"leadline get {kind.name}")] if kind.name in INSTALLABLE else []
            got += [code(f"apt-get install {' '.join(kind.debian)}")] if kind.debian else []
            taken = "by name" if kind.only_by_name else "yes"
            rows.append((code(kind.name), kind.title, taken, ", ".join(got) or NOTHING))
    return markdown(("backend", "is", "part of a run", "installed by"), rows)


def papers(_: str) -> str:
    return markdown(("paper", "of"), [(code(one.key), one.source) for one in all_papers()])


# -- simulated machines ----------------------------------------------------------------------------


def machines(_: str) -> str:
    rows = []
    for name in shipped_names():
        machine = machine_named(name)
        figures = [figure for found in machine.fitted.values() for figure in found]
        works = dict.fromkeys(figure.partition(".")[0] for figure in figures)
        libraries = ", ".join(map(code, machine.profiles))
        fitted_to = ", ".join(works) or NOTHING
        rows.append((code(name), machine.summary, code(machine.network), libraries, fitted_to))
    return markdown(("machine", "is", "network", "libraries", "fitted to"), rows)


def algorithms(_: str) -> str:
    rows = [(code(name), ", ".join(map(code, known))) for name, known in ALGORITHMS.items()]
    return markdown(("collective", "algorithms"), rows)


TABLES: Mapping[str, Callable[[str], str]] = {
    "commands": commands,
    "options": options,
    "suites": suites,
    "patterns": patterns,
    "names": names,
    "warnings": warnings,
    "keys": keys,
    "schemas": schemas,
    "backends": backends,
    "papers": papers,
    "machines": machines,
    "algorithms": algorithms,
}

if __name__ == "__main__":
    main()
