"""Campaigns with a question: a paper's measurements made again, its claims answered.

Public:
    catalogue: all_studies, STUDIES, study_named
    figures: StudyCurve, StudyFigure, StudyPoint
    findings: Evidence, Finding, Outcome
    health.examination: Examination
    health.matchings: Matching
    health.measured: large_bytes, PATTERN, round_of, SMALL_BYTES, SMALLEST_LARGE
    health.observations: Round, Symptom, Tolerances
    health.outcome: Bound, FaultKind, Health, health_of, Suspect
    stage: Stage, StageNetwork
    study: Scale, Studied, studied, Study
    tables: StudyTable, TableEntry
    units: SIUnit, Unit

For: cli, report.
Never: files and processes; how anything is printed.
"""
