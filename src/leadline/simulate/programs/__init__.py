"""What each rank calls where a pattern is carried out: the log that backend `trace` would write."""
