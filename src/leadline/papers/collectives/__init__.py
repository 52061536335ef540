"""Hwang, Wang and Wang's closed forms of collectives, over the MPIs of today and simulated.

IBM SP2, Cray T3D and Intel Paragon, with the messages of the STAP radar programs. Of the paper only
the abstract is at hand: the closed forms themselves aren't in it. Its GBytes/s are taken for
10^9 bytes/s, which it doesn't say. `forms` fits what was measured, and computes a program by it;
`closed_forms` fits what is simulated.
"""

KEY = "collectives"
TITLE = "Evaluating MPI collective communication on the SP2, T3D, and Paragon multicomputers"
SOURCE = f'K. Hwang, C. Wang, C.-L. Wang, "{TITLE}", HPCA 1997, the abstract'
T3D, PARAGON, SP2 = "Cray T3D", "Intel Paragon", "IBM SP2"
ALL = "SP2, T3D, Paragon"
