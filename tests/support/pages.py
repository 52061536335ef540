"""A page of the report as it stands in a browser."""

from __future__ import annotations

from harness.browser import Browser
from harness.synthetic import pingpong

from leadline.record.run import Failure
from leadline.record.warnings import RunWarning

SIZES = tuple(pingpong(size) for size in (0, 8, 512, 65536, 1_048_576, 2_000_000))
HOSTILE = (
    "<script>alert(1)</script>",
    "</script><script>alert(2)</script>",
    "\"'><img src=x onerror=alert(3)>",
    "line\u2028separator&amp;",
)
FAILURES = (Failure(2, 6, 3, "crash", "rank 1 ended by <b>signal 11</b>"),)
TIME, RATIO = "#curves .chart:first-child", "#curves .chart:last-child"
WARNING = RunWarning("binding", "rank 0 runs on cores 0,1", "check that the launcher binds nothing")


def settled(browser: Browser) -> None:
    """Waits until charts have their size."""
    frames = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
    browser.evaluate(f"STARTED.then(() => {frames}).then(() => null)")


def count(browser: Browser, selector: str) -> int:
    return int(browser.evaluate(f"document.querySelectorAll({selector!r}).length"))


def drawn(browser: Browser, chart: str, what: str) -> int:
    """How many of `what` are in the plot of `chart`."""
    return count(browser, f"{chart} .plot {what}")


def seen(browser: Browser, selector: str) -> bool:
    """Whether it takes any room on the page."""
    return bool(browser.evaluate(f"document.querySelector({selector!r}).offsetWidth > 0"))


def spoken(browser: Browser, chart: str) -> str:
    """What was last read out of `chart`."""
    return str(browser.evaluate(f"document.querySelector('{chart} .spoken').textContent"))


def texts(browser: Browser, selector: str) -> list[str]:
    """Those of all elements that `selector` finds."""
    found = f"[...document.querySelectorAll({selector!r})]"
    return list(browser.evaluate(f"{found}.map(one => one.textContent)"))


def text(browser: Browser, selector: str) -> str:
    return str(browser.evaluate(f"document.querySelector({selector!r}).innerText"))


def focus(browser: Browser, selector: str) -> None:
    browser.evaluate(f"document.querySelector({selector!r}).focus()")


def first_column(browser: Browser, column: int) -> list[str]:
    """The cells in `column` of the rows of what was measured that are shown."""
    rows = "[...document.querySelectorAll('#table-measured tbody tr:not([hidden])')]"
    return list(browser.evaluate(f"{rows}.map(row => row.cells[{column}].textContent)"))
