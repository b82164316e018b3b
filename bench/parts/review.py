"""Till readings reviewed by keyboard: 20 of the pictures in ../shared/receipts, of unknown tills, are dropped in
Chromium at 1440×900 and read; then doubtful fields are visited with Enter, wrong ones corrected, and the reading
verified. A look at a field counts 0.3 s, a key 0.1 s. From the opened reading to the next one."""

import json
from pathlib import Path

from kit.larder import Server, make_admin
from kit.results import Section, Skip, median, number
from kit.settings import size
from kit.tools import need, npm_folder
from parts.tillread import RECEIPTS
from parts.web import DIST, node

PICTURES = size(20, 2)


def measure(section: Section, folder: Path) -> None:
    if not RECEIPTS.exists():
        raise Skip("../shared/receipts is missing")
    if not (DIST / "index.html").exists():
        raise Skip("web/dist is not built")
    need("npm")
    need("tesseract")
    truth = RECEIPTS / "truth.json"
    readable = [RECEIPTS / name for name, it in json.loads(truth.read_text()).items() if it["kind"] != "hardphoto"]
    make_admin(folder)
    with Server(folder).sign_in() as server:
        store = server.post("/api/stores/locations", {"name": "Store 001", "code": "S001"})["id"]
        said = node(npm_folder("lighthouse"), "review.js", server.url, server.cookie, store, truth, *readable[:PICTURES])
    found = json.loads(said[-1])
    if found["verified"] != PICTURES:
        raise RuntimeError(f"{found['verified']} of {PICTURES} pictures were verified")
    times = sorted(one / 1000 for one in found["times"])
    what = f"{PICTURES} pictures (median {number(median(times))} s, {sum(found['typed'])} fields typed): the slowest"
    section.row(what, times[-1], "s", bar=10)
