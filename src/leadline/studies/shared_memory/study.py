"""The study as a whole."""

from __future__ import annotations

from leadline.studies.published.cray_mpt import SOURCE
from leadline.studies.shared_memory import barriers, messages, reductions
from leadline.studies.shared_memory.stages import FULL_S, QUICK_S, stages
from leadline.studies.shared_memory.tables import tables
from leadline.studies.study import Study

CLAIMS = (*messages.CLAIMS, *barriers.CLAIMS, *reductions.CLAIMS)
"""The paper's findings, in its order."""

STUDY = Study("shared-memory", SOURCE, FULL_S, QUICK_S, stages, tables, CLAIMS)
