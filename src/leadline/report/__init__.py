"""Formats what others computed: text, JSON, CSV, Markdown, the page, figures.

A report is a `document` of headings, tables and sentences for readers, or `records` and JSON for
programs. `text` and `programs` make these of results, a module a report; `formats` prints them, a
module a format; `page` makes one HTML file of runs, `figures` draws pictures. All English is in
`text.catalogue`.

Public:
    document: Document
    figures.figure: drawn, Figure
    figures.fitted: drawn_panels, fitted_panels, MOST_PANELS, swept_panels
    figures.picture: picture
    figures.plots: plotted, ranks_figure, ratio_figure, size_figure, studied_figure
    figures.replayed: replay_picture
    formats.csv_text: csv_text
    formats.extrap: extrap_curves, extrap_json, extrap_lines, extrap_text, ExtrapCurves, FEWEST
    formats.json_text: document_text
    formats.markdown: markdown_lines
    formats.plain_text: print_document
    page: page
    page.reported: Reported
    page.reproduced: reproduced_page
    programs.calibrated: calibrated_content
    programs.compared: compared_content, compared_records
    programs.fitted: fitted_content, fitted_records
    programs.health: health_content, health_records
    programs.history: history_content, history_records
    programs.hosts: DoctorContent, hosts_content, hosts_records
    programs.mapping: grids_content, mapping_content, sharing_content
    programs.measured: measured_content, measured_records
    programs.patterns: patterns_content, patterns_records
    programs.predicted: predicted_content, predicted_records, program_content, program_records
    programs.reproduced: reproduced_content, reproduced_records
    programs.selection: block_records, blocks_content, selection_content, selection_records
    programs.study: studies_content, studies_records, study_content, study_records
    programs.trace: goal_text, traces_content, traces_records
    records: Records
    text.calibrated: calibrated_document
    text.closed_forms: ranks_words
    text.comparison: Compared, comparison_document
    text.doctor: print_details, print_report
    text.first_screen: first_screen
    text.fitted: Fitted, fitted_document
    text.health: health_document, round_line
    text.history: history_document
    text.hosts: hosts_document, removed_text
    text.mapping: dims_document, Factorisation, Mapped, mapping_document, sharing_document
    text.measured: Measured
    text.patterns: pattern_document, patterns_document
    text.plan: plan_lines, wrapped_plan
    text.predicted: Predicted, predicted_document
    text.program: program_document
    text.progress: FailuresOnly, progress_for, say_compiling
    text.reproduced: reproduced_document
    text.run: run_document
    text.selection: selection_document
    text.study: studies_document, study_document
    text.trace: title_of, traces_document

For: cli.
Never: run directories, processes; arithmetic on samples.
"""
