"""How a rank proves whose it is: by a secret that it was started with and that never travels."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from typing import Self

NAME_BYTES = 8
SECRET_BYTES = 32
CONFIDENTIAL = frozenset({"LEADLINE_SECRET", "LEADLINE_JOB"})
"""Variables whose values no command line may show: every local user can read those."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """What the ranks of one launch are told of it."""

    name: str
    """For everybody: which launch a rank says it belongs to."""
    secret: str = field(repr=False)
    """32 bytes in hexadecimal digits, for its ranks alone."""
    job: str
    """What ranks find each other by; while they do, it names a file in /dev/shm."""

    @classmethod
    def fresh(cls) -> Self:
        """Those of a new launch."""
        words = (secrets.token_hex(count) for count in (NAME_BYTES, SECRET_BYTES, NAME_BYTES))
        return cls(*words)

    @property
    def variables(self) -> dict[str, str]:
        """The environment by which its ranks learn them; only their owner can read it."""
        return {
            "LEADLINE_LAUNCH": self.name,
            "LEADLINE_SECRET": self.secret,
            "LEADLINE_JOB": self.job,
        }

    def proof(self, nonce: str) -> str:
        """What only who knows the secret can answer to `nonce`: HMAC-SHA256 (RFC 2104)."""
        asked = f"leadline {nonce} {self.name}"
        return hmac.new(bytes.fromhex(self.secret), asked.encode(), "sha256").hexdigest()

    def are_proved_by(self, said: str, nonce: str) -> bool:
        """Whether `said`, any text, is that answer; takes as long for every wrong one."""
        return hmac.compare_digest(said.encode(), self.proof(nonce).encode())
