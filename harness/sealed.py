"""How lines and files of a run are sealed, for those that forge them."""

from leadline.store.lines import Record, seal, unseal

__all__ = ["Record", "seal", "unseal"]
