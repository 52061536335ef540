"""Chromium without a window, obeying over a pipe: the DevTools protocol, as far as it is needed.

Protocol: https://chromedevtools.github.io/devtools-protocol; messages are JSON, each ended by a
zero byte, on descriptors 3 (to the browser) and 4 (from it).
"""

from __future__ import annotations

import argparse
import base64
import io
import json
import os
import select
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from harness.patience import PATIENCE_S

COLOURS = 256
"""Of a picture."""
KEYS = {
    "Enter": (13, "\r"), "Tab": (9, ""), "Escape": (27, ""), "ArrowRight": (39, ""),
    "ArrowLeft": (37, ""), "ArrowDown": (40, ""), "Home": (36, ""), "End": (35, ""), " ": (32, " "),
}  # fmt: skip
"""Code and text of each key that `press` knows."""

Message = dict[str, Any]


class Browser:
    """One browser with one page; a context manager, at whose end it is gone."""

    def __init__(self, width: int = 1280, height: int = 900) -> None:
        """Starts Chromium with a window of so many pixels."""
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        (to_read, self._to), (self._from, from_write) = os.pipe(), os.pipe()
        options = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--no-first-run", "--remote-debugging-pipe", f"--user-data-dir={self._profile.name}",
            f"--window-size={width},{height}",
        ]  # fmt: skip
        redirected = f'exec "$@" 3<&{to_read} 4>&{from_write}'
        self._process = subprocess.Popen(
            ["bash", "-c", redirected, "bash", "chromium", *options],
            pass_fds=(to_read, from_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_read)
        os.close(from_write)
        self._received, self._number = b"", 0
        self._session: str | None = None
        self.events: list[Message] = []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        attached = self._call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")

    def __enter__(self) -> Self:
        """The browser itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        """Ends Chromium; the end of its pipe would do so too."""
        os.close(self._to)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._from)
        self._profile.cleanup()

    # -- what a reader does ------------------------------------------------------------------------

    def open(self, file: Path, anchor: str = "") -> None:
        """Loads a file, at an `anchor` as "#top", and waits until its scripts have run."""
        self.events.clear()
        self._call("Page.navigate", url=f"{file.resolve().as_uri()}{anchor}")
        self._wait(lambda: bool(self.named("Page.loadEventFired")))

    def press(self, *keys: str) -> None:
        """Presses one key after the other; a single character is typed."""
        for key in keys:
            code, text = KEYS.get(key, (0, key))
            words = {"key": key, "windowsVirtualKeyCode": code, "text": text}
            self._call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **words)
            self._call("Input.dispatchKeyEvent", type="keyUp", **words)

    def point(self, x: float, y: float) -> None:
        """Moves the pointer there, in CSS pixels of the window."""
        self._call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Presses the pointer's button at one place and lets it go at another."""
        places = (("mousePressed", start), ("mouseMoved", end), ("mouseReleased", end))
        for kind, (x, y) in places:
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def save_into(self, folder: Path) -> None:
        """Where files go that the page offers from now on."""
        self._call(
            "Browser.setDownloadBehavior",
            behavior="allow",
            downloadPath=str(folder),
            eventsEnabled=True,
        )

    def wait_for_files(self, many: int) -> None:
        """Until so many files were saved since the page was opened."""
        done = "Browser.downloadProgress"
        self._wait(lambda: [one["state"] for one in self.named(done)].count("completed") >= many)

    def prefer(self, scheme: str) -> None:
        """Makes the page believe that its reader prefers "light" or "dark"."""
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self._call("Emulation.setEmulatedMedia", features=features)

    def show_as(self, medium: str) -> None:
        """Lays the page out for "screen" or for "print"."""
        self._call("Emulation.setEmulatedMedia", media=medium)

    def resize(self, width: int, height: int) -> None:
        """Gives the page another size."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._call("Emulation.setDeviceMetricsOverride", **size)

    def run_scripts(self, wanted: bool) -> None:
        """Whether the pages opened from now on run their scripts; `evaluate` works either way."""
        self._call("Emulation.setScriptExecutionDisabled", value=not wanted)

    def run_before_page(self, script: str) -> None:
        """Runs `script` in each page opened from now on, before any of its own."""
        self._call("Page.addScriptToEvaluateOnNewDocument", source=script)

    # -- what is seen ------------------------------------------------------------------------------

    def evaluate(self, expression: str) -> Any:
        """The value of a JavaScript expression; RuntimeError if it throws."""
        answer = self._call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def screenshot(self) -> bytes:
        """The window as PNG."""
        return base64.b64decode(self._call("Page.captureScreenshot", format="png")["data"])

    def named(self, method: str) -> list[Message]:
        """The parameters of all events of this name since the page was opened."""
        return [event["params"] for event in self.events if event["method"] == method]

    @property
    def complaints(self) -> list[Message]:
        """Exceptions, and errors and warnings on the console."""
        loud = [
            call for call in self.named("Runtime.consoleAPICalled")
            if call["type"] in ("error", "warning")
        ]  # fmt: skip
        return [*self.named("Runtime.exceptionThrown"), *self.named("Log.entryAdded"), *loud]

    @property
    def requests(self) -> list[str]:
        """The addresses of everything that the page asked for."""
        return [sent["request"]["url"] for sent in self.named("Network.requestWillBeSent")]

    # -- the pipe ----------------------------------------------------------------------------------

    def _call(self, method: str, **parameters: Any) -> Any:
        self._number += 1
        message: Message = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        answers: list[Message] = []
        self._wait(lambda: bool(answers), answers)
        if "error" in answers[0]:
            raise RuntimeError(f"{method}: {answers[0]['error']}")
        return answers[0]["result"]

    def _wait(self, done: Callable[[], bool], answers: list[Message] | None = None) -> None:
        """Takes in messages until `done`; the answer to the last call goes to `answers`."""
        until = time.monotonic() + PATIENCE_S
        while not done():
            message = self._next(until)
            if "method" in message:
                self.events.append(message)
            elif answers is not None and message.get("id") == self._number:
                answers.append(message)

    def _next(self, until: float) -> Message:
        while b"\0" not in self._received:
            ready, _, _ = select.select([self._from], [], [], max(0.0, until - time.monotonic()))
            part = os.read(self._from, 2**20) if ready else b""
            if not part:
                raise RuntimeError(f"Chromium said nothing for {PATIENCE_S:g} s, or ended")
            self._received += part
        text, _, self._received = self._received.partition(b"\0")
        message: Message = json.loads(text)
        return message


def _write_small(picture: bytes, file: Path) -> None:
    """With as many colours as a page has, which is a third of the bytes."""
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as found:
        found.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(file, optimize=True)


def main() -> None:
    """A picture of a page in the light theme; `#` and an id behind its name is where it begins."""
    parser = argparse.ArgumentParser(prog="python -m harness.browser", description=main.__doc__)
    parser.add_argument("page", help="e.g. papers.html#paper-cray-mpt")
    parser.add_argument("picture", type=Path, help="a .png")
    parser.add_argument("size", nargs="?", default="1184x850", help="in pixels: %(default)s")
    asked = parser.parse_args()
    width, height = map(int, asked.size.split("x"))
    name, mark, place = asked.page.partition("#")
    with Browser(width, height) as browser:
        browser.resize(width, height)
        browser.prefer("light")
        browser.open(Path(name), mark + place)
        browser.evaluate("STARTED.then(() => new Promise(done => setTimeout(done, 500, null)))")
        _write_small(browser.screenshot(), asked.picture)


if __name__ == "__main__":
    main()
