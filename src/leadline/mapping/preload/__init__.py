"""Mapping that reaches programs nobody changed: a library that is loaded before their MPI."""
