"""Papers reproduced: what they printed, measured on this machine, simulated on machines of theirs.

A folder a paper. figures.csv has all that it printed, contradictions.csv what of it disagrees, and
`printed` the tables among it. `stages` says what its study measures and reads it, `tables` puts it
beside the paper's, `study` compares the paper's sentences with it and is the whole; `recipe` says
what each figure, sentence and drawing is simulated as, or why it can't be. The folder
`applications` has a study alone: of programs that papers ran, with questions of users'.

Beside them what all share. Of papers: `published`, a figure with all that the paper says of it, and
`units`; `catalogue` finds papers, figures and studies. Of studies: `study`, campaigns in
stages; `results`, what their runs measured, in `estimates`; `findings`, claims answered by these;
`layout`, tables and figures. Of simulated ones: `simulation`, what is simulated and how long it
takes; `recipe`; `cells`, published figures beside ours; `reproduction`, whole papers. Whether a
figure is fitted or predicted stands in the machine files, which name by id what their values were
chosen to reach.

Public:
    catalogue: all_studies, figure_of, PAPERS, STUDIES, study_named
    cells: figures_of, Label, ReproducedCell, ReproducedFigure
    collectives.closed_forms: BARRIER, MOST, NODES
    cray_mpt.nas_mg: CLASSES
    findings: Evidence, Finding, Outcome
    layout: StudyFigure, StudyTable, TableEntry
    published: Contradiction, PublishedFigure
    recipe: PaperRecipes, recipes_for, Relation, ReproducedForm
    reproduction: CellTable, measured_figures, ReproducedPaper, reproduction, WITHIN, words_of
    study: MeasuredProgram, Scale, Stage, StageNetwork, Studied, studied, Study
    t3e_mapping.placements: DIRECT
    t3e_mapping.printed: EXCHANGED_BYTES
    t3e_mapping.recipe: COPYING
    units: SIUnit, Unit

For: cli, report.
Never: a published value in what is simulated; files, but for its own, and processes; how anything
is printed.
"""
