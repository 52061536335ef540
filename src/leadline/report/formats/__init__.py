"""One module a format: text, Markdown, JSON, CSV; none knows what it prints."""
