"""One HTML file that fetches nothing and runs nothing but what it holds."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from importlib.resources import files
from string import Template

from leadline import __version__


def offline_file(template: str, scripts: Sequence[str], **parts: str) -> str:
    """The asset `template` with `parts`, which are HTML, in its gaps.

    Args:
        template: Its gaps `policy`, `version`, `styles` and `scripts` are filled here.
        scripts: Assets, in the order in which they need each other.
        **parts: All other gaps.
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
