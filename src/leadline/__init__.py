"""Leadline measures and compares message passing over every library on a machine."""

__version__ = "0.1.0"
