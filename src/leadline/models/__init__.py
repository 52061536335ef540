"""Closed-form models fitted to measured curves."""
