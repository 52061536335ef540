"""How each library's ranks are started: one small class a launcher; nothing is started here."""

from __future__ import annotations

from leadline.backends.launchers.step import Command, JobStep, Launcher

__all__ = ["Command", "JobStep", "Launcher"]
