"""Scripted machines: libraries that answer from a seeded model of noise, in virtual time.

A campaign is handed a machine (`measure.system`). This one plays a script: how long operations take
on each library, how times spread, and what goes wrong when. Ranks here are no processes, but they
connect to the campaign's own socket, prove whose they are and answer its commands in the protocol
of kernels. Waiting advances a virtual clock to the next event, so that a campaign of minutes takes
a fraction of a second, and the same script gives the same run.

`campaigns` plans and plays one, `scenarios` has kinds of them whose truth is known, and `grades`
compares what such a campaign comes to with that.

Public:
    grades: Grade, Graded, graded
    scenarios: Scenario, SCENARIOS

For: no room.
Never: how anything is printed, beyond sentences that it is handed.
"""
