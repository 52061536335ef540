"""Which link or host of many is slow or dead: rounds of disjoint pairs, then a diagnosis.

`matchings` pairs hosts, `measured` reads the run of a round, `observations` has what a round showed
and removes what changed for all hosts meanwhile, `centre` computes what is usual without a host's
own part, `diagnosis` finds hosts and paths that are certainly slower than tolerated, by tests that
hold for all hosts together, `silence` finds who is down; `examination` goes from round to round
until all is decided, and `outcome` is its result.

Public:
    examination: Examination
    matchings: Matching
    measured: large_bytes, PATTERN, round_of, SMALL_BYTES, SMALLEST_LARGE
    observations: Round, Symptom, Tolerances
    outcome: Bound, FaultKind, Health, health_of, Silence, Suspect

For: cli, report.
Never: files and processes; how anything is printed.
"""
