"""Campaigns with a question: a paper's measurements made again, its claims answered.

Public:
    catalogue: STUDIES, study_named
    findings: Evidence, Finding, Outcome, Unit
    study: Stage, Studied, studied, Study
    tables: Scale, StudyTable, TableEntry

For: cli, report.
Never: files and processes; how anything is printed.
"""
