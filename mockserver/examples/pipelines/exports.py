"""Gets exports of the mock with the standard library, for the pipelines beside it.

MOCK is the address of the server. The credentials are those of its demo.
"""

import csv
import json
import os
import time
import urllib.error
import urllib.request

MOCK = os.environ.get("MOCK", "http://localhost:8080")
LEGACY = {"X-Authorization": "rest_demo"}
PROFILES = {"Authorization": "Bearer token_demo", "X-Service-Project": "project_demo"}


def call(path, headers, body=None):
    """Sends a request and decodes the answer."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(MOCK + path, data, {**headers, "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)


def finished(path, headers):
    """Looks an export up until it is over; its record."""
    while True:
        record = call(path, headers)
        if record["status"] == "SUCCESS":
            return record
        if record["status"] == "ERROR":
            raise RuntimeError(f"the export failed: {record}")
        time.sleep(0.5)


def links(kind, body):
    """Creates an export; the links of its files. They carry their own credential."""
    if kind == "profiles":
        created = call("/2.7/profiles/export", PROFILES, body)
        record = finished(f"/2.7/exports/view?id={created['id']}", PROFILES)
        return [link(f"{MOCK}/2.7/exports/download?id={file['id']}") for file in record["files"]]
    created = call(f"/1.0/live_demo/export/{kind}", LEGACY, body)
    return [finished(f"/1.0/live_demo/export/request/{created['requestId']}", LEGACY)["file_url"]]


def link(address):
    """The target of a redirect, which is asked for without the headers of the API."""

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_):
            return None

    try:
        urllib.request.build_opener(Stay).open(urllib.request.Request(address, headers=PROFILES), timeout=60)
    except urllib.error.HTTPError as redirect:
        return redirect.headers["Location"]
    raise RuntimeError(f"{address} does not redirect")


def rows(kind, body):
    """The rows of an export, one dict each."""
    for address in links(kind, body):
        with urllib.request.urlopen(address, timeout=60) as response:
            text = response.read().decode()
        if kind == "profiles":
            yield from json.loads(text)
        else:
            yield from csv.DictReader(text.splitlines(), delimiter=";")


USERBASE = {"ids": ["install_id", "custom_id"]}
ATTRIBUTES = {"export_type": "ATTRIBUTES", "attributes": ["$language", "$region"], "identifiers": ["custom_id"]}
EVENTS = {"from": "2026-02-15T12:00:00", "to": "now", "ids": ["install_id", "custom_id"], "events": ["inapp_shown", "inapp_clicked"]}
EVENTS_KIND = "in-app-campaign/welcome/events"
