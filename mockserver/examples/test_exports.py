"""Tests of a client of the export API against the mock, with the standard library only.

    MOCKSERVER=/path/to/mockserver python3 -m unittest test_exports.py

Mock starts the server and owns its clock. Exports is the client under test: put yours in its place.
"""

import csv
import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request


class Mock:
    """A mock server on a free port, with a clock that stands still until it is moved."""

    def __init__(self, *flags):
        self.directory = tempfile.TemporaryDirectory()
        ready_file = pathlib.Path(self.directory.name, "ready.json")
        self.log = open(pathlib.Path(self.directory.name, "log"), "w+")
        program = os.environ.get("MOCKSERVER", "mockserver")
        self.process = subprocess.Popen(
            [program, "serve", "--port", "0", "--ready-file", ready_file, "--state", "memory", *flags],
            stdout=self.log, stderr=self.log,
        )
        deadline = time.monotonic() + 60
        while not ready_file.exists():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.log.seek(0)
                output = self.log.read()
                self.stop()
                raise RuntimeError(f"the mock does not start: {output}")
            time.sleep(0.02)
        self.ready = json.loads(ready_file.read_text())
        self.url = self.ready["url"]

    def control(self, method, path, body=None):
        """Calls a path under /_mock/."""
        request = urllib.request.Request(self.ready["control_url"] + path, method=method)
        if "control_token" in self.ready:
            request.add_header("Authorization", "Bearer " + self.ready["control_token"])
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body).encode()
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.loads(response.read() or "null")

    def reset(self):
        """Empties the server and stops its clock."""
        self.control("DELETE", "state")
        self.control("DELETE", "journal")
        self.control("POST", "clock", {"freeze": True})

    def sleep(self, seconds):
        """Takes the place of time.sleep: the clock of the server moves, and nobody waits."""
        self.control("POST", "clock", {"advance": f"{seconds}s"})

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()
        self.directory.cleanup()


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None  # a link is followed without the credentials of the API


class Exports:
    """A client of the export API: creates, polls and downloads."""

    def __init__(self, url, sleep=time.sleep):
        self.url, self.sleep = url, sleep
        self.opener = urllib.request.build_opener(NoRedirect)

    def campaign_events(self, campaign, start, end="now"):
        """Downloads the events of a campaign: a list with a dict for each row."""
        headers = {"X-Authorization": "rest_demo"}
        created = self.send(f"/1.0/live_demo/export/campaign/{campaign}/events", headers, {
            "from": start, "to": end, "events": ["push_sent", "push_open"], "ids": ["install_id", "custom_id", "advertising_id"],
        })
        return self.fetch_events(created["requestId"])

    def fetch_events(self, identifier):
        headers = {"X-Authorization": "rest_demo"}
        path = f"/1.0/live_demo/export/request/{identifier}"
        self.wait(path, headers)
        for _ in range(3):
            link = self.send(path, headers)["file_url"]  # every lookup gives a new link
            try:
                return list(csv.DictReader(self.download(link), delimiter=";"))
            except urllib.error.HTTPError as error:
                error.close()
                if error.code != 403:  # the link has expired on its way
                    raise
        raise RuntimeError(f"no link for {identifier} works")

    def attributes(self, *names):
        """Downloads attributes of all profiles: a list with a dict for each profile."""
        headers = {"Authorization": "Bearer token_demo", "X-Service-Project": "project_demo"}
        created = self.send("/2.7/profiles/export", headers, {
            "export_type": "ATTRIBUTES", "attributes": names, "identifiers": ["custom_id"],
        })
        record = self.wait(f"/2.7/exports/view?id={created['id']}", headers)
        profiles = []
        for file in record["files"]:
            request = urllib.request.Request(f"{self.url}/2.7/exports/download?id={file['id']}", headers=headers)
            try:
                self.opener.open(request, timeout=30).close()
                raise RuntimeError("the download does not redirect")
            except urllib.error.HTTPError as redirect:
                redirect.close()
                profiles += json.loads("\n".join(self.download(redirect.headers["Location"])))
        return profiles

    def wait(self, path, headers):
        """Polls until an export is over, for an hour at most."""
        for _ in range(360):
            record = self.send(path, headers)
            if record["status"] == "SUCCESS":
                return record
            if record["status"] == "ERROR":
                raise RuntimeError(f"the export failed: {record}")
            self.sleep(10)
        raise RuntimeError(f"{path} is still not over")

    def send(self, path, headers, body=None):
        """Sends a request, again when the server asks for patience."""
        data = None if body is None else json.dumps(body).encode()
        for _ in range(5):
            request = urllib.request.Request(self.url + path, data, {**headers, "Content-Type": "application/json"})
            try:
                with self.opener.open(request, timeout=30) as response:
                    return json.load(response)
            except urllib.error.HTTPError as error:
                text = error.read().decode()
                if error.code != 429:
                    raise RuntimeError(f"{path} answers {error.code}: {text}") from error
                self.sleep(int(error.headers["Retry-After"]))
        raise RuntimeError(f"{path} is refused again and again")

    def download(self, link):
        with self.opener.open(link, timeout=60) as response:
            return response.read().decode().splitlines()


class ExportsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.mock = Mock("--profiles", "500", "--progress", "time:30s", "--refuse-authorization")
        cls.addClassCleanup(cls.mock.stop)

    def setUp(self):
        self.mock.reset()
        self.client = Exports(self.mock.url, sleep=self.mock.sleep)
        self.provoked = set()  # lints that a test brings about on purpose

    def tearDown(self):
        """Whatever a test asked for: the client kept to the specification."""
        for lint in self.mock.control("GET", "lints")["lints"]:
            if lint["severity"] == "error" and lint["code"] not in self.provoked:
                self.fail(f"{lint['message']}: {lint['advice']} ({lint['rule']})")

    def test_legacy_export(self):
        rows = self.client.campaign_events("welcome", "2025-01-01T00:00:00")
        self.assertTrue(rows)
        self.assertEqual(["install_id", "custom_id", "advertising_id", "event_date", "event_type"], list(rows[0]))
        self.assertLessEqual({row["event_type"] for row in rows}, {"push_sent", "push_opened"})

    def test_profile_export(self):
        profiles = self.client.attributes("$email_address", "$language")
        self.assertTrue(profiles)
        self.assertTrue(any("$email_address" in profile.get("attributes", {}) for profile in profiles))

    def test_too_many_requests(self):
        self.mock.control("POST", "scenarios", {"match": {"stage": "create"}, "times": 2, "scenario": "error=TOO_MANY_REQUESTS;retry-after=90s"})
        self.assertTrue(self.client.campaign_events("welcome", "2025-01-01T00:00:00"))
        refused = self.mock.control("GET", "journal/count?status=429")["count"]
        self.assertEqual(2, refused)

    def test_expired_link(self):
        download, links = self.client.download, []

        def slow_download(link):
            links.append(link)
            if len(links) == 1:
                self.mock.sleep(21 * 60)  # longer than a link works
            return download(link)

        self.client.download = slow_download
        self.provoked = {"dead_link_used"}
        self.assertTrue(self.client.campaign_events("welcome", "2025-01-01T00:00:00"))
        self.assertEqual(2, len(links))

    def test_failed_export(self):
        self.mock.control("POST", "scenarios", {"times": 1, "scenario": "outcome=error"})
        with self.assertRaisesRegex(RuntimeError, "the export failed"):
            self.client.campaign_events("welcome", "2025-01-01T00:00:00")


if __name__ == "__main__":
    unittest.main()
