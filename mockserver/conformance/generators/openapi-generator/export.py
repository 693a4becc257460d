"""A client that openapi-generator made asks for the userbase, looks it up until it is finished, and downloads its file."""

import os
import time
import urllib.request

import client
from client.api.legacy_exports_api import LegacyExportsApi

configuration = client.Configuration(host=os.environ["MOCK"], api_key={"companyKey": "rest_demo"})
exports = LegacyExportsApi(client.ApiClient(configuration))
created = exports.userbase_create("live_demo", client.LegacyUserbaseRequest(ids=["custom_id"]))
while (record := exports.legacy_status("live_demo", created.request_id)).status != "SUCCESS":
    assert record.status != "ERROR", record
    time.sleep(0.1)
with urllib.request.urlopen(record.file_url) as file:
    print("userbase, by openapi-generator in Python:", len(file.read().splitlines()), "lines")
