"""Runs as flat tables: SQL over any number of them, and rows for other programs.

`tables` gives a run as flat tables, one row an item; `database` lets DuckDB answer SQL over any
number of runs, reading the batches in place.

Public:
    database: query, write_rows
    tables: block_rows, BLOCKS, FlatRow

For: cli, report.
Never: campaigns, how anything is printed.
"""
