"""The store count on a phone: Chromium at 390×844 and a quarter of this machine's speed, a store of 400 items with a
week of counts. A key and a step to the next item, from the event to the next frame; the bars apply to each of forty.
Then reopening the list offline, until its first row can be tapped. Repeated while the host takes this machine's
processors away; every run is noted."""

import json
from pathlib import Path

from kit.larder import Server, make_admin
from kit.results import Section, Skip, median, number, processor
from kit.tools import need, npm_folder
from parts.counts import ITEMS, counted_store, counts_of_days, day
from parts.web import DIST, node

# Maximum share of processor time taken by the host, and maximum number of runs.
DISTURBED, RUNS = 0.01, 5


def measure(section: Section, folder: Path) -> None:
    if not (DIST / "index.html").exists():
        raise Skip("web/dist is not built")
    need("npm")
    make_admin(folder)
    with Server(folder).sign_in() as server:
        store, items = counted_store(server)
        counts_of_days(server, store, items, 7)
        url = f"{server.url}/store-count?store={store}&date={day(0)}&session=opening"
        runs = []
        for _ in range(RUNS):
            runs.append(one(url, server.cookie))
            if runs[-1][0] <= DISTURBED:
                break
    for taken, run in runs:
        slowest = ", ".join(f"the slowest {what} {number(max(run[name]))} ms" for what, name in (("key", "keys"), ("step", "steps")))
        section.notes.append(f"A run during which the host took {100 * taken:.1f} % of the processors away: {slowest}.")
    _, found = min(runs, key=lambda run: run[0])
    for what, name in (("a key", "keys"), ("a step to the next item", "steps")):
        times = sorted(found[name])
        late = times[int(len(times) * 0.95)]
        section.row(f"{what} among {ITEMS} items (median {number(median(times))} ms, 95% {number(late)} ms): the slowest", times[-1], "ms", bar=100)
    section.row(f"opening offline, median of {len(found['openings'])}", median(found["openings"]) / 1000, "s", bar=1.5)


def one(url: str, cookie: str) -> tuple[float, dict]:
    """One run, and the share of processor time that the host took meanwhile."""
    wanted, stolen = processor()
    found = json.loads(node(npm_folder("lighthouse"), "count.js", url, cookie, str(ITEMS))[-1])
    wanted, stolen = (now - before for now, before in zip(processor(), (wanted, stolen)))
    if not found["counted"] or len(found["openings"]) < 3:
        raise RuntimeError(f"the phone did not count: {found}")
    return stolen / max(wanted, 1), found
