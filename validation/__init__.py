"""Whether the tool says what is true, where that is known; `make validate` runs all."""
