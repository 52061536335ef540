"""The picture that `leadline simulate --plot` asks for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from leadline.cli.pictures import form_of, write_image

if TYPE_CHECKING:
    from leadline.mapping.planes import Scene
    from leadline.simulate.campaign import SimulatedJob
    from leadline.simulate.replay import Replayed


def draw_alone(jobs: Sequence[SimulatedJob], path: str) -> None:
    """Of each, a machine's only one, the first pattern on most ranks at its largest size."""
    from leadline.simulate.replay import replays

    _draw([replays(job.setup, job.cells) for job in jobs], path)


def draw_jobs(jobs_of: Sequence[Sequence[SimulatedJob]], path: str) -> None:
    """Of each machine its jobs alone, and together."""
    from leadline.simulate.replay import replayed_jobs

    _draw([replayed_jobs(jobs) for jobs in jobs_of], path)


def _draw(shown: Sequence[Sequence[Replayed]], path: str) -> None:
    from leadline.report.figures.replayed import replay_picture

    scenes = [[_scene(one, number) for number, one in enumerate(row)] for row in shown]
    write_image(replay_picture(shown, scenes, form_of(path)), path)


def _scene(replay: Replayed, number: int) -> Scene:
    """Of jobs the one of this number alone, or all of them together."""
    from leadline.mapping.scenes import machine_scene, seats_of, seats_of_jobs

    (first, *others), shared = replay.jobs, replay.machine.links.shared
    if first.name:
        placed = [(one.job, one.slots) for one in replay.jobs]
        seats = seats_of_jobs(placed, 0 if others else number)
    else:
        seats = seats_of(first.job, first.slots)
    return machine_scene(first.job.allocation.network, seats, replay.link_bytes, shared)
