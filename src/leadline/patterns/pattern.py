"""What a pattern is, as `kernel --describe` prints it, and how to ask for one with options.

Besides its size a pattern takes a word, a grid, a number or a time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from leadline.errors import UsageError, unknown_name
from leadline.patterns.names import LISTED, unknown_pattern
from leadline.record.run import Buffers, Cadence, Cell, WhoseTime
from leadline.record.terms import current_label
from leadline.units import compact_time, parse_duration

_DIMS = re.compile(r"[1-9]\d{0,8}(x[1-9]\d{0,8})*")
_NUMBER = re.compile(r"\d{1,18}")


class OptionKind(StrEnum):
    """Type of an option's values."""

    WORD = "word"
    DIMS = "dims"
    """The lengths of a grid, whose product is the number of ranks."""
    NUMBER = "number"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Chosen:
    """A value other than the default, or an application's class."""

    key: str
    value: str
    """In the form that the kernel reads: "max", "8x4x4", or "20000", a time in ns."""
    label: str
    """In the form of a pattern's label: "max", "8x4x4", or "work=20us", for a key's value."""


@dataclass(frozen=True, slots=True)
class PatternOption:
    """One option. A pattern has at most one of dims or a number, which so needs no key."""

    key: str
    kind: OptionKind
    words: tuple[str, ...] = ()
    """The default first; empty: it has no words."""
    least: int = 0
    """Least number, least time in ns, or least number of axes of a grid; `most` likewise."""
    most: int = 0
    default: int = 0
    """Default of a number; a grid or a time that isn't given is chosen by the pattern."""
    needs: str = ""
    """The option whose default leaves this one without effect; "": none."""

    def stands_bare(self, text: str) -> bool:
        """Whether `text`, which has no key, is meant for this option."""
        return text in self.words or bool(_BEGINS[self.kind].match(text))

    def read(self, text: str) -> Chosen | None:
        """The value in `text`; None: that is the default. ValueError: it isn't allowed."""
        match self.kind:
            case OptionKind.WORD:
                return Chosen(self.key, text, text) if self.words.index(text) else None
            case OptionKind.DIMS:
                self._within(len(_matching(_DIMS, text).split("x")))
                return Chosen(self.key, text, text)
            case OptionKind.NUMBER:
                number = self._within(int(_matching(_NUMBER, text)))
                if number == self.default:
                    return None
                return Chosen(self.key, str(number), str(number))
            case OptionKind.TIME:
                try:
                    time_ns = self._within(round(parse_duration(text) * 1e9))
                except UsageError as error:
                    raise ValueError(text) from error
                return Chosen(self.key, str(time_ns), f"{self.key}={compact_time(time_ns)}")

    @property
    def allowed(self) -> str:
        """The values that it takes, e.g. "1 to 1024"."""
        match self.kind:
            case OptionKind.WORD:
                return f"{', '.join(self.words[:-1])} or {self.words[-1]}"
            case OptionKind.DIMS:
                return f"{self.least} to {self.most} lengths from 1 up, e.g. 4x2"
            case OptionKind.NUMBER:
                return f"{self.least} to {self.most}"
            case OptionKind.TIME:
                return f"{compact_time(self.least)} to {compact_time(self.most)}"

    def _within(self, value: int) -> int:
        if not self.least <= value <= self.most:
            raise ValueError(f"{value} is not within {self.least} and {self.most}")
        return value


def _matching(form: re.Pattern[str], text: str) -> str:
    if not form.fullmatch(text):
        raise ValueError(text)
    return text


_NEVER = re.compile(r"(?!)")
_BEGINS = {
    OptionKind.WORD: _NEVER,
    OptionKind.DIMS: re.compile(r"\d"),
    OptionKind.NUMBER: re.compile(r"[-+\d]"),
    OptionKind.TIME: _NEVER,
}
"""How a value without its key begins, by type; _NEVER: it needs its key."""


def parse_option(key: str, described: Mapping[str, Any]) -> PatternOption:
    """The option `key` as `kernel --describe` prints it: {"kind": "number", "least": 1, ...}."""
    kind, words = OptionKind(described["kind"]), tuple(described.get("words", ()))
    return PatternOption(**dict(described) | {"key": key, "kind": kind, "words": words})


SKEWED = Chosen("counts", "skewed", "skewed")
"""The option that gives the last rank more than others."""
ALL, CORNERS = Chosen("axes", "all", "all"), Chosen("neighbours", "corners", "corners")
"""The options that let a pattern send along all axes, and along several at a time."""
ALL_AXES = "all axes"
"""The reach of one that always sends along all."""
GRID, ROOT = "grid", "root"
"""Keys of options."""
NO_WINDOWS = "none"


@dataclass(frozen=True, slots=True)
class Problem:
    """The problem that an application solves, of one class, however many ranks share it."""

    repetitions: int
    """Number of repetitions that solve it."""
    most_ranks: int
    """The most ranks that can share it."""
    flop: int
    """Floating-point operations of a repetition, of all ranks together."""
    bytes: int
    """Approximate memory of all ranks together."""


@dataclass(frozen=True, slots=True)
class Application:
    """The application of a pattern that computes."""

    option: str
    """The key of the option whose words are the classes of problems."""
    powers_of_two: bool
    """Whether the number of ranks has to be a power of two."""
    problems: Mapping[str, Problem]
    """Problems by class."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """One pattern over one backend."""

    name: str
    summary: str
    algorithm: str
    """"native", the fallback's name, or "absent"."""
    participants: int
    """Ranks that take part; 0: all."""
    messages_per_repetition: int
    granularity: int
    """Sizes are multiples of this many bytes; 0: the pattern has no size."""
    least_bytes: int
    keeps_input: bool
    """Its input and output never share memory, also under the echo policy."""
    blocks: int
    """Blocks of the cell's size in a message, on a grid for each axis; 0: one for each rank."""
    largest_share: int
    """The most that skewed counts give the last rank, in mean shares."""
    whose_time: str
    cadence: str
    options: Mapping[str, PatternOption] = field(default_factory=dict)
    """Options by key; no two share a word."""
    threads: int = 0
    """Threads of each rank that send, under MPI_THREAD_MULTIPLE; 0: the library knows of none."""
    stretch: float = 1.0
    """Bytes of memory for each byte of payload: above 1 where a message has gaps."""
    in_pairs: bool = False
    """Whether it takes an even number of ranks."""
    messages_in_flight: int = 1
    """Messages of a repetition that are under way at a time, each in a buffer of its own."""
    one_buffer: bool = False
    """Whether its operations are bound to their buffers, which can't rotate then."""
    windows: str = NO_WINDOWS
    """Windows of messages under way together in a repetition: "none", "one", or one a "pair"."""
    axes: int = 0
    """Axes of the grid of all ranks, where its lengths aren't given; 0: it has no grid."""
    reach: str = "none"
    """Axes of its grid that it sends along, unless "all" is given: "first axis" or "all axes"."""
    application: Application | None = None
    """None: it only sends messages."""

    def takes(self, size_bytes: int) -> bool:
        """Whether the pattern, which has sizes, can be measured at this one."""
        return size_bytes >= self.least_bytes and size_bytes % self.granularity == 0


def parse_pattern(described: Mapping[str, Any]) -> Pattern:
    """The pattern as `kernel --describe` prints it, its options and its application with it."""
    options = {key: parse_option(key, text) for key, text in described["options"].items()}
    application = None
    if (computes := described["application"]) is not None:
        problems = {word: Problem(**numbers) for word, numbers in computes["problems"].items()}
        application = Application(computes["option"], computes["powers_of_two"], problems)
    return Pattern(**dict(described) | {"options": options, "application": application})


@dataclass(frozen=True, slots=True)
class PatternChoice:
    """A pattern with its options: "allreduce:max:int64"."""

    name: str
    options: tuple[Chosen, ...] = ()
    """Options that aren't the default, and an application's class, in the pattern's order."""
    root: int = 0
    """The root where it is fixed; 0 for patterns without one."""

    @property
    def label(self) -> str:
        """The name, and the options that differ from the default."""
        options = [chosen.label for chosen in self.options]
        return ":".join([self.name, *options, *[f"root={self.root}"] * bool(self.root)])

    @property
    def dims(self) -> tuple[int, ...]:
        """The lengths of the grid that was asked for; () where none was."""
        (dims,) = [chosen.value for chosen in self.options if chosen.key == GRID] or [""]
        return tuple(map(int, dims.split("x"))) if dims else ()

    def problem(self, pattern: Pattern) -> Problem | None:
        """The problem that an application solves; None: `pattern` is no application."""
        if (application := pattern.application) is None:
            return None
        (word,) = [chosen.value for chosen in self.options if chosen.key == application.option]
        return application.problems[word]

    @property
    def rotates(self) -> bool:
        """Whether each operation has another root."""
        return any(chosen.key == ROOT for chosen in self.options)

    @property
    def command(self) -> str:
        """The words that ask a kernel for it."""
        words = [f"{chosen.key}={chosen.value}" for chosen in self.options]
        return " ".join([f"pattern={self.name}", f"root={self.root}", *words])

    def rooted_at(self, root: int, patterns: Mapping[str, Pattern]) -> PatternChoice:
        """The same with a fixed root of `root`, if its pattern has one that isn't rotating."""
        fixed = ROOT in patterns[self.name].options and not self.rotates
        return replace(self, root=root) if fixed else self

    def blocks(self, pattern: Pattern, ranks: int) -> int:
        """How many blocks of the cell's size a message of `pattern` has room for."""
        share = pattern.largest_share if SKEWED in self.options else 1
        if not pattern.axes:
            return (pattern.blocks or ranks) * share
        axes = self.axes_along(pattern)
        return 3**axes - 1 if CORNERS in self.options else pattern.blocks * axes

    def axes_along(self, pattern: Pattern) -> int:
        """How many axes, from the first, messages go along; `pattern` has a grid."""
        every = pattern.reach == ALL_AXES or ALL in self.options
        return (len(self.dims) or pattern.axes) if every else 1


def parse_choice(text: str, patterns: Mapping[str, Pattern]) -> PatternChoice:
    """The PatternChoice in "NAME[:WORD|:VALUE|:KEY=VALUE...]"; UsageError names the nearest word.

    A former name means what it meant. A name that MPI, OSU or IMB has for a pattern is no name
    here, but the error leads from it.

    Dims and a number may stand without their key: "halo:8x4x4:corners", "unexpected:16". An
    application of no class is of its first.
    """
    name, *words = current_label(text).split(":")
    if name not in patterns:
        raise unknown_pattern(name, patterns, LISTED)
    options = patterns[name].options
    if words and not options:
        raise UsageError(f"pattern {text!r}: {name} takes no options, found {words[0]!r}")
    given: dict[str, Chosen | None] = {}
    for word in words:
        option, value = _option_of(word, patterns[name])
        if option.key in given:
            raise UsageError(f"pattern {text!r}: {option.key} is given twice; give it once")
        try:
            given[option.key] = option.read(value)
        except ValueError:
            raise UsageError(
                f"pattern {text!r}: {option.key} is {value!r}; {name} takes {option.allowed}"
            ) from None
    if application := patterns[name].application:
        usual = options[application.option].words[0]
        given[application.option] = given.get(application.option) or Chosen(
            application.option, usual, usual
        )
    chosen = tuple(one for key in options if (one := given.get(key)))
    _check_needs(text, [one.key for one in chosen], options)
    return PatternChoice(name, chosen)


def _option_of(word: str, pattern: Pattern) -> tuple[PatternOption, str]:
    """The option of `pattern` that `word` is for, and its value; UsageError for an unknown word."""
    options = pattern.options
    key, equals, value = word.partition("=")
    if equals and key in options:
        return options[key], value
    for option in options.values():
        if option.stands_bare(word):
            return option, word
    if application := pattern.application:
        classes = options[application.option].words
        raise unknown_name(f"{application.option} of {pattern.name}", word, classes, in_order=True)
    known = [each for key, option in options.items() for each in option.words or (f"{key}=",)]
    ranges = "".join(
        f"; {key} takes {option.allowed}" for key, option in options.items() if not option.words
    )
    raise UsageError(f"{unknown_name(f'option of {pattern.name}', word, known)}{ranges}")


def _check_needs(text: str, chosen: Sequence[str], options: Mapping[str, PatternOption]) -> None:
    """UsageError where an option has no effect beside another one's default."""
    for key in chosen:
        needed = options[key].needs
        if needed and needed not in chosen:
            usual, *others = options[needed].words
            raise UsageError(
                f"pattern {text!r}: {key} has no effect where {needed} is {usual}; "
                f"add one of {', '.join(others)}"
            )


def cell_of(
    choice: PatternChoice, pattern: Pattern, size_bytes: int, buffers: str, cadence: str | None
) -> Cell:
    """The cell of `choice` at `size_bytes`; cadence None: the pattern's own."""
    return Cell(
        choice.label,
        size_bytes,
        Buffers(buffers),
        Cadence(cadence or pattern.cadence),
        pattern.messages_per_repetition,
        WhoseTime(pattern.whose_time),
    )
