"""Statements that Ctrl-C ends: DuckDB lets no signal through while it computes."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb

AGAIN_S = 0.1
"""After which one that had not yet begun is interrupted again."""


def selected(
    connection: duckdb.DuckDBPyConnection, statement: duckdb.Statement
) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]:
    """Columns and rows that `statement` finds; what DuckDB raises, and KeyboardInterrupt.

    Another thread waits for DuckDB, so that this one hears of signals.
    """
    found: list[tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]] = []
    raised: list[BaseException] = []
    awaited, over = threading.Event(), threading.Event()

    def select() -> None:
        awaited.wait()  # an interrupt before that finds nothing at work
        try:
            result = connection.execute(statement)
            columns = tuple(column[0] for column in result.description or ())
            found.append((columns, tuple(result.fetchall())))
        except BaseException as error:  # raised where somebody waits for it
            raised.append(error)
        finally:
            over.set()

    threading.Thread(target=select, daemon=True).start()
    if _interrupted(connection, awaited, over):
        raise KeyboardInterrupt
    if raised:
        raise raised[0]
    return found[0]


def _interrupted(
    connection: duckdb.DuckDBPyConnection, awaited: threading.Event, over: threading.Event
) -> bool:
    """Says that it is `awaited`, and waits until it is `over`; whether it was interrupted.

    A second interrupt doesn't leave DuckDB at work: `timeout` sends two, and so do impatient users.
    """
    interrupted = False
    while True:
        try:
            awaited.set()
            if interrupted:
                connection.interrupt()
            if over.wait(AGAIN_S if interrupted else None):
                return interrupted
        except KeyboardInterrupt:
            interrupted = True
