"""Reasons for having no model, no prediction or no algorithm: a table of sentences.

Model files have their text, which therefore is made where forms are fitted.
"""

from __future__ import annotations

from enum import unique

from leadline.record.templates import Sentence


@unique
class Refusal(Sentence):
    """Why there is no form, or no prediction of one."""

    APPLICATION = (
        "closed forms are of calls, not of applications: fit the patterns that it calls, and give "
        "leadline predict what it computes (--work) and calls (--calls)"
    )
    NOTHING = "nothing was measured"
    NO_TIME = (
        "needs positive finite times, and one at {bytes:,} B on {ranks} ranks is {seconds:g} s"
    )
    TWO_RANKS = "needs one number of ranks or at least {fewest}, there are {ranks}"
    MANY_SIZES = "is fitted to {most} sizes at most, there are {sizes:,}: measure fewer --sizes"
    NO_SIZES = (
        "has no sizes, so that it needs at least {fewest} numbers of ranks; measured was "
        "{measured} alone: measure with {remedy}"
    )
    FEW_SIZES = (
        "needs at least {fewest_sizes} sizes or {fewest} numbers of ranks; measured "
        "{sizes:was|were|was} {sizes} size{sizes:|s|} on {measured} ranks alone: measure with "
        "--sizes 8,512,64KiB,1MiB, or {remedy}"
    )
    NO_FIT = (
        "no closed form fits {sizes} size{sizes:|s} on {ranks} number{ranks:|s} of ranks: the "
        "best, {form}, is {times:.2g} times off at {own:its own points|what is left out}; measure "
        "more sizes, or numbers of ranks that behave alike"
    )
    SHARED_CORES = (
        "of {ranks:join} ranks some share cores: give --oversubscribed to fit them all the same"
    )
    OTHER_RANKS = (
        "fitted to {fitted} ranks alone, which says nothing of {others}: measure three numbers of "
        "ranks or more (leadline run --ranks 2,3,4)"
    )
    OTHER_SIZES = (
        "fitted to {fitted:size} alone, which says nothing of {others}: {zero:leave --size out if "
        "it has none, else |}measure more sizes (leadline run --sizes)"
    )
    NO_MODEL = "there is no model of it, {others:but of #|nor of anything else}"
    SEVERAL_MODELS = (
        "there are several models, which differ in buffers, cadence or threads; fit a run that has "
        "it in one way"
    )
    OTHER_RANKS_OF_CALL = (
        "fitted to {fitted} ranks {one:alone|each by itself}, which says nothing of {others}; "
        "measure it on three numbers of ranks or more, in one way (leadline run --patterns "
        "{pattern} --ranks 2,3,4,8{streaming: --cadence streaming|}), or if so few take part in a "
        "call, write ranks = {least} there"
    )
    OTHER_SIZES_OF_CALL = (
        "fitted to {fitted:size} alone, which says nothing of {others}; measure more sizes "
        "(leadline run --sizes)"
    )
    SIZES_OF_CALL_WITHOUT = (
        "fitted to {fitted:size} alone, which says nothing of {others}; write size = 0"
    )


@unique
class Grounds(Sentence):
    """Why an algorithm appears to be used, or why none can be told."""

    SHARED_CORES = "ranks shared cores, so that times are of their work, not of messages"
    FEW_RANKS = (
        "it takes {fewest} numbers of ranks or more to tell how times grow, and here there "
        "{ranks:is|are} {ranks}"
    )
    NONE_FITS = (
        "none of {number} that are known fits: the nearest, {name}, misses times by {misfit}"
    )
    ALIKE = (
        "{names}: these times don't tell them apart{powers:; ranks that are no powers of two may|}"
    )
    MIMIC = (
        "{name}, or {other} over links that slow down with the ranks: these times don't tell them "
        "apart"
    )
    UNSURE = "{name} fits best only in {percent:.0f} of 100 resampled campaigns"
    FITS = "misses times by {misfit}"
    FITS_BEST = "misses times by {misfit}, {other} by {other_misfit}"
