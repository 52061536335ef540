from __future__ import annotations

import shlex
from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion

from leadline.cli import parser_for
from leadline.cli.parsing.options import request_of
from leadline.errors import UsageError
from leadline.hosts.emulated.link import parse_link
from leadline.measure.spec import OWN_SPEED, Request, VariantSpec, parse_variant


def options(*words: str) -> Request:
    return request_of(parser_for("run").parse_args(["run", *words]))


def test_defaults_are_the_quick_suite_at_two_ranks() -> None:
    read = options()
    assert read.patterns == ("pingpong", "barrier", "bcast", "allreduce")
    assert (read.ranks, read.budget_s, read.blocks) == ((2,), 60.0, None)
    assert len(read.sizes) == 12


def test_budget_is_the_suites_unless_it_or_the_patterns_are_given() -> None:
    assert options("--suite", "all").budget_s == 20 * 60
    assert options("--suite", "mapping").budget_s == 3 * 60
    assert options("--suite", "all", "--budget", "90s").budget_s == 90
    assert options("--patterns", "bcast").budget_s == 60
    assert options("--suite", "all", "--budget", "90s").budget_kept
    assert not options("--suite", "all").budget_kept


def test_links_are_watched_where_asked_for_at_their_own_speed_or_a_rate() -> None:
    assert options("--hosts", "a,b").link_bound is None
    assert options("--hosts", "a,b", "--link-bound").link_bound == OWN_SPEED
    assert options("--hosts", "a,b", "--link-bound", "10Mbit").link_bound == 1.25e6


def test_links_of_emulated_hosts_are_held_against_their_own_rate(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Their interfaces don't know it: one that a program serves says 10 Mbit/s of any link."""
    link = parse_link("atm-155").facts
    monkeypatch.setattr(
        "leadline.cli.parsing.options.emulated", lambda hosts: replace(hosts, link=link)
    )
    assert options("--hosts", "a,b", "--link-bound").link_bound == 149.76e6 / 8
    assert options("--hosts", "a,b", "--link-bound", "10Mbit").link_bound == 1.25e6


def test_batches_of_all_ranks_are_kept_where_asked_for() -> None:
    assert not options().all_ranks
    assert options("--all-ranks").all_ranks


def test_sizes_are_sorted_and_distinct() -> None:
    assert options("--sizes", "64KiB,8,1MB,8").sizes == (8, 65536, 1_000_000)


def refused(words: str) -> str:
    with pytest.raises(UsageError) as caught:
        options(*shlex.split(words))
    return str(caught.value)


def test_wrong_word_is_named_with_a_remedy(snapshot: SnapshotAssertion) -> None:
    asked = (
        "--ranks 0",
        "--ranks -2",
        "--ranks two",
        "--ranks 2,,3",
        "--budget 0s",
        "--budget soon",
        "--precision 0",
        "--precision=-1%",
        "--sizes -8",
        "--sizes 1.5",
        "--blocks 0",
        "--buffers warm",
        "--buffers unstated",
        "--cadence unstated",
        "--cadence isolate",
        "--suite quik",
        "--bind x",
        "--hosts ''",
        "--link-bound",
        "--link-bound 10Mbit",
        "--hosts a,b --link-bound 10MB",
        "--hosts a,b --link-bound 0Mbit",
        "--root -1",
        "--root 2",
        "--root 3 --ranks 8,2",
    )
    assert {words: refused(words) for words in asked} == snapshot


def test_variant_keeps_commas_inside_values() -> None:
    spec = parse_variant("t=openmpi,env:OMPI_MCA_btl=tcp,self,arg:--host,arg:a,b")
    assert spec.environment == (("OMPI_MCA_btl", "tcp,self"),)
    assert spec.arguments == ("--host", "a,b")


def test_variant_reads_environment_and_launcher_words() -> None:
    assert parse_variant("big=mpich,env:A=b=c,arg:-x,arg:1") == VariantSpec(
        "big", "mpich", (("A", "b=c"),), ("-x", "1")
    )


def test_malformed_variant_is_refused_with_the_form(snapshot: SnapshotAssertion) -> None:
    malformed = (
        "mpich",
        "=mpich",
        "a=",
        "a=b,env:1x=2",
        "a=b,env:K",
        "a=b,set:K=V",
        "a=b,env:A=1,set:K=V",
        "a=b,x",
        "a=b,arg:",
        "a=b,map:",
        "a=b,maps:hops",
        "a b=c",
    )
    message = {}
    for text in malformed:
        with pytest.raises(UsageError) as caught:
            parse_variant(text)
        message[text] = str(caught.value)
    assert message == snapshot


def test_variant_has_one_map(snapshot: SnapshotAssertion) -> None:
    spec = parse_variant("laid=mpich,map:hop-bytes,env:A=1")
    assert spec == VariantSpec("laid", "mpich", (("A", "1"),), map="hop-bytes")
    assert parse_variant("laid=mpich,map:dir/slots,1").map == "dir/slots,1"
    assert refused("--variant laid=mpich,map:hops,map:load") == snapshot


def test_two_variants_of_one_name_are_refused(snapshot: SnapshotAssertion) -> None:
    assert refused("--variant a=mpich --variant a=impi") == snapshot
