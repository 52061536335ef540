"""Benchmarks: figures measured on the machine at hand, side by side; `make bench` runs all."""
