"""A client of the contacts service, with the standard library: exports the contacts of a list, and prints how many there are by language.

The first argument is the address of the service, and the second how many seconds to wait between two lookups.
"""

import collections
import csv
import io
import json
import sys
import time
import urllib.request
import zipfile

HEADERS = {"Authorization": "Bearer token_demo", "Content-Type": "application/json"}
NO_PROXY = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def call(address, body=None, headers=HEADERS):
    data = None if body is None else json.dumps(body).encode()
    with NO_PROXY.open(urllib.request.Request(address, data, headers), timeout=60) as response:
        return response.read()


def contacts(base, wait):
    created = json.loads(call(base + "/v3/contacts/exports", {"list_id": "newsletter"}))
    while True:
        export = json.loads(call(f"{base}/v3/contacts/exports/{created['id']}"))
        if export["status"] == "failed":
            raise RuntimeError(export["message"])
        if export["status"] == "ready":
            break
        time.sleep(wait)
    for url in export["urls"]:
        archive = zipfile.ZipFile(io.BytesIO(call(url, headers={})))  # a link is its own credential
        for name in archive.namelist():
            yield from csv.DictReader(io.StringIO(archive.read(name).decode()))


if __name__ == "__main__":
    rows = contacts(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 1)
    print(json.dumps(collections.Counter(row["language"] for row in rows), sort_keys=True))
