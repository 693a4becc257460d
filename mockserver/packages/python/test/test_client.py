"""The package as users have it: `pytest` in an environment with the wheel, `-n 4` as well."""

from __future__ import annotations

import csv
import datetime
import http.server
import importlib.metadata
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from typing import Any

import pytest
from rehearsal.client import ControlError, LintError, Scope, Server

pytest_plugins = ["pytester"]

# Servers begin here, unless the run says where; their clocks go on.
os.environ.setdefault("REHEARSAL_NOW", "2026-03-15T12:00:00Z")
NOON = datetime.datetime(2026, 3, 15, 12, tzinfo=datetime.timezone.utc)


def call(scope: Scope, method: str, path: str, body: object = None) -> tuple[int, Any]:
    request = urllib.request.Request(scope.url + path, method=method, data=None if body is None else json.dumps(body).encode())
    request.add_header("X-Authorization", scope.company_key)
    request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, json.load(refused)


def userbase(scope: Scope) -> str:
    """Fetches an export as a good client does: with pauses, to its end, and then its file."""
    status, created = call(scope, "POST", f"/1.0/{scope.key}/export/userbase", {"ids": ["custom_id"]})
    assert status == 202, created
    while True:
        scope.sleep(2)
        _, record = call(scope, "GET", f"/1.0/{scope.key}/export/request/{created['requestId']}")
        if record["status"] == "SUCCESS":
            with urllib.request.urlopen(record["file_url"], timeout=30) as file:
                text: str = file.read().decode()
                return text


@pytest.mark.rehearsal(now=NOON)
def test_a_good_client(rehearsal: Scope) -> None:
    assert userbase(rehearsal).startswith("custom_id")
    assert rehearsal.now() == NOON + datetime.timedelta(seconds=2 * rehearsal.count(route="legacy.status"))
    assert [entry["status"] for entry in rehearsal.journal(route="userbase")] == [202]
    assert [export["status"] for export in rehearsal.exports()] == ["SUCCESS"]
    assert rehearsal.lints() == []


@pytest.mark.rehearsal(now="2026-03-15T12:00:00Z", scenario="error=MAINTENANCE_ERROR;retry-after=30s", allow="retry_after_ignored")
def test_scenarios(rehearsal: Scope) -> None:
    assert [call(rehearsal, "POST", f"/1.0/{rehearsal.key}/export/userbase", {"ids": ["custom_id"]})[0] for _ in range(2)] == [503, 503]
    rehearsal.clear_scenarios()
    rehearsal.scenario("error=MAINTENANCE_ERROR", times=1, stage="create")
    assert [call(rehearsal, "POST", f"/1.0/{rehearsal.key}/export/userbase", {"ids": ["custom_id"]})[0] for _ in range(2)] == [503, 202]
    assert rehearsal.count(status="503") == 3


@pytest.mark.rehearsal(now=NOON)
def test_rows(rehearsal: Scope) -> None:
    rehearsal.load("installations", {"install_id": "phone-1", "custom_id": "ada"}, {"install_id": "phone-2", "custom_id": "grace"})
    rehearsal.show("only")
    assert [row["custom_id"] for row in csv.DictReader(userbase(rehearsal).splitlines(), delimiter=";")] == ["ada", "grace"]
    with pytest.raises(ControlError, match="400.*install"):
        rehearsal.load("installations", {"install_id": 1})


def test_clock(rehearsal: Scope) -> None:
    rehearsal.freeze(NOON)
    for step, want in [(1.5, 1.5), (datetime.timedelta(minutes=1), 61.5), ("1h", 3661.5), (-5, 3661.5)]:
        rehearsal.advance(step)  # type: ignore[arg-type]
        assert rehearsal.now() == NOON + datetime.timedelta(seconds=want)
    rehearsal.set_time("2026-05-01T00:00:00+02:00")
    assert rehearsal.now() == datetime.datetime(2026, 4, 30, 22, tzinfo=datetime.timezone.utc)
    rehearsal.run(100000)
    before = rehearsal.now()
    while rehearsal.now() == before:
        pass


@pytest.mark.parametrize("number", range(200))
def test_scopes_share_nothing(rehearsal: Scope, number: int) -> None:
    assert rehearsal.journal() == [] and rehearsal.exports() == []
    rehearsal.advance(f"{number + 1}h")
    call(rehearsal, "POST", f"/1.0/{rehearsal.key}/export/userbase", {"ids": ["custom_id"]})
    assert rehearsal.count() == 1


def test_arrivals() -> None:
    with Server("--profiles", "20000") as server:
        scope = server.scope()
        scope.freeze(NOON)
        scope.scenario("progress=now;late=1,72h;duplicates=1;skew=1,2h")
        body = {"from": "2026-02-15T12:00:00", "to": "2026-03-15T12:00:00", "ids": ["install_id"], "events": ["inapp_shown", "inapp_clicked", "inapp_closed"]}
        status, created = call(scope, "POST", f"/1.0/{scope.key}/export/in-app-campaign/welcome/events", body)
        assert status == 202, created
        _, record = call(scope, "GET", f"/1.0/{scope.key}/export/request/{created['requestId']}")
        with urllib.request.urlopen(record["file_url"], timeout=30) as response:
            file = response.read().decode().splitlines()[1:]
        told = scope.arrivals(created["requestId"])
        assert told["twice"]["rows"] > 1000 > told["missing"]["rows"] > 0, "more pages than one, and a sort that ends with the first"
        assert told["rows"] == len(file) and told["arrival"] == "late=1,72h0m0s;duplicates=1;skew=1,2h0m0s" and "next_from" not in told
        assert told["complete_at"] == max(row["arrives_at"] for row in told["missing"]["examples"])
        for some in (told["missing"], told["twice"], told["skewed"]):
            assert len({(row["happened_at"], row["row"]) for row in some["examples"]}) == len(some["examples"]) == some["rows"]
        assert {row["row"] for row in told["twice"]["examples"]} <= set(file)
        assert not {row["row"] for row in told["missing"]["examples"]} & set(file)
        with pytest.raises(ControlError, match="400.*one path segment"):
            scope.arrivals("no/export")


@pytest.mark.rehearsal(lints="ignore")
def test_lints(rehearsal: Scope) -> None:
    rehearsal.scenario("error=MAINTENANCE_ERROR;retry-after=30s", times=1)
    for _ in range(2):
        call(rehearsal, "POST", f"/1.0/{rehearsal.key}/export/userbase", {"ids": ["custom_id"]})
    with pytest.raises(LintError, match="retry_after_ignored") as found:
        rehearsal.check()
    assert [lint["severity"] for lint in found.value.lints] == ["error"]
    rehearsal.allow("retry_after_ignored")
    rehearsal.check()


BAD = """
import pytest, urllib.request

def create(rehearsal):
    request = urllib.request.Request(f"{rehearsal.url}/1.0/{rehearsal.key}/export/userbase", b'{"ids":["custom_id"]}')
    request.add_header("X-Authorization", "any")
    request.add_header("Content-Type", "application/json")
    try:
        urllib.request.urlopen(request).close()
    except OSError:
        pass
"""


def test_a_lint_fails_a_test(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(BAD + """
@pytest.mark.rehearsal(scenario="error=MAINTENANCE_ERROR;retry-after=30s")
def test_bad(rehearsal):
    create(rehearsal); create(rehearsal)

@pytest.mark.rehearsal(scenario="error=MAINTENANCE_ERROR;retry-after=30s", lints="log")
def test_logged(rehearsal):
    create(rehearsal); create(rehearsal)

def test_failed(rehearsal):
    create(rehearsal)
    assert False

@pytest.mark.rehearsal(noww=1)
def test_misspelt(rehearsal):
    pass
""")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=2, failed=1, errors=2)
    result.stdout.fnmatch_lines_random([
        "*error: retry_after_ignored: *", "*rehearsal: requests*", "* POST /1.0/test-* -> 202: *", "*takes now, scenario, allow and lints*",
    ])


@pytest.mark.skipif(os.name != "posix", reason="Windows has no groups of processes")
def test_ctrl_c_ends_the_tests_only(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
        import os, signal, time
        def test_waits(rehearsal):
            os.killpg(0, signal.SIGINT)  # as a terminal does
            time.sleep(60)
        """)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    ended = subprocess.run(command, cwd=pytester.path, capture_output=True, text=True, timeout=60, start_new_session=True,
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # which jobs in the background ignore
    assert ended.returncode == 2, ended.stdout
    assert "KeyboardInterrupt" in ended.stdout and "ControlError" not in ended.stdout + ended.stderr, ended.stdout


def test_nothing_is_started_without_need(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("""
import sys
def test_plain():
    assert "rehearsal.client" not in sys.modules
""")
    pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)


def test_an_address(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    with Server("--control-token", "secret") as server:
        monkeypatch.setenv("REHEARSAL_URL", server.url)
        monkeypatch.setenv("REHEARSAL_CONTROL_TOKEN", "secret")
        pytester.makepyfile(f"def test_address(rehearsal): assert rehearsal.url == {server.url!r} and rehearsal.count() == 0")
        pytester.runpytest_subprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)


class Other(http.server.BaseHTTPRequestHandler):
    """A server that tells a version."""

    version = ""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"status": "alive", "version": self.version}).encode())

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.mark.parametrize("version", ["", "v1.9.1", "v9.0.1"])
def test_a_server_of_another_version(version: str) -> None:
    with http.server.HTTPServer(("127.0.0.1", 0), type("Told", (Other,), {"version": version})) as listener:
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{listener.server_port}"
        own = importlib.metadata.version("rehearsal")
        if version != "v9.0.1":
            Server(url=address)
        else:
            with pytest.raises(RuntimeError, match=f"{address} is a server of version 9.0.1, and this client is of {own}: .* Install rehearsal==9.0.1, or start a server of {own}"):
                Server(url=address)
        listener.shutdown()


def test_a_recording(tmp_path: pathlib.Path) -> None:
    (tmp_path / "recording.json").write_text('{"version": 1, "began": "2026-03-15T12:00:00Z"}')
    (tmp_path / "000001.request.json").write_text('{"ids": ["custom_id"]}')
    (tmp_path / "000001.answer.json").write_text('{"requestId": "as-recorded"}')
    (tmp_path / "000001.json").write_text(json.dumps({
        "number": 1, "time": "2026-03-15T12:00:00Z", "method": "POST", "path": "/1.0/{{key}}/export/userbase", "credentials": ["X-Authorization"],
        "request": {"file": "000001.request.json"}, "status": 202, "answer": {"file": "000001.answer.json"}, "facts": {"stage": "create", "kind": "userbase", "export": "as-recorded"},
    }))
    with Server("--replay", str(tmp_path)) as server:
        scope = server.scope()
        assert call(scope, "POST", f"/1.0/{scope.key}/export/userbase", {"ids": ["custom_id"]}) == (202, {"requestId": "as-recorded"})
        assert [entry["replayed"] for entry in scope.journal()] == [1]


def test_what_does_not_start() -> None:
    with pytest.raises(RuntimeError, match="does not start.*--profiles"):
        Server("--profiles", "none")
    with pytest.raises(ControlError, match="refused"):
        Server(url="http://127.0.0.1:1")


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL")
@pytest.mark.parametrize("forks", ["0", "os.fork()"])
def test_a_runner_that_is_killed_leaves_nothing(forks: str, tmp_path: pathlib.Path) -> None:
    code = f"""import os, time; from rehearsal.client import Server; s = Server(); child = {forks}
if child or {forks!r} == "0": print(s._process.pid, child, flush=True)
time.sleep(120)"""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment) as runner:
        assert runner.stdout is not None
        server, child = (int(number) for number in runner.stdout.readline().split())
        runner.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + 60  # only ends a test that hangs
    while alive(server):
        assert time.monotonic() < deadline, "the server stays"
        time.sleep(0.01)
    if child:
        assert alive(child), "the forked process ended before the server"
        os.kill(child, signal.SIGKILL)
    assert not list(tmp_path.glob("rehearsal-*"))


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    try:  # one that nobody waits for is no more than its number
        with open(f"/proc/{process}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False
