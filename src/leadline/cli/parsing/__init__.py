"""The words that several commands take, and how all of them speak."""
