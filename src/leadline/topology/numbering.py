"""Orders in which machines number their processors."""

from __future__ import annotations

import numpy as np

from leadline.topology.networks import Int64


def t3e(dims: tuple[int, ...], count: int) -> Int64:
    """The first `count` vertices of a 3-D torus as the Cray T3E numbers its processors.

    Groups of 2x4x1, x fastest inside, follow each other along +X, then +Z, then +Y.

    Args:
        dims: Three lengths, row-major; the real machine's X is 8.
        count: At most as many as there are vertices.
    """
    x, y, z = np.indices(dims, dtype=np.int64).reshape(3, -1)
    order = np.lexsort((x % 2, y % 4, x // 2, z, y // 4))
    return order[:count].astype(np.int64)
