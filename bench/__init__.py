"""How fast the tool is on the machine at hand, side by side; `make bench` runs all."""
