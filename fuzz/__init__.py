"""Properties of all that reads what comes from outside, and strategies of what that may be.

A property a module, and strategies of Hypothesis for bytes (`edits.py`), values of JSON, tables and
runs. A mutation that comes to a traceback, a loss without a word, raw text, or more than 5 s of the
processor, or more memory than `bounds.py` lets it take, is made smaller until it says what it rests
on, and a line `@reproduce_failure(...)` makes it again; one that ends the process fails the run and
names its property. What leads to it is mended, and its attack kept as a test of that room. The
suite reads 420, the same each time; `make fuzz` 100,000 at random, by the seed that its command
shows (`make fuzz EXAMPLES=20000 SEED=1`). How many examples each property has, says `share` of
`harness/examples.py`.
"""
