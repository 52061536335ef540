"""What readers see: documents of headings, tables and sentences, one module a report.

`catalogue` has every sentence as a template, keyed by its code; `phrases`, `ratios` and `notes`
word numbers, ratios and warnings for all reports.
"""
