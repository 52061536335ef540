"""Hwang, Wang and Wang's closed forms of collective operations, made over the MPIs of today.

`stages` says what is measured, `forms` fits it and reckons a program by it, `tables` and `figures`
put it beside what the paper's abstract prints, `claims` holds its sentences against it, `study` has
them all. Source: `published.collectives`.
"""
