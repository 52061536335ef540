"""Ortiz Zuazaga's comparison of MPICH and PVM over Ethernet and ATM, on emulated networks.

Two Sun SPARCstations of the University of Texas at San Antonio, May 1996, joined by both networks;
TCP everywhere, over ATM by Fore's adapters. Its four figures are drawings without a table: what
the text says of them is all that there is in figures.csv, and no round trip is printed. A bandwidth
is twice the message over its round trip. Its Mbps are taken for 10^6 bits/s, but for netperf's,
which it says are 2^20: of the others "less than 13 %" of the rated 155 holds either way.
"""

KEY = "ethernet-atm"
TITLE = "A performance comparison of MPICH and PVM over Ethernet and ATM networks"
SOURCE = f'H. Ortiz Zuazaga, "{TITLE}", 1996'
