"""One module a format: text, Markdown, JSON, CSV, Extra-P; none knows what it prints."""
