"""The console: the build's size in brotli, Lighthouse's desktop preset signed out and on lists of 10,000 rows, and
their speed when sorted, filtered, scrolled and opened in Chromium. Root items are sorted and filtered in the
browser, products on the server."""

import json
import re
import subprocess
import sys
from pathlib import Path

from kit import catalogue
from kit.importing import run_list
from kit.larder import Server, make_admin
from kit.results import Section, Skip, median, number
from kit.settings import ROOT, size
from kit.tools import need, npm_folder

DIST = ROOT / "web/dist"
ROWS = size(10_000, 500)
RUNS = size(3, 1)
# Number of units and categories of the products.
GROUPS = 20
KIB = 1024
# Clicks and keys; see lighthouse/interact.js.
ROOT_ITEMS = {"sorts": [0, 1, 1, 3, 3], "types": ["Root item 00", "42", "7"], "opens": False}
PRODUCTS = {"sorts": [0, 1, 1, 5, 5], "types": ["00", "42", "7"], "opens": True}


def measure(section: Section, folder: Path) -> None:
    if (DIST / "index.html").exists():
        bundle(section)
    else:
        section.skip("web/dist is not built", "bundle")
    need("npm")
    tools = npm_folder("lighthouse")
    make_admin(folder)
    with Server(folder).sign_in() as server:
        try:
            server.timed_get("/login")
        except RuntimeError as error:
            raise Skip(f"this binary has no console: {error}") from error
        print(f"   making {ROWS:,} root items", flush=True)
        server.fill("/api/lists/root-items", [
            {"name": f"Root item {n:05}", "rootProductId": f"RI-{n:05}", "type": "Meat", "weightKg": n / 8 + 1, "price": n}
            for n in range(ROWS)
        ])
        print(f"   importing {ROWS:,} products", flush=True)
        catalogue.prepare(server, GROUPS, GROUPS)
        file = catalogue.products(folder / "products.csv", ROWS, GROUPS, GROUPS)
        run_list(server, "products", file, "code")
        lighthouse(section, tools, "/login", server.url + "/login", RUNS)
        long_list(section, tools, server, "/lists/root-items", ROOT_ITEMS)
        long_list(section, tools, server, "/products", PRODUCTS)


def long_list(section: Section, tools: Path, server: Server, path: str, how: dict) -> None:
    url = server.url + path
    lighthouse(section, tools, f"{path}, {ROWS:,} rows", url, RUNS, server.cookie)
    interactions(section, tools, path, url, server.cookie, how)


def bundle(section: Section) -> None:
    """Brotli bytes of the first route (index.html's scripts with their imports) and of each lazy chunk."""
    first = loaded_first()
    total = sum(weight(file) for file in first)
    section.row(f"first route, {len(first)} files, brotli", total / KIB, "KiB", bar=250)
    lazy = {file.name: weight(file) for file in assets() if file not in first}
    # The chart library is part of no page: reports load it afterwards.
    features = {name: bytes_ for name, bytes_ in lazy.items() if not name.startswith("charts")}
    if features:
        largest = max(features, key=features.get)
        section.row(f"largest lazy chunk of {len(lazy)}, brotli", features[largest] / KIB, "KiB", bar=60, extra=f" ({largest})")
    heavy = sorted(lazy.items(), key=lambda one: -one[1])[:8]
    section.notes.append("Heaviest lazy chunks: " + ", ".join(f"{name} {number(w / KIB)} KiB" for name, w in heavy) + ".")


def assets() -> list[Path]:
    return sorted(file for file in DIST.rglob("*") if file.suffix in (".js", ".css"))


def weight(file: Path) -> int:
    packed = file.with_name(file.name + ".br")
    return (packed if packed.exists() else file).stat().st_size


def loaded_first() -> set[Path]:
    html = (DIST / "index.html").read_text()
    found, todo = set(), {DIST / path for path in re.findall(r'(?:src|href)="/([^"]+\.(?:js|css))"', html)}
    while todo:
        file = todo.pop()
        found.add(file)
        if file.suffix == ".js":
            named = re.findall(r'(?:\bfrom|\bimport)\s*["\'](\./[^"\']+\.js)["\']', file.read_text())
            todo |= {(file.parent / name).resolve() for name in named} - found
    return found


def lighthouse(section: Section, tools: Path, name: str, url: str, runs: int, cookie: str = "") -> None:
    lines = node(tools, "run.js", url, str(runs), *([cookie] if cookie else []))
    found = [json.loads(line) for line in lines]
    for one in found:
        if one.get("error") or one["url"] != url:
            raise RuntimeError(f"Lighthouse on {url}: {one}")
    middle = {key: median([one[key] for one in found]) for key in ("score", "fcp", "lcp", "tbt", "shift")}
    how = f" (FCP {middle['fcp']:.0f} ms, LCP {middle['lcp']:.0f} ms, TBT {middle['tbt']:.0f} ms, shift {middle['shift']:.3f})"
    section.row(f"Lighthouse, {name}", middle["score"], "points", more_is_better=True, bar=95, extra=how)
    version = f"Lighthouse {found[0]['version']}"
    if version not in section.peers:
        section.peers.append(version)


def interactions(section: Section, tools: Path, path: str, url: str, cookie: str, how: dict) -> None:
    found = [json.loads(node(tools, "interact.js", url, cookie, json.dumps(how))[-1]) for _ in range(RUNS)]
    for one in found:
        if min(one["filterRows"], *one["sorts"], *one["opens"]) < 0 or one["scrolled"] < 3000:
            raise RuntimeError(f"{path} did not answer: {one}")
    every = {key: [one[key] for one in found] for key in found[0]}
    section.row(f"{path}, sort: click to the new rows", median(sum(every["sorts"], [])), "ms", bar=100)
    section.row(f"{path}, sort: click to the next paint, slowest", max(every["sortPaint"]), "ms", bar=100)
    section.row(f"{path}, filter: key to the next paint, slowest", max(every["filterPaint"]), "ms", bar=100)
    typed = f"{path}, filter: last key to the new rows, with the pause in typing it waits for"
    section.row(typed, median(every["filterRows"]), "ms")
    if how["opens"]:
        first = f" (the first time {number(median([opens[0] for opens in every['opens']]))})"
        later = median(sum((opens[1:] for opens in every["opens"]), []))
        section.row(f"{path}, open: click to the record's page", later, "ms", bar=100, extra=first)
    # A scroll takes two seconds and includes other load: use the median of several.
    scrolls = every["scrollFrames"]
    extra = f" ({number(min(scrolls))}–{number(max(scrolls))}; this browser at rest: {number(median(every['idleFrames']))})"
    section.row(f"{path}, scrolling", median(scrolls), "frames/s", more_is_better=True, bar=55, extra=extra)


def node(tools: Path, *args: str) -> list[str]:
    done = subprocess.run([tools / "node_modules/.bin/node", *args], cwd=tools, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{args[0]}: {(done.stderr or done.stdout).strip()[-1500:]}")
    print(done.stderr, end="", file=sys.stderr, flush=True)  # repeated runs, and why
    return done.stdout.strip().splitlines()
