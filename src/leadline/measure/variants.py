"""Variants: a backend with settings under a name, as "--variant NAME=BACKEND,env:K=V,arg:WORD"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from leadline.errors import UsageError

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@+#-]*")
_FORM = "write --variant NAME=BACKEND,env:KEY=VALUE,arg:WORD"


@dataclass(frozen=True, slots=True)
class VariantSpec:
    """What the user asked for: nothing of it ever reaches a shell."""

    name: str
    backend: str
    environment: tuple[tuple[str, str], ...] = ()
    arguments: tuple[str, ...] = ()
    """Words for the launcher's command line."""


def parse_variant(text: str) -> VariantSpec:
    """The VariantSpec in "NAME=BACKEND,env:K=V,arg:WORD"; UsageError says which part is wrong."""
    name, equals, rest = text.partition("=")
    if not equals or not _NAME.fullmatch(name):
        raise UsageError(f"variant {text!r} has no usable name; {_FORM}")
    backend, *settings = rest.split(",")
    if not backend:
        raise UsageError(f"variant {text!r} names no backend; {_FORM}")
    environment, arguments = [], []
    for setting in _joined(settings):
        kind, _, value = setting.partition(":")
        if kind == "env":
            environment.append(_variable(text, value))
        elif kind == "arg" and value:
            arguments.append(value)
        else:
            raise UsageError(f"variant {text!r}: {setting!r} is neither env: nor arg:; {_FORM}")
    return VariantSpec(name, backend, tuple(environment), tuple(arguments))


def check_name(name: str) -> str:
    """`name`, if it can be a variant's; else UsageError."""
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} can't be the name of a variant; take letters, digits and . _ @ + # -"
        )
    return name


def name_from(text: str) -> str:
    """A variant's name made of `text`: what none may have becomes one "_"."""
    return re.sub(r"[^A-Za-z0-9._@+#-]+", "_", text).lstrip("._@+#-") or "imported"


def _joined(pieces: Sequence[str]) -> list[str]:
    """`pieces` of a text split at commas; one that begins no setting goes on with the one before.

    "env:OMPI_MCA_btl=tcp,self" so keeps its comma. What looks like the name of a setting doesn't
    go on: "set:K=V" is a typing error.
    """
    settings: list[str] = []
    for piece in pieces:
        if settings and not re.match(r"[a-z]+:", piece):
            settings[-1] += f",{piece}"
        else:
            settings.append(piece)
    return settings


def _variable(text: str, assignment: str) -> tuple[str, str]:
    key, equals, value = assignment.partition("=")
    if not equals or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", key):
        raise UsageError(f"variant {text!r}: {assignment!r} is not KEY=VALUE; {_FORM}")
    return key, value


def distinct(specs: Sequence[VariantSpec]) -> list[VariantSpec]:
    """`specs`, or a UsageError if two have the same name."""
    names = [spec.name for spec in specs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two variants are called {twice!r}; give each a name of its own")
    return list(specs)
