"""Tables of a run that somebody wrote anew, with values of their own and the right checksum."""

from __future__ import annotations

import zlib
from pathlib import Path

import duckdb

from leadline.store.lines import seal, unseal

TABLE = "FROM written"


def rewritten(run: Path, table: str, change: str) -> None:
    """Selects `change`, which is from TABLE, and lets run.json have the new table's checksum."""
    path = run / f"{table}.parquet"
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE written AS FROM '{path}'")
        connection.execute(f"CREATE TABLE rows AS SELECT {change}")
        connection.execute(f"COPY rows TO '{path}' (FORMAT parquet)")
    manifest = unseal((run / "run.json").read_bytes())
    name = {"batches": "parquet_crc32", "slices": "slices_crc32"}[table]
    manifest[name] = f"{zlib.crc32(path.read_bytes()):08x}"
    (run / "run.json").write_bytes(seal(manifest, indent=2))
