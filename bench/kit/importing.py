"""Imports of files over HTTP, step by step: sales, and the records of any list."""

import json
import time
from pathlib import Path

from kit.larder import Server

API = "/api/tools/import-sales-product"
LISTS = "/api/tools/import-data"


def run(server: Server, file: Path, columns: dict, dates: str) -> dict:
    """One import; returns the duration of its steps."""
    started = time.perf_counter()
    _, answer = server.request("POST", f"{API}/uploads?fileName={file.name}", file.read_bytes(), "application/octet-stream")
    took = {"upload": time.perf_counter() - started}
    batch = json.loads(answer)
    place = {column["header"]: column["index"] for column in batch["layout"]["columns"]}
    mapping = {
        "hasHeader": True, "columns": {field: place[header] for field, header in columns.items()},
        "dateFormat": dates, "decimal": ".", "store": None, "priceMeans": "unit", "source": "file",
    }
    if batch["layout"].get("sheets"):
        mapping["sheet"] = batch["layout"]["sheets"][0]
    at = f"{API}/batches/{batch['id']}"
    took["validate"], batch = timed(server, "PUT", f"{at}/mapping", mapping, at, "validated")
    unknown = server.get(f"{at}/unknowns")
    if unknown["stores"] or unknown["items"]:
        batch = server.post(f"{at}/resolve", {
            "stores": [{"name": store["name"], "create": True} for store in unknown["stores"]],
            "items": [{"key": item["key"], "create": True} for item in unknown["items"]],
        })
    took["lines"] = batch["summary"]["goodLines"]
    took["post"], _ = timed(server, "POST", f"{at}/post", {"replace": True}, at, "posted")
    return took


def timed(server: Server, method: str, path: str, body: dict, at: str, wanted: str) -> tuple[float, dict]:
    """Seconds from requesting a job until its batch has reached a state."""
    started = time.perf_counter()
    batch = server.call(method, path, body)
    while batch["state"] != wanted:
        if batch["state"] == "failed":
            raise RuntimeError(f"{path}: {batch}")
        time.sleep(0.01)
        batch = server.get(at)
    return time.perf_counter() - started, batch


def run_list(server: Server, name: str, file: Path, by: str) -> dict:
    """Imports a file of list records with the suggested mapping: upload, dry run, commit; returns the duration of
    the steps."""
    started = time.perf_counter()
    path = f"{LISTS}/uploads?list={name}&fileName={file.name}"
    _, answer = server.request("POST", path, file.read_bytes(), "application/octet-stream")
    took = {"upload": time.perf_counter() - started}
    batch = json.loads(answer)
    layout = batch["layout"]
    strange = [column["header"] for column in layout["columns"] if not column["suggested"]]
    if strange:
        raise RuntimeError(f"{file.name}: no field is suggested for {', '.join(strange)}")
    mapping = {
        "hasHeader": layout["hasHeader"], "columns": {column["suggested"]: column["index"] for column in layout["columns"]},
        "match": by, "decimal": layout["decimal"], "dateFormat": layout["dateFormat"], "missing": "ignore",
    }
    at = f"{LISTS}/batches/{batch['id']}"
    took["check"], batch = timed(server, "PUT", f"{at}/mapping", mapping, at, "checked")
    if batch["summary"]["created"] != layout["rows"]:
        raise RuntimeError(f"{file.name}: {layout['rows']} rows, of which {batch['summary']}")
    # A batch is validated shortly before its job ends, and takes one job at a time.
    while server.get(f"/api/jobs/{batch['jobId']}")["state"] == "running":
        time.sleep(0.01)
    took["commit"], batch = timed(server, "POST", f"{at}/commit", {}, at, "committed")
    if batch["summary"]["created"] != layout["rows"]:
        raise RuntimeError(f"{file.name}: written were {batch['summary']} of {layout['rows']} rows")
    return took
