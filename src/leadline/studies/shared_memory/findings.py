"""The paper's findings, in its order."""

from __future__ import annotations

from leadline.studies.shared_memory import barriers, messages, reductions

CLAIMS = (*messages.CLAIMS, *barriers.CLAIMS, *reductions.CLAIMS)
