from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion
from tests.support.texts import refusals

from leadline.errors import FileError
from leadline.models.calls import Calls, CallSize, ProgramCall, parse_calls

TEXT = """\
# a solver
steps = 100

[[call]]
pattern = "allreduce"
size = 8
count = 20

[[call]]
pattern = "halo:corners"
size = "8KiB"

[[call]]
pattern = "alltoall"
size = "1GiB / p^2"
count = 0.5
ranks = 4
"""


def test_every_key_is_read() -> None:
    assert parse_calls(TEXT, "calls.toml") == Calls(
        steps=100,
        calls=(
            ProgramCall("allreduce", CallSize(8), 20),
            ProgramCall("halo:corners", CallSize(8192)),
            ProgramCall("alltoall", CallSize(2**30, Fraction(2)), 0.5, 4),
        ),
    )


def test_a_program_has_one_step_unless_it_says_so() -> None:
    (call,) = parse_calls('[[call]]\npattern="bcast"\nsize=0', "calls.toml").calls
    assert call == ProgramCall("bcast", CallSize(0), 1.0, None)
    assert parse_calls('call=[{pattern="bcast", size=0}]', "calls.toml").steps == 1


@pytest.mark.parametrize(
    ("written", "power"),
    [("1MiB/p", 1), ("1MiB /p^2", 2), ("1MiB/ p^0.5", 0.5), ("1MiB/p^(1/2)", 0.5)],
)
def test_size_is_divided_over_ranks(written: str, power: float) -> None:
    # 2^20 bytes on 4 ranks: a quarter, a sixteenth, a half
    (call,) = parse_calls(f'[[call]]\npattern="bcast"\nsize="{written}"', "calls.toml").calls
    assert float(call.size.power) == power
    assert call.size.on(np.array([1.0, 4.0])).tolist() == [2**20, 2**20 / 4**power]


def test_shares_that_differ_by_a_rest_count_as_the_largest() -> None:
    # 10 B on 3 ranks are 4, 3 and 3; on 16 a byte on some; on 8^(2/3) = 4, which isn't exact, 2.5
    assert CallSize(10, Fraction(1)).on(np.array([2.0, 3.0, 16.0])).tolist() == [5, 4, 1]
    assert CallSize(1, Fraction(3)).on(np.array([2.0, 1024.0])).tolist() == [1, 1]
    assert CallSize(2**20, Fraction(2, 3)).on(np.array([8.0, 64.0])).tolist() == [2**18, 2**16]
    assert CallSize(0, Fraction(1)).on(np.array([2.0])).tolist() == [0]


def test_size_that_is_not_divided_is_the_same_on_all_ranks() -> None:
    assert CallSize(8).on(np.array([2.0, 1024.0])).tolist() == [8, 8]


@pytest.mark.parametrize(
    ("power", "words"),
    [("0", "1 MiB"), ("1", "1 MiB / p"), ("2", "1 MiB / p^2"), ("2/3", "1 MiB / p^(2/3)")],
)
def test_size_reads_as_it_is_written(power: str, words: str) -> None:
    assert str(CallSize(2**20, Fraction(power))) == words


HEAD = 'steps = 2\n\n[[call]]\npattern = "bcast"\nsize = 8\n\n'
REFUSED = [
    "",
    "steps = 3",
    "call = 3",
    "\n[call]\nsize = 8",
    "steps = 0\n" + HEAD[10:],
    "steps = true\n" + HEAD[10:],
    "stpes = 2\n" + HEAD[10:],
    "[[calls]]\nsize = 8",
    HEAD + '[[call]]\nsize = "8KiB"',
    HEAD + '[[call]]\npattern = "bcast"',
    HEAD + '[[call]]\npattern = ""\nsize = 8',
    HEAD + "[[call]]\npattern = 8\nsize = 8",
    HEAD + '[[call]]\npattern = "x"\nsize = "8 kilos"',
    HEAD + '[[call]]\npattern = "x"\nsize = "/p"',
    HEAD + '[[call]]\npattern = "x"\nsize = "8/p^9"',
    HEAD + '[[call]]\npattern = "x"\nsize = "8/p^(1/0)"',
    HEAD + '[[call]]\npattern = "x"\nsize = "1MiB/q"',
    HEAD + '[[call]]\npattern = "x"\nsize = "1MiB/4"',
    HEAD + '[[call]]\npattern = "x"\nsize = "1MiB/"',
    HEAD + '[[call]]\npattern = "x"\nsize = "p/8"',
    HEAD + '[[call]]\npattern = "x"\nsize = -8',
    HEAD + '[[call]]\npattern = "x"\nsize = 8.5',
    HEAD + '[[call]]\npattern = "x"\nsize = 8\ncount = 0',
    HEAD + '[[call]]\npattern = "x"\nsize = 8\ncount = nan',
    HEAD + '[[call]]\npattern = "x"\nsize = 8\ncount = "3"',
    HEAD + '[[call]]\npattern = "x"\nsize = 8\nranks = 1',
    HEAD + '[[call]]\npattern = "x"\nsize = 8\ntimes = 1',
    HEAD + '[[call]]\npattern = "x"\nsize = 8\nsteps = 9',
    'steps = 2\ncall = [{pattern="x", size=8, b=1}]',
    "steps = 0x" + "f" * 9000 + HEAD[9:],
]
NOT_TOML = [
    (HEAD + "size = 8KiB", "calls.toml:7: "),
    (HEAD + 'pattern = "', "calls.toml: "),
    ("a = " + "[" * 9000, "calls.toml: "),
]


def test_error_says_where_what_and_what_to_write(snapshot: SnapshotAssertion) -> None:
    assert refusals(lambda text: parse_calls(text, "calls.toml"), REFUSED, FileError) == snapshot


@pytest.mark.parametrize(("text", "where"), NOT_TOML)
def test_error_of_what_is_no_toml_says_where(text: str, where: str) -> None:
    with pytest.raises(FileError, match=f"^{where}.*TOML"):
        parse_calls(text, "calls.toml")


def test_a_text_that_is_cut_anywhere_is_read_or_refused() -> None:
    for end in range(len(TEXT)):
        try:
            parse_calls(TEXT[:end], "calls.toml")
        except FileError as error:
            assert str(error).startswith("calls.toml:")
