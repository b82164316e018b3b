"""Till readings of known tills, from clean slips uploaded over HTTP: tills in 20 fonts (thermal and dot-matrix ones among
them) and of three makers, on consecutive days. Each till's first reading is checked and verified by a user, and so is
each later one; it holds without a question if the one before proves it. In other pictures a digit was changed so that a
sum fails. A reading that holds with a wrong field, and a spoilt one that holds or can be verified, fails the part.
`TILLS_SEED` draws other tills."""

import json
import os
import time
from collections import Counter, defaultdict
from pathlib import Path

from kit.larder import Server, make_admin
from kit.results import Section, Skip
from kit.settings import size
from kit.slips import FONTS, SUMMED, Slip, Till, plan
from kit.tools import need, npm_folder
from parts.web import node

SEED = int(os.environ.get("TILLS_SEED", "2026"))
TILLS = size(len(FONTS), 2)
# Days after the first one.
DAYS = size(10, 1)
# Spoilt slips of each till.
SPOILT = size(2, 1)
STORES = size(4, 1)
# Users may verify sums that differ by this much, in centavos.
NEAR = 5
PATH = "/api/sales/z-reading"
COLUMNS = {
    "z": "zCounter", "min": "min", "tin": "tin", "beg": "firstSi", "end": "lastSi", "tx": "transactions",
    "old": "previousTotal", "new": "presentTotal", "gross": "gross", "sc": "senior", "pwd": "pwd", "other": "otherDiscount",
    "void": "voids", "refund": "returns", "vadj": "vatAdjustment", "net": "net", "vatable": "vatable", "vat": "vat",
    "exempt": "exempt", "zero": "zeroRated", "date": "businessDate",
}
TENDERS = {"cash": "cash", "card": "card", "ewal": "eWallet"}


class Tally:
    """What was counted over many pictures."""

    def __init__(self):
        self.pictures = self.held = self.wrong = self.unasked = 0
        self.seconds = 0.0
        self.fields: Counter[str] = Counter()
        self.right: Counter[str] = Counter()
        self.asked: dict[str, Counter[str]] = defaultdict(Counter)
        self.fonts: dict[str, list[int]] = defaultdict(lambda: [0, 0])


def measure(section: Section, folder: Path) -> None:
    need("npm")
    need("tesseract")
    tills = [Till(SEED, number) for number in range(TILLS)]
    days = [[till.next() for till in tills] for _ in range(DAYS + 1)]
    last = [(till, till.next(), till.random.sample(SUMMED, SPOILT)) for till in tills]
    rounds = [[till.spoilt(slip, names[at]) for till, slip, names in last] for at in range(SPOILT)]
    every = [*days, *rounds]
    steps = folder / "plan.json"
    steps.write_text(plan([pair for slips in every for pair in zip(tills, slips)]))
    node(npm_folder("lighthouse"), "slips.js", npm_folder("slips"), steps, folder)
    make_admin(folder)
    first, known, spoilt = Tally(), Tally(), Tally()
    with Server(folder).sign_in() as server:
        stores = [server.post("/api/stores/locations", {"name": f"Store {at:03}", "code": f"S{at:03}"})["id"] for at in range(STORES)]
        for at, slips in enumerate(every):
            tally = spoilt if at > DAYS else known if at else first
            before = processor(server)
            read = upload(server, stores, slips, folder)
            tally.seconds += processor(server) - before
            tally.pictures += len(slips)
            for till, slip, one in zip(tills, slips, read):
                if tally is spoilt:
                    tally.wrong += is_accepted(server, till, slip, one)
                else:
                    count(tally, till, slip, one)
                    verify(server, till, slip, one)
            print(f"   day {at}: {tally.held} held, {tally.wrong} wrong, {tally.seconds / tally.pictures:.2f} s", flush=True)
    report(section, first, known, spoilt)


def report(section: Section, first: Tally, known: Tally, spoilt: Tally) -> None:
    for name, tally in [("unknown tills", first), ("known tills", known)]:
        worst = min(tally.right, key=lambda font: tally.right[font] / tally.fields[font])
        share = 100 * tally.right[worst] / tally.fields[worst]
        whole = 100 * tally.right.total() / tally.fields.total()
        section.row(f"{name}, {tally.pictures} slips in {len(tally.fields)} fonts: fields right", whole, "%",
                    bar=99, more_is_better=True, extra=f" (least: {share:.1f} % in {worst})")
    section.row(f"known tills, {known.pictures} slips: held without a question", known.held, "", bar=known.pictures / 2, more_is_better=True)
    section.row("held with a wrong field", known.wrong + first.wrong, "", bar=0)
    section.row("wrong fields in no doubt, of slips that ask", known.unasked + first.unasked, "", bar=0)
    section.row(f"{spoilt.pictures} slips with a changed digit: accepted", spoilt.wrong, "", bar=0)
    seconds = (first.seconds + known.seconds) / (first.pictures + known.pictures)
    section.row("processor time per clean slip, of the server and tesseract", seconds, "s", bar=1.5,
                extra=f" (unknown till {first.seconds / first.pictures:.2f} s, changed digit {spoilt.seconds / spoilt.pictures:.2f} s)")
    section.notes.append(f"seed {SEED}")
    for font, doubts in known.asked.items():
        held, slips = known.fonts[font]
        print(f"   {font}: {held} of {slips} held; asked: " + ", ".join(f"{name} {times}" for name, times in doubts.most_common()))
    wrong = known.wrong + first.wrong + spoilt.wrong
    if wrong:
        raise RuntimeError(f"{wrong} slips were accepted that must not be")


def upload(server: Server, stores: list[str], slips: list[Slip], folder: Path) -> list[dict]:
    """Uploads slips, a request for each store, and returns their readings once they are read."""
    ids, jobs = {}, []
    for at, store in enumerate(stores):
        own = slips[at::len(stores)]
        body = b"".join(
            f'--cut\r\ncontent-disposition: form-data; name="pictures"; filename="{slip.file}"\r\n\r\n'.encode()
            + (folder / slip.file).read_bytes() + b"\r\n" for slip in own
        ) + b"--cut--\r\n"
        path = f"/api/tools/services/zreading-ocr/uploads?storeId={store}"
        _, content = server.request("POST", path, body, "multipart/form-data; boundary=cut")
        sent = json.loads(content)
        for item in sent["items"]:
            if not item["id"]:
                raise RuntimeError(f"{item['fileName']}: {item['problem']}")
            ids[item["fileName"]] = item["id"]
        jobs.append(sent["job"])
    for job in jobs:
        while server.get(f"/api/jobs/{job}")["state"] in ("queued", "running"):
            time.sleep(0.5)
    return [server.get(f"{PATH}/{ids[slip.file]}") for slip in slips]


def count(tally: Tally, till: Till, slip: Slip, one: dict) -> None:
    """Counts a reading's fields, and whether it holds."""
    fields = one["read"]["fields"]
    wrong = {name for name, text in slip.fields.items() if fields.get(name, {}).get("value") != plain(name, text)}
    asked = {name for name, it in fields.items() if it["doubtful"]}
    holds = one["read"]["verdict"] == "holds" and not asked
    tally.fields[till.font] += len(slip.fields)
    tally.right[till.font] += len(slip.fields) - len(wrong)
    tally.fonts[till.font][0] += holds
    tally.fonts[till.font][1] += 1
    tally.held += holds
    tally.wrong += bool(holds and wrong)
    tally.unasked += 0 if holds else len(wrong - asked)
    tally.asked[till.font].update(asked)
    for name in sorted(wrong | asked):
        it = fields.get(name, {})
        if name in wrong or till.known:
            print(f"   {slip.file} {till.font}: {name} {slip.fields[name]} read as {it.get('value')} ({it.get('why')})", flush=True)


def verify(server: Server, till: Till, slip: Slip, one: dict) -> None:
    """Verifies a reading like a user, with the true figures."""
    one = enter(server, till, slip, one)
    server.post(f"{PATH}/{one['id']}/verify", {"revision": one["revision"]})
    till.known = True


def enter(server: Server, till: Till, slip: Slip, one: dict) -> dict:
    """Enters the till and the printed figures, where they were not read."""
    said = {COLUMNS[name]: number(name, text) for name, text in slip.fields.items() if name in COLUMNS}
    said["terminalId"] = f"{till.number + 1:02}"
    tenders = [{"kind": kind, "label": kind, "amount": number(name, slip.fields[name])} for name, kind in TENDERS.items()]
    amounts = {tender["kind"]: tender["amount"] for tender in one["tenders"]}
    changed = {name: value for name, value in said.items() if one.get(name) != value}
    if any(amounts.get(tender["kind"]) != tender["amount"] for tender in tenders):
        changed["tenders"] = tenders
    if not changed:
        return one
    return server.call("PATCH", f"{PATH}/{one['id']}", {"revision": one["revision"], **changed})


def is_accepted(server: Server, till: Till, slip: Slip, one: dict) -> bool:
    """Whether a spoilt reading holds, or can be verified as printed. Then discards it. The reader proposes the figure that
    the sums need, in doubt; so the printed one is entered."""
    at = f"{PATH}/{one['id']}"
    holds = one["read"]["verdict"] == "holds"
    one = enter(server, till, slip, one)
    try:
        one = server.post(f"{at}/verify", {"revision": one["revision"]})
        one = server.post(f"{at}/reopen", {"revision": one["revision"], "reason": "Spoilt"})
        verified = slip.off > NEAR
    except RuntimeError as refused:
        if ": 422 " not in str(refused):
            raise
        verified = False
    server.post(f"{at}/discard", {"revision": one["revision"], "reason": "Spoilt"})
    if verified or holds:
        print(f"   {slip.file}: off by {slip.off}{', holds' * holds}{', verified' * verified}", flush=True)
    return holds or verified


def plain(name: str, text: str) -> str:
    """A printed text as the reader gives it."""
    return text if name == "date" else text.replace(",", "").replace("-", "")


def number(name: str, text: str):
    """A printed text as the console sends it."""
    if name in ("date", "min", "tin", "beg", "end"):
        return plain(name, text)
    value = float(text.replace(",", ""))
    return int(value) if name in ("z", "tx") else value


def processor(server: Server) -> float:
    """Processor seconds of the server and of its ended children."""
    stat = Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
    return sum(map(int, stat[11:15])) / os.sysconf("SC_CLK_TCK")
