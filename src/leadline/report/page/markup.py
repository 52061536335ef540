"""HTML from nested elements; text that isn't marked as HTML is escaped wherever it stands."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass

from leadline.errors import printable

VOID = frozenset({"input", "meta"})
"""Elements that have no end."""
ENDED_BY_NEXT = frozenset({"td", "th", "tr", "thead", "tbody"})
"""Elements whose end tag HTML does without: the next of their kind or the table's end is theirs."""


@dataclass(frozen=True, slots=True)
class Markup:
    """HTML as it is."""

    html: str


Content = Markup | str
Attribute = str | bool | None


def element(name: str, *content: Content, **attributes: Attribute) -> Markup:
    """The element `name` around `content`.

    `class_` is the attribute class, `data_value` is data-value; True is an attribute without a
    value, None and False are none.
    """
    words = [name, *(_attribute(key, value) for key, value in attributes.items())]
    begin = f"<{' '.join(filter(None, words))}>"
    if name in VOID:
        return Markup(begin)
    end = "" if name in ENDED_BY_NEXT else f"</{name}>"
    return Markup(f"{begin}{joined(content).html}{end}")


def joined(content: Iterable[Content]) -> Markup:
    """One after the other."""
    return Markup("".join(one.html if isinstance(one, Markup) else _text(one) for one in content))


def _attribute(key: str, value: Attribute) -> str:
    name = key.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    return name if value is True else f'{name}="{_text(value)}"'


def _text(text: str) -> str:
    return html.escape(printable(text))
