from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

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
pattern = "total_exchange"
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
            ProgramCall("total_exchange", CallSize(2**30, Fraction(2)), 0.5, 4),
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
    ("", None, "no call in it; write"),
    ("steps = 3", None, "no call in it; write"),
    ("call = 3", 1, "not a list of tables"),
    ("\n[call]\nsize = 8", 2, "not a list of tables"),
    ("steps = 0\n" + HEAD[10:], 1, "steps 0 is not a whole number from 1"),
    ("steps = true\n" + HEAD[10:], 1, "steps True is not"),
    ("stpes = 2\n" + HEAD[10:], 1, "did you mean 'steps'"),
    ("[[calls]]\nsize = 8", 1, "did you mean 'call'"),
    (HEAD + '[[call]]\nsize = "8KiB"', 7, 'lacks its pattern; write pattern = "allreduce"'),
    (HEAD + '[[call]]\npattern = "bcast"', 7, 'lacks its size; write size = "8KiB"'),
    (HEAD + '[[call]]\npattern = ""\nsize = 8', 8, "pattern '' is not a name"),
    (HEAD + "[[call]]\npattern = 8\nsize = 8", 8, "pattern 8 is not a name"),
    (HEAD + '[[call]]\npattern = "x"\nsize = "8 kilos"', 9, "write 8, 64KiB or 1MB"),
    (HEAD + '[[call]]\npattern = "x"\nsize = "/p"', 9, "size '/p' is not a number of bytes"),
    (HEAD + '[[call]]\npattern = "x"\nsize = "8/p^9"', 9, "above 0 and up to 3; write p, p^2"),
    (HEAD + '[[call]]\npattern = "x"\nsize = "8/p^(1/0)"', 9, "divided by 'p^(1/0)', which isn't"),
    (HEAD + '[[call]]\npattern = "x"\nsize = "1MiB/q"', 9, "by 'q', which isn't p, the number of"),
    (HEAD + '[[call]]\npattern = "x"\nsize = "1MiB/4"', 9, "by '4', which isn't p, the number of"),
    (HEAD + '[[call]]\npattern = "x"\nsize = "1MiB/"', 9, "is divided by '', which isn't p"),
    (HEAD + '[[call]]\npattern = "x"\nsize = "p/8"', 9, "size 'p' is not a number of bytes"),
    (HEAD + '[[call]]\npattern = "x"\nsize = -8', 9, "size -8 is not a whole number from 0"),
    (HEAD + '[[call]]\npattern = "x"\nsize = 8.5', 9, "size 8.5 is not a whole number"),
    (HEAD + '[[call]]\npattern = "x"\nsize = 8\ncount = 0', 10, "count 0 is not a number above 0"),
    (HEAD + '[[call]]\npattern = "x"\nsize = 8\ncount = nan', 10, "count nan is not"),
    (HEAD + '[[call]]\npattern = "x"\nsize = 8\ncount = "3"', 10, "count '3' is not"),
    (HEAD + '[[call]]\npattern = "x"\nsize = 8\nranks = 1', 10, "ranks 1 is not a whole number"),
    (HEAD + '[[call]]\npattern = "x"\nsize = 8\ntimes = 1', 10, "unknown key 'times'"),
    (HEAD + '[[call]]\npattern = "x"\nsize = 8\nsteps = 9', 10, "write it above all [[call]]"),
    ('steps = 2\ncall = [{pattern="x", size=8, b=1}]', None, "unknown key 'b'"),
    (HEAD + "size = 8KiB", 7, "not TOML"),
    (HEAD + 'pattern = "', None, "not TOML"),
    ("steps = 0x" + "f" * 9000 + HEAD[9:], 1, "steps of thousands of digits"),
    ("a = " + "[" * 9000, None, "not TOML"),
]


@pytest.mark.parametrize(("text", "line", "problem"), REFUSED)
def test_error_says_where_what_and_what_to_write(text: str, line: int | None, problem: str) -> None:
    with pytest.raises(FileError) as raised:
        parse_calls(text, "calls.toml")
    where = "calls.toml: " if line is None else f"calls.toml:{line}: "
    assert str(raised.value).startswith(where)
    assert problem in str(raised.value)


def test_a_text_that_is_cut_anywhere_is_read_or_refused() -> None:
    for end in range(len(TEXT)):
        try:
            parse_calls(TEXT[:end], "calls.toml")
        except FileError as error:
            assert str(error).startswith("calls.toml:")
