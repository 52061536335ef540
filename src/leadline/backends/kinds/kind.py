"""What is known of one kind of library, whatever machine it is on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A message-passing library, or a raw transport, or null: every fact that is told of it."""

    name: str
    """As --backends and records call it."""
    title: str
    """What to call it in a sentence."""
    sources: tuple[str, ...]
    """In native/kernels/backends: its C file and folder; then folders that it shares."""
    link_flags: tuple[str, ...] = ()
    """What to link where its compiler is the C compiler, which doesn't know."""
    startup_s: float
    """What a launch takes about, before any was measured."""
    raw: bool = False
    """A physical limit, not a competitor: compared only where asked for by name."""
    only_by_name: bool = False
    """A run leaves it out unless --backends or --variant names it."""
    one_host: bool = False
    """Its ranks are all on one host."""
    wheels: tuple[str, ...] = ()
    """The packages of PyPI that `leadline get` installs; the first one's version is its own."""
    debian: tuple[str, ...] = ()
    """What Debian calls its packages."""
    transport: str | None = None
    """Between two ranks of one host, where the kernel itself carries messages; None: a library."""

    @property
    def remedy(self) -> str | None:
        """The command that installs it; None where no one package does."""
        if self.wheels:
            return f"leadline get {self.name}"
        return f"apt-get install {' '.join(self.debian)}" if self.debian else None
