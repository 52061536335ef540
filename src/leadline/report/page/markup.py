"""HTML from nested elements, and files of it that fetch nothing.

Text that isn't marked as HTML is escaped wherever it stands.
"""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from string import Template

from leadline import __version__
from leadline.errors import printable

VOID = frozenset({"input", "meta"})
"""Elements that have no content and no end tag."""
ENDED_BY_NEXT = frozenset({"td", "th", "tr", "thead", "tbody"})
"""Elements that end where the next of their kind begins, or the table ends: HTML needs no tag."""


@dataclass(frozen=True, slots=True)
class Markup:
    """HTML, which isn't escaped any more."""

    html: str


Content = Markup | str
Attribute = str | bool | None


def element(name: str, *content: Content, **attributes: Attribute) -> Markup:
    """The element `name` around `content`.

    Args:
        name: The tag.
        content: Elements, and text, which is escaped.
        attributes: `class_` is the attribute class, `data_value` is data-value. True is an
            attribute without a value; those that are None or False are left out.
    """
    words = [name]
    for key, value in attributes.items():
        word = key.rstrip("_").replace("_", "-")
        if value is True:
            words.append(word)
        elif value is not None and value is not False:
            words.append(f'{word}="{_text(value)}"')
    begin = f"<{' '.join(words)}>"
    if name in VOID:
        return Markup(begin)
    end = "" if name in ENDED_BY_NEXT else f"</{name}>"
    return Markup(f"{begin}{joined(content).html}{end}")


def joined(content: Iterable[Content]) -> Markup:
    """Elements and text, which is escaped, one after the other."""
    return Markup(
        "".join(markup.html if isinstance(markup, Markup) else _text(markup) for markup in content)
    )


def _text(text: str) -> str:
    return html.escape(printable(text))


def offline_file(template: str, scripts: Sequence[str], **parts: str) -> str:
    """One HTML file that fetches nothing and runs nothing but the scripts that it holds.

    Args:
        template: Name of an asset; its gaps `policy`, `version`, `styles` and `scripts` are filled
            here.
        scripts: Names of assets, in the order in which they need each other.
        **parts: HTML for all other gaps.
    """
    script, styles = "\n".join(map(_asset, scripts)), _asset("page.css")
    return Template(_asset(template)).substitute(
        policy=f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(styles)}'",
        version=__version__,
        styles=styles,
        scripts=script,
        **parts,
    )


def _asset(name: str) -> str:
    return (files(__package__) / "assets" / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """The name of `text` in a content security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
