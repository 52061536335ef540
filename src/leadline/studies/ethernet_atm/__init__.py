"""Ortiz Zuazaga's comparison of MPICH and PVM over Ethernet and ATM, on emulated networks.

`stages` says what is measured, `curves` reads it by network, `tables` and `figures` put it beside
the paper's figures; `networks`, `capacity` and `libraries` hold the paper's sentences against it,
`wire` says what the links alone take, `study` has them all. Source: `published.ethernet_atm`.
"""
