"""Which link or host of many is slow or dead: rounds of disjoint pairs, then a diagnosis.

`matchings` says who is paired with whom, `observations` what a round showed, `rounds` takes out
what changed for all meanwhile, `centre` says what is usual without a host's own part, `diagnosis`
whose values lie beyond what is tolerated, by tests that hold for all hosts together, `silence` who
is down, `paths` which two are slow beside each other alone; `examination` goes from round to round
until all is decided, and `outcome` is what it came to.

Public:
    examination: Examination
    matchings: Matching
    measured: large_bytes, PATTERN, round_of, SMALL_BYTES, SMALLEST_LARGE
    observations: Round, Symptom, Tolerances
    outcome: Bound, FaultKind, Health, health_of, Suspect

For: cli, report.
Never: files and processes; how anything is printed.
"""
