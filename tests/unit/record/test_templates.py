"""Templates of sentences: each form, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from leadline.record.templates import Sentence, fields_of, filled


class Fruit(Sentence):
    MANY = "{number:one apple|# apples|no apples} of {farms:join}"


@pytest.mark.parametrize(
    ("template", "value", "text"),
    [
        ("{x}", 3, "3"),
        ("{x:,}", 1234, "1,234"),
        ("{x:.2g}", 0.1234, "0.12"),
        ("{x!r}", "a", "'a'"),
        ("{x:join}", ("a", 2), "a, 2"),
        ("{x:size}", 65536, "64 KiB"),
        ("{x:time}", 0.0013, "1.30 ms"),
        ("{x:.0f %}", 0.254, "25 %"),
        ("{x:# rank|# ranks}", 1, "1 rank"),
        ("{x:# rank|# ranks}", 0, "0 ranks"),
        ("{x:# rank|# ranks}", 1234, "1,234 ranks"),
        ("{x:|s|none}", 0, "none"),
        ("{x:is|are}", ["a"], "is"),
        ("{x:is|are # of them}", {"a": 1, "b": 2}, "are 2 of them"),
        ("{x:, exactly|}", True, ", exactly"),
        ("{x:, exactly|}", False, ""),
        ("{x:exactly # of|about # of}", np.int64(1), "exactly 1 of"),
        ("{x:exactly|about}", np.bool_(False), "about"),
        ("{x: (#)|}", "3 to 5", " (3 to 5)"),
        ("{x: (#)|}", "", ""),
        ("{x: (#)|, unknown}", None, ", unknown"),
        ("{x:: a colon|}", True, ": a colon"),
    ],
)
def test_a_field_is_written_in_its_form(template: str, value: object, text: str) -> None:
    assert filled(template, x=value) == text


def test_what_values_contain_is_no_template() -> None:
    assert filled("{x:<#>|} {y}", x="{y}|#", y="{x:size}") == "<{y}|#> {x:size}"


def test_a_member_fills_in() -> None:
    assert Fruit.MANY(number=2, farms=("a", "b")) == "2 apples of a, b"
    assert fields_of(Fruit.MANY) == {"number", "farms"}


def test_lacking_and_foreign_values_are_refused() -> None:
    with pytest.raises(KeyError, match="farms"):
        Fruit.MANY(number=2)
    with pytest.raises(TypeError, match="no fields colour, taste"):
        Fruit.MANY(number=2, farms=(), colour="red", taste="sour")
