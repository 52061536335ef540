"""Texts and files of others: hostfiles, Slurm, hwloc, coordinates, graphs."""
