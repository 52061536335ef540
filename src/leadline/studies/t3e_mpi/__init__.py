"""Frese and Knipp's comparison of MPICH and Cray MPI on the T3E, made over the MPIs of today.

`stages` says what is measured; `sends` and `loops` read it, messages and collectives; `tables` and
`figures` put it beside the paper's; `messages` and `collectives` hold the paper's sentences against
it, `study` has them all. Source: `published.t3e_mpi`.
"""
