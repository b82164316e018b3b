"""Paths and sizes of a run."""

import os
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent
ROOT = BENCH.parent
CACHE = BENCH / ".cache"
SMALL = os.environ.get("BENCH_SMALL", "") not in ("", "0")
BINARY = (ROOT / os.environ.get("BENCH_BIN", "target/release/larder")).resolve()
PARTS = [
    "accuracy", "counts", "documents", "http", "import", "insights", "masters", "night", "phone", "planning", "replay", "reports", "review", "signin", "start", "tillread", "tills", "web",
]

CACHE.mkdir(exist_ok=True)


def size(full: int, small: int) -> int:
    """A size in a full run, or in a trial run of the bench."""
    return small if SMALL else full
