"""What programs read of each report: the keys of its JSON, the columns of its CSV."""
