"""What readers see: documents of headings, tables and sentences, one module a report."""
