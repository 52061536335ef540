"""Reports as other programs read them: the keys of their JSON, the columns of their CSV."""
