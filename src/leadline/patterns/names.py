"""Names of patterns elsewhere: in MPI, in OSU's benchmarks and in Intel's (IMB).

Sources: the MPI standard 4.1; the README of OSU's micro-benchmarks 7; the user guide of the Intel
MPI Benchmarks 2021.8.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from leadline.errors import UsageError, unknown_name
from leadline.record.terms import current_label


class Vocabulary(StrEnum):
    """Where a name comes from."""

    MPI = "MPI"
    OSU = "OSU"
    IMB = "IMB"


PREFIXES = {"MPI_": Vocabulary.MPI, "osu_": Vocabulary.OSU}
"""Prefixes of names by vocabulary; IMB's names have neither."""
NEAR = 0.8
"""Least similarity, by matching characters, of a misspelt name to the pattern that is suggested: so
high that only a typing error passes, for other patterns have similar names."""
LISTED = "`leadline patterns` lists all"
"""Hint for a word that is similar to no pattern, where any pattern would do."""


@dataclass(frozen=True, slots=True)
class ForeignName:
    """A name that a pattern has elsewhere."""

    name: str
    """Spelled as there: "MPI_Alltoall", "osu_alltoall" or "Alltoall"."""
    pattern: str
    """Its name here."""
    differs: str = ""
    """How it differs from the pattern, which is then only the nearest one; "": it is the same."""

    @property
    def vocabulary(self) -> Vocabulary:
        """Where the name comes from."""
        return next((of for begin, of in PREFIXES.items() if self._begins(begin)), Vocabulary.IMB)

    @property
    def words(self) -> tuple[str, ...]:
        """The words in lower case by which it is found: "osu_alltoall" and "alltoall"."""
        stems = [self.name[len(begin) :] for begin in PREFIXES if self._begins(begin)]
        return tuple(word.lower() for word in (self.name, *stems))

    def _begins(self, prefix: str) -> bool:
        return self.name.startswith(prefix)


_SAME: Mapping[str, str] = {
    "pingpong": "MPI_Send MPI_Recv osu_latency PingPong PingPongSpecificSource",
    "pingpong_sync": "MPI_Ssend",
    "pingpong_nonblocking": "MPI_Isend MPI_Irecv",
    "pingpong_buffered": "MPI_Bsend",
    "pingpong_persistent": "MPI_Send_init MPI_Recv_init osu_latency_persistent",
    "pingpong_anysource": "MPI_ANY_SOURCE PingPongAnySource",
    "pingpong_strided": "MPI_Type_vector",
    "pingpong_struct": "MPI_Type_create_struct",
    "exchange": "MPI_Sendrecv",
    "stream": "osu_bw",
    "message_rate": "osu_mbw_mr Uniband",
    "pack": "MPI_Pack",
    "unpack": "MPI_Unpack",
    "barrier": "MPI_Barrier osu_barrier Barrier",
    "bcast": "MPI_Bcast osu_bcast Bcast",
    "gather": "MPI_Gather osu_gather Gather",
    "scatter": "MPI_Scatter osu_scatter Scatter",
    "allgather": "MPI_Allgather osu_allgather Allgather",
    "alltoall": "MPI_Alltoall osu_alltoall Alltoall",
    "allreduce": "MPI_Allreduce osu_allreduce Allreduce",
    "reduce": "MPI_Reduce osu_reduce Reduce",
    "reduce_scatter": "MPI_Reduce_scatter_block",
    "scan": "MPI_Scan",
    "exscan": "MPI_Exscan",
    "gatherv": "MPI_Gatherv osu_gatherv Gatherv",
    "scatterv": "MPI_Scatterv osu_scatterv Scatterv",
    "allgatherv": "MPI_Allgatherv osu_allgatherv Allgatherv",
    "alltoallv": "MPI_Alltoallv osu_alltoallv Alltoallv",
    "reduce_scatterv": "MPI_Reduce_scatter",
    "neighbor_allgather": "MPI_Neighbor_allgather osu_neighbor_allgather",
    "neighbor_alltoall": "MPI_Neighbor_alltoall osu_neighbor_alltoall",
    "ibarrier": "MPI_Ibarrier osu_ibarrier Ibarrier_pure",
    "ibcast": "MPI_Ibcast osu_ibcast Ibcast_pure",
    "iallreduce": "MPI_Iallreduce osu_iallreduce Iallreduce_pure",
    "iallgather": "MPI_Iallgather osu_iallgather Iallgather_pure",
    "ialltoall": "MPI_Ialltoall osu_ialltoall Ialltoall_pure",
    "put": "MPI_Put osu_put_latency Unidir_put",
    "get": "MPI_Get osu_get_latency Unidir_get",
    "put_window": "osu_put_bw",
    "get_window": "osu_get_bw",
    "fetch_add": "MPI_Fetch_and_op",
    "compare_swap": "MPI_Compare_and_swap",
}
_ONE_AT_A_TIME = "there one rank does it, here all do at once"
_BLOCKING = "there it is non-blocking, which isn't measured here"
_WHOLE_VECTOR = "there the size is the whole vector's, here a rank's share"
_NEAREST = (
    ForeignName("Sendrecv", "exchange", "there on a ring of all ranks, here between two"),
    ForeignName("PingPing", "exchange", "there by MPI_Isend and MPI_Recv, here by MPI_Sendrecv"),
    ForeignName("osu_bibw", "exchange", "there windows of messages go both ways, here one does"),
    ForeignName("Biband", "pair", "there windows of messages go both ways, here one does"),
    ForeignName("osu_multi_lat", "pair", "there each pair takes turns, here both send at once"),
    ForeignName("Exchange", "cyclic", "give the ring's length, e.g. cyclic:8 on 8 ranks"),
    ForeignName("osu_latency_mt", "pingpong_threads", "there several threads of one rank receive"),
    ForeignName("osu_reduce_scatter", "reduce_scatterv", _WHOLE_VECTOR),
    ForeignName("Reduce_scatter", "reduce_scatterv", _WHOLE_VECTOR),
    ForeignName("osu_fop_latency", "fetch_add", _ONE_AT_A_TIME),
    ForeignName("osu_cas_latency", "compare_swap", _ONE_AT_A_TIME),
    ForeignName("MPI_Igather", "gather", _BLOCKING),
    ForeignName("osu_igather", "gather", _BLOCKING),
    ForeignName("MPI_Iscatter", "scatter", _BLOCKING),
    ForeignName("osu_iscatter", "scatter", _BLOCKING),
    ForeignName("MPI_Ireduce", "reduce", _BLOCKING),
    ForeignName("osu_ireduce", "reduce", _BLOCKING),
)

FOREIGN_NAMES = (
    *(ForeignName(name, pattern) for pattern, names in _SAME.items() for name in names.split()),
    *_NEAREST,
)
"""All names that lead to a pattern. Where two differ only in case, and a word has the case of
neither, the first is meant."""
_BY_NAME = {name.name: name for name in FOREIGN_NAMES}
_BY_WORD = {word: name for name in reversed(FOREIGN_NAMES) for word in name.words}


def foreign_name(text: str) -> ForeignName | None:
    """The name that `text` is elsewhere, in any case, with or without its prefix; None: none."""
    return _BY_NAME.get(text) or _BY_WORD.get(text.lower())


def measured_pattern(name: str, measured: Iterable[str], where: str) -> str:
    """The pattern among those `measured` that `name` means, here or elsewhere.

    UsageError where it isn't among them, with what the run or the file `where` has.
    """
    name = current_label(name)
    has, meant = list(dict.fromkeys(measured)), foreign_name(name)
    if name in has:
        return name
    if meant is not None and meant.pattern in has:
        if not meant.differs:
            return meant.pattern
        raise unknown_pattern(name, has)
    shown = f"{name} ({meant.pattern} here)" if meant and meant.pattern != name else name
    near = [] if meant else difflib.get_close_matches(name, has, n=1, cutoff=NEAR)
    hint = f"did you mean {near[0]!r}? It" if near else "it"
    raise UsageError(f"{shown} wasn't measured in {where}; {hint} has: {', '.join(has)}")


def unknown_pattern(name: str, known: Iterable[str], otherwise: str = "") -> UsageError:
    """A UsageError for `name`, which is none of `known`, with the pattern that is meant or similar.

    Where there is none, with all of them, or with the text `otherwise`.
    """
    known = list(known)
    meant = foreign_name(name)
    if meant is None:
        words = [word for word, one in _BY_WORD.items() if one.pattern in known]
        near = difflib.get_close_matches(name.lower(), [*known, *words], n=1, cutoff=NEAR)
        if near and near[0] not in known:
            hint = f"did you mean {near[0]!r}? {_meaning(_BY_WORD[near[0]])}"
            return UsageError(f"unknown pattern {name!r}; {hint}")
    if meant is None or meant.pattern not in known:
        return unknown_name("pattern", name, known, otherwise)
    return UsageError(f"unknown pattern {name!r}; {_meaning(meant)}")


def _meaning(meant: ForeignName) -> str:
    """A sentence on what it is here."""
    if meant.differs:
        return f"nearest to {meant.name} is {meant.pattern!r}: {meant.differs}"
    return f"{meant.name} is {meant.pattern!r} here"
