"""Papers made again: every printed figure beside what machine files come to, and how far it is off.

A module a paper says what each of its figures is simulated as, or why it can't be; `asked` has all
of that simulated, `recipe` puts it beside what was printed, a `cell` a figure; `summary` counts
them, and a `reproduction` has all of it, paper by paper. `figures` draws the papers' curves again,
of which `drawn` has a module a paper; `closed_forms` fits what three machines' collectives are
simulated to take. Whether a figure is fitted or predicted stands in the machine files, which name
by id what their values were chosen to reach. What the papers' studies measured on this machine is
beside it: `measured`.

Public:
    catalogue: recipes_for, RECIPES
    cell: Label, Relation, ReproducedCell
    closed_forms: BARRIER, MOST, NODES, ReproducedForm
    figures: figures_of, ReproducedFigure
    measured: measured_figures
    pairs: DIRECT
    recipe: PaperRecipes
    reproduction: CellTable, ReproducedPaper, reproduction, words_of
    summary: PaperSummary, WITHIN
    t3e_mapping: COPYING

For: cli, report.
Never: a published value in what is computed; files and processes; how anything is printed.
"""
