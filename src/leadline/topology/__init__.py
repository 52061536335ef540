"""Machines and communication patterns as plain arrays, and the texts that describe them."""
