"""Runs as flat tables: SQL over any number of them, and rows for other programs.

Public:
    database: query, write_rows
    tables: block_rows, BLOCKS, FlatRow

For: cli, report.
Never: campaigns, how anything is printed.
"""
