"""Formats what was computed elsewhere; computes nothing itself."""
