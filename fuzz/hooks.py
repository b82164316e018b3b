"""What `fuzz/run` adds to schemathesis: a session, ids of real records, and stricter checks."""

import hashlib
import json
import os
import random
import re
import time
from collections import Counter, defaultdict

import requests
import schemathesis
from schemathesis.core.failures import Failure

URL = os.environ["FUZZ_URL"]
SEED = os.environ["FUZZ_SEED"]
# Reached operations are counted in this file, for the summary.
REACHED = os.environ["FUZZ_REACHED"]
CONTRACT = os.environ["FUZZ_CONTRACT"]
EMAIL, PASSWORD = "admin@larder.example", "pandesal-at-sunrise"
# Who writes: the server refuses changes without these.
OWN_PAGE = {"x-larder": "1", "origin": URL, "sec-fetch-site": "same-origin"}
# Operations whose purpose is a request without the administrator's session.
NO_SESSION = ("/v1/", "/v2/", "/session", "/api/session/")
DATE = re.compile(r"^\d{4}-\d\d-\d\d$")
# Ids of the administrator and of the own session are never inserted: changes to them would end the run's access.
PROTECTED: set[str] = set()


class Session:
    """The administrator's session, opened again once it has ended."""

    cookie = ""

    def open(self) -> None:
        # Sign-ins that the run makes from this address count against it for a minute.
        for wait in (0, 10, 20, 40):
            time.sleep(wait)
            answer = requests.post(
                URL + "/v1/accounts:signInWithPassword",
                json={"email": EMAIL, "password": PASSWORD},
                headers=OWN_PAGE,
                timeout=30,
            )
            if answer.ok:
                break
        if not answer.ok:
            raise RuntimeError(f"The administrator cannot sign in again: {answer.text}")
        PROTECTED.add(answer.json()["localId"])
        # The cookies are for https only; a cookie jar would not return them over http.
        self.cookie = "; ".join(part.split(";")[0] for part in answer.raw.headers.getlist("set-cookie"))

    def headers(self) -> dict[str, str]:
        return {**OWN_PAGE, "cookie": self.cookie}


session = Session()
session.open()


class Records:
    """Values that the demo's records have, by list and by field, so that requests reach records."""

    def __init__(self) -> None:
        self.by_path: dict[str, list[str]] = defaultdict(list)
        self.by_field: dict[str, list[str]] = defaultdict(list)
        self.revision: dict[str, int] = {}
        with open(CONTRACT, encoding="utf8") as file:
            paths = json.load(file)["paths"]
        # Lists first, then what is below a record of them.
        for path in sorted(paths, key=lambda path: (path.count("{"), path)):
            operation = paths[path].get("get")
            if operation is None or path.endswith(("/export", "/live", "/file", "/zip")) or "/session/" in path:
                continue
            required = [p["name"] for p in operation.get("parameters", []) if p.get("required") and p["in"] == "query"]
            for filled in self.fill(path):
                query = {name: self.by_field[name][0] for name in required if self.by_field.get(name)}
                try:
                    answer = requests.get(URL + filled, params=query, headers=session.headers(), timeout=20)
                    if answer.ok:
                        self.gather(path, answer.json())
                except (requests.RequestException, ValueError):
                    continue

    def fill(self, path: str) -> list[str]:
        """The path with ids of up to two records; empty if none is known."""
        names = re.findall(r"{(\w+)}", path)
        if not names:
            return [path]
        filled = []
        for index in range(2):
            result = path
            for name in names:
                pool = self.pool(path, name)
                if not pool:
                    return []
                result = result.replace("{" + name + "}", pool[index % len(pool)], 1)
            filled.append(result)
        return filled

    def gather(self, path: str, value: object, field: str = "") -> None:
        if isinstance(value, list):
            for element in value[:40]:
                self.gather(path, element, field)
        elif isinstance(value, dict):
            known = value.get("id")
            if isinstance(known, str):
                self.add(self.by_path[path], known)
                if isinstance(value.get("revision"), int):
                    self.revision[known] = value["revision"]
            for name, element in value.items():
                self.gather(path, element, name)
        elif isinstance(value, str) and field and value and len(value) < 100:
            if DATE.match(value):
                self.add(self.by_field["date"], value)
            self.add(self.by_field[field], value)

    @staticmethod
    def add(pool: list[str], value: str) -> None:
        if value not in pool and value not in PROTECTED and len(pool) < 40:
            pool.append(value)

    def pool(self, path: str, name: str) -> list[str]:
        """Values for a parameter of a path: those of the list before it, else those of fields of this name."""
        return self.by_path.get(path.split("/{" + name + "}")[0]) or self.by_field.get(name) or []


records = Records()


def chance(*parts: object) -> random.Random:
    """The same choices for the same request, so that a shrunk or repeated request stays itself."""
    text = json.dumps([SEED, *parts], sort_keys=True, default=repr)
    return random.Random(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big"))


def replaced(value: object, random_: random.Random, schema_date: bool = True) -> object:
    """A body with ids and dates of records in three of four fields that hold such."""
    if isinstance(value, list):
        return [replaced(element, random_) for element in value]
    if not isinstance(value, dict):
        return value
    result = {}
    for name, element in value.items():
        if isinstance(element, str):
            result[name] = chosen(name, element, random_)
        elif isinstance(element, list) and name.endswith("Ids") and records.by_field.get(name[:-1]):
            pool = records.by_field[name[:-1]]
            result[name] = [random_.choice(pool) if isinstance(part, str) else part for part in element]
        else:
            result[name] = replaced(element, random_)
    return result


def chosen(name: str, element: str, random_: random.Random) -> str:
    if random_.random() < 0.25:
        return element
    if DATE.match(element):
        pool = records.by_field["date"]
    elif name.endswith("Ids"):
        pool = records.by_field.get(name[:-1], [])
    elif name.endswith("Id") or name in ("kind", "type", "status", "state"):
        pool = records.by_field.get(name, [])
    else:
        pool = []
    return random_.choice(pool) if pool else element


def is_text(schema: dict) -> bool:
    """Whether a parameter takes any text, so that an empty one is valid."""
    return schema.get("type") == "string" and "format" not in schema and "enum" not in schema


@schemathesis.hook
def before_call(context, case, kwargs):
    # A request that is wrong on purpose stays as it is, except for the record that its path names.
    positive = case.meta is None or case.meta.generation.mode.is_positive
    random_ = chance(case.method, case.path, case.path_parameters, case.query, case.body)
    body_is_object = isinstance(case.body, dict)
    for name, value in (case.path_parameters or {}).items():
        pool = records.pool(case.path, name)
        if pool and (positive or case.query or body_is_object) and random_.random() < 0.9:
            case.path_parameters[name] = random_.choice(pool)
    if positive:
        for name, value in (case.query or {}).items():
            if isinstance(value, str):
                case.query[name] = chosen(name, value, random_)
        if body_is_object:
            case.body = replaced(case.body, random_)
    else:
        # An empty optional parameter counts as not given, everywhere (docs/api.md); another wrong value is refused.
        for parameter in case.operation.query:
            definition, name = parameter.definition, parameter.name
            is_empty = name in (case.query or {}) and case.query[name] in ("", [""], None)
            if is_empty and not definition.get("required") and not is_text(definition.get("schema", {})):
                case.query[name] = "x"
    known = records.revision.get(str((case.path_parameters or {}).get("id")))
    if positive and known is not None and body_is_object and "revision" in case.body:
        case.body["revision"] = known
    signed_in = not case.path.startswith(NO_SESSION)
    case.headers = {**(case.headers or {}), **(session.headers() if signed_in else OWN_PAGE)}


reached: dict[str, Counter] = defaultdict(Counter)


@schemathesis.hook
def after_call(context, case, response):
    reached[case.operation.label][str(response.status_code)] += 1
    with open(REACHED, "a", encoding="utf8") as file:
        file.write(json.dumps([case.operation.label, response.status_code]) + "\n")
    if response.status_code == 401 and not case.path.startswith(NO_SESSION):
        session.open()
    if response.status_code < 300 and "json" in str(response.headers.get("content-type")):
        try:
            answer = response.json()
        except ValueError:
            return
        if isinstance(answer, dict) and isinstance(answer.get("id"), str) and isinstance(answer.get("revision"), int):
            records.revision[answer["id"]] = answer["revision"]


@schemathesis.check
def named_status(context, response, case):
    """`default` describes problems only: a response below 400 or from 500 must be named by its number."""
    declared = case.operation.definition.raw["responses"]
    status = response.status_code
    if (status < 400 or status >= 500) and str(status) not in declared:
        raise Failure(
            operation=case.operation.label,
            title="Status not in the contract",
            message=f"Received: {status}\nNamed: {', '.join(declared)}",
        )


@schemathesis.check
def honest_problem(context, response, case):
    """A problem states the status that it was sent with."""
    if response.status_code >= 400 and "problem+json" in str(response.headers.get("content-type")):
        stated = response.json().get("status")
        if stated != response.status_code:
            raise Failure(
                operation=case.operation.label,
                title="A problem with another status",
                message=f"Received: {response.status_code}\nStated: {stated}",
            )
