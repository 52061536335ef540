"""What a study asks of this machine, a machine file is asked too, or says why it can't be."""

from __future__ import annotations

import pytest
from harness.reproduced import PAPERS_MADE, kept, recipes_of

from leadline.papers.catalogue import all_studies
from leadline.papers.recipe import PaperRecipes

NO_PACKING = "a profile is of messages as they are sent: nothing of it packs"
SHARED = "no machine file has several ranks on a processor"
ALGORITHM = "both would be chosen in the file: it says nothing of which a library has"
MADE = {
    "shared-memory": (
        "shmem-latency", "shmem-bandwidth", NO_PACKING, NO_PACKING, "j90-bandwidth",
        "table1.j90.shmem.latency", "longer-packets", "small-packets-shmem", "small-packets-pvm",
        "table1.j90.shmem.latency",  # by a couple of barriers: among what is fitted
        "barrier-grows", "barrier-j90", "barrier-hardware", ALGORITHM, SHARED, SHARED,
        "word-keeps-up", "vectors-suit", ALGORITHM, "nas-mg",
    ),
    "ethernet-atm": (
        "crossover", "largest-message", "crossover", "pvm-gains-less", "ethernet-second",
        "most-of-ethernet", "share-of-atm", "peak-at-8-kib", "peak.pvm", "ftp", "tcp",
        "mpich-over-pvm", "mpich-over-pvm", "latency", "latency",
    ),
    "mapping": (
        "pair.64.share", "sorted-pairs", "sorted-rows", "sorted-rows", "cyclic-costs",
        "cyclic-costs", "two-steps-in-order", "two-steps-sorted", "halo.gain.least",
    ),
    "t3e-mpi": (
        "send.later", "flat-at-a-megabyte", "flat-at-a-megabyte", "twice-the-bandwidth",
        "send.latency", "send.intercept", "ssend.bandwidth", "ssend.cray-mpi.bandwidth",
        "ssend.latency", "ssend.cray-mpi.latency", "ssend.mpich.latency", "isend.bandwidth",
        "isend.mpich.bandwidth", "isend.cray-mpi.bandwidth", "isend.latency",
        "isend.mpich.latency", "isend.cray-mpi.latency", "bcast", "bcast-scales", "reduce",
        "reduce-powers-of-two", "reduce-128",
    ),
    "collectives": (
        "t3d-best", "barrier.others.ratio", "startup", "sp2-short", "range-most", "range-least",
        "t3d-delivers-most",
    ),
}  # fmt: skip
"""By study, in the order of its claims: a sentence or a figure, or why there is none."""
WHY_NOT = {NO_PACKING, SHARED, ALGORITHM}
OF_PAPERS = [one for one in all_studies() if one.paper]


def module_of(paper: str) -> str:
    return paper.replace("-", "_")


@pytest.mark.parametrize("study", OF_PAPERS, ids=lambda one: one.name)
def test_every_claim_of_a_study_is_a_row_or_says_why_not(study: object) -> None:
    (found,) = [one for one in OF_PAPERS if one is study]
    rows = kept(module_of(found.paper))
    for claim, made in zip(found.claims, MADE[found.name], strict=True):
        names = {f"{found.paper}.{made}", f"{found.paper}.sentence.{made}"}
        assert names & rows.keys() or made in WHY_NOT, claim.text


def unlisted(recipes: PaperRecipes, rows: set[str], listed: set[str]) -> set[str]:
    """Published ids that nobody finds: in no row, in no list, under no sentence."""
    under = {name for one in recipes.sentences for name in one.figures()}
    return {one.id for one in recipes.paper.figures} - rows - listed - under


@pytest.mark.parametrize("module", PAPERS_MADE)
def test_every_published_figure_is_a_row_or_a_listed_setting(module: str) -> None:
    recipes, rows = recipes_of(module), set(kept(module))
    settings = {one.id for one in recipes.settings()}
    assert unlisted(recipes, rows, settings) == set()
    (lost, *_) = rows & {one.figure for one in recipes.recipes} - {
        name for one in recipes.sentences for name in one.figures()
    } or {""}
    assert not lost or unlisted(recipes, rows - {lost}, settings) == {lost}


def test_setting_that_is_a_finding_rests_under_a_sentence() -> None:
    """A place from which on something happens is no way of measuring."""
    under = {
        name
        for module in PAPERS_MADE
        for one in recipes_of(module).sentences
        for name in one.figures()
    }
    assert under >= {
        "t3e-mapping.pair.contention-from",
        "t3e-mpi.size-of-maximum",
        "ethernet-atm.crossover",
    }


def test_pairs_lose_to_contention_at_sizes_at_which_the_paper_sees_none() -> None:
    sentence = kept("t3e_mapping")["t3e-mapping.sentence.contention-from"]
    assert sentence.holds is False
    assert sentence.reason
    assert 0.5 < (sentence.ours or 0.0) < 0.6
