"""Lopez-Pineda's comparison of SHMEM and PVM on shared memory, beside MPI and raw shared memory.

`stages` says what is measured, `tables` puts it beside the paper's figures; `messages`, `barriers`
and `reductions` hold the paper's sentences against it, `study` has them all. Source:
`published.cray_mpt`.
"""
