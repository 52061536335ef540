"""Keeps the tests of validation to the rule of unit tests."""

from harness.unit_rule import remembered, unit_rule

__all__ = ("remembered", "unit_rule")
