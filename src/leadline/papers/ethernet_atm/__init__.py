"""Ortiz Zuazaga's comparison of MPICH and PVM over Ethernet and ATM, on emulated networks."""
