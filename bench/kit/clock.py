"""The clock of the measured servers and commands: it starts at a fixed instant when the bench begins, and is passed
as a setting. `TEST_CLOCK` sets another instant."""

import os
import time
from datetime import UTC, date, datetime, timedelta, timezone

START = "2026-11-24T10:20:00+08:00"
STORES = timezone(timedelta(hours=8))

SHIFT_MS = int(datetime.fromisoformat(os.environ.get("TEST_CLOCK", START)).timestamp() * 1000) - int(time.time() * 1000)


def environment() -> dict[str, str]:
    """The environment of a measured Larder."""
    return {**os.environ, "LARDER_CLOCK_SHIFT_MS": str(SHIFT_MS)}


def now_ms() -> int:
    """Milliseconds since 1970 on the servers' clock."""
    return int(time.time() * 1000) + SHIFT_MS


def today() -> date:
    """The business day in the stores."""
    return datetime.fromtimestamp(now_ms() / 1000, STORES).date()


def measured_at() -> datetime:
    """System time, for the head of the results."""
    return datetime.now(UTC)
