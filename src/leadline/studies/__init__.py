"""Campaigns with a question: a paper's measurements made again, its claims answered.

Public:
    catalogue: all_studies, STUDIES, study_named
    figures: StudyCurve, StudyFigure, StudyPoint
    findings: Evidence, Finding, Outcome
    programs: MeasuredProgram
    published.catalogue: figure_of, Paper, paper_of, PAPERS
    published.collectives: KEY, PARAGON, SP2, T3D
    published.cray_mpt: J90, KEY, PES, T3D
    published.ethernet_atm: KEY, SMALL_BYTES
    published.figure: Contradiction, PublishedFigure
    published.nas_mg: CLASSES
    published.t3e_mapping: EXCHANGED_BYTES, KEY
    published.t3e_mpi: KEY, LIBRARIES
    stage: Stage, StageNetwork
    study: Scale, Studied, studied, Study
    tables: Beside, StudyTable, TableEntry
    units: SIUnit, Unit

For: cli, report, reproduce.
Never: files and processes; how anything is printed.
"""
