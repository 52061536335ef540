"""Holds unit tests to their rule."""

from harness.unit_rule import remembered, unit_rule

__all__ = ("remembered", "unit_rule")
