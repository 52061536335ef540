"""What papers printed, as data: SI units, one module a paper, one tuple a table."""
