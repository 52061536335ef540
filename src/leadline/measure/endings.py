"""Words for launches that aren't as they were to be: where ranks are, how processes ended. Pure."""

from __future__ import annotations

import re
import signal

from leadline.hosts.cores import Site
from leadline.kernels.messages import Hello


def misplaced(hello: Hello, site: Site) -> str:
    """That a rank isn't where it was to be, and what may have put it there."""
    seen = f"host {hello.host!r}" + f" of machine {hello.machine}" * (hello.host == site.name)
    if not site.asked:
        return (
            f"rank {hello.rank} runs on {seen}, and no other host than this one, {site.name!r}, "
            "was asked for: a scheduler or a file of hosts placed it; name the hosts by --hosts"
        )
    own = f", which calls itself {site.name!r}" * (site.asked != site.name)
    return (
        f"rank {hello.rank} runs on {seen}, asked for was {site.asked!r}{own}: mend what --agent "
        "names, so that it enters the host that it is given, and let no scheduler or file of hosts "
        "place ranks"
    )


_SIGNAL = re.compile(r"signal:?\s*(\d+)", re.IGNORECASE)
_DEADLOCK = "Deadlock detected"
"""As SimGrid says it."""
_CLEARING_UP = {signal.SIGTERM, signal.SIGKILL}
"""What launchers end the other ranks with."""


def ending(status: int | None, tail: str) -> tuple[str, str]:
    """The failure code and words for how a launch's process ended."""
    if _DEADLOCK in tail:  # found by a simulator, which then ends well
        return "hang", "ended in a deadlock: its ranks wait for what never comes"
    if status is None:
        return "exit", "left the launch while the launcher still runs"
    if status < 0:
        return "crash", f"was ended by {signal.Signals(-status).name}"
    named = {int(number) for number in _SIGNAL.findall(tail)} - _CLEARING_UP
    by_shell = 128 < status < 255  # Intel MPI ends with 255 whatever happened
    if by_shell or named or "segmentation" in tail.lower():
        return "crash", f"crashed (launcher's exit status {status})"
    return "exit", f"exited (launcher's exit status {status})"
