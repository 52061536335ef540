"""Hosts that don't reach each other, as they say themselves."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from leadline.hosts.network import apart
from leadline.hosts.schedulers import RemoteShell

HERE = '#!/bin/sh\nshift\nexec sh -c "$*"\n'


def hosts_saying(folder: Path, message: Mapping[str, str]) -> dict[str, RemoteShell]:
    """Hosts that answer by what they are to say: "h2 yes h3 no"."""
    for host, text in message.items():
        words = text.split()
        lines = [f"leadline-reach {a} {b}" for a, b in zip(words[::2], words[1::2], strict=True)]
        (folder / host).write_text("\n".join(["Welcome", *lines, ""]))
    agent = folder / "agent"
    agent.write_text(f'#!/bin/sh\ncat "{folder}/$1"\n')
    agent.chmod(0o755)
    return {host: RemoteShell(host, (str(agent), host), by_shell=True) for host in message}


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ({"h1": "h2 yes h3 no", "h2": "h1 yes h3 no", "h3": "h1 no h2 no"}, ["h1 h3", "h2 h3"]),
        ({"h1": "h2 yes h3 no", "h2": "h1 yes h3 yes", "h3": ""}, ["h1 h3"]),
        ({"h1": "h2 no h3 yes", "h2": "h1 yes h3 yes", "h3": "h1 yes h2 yes"}, []),
        ({"h1": "h2 no", "h2": "h1 no"}, []),
        ({"h1": "h2 yes", "h2": ""}, []),
        ({"h1": "h9 no h2 yes", "h2": "h1 yes"}, []),
        ({}, []),
    ],
    ids=["one cut off", "one link", "one way is enough", "none", "silent", "unasked", "no hosts"],
)
def test_pairs_are_apart_neither_of_which_reaches_the_other(
    tmp_path: Path, message: Mapping[str, str], found: list[str]
) -> None:
    pairs = apart(hosts_saying(tmp_path, message))
    assert sorted(" ".join(sorted(pair)) for pair in pairs) == found


def test_who_refuses_is_reached(tmp_path: Path) -> None:
    agent = tmp_path / "agent"
    agent.write_text(HERE)
    agent.chmod(0o755)
    near = ("127.0.0.1", "127.0.0.2")
    assert (
        apart({host: RemoteShell(host, (str(agent), host), by_shell=True) for host in near})
        == set()
    )
