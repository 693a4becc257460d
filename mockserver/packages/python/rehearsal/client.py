"""Tests of clients of the export service: a server, and scopes of it that share nothing."""

from __future__ import annotations

import datetime
import importlib.metadata
import json
import os
import pathlib
import re
import ssl
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
import weakref
from types import TracebackType
from typing import Any, Iterable, Mapping, Sequence, TypedDict

from rehearsal import binary_path

__all__ = ["Arrivals", "ArrivingRow", "ArrivingRows", "ControlError", "JournalEntry", "Lint", "LintError", "Scope", "Server"]


class _JournalEntry(TypedDict):
    sequence: int
    request_id: str
    time: str
    real_time: str
    duration_seconds: float
    method: str
    path: str
    request_bytes: int
    status: int
    response_bytes: int
    reason: str


class JournalEntry(_JournalEntry, total=False):
    """A request of the journal: what was asked, what was decided, and why."""

    clock_frozen: bool
    query: str
    route: str
    interface: str
    key: str
    credentials: list[str]
    user_agent: str
    body: str
    error: dict[str, Any]
    retry_after_seconds: int
    replayed: int
    not_recorded: str
    unjudged: bool
    applied: list[dict[str, Any]]
    kind: str
    export: str
    export_status: str
    parts: int
    listed: list[Any]
    part: int
    open: bool
    broken: bool
    asked_from: str
    oldest_from: str


class _Lint(TypedDict):
    code: str
    severity: str
    rule: str
    advice: str
    message: str
    count: int
    requests: list[int]


class Lint(_Lint, total=False):
    """Something that a client does and should not."""

    key: str
    export: str


class ArrivingRow(TypedDict):
    """A row as the file writes it, when it happened, and from when on files have it: instants in UTC, by the clock of the scope."""

    happened_at: str
    arrives_at: str
    row: str


class ArrivingRows(TypedDict):
    """All rows of one sort, in the order of the file, and how many there are."""

    rows: int
    examples: list[ArrivingRow]


class _Arrivals(TypedDict):
    arrival: str
    rows: int
    missing: ArrivingRows
    twice: ArrivingRows
    skewed: ArrivingRows


class Arrivals(_Arrivals, total=False):
    """What a client should have met in a file: rows that are missing, come twice or have a wrong date. complete_at is there when rows are missing."""

    complete_at: str


class ControlError(Exception):
    """The server refused to do what a test asked it for."""


class LintError(AssertionError):
    """A client did what it should not."""

    def __init__(self, lints: Sequence[Lint]) -> None:
        self.lints = list(lints)
        super().__init__("the client:\n" + "\n".join(describe_lint(lint) for lint in lints))


def describe_lint(lint: Lint) -> str:
    return f"{lint['severity']}: {lint['code']}: {lint['message']} (requests {lint['requests']})\n  rule: {lint['rule']}\n  instead: {lint['advice']}"


def describe_entry(entry: JournalEntry) -> str:
    return f"{entry['sequence']} {entry['method']} {entry['path']} -> {entry['status'] or 'cut'}: {entry['reason']}"


class Server:
    """The program, started for tests, or one at an address that runs already.

    The program is that of this package (see rehearsal.binary_path). It takes a free port, keeps its state in memory, accepts every
    credential, ends an export with its third lookup, has 500 profiles, and ends with the process that started it. Flags are those of
    `rehearsal serve`, and win. A server with an address was started by somebody else, with --credentials any.
    """

    def __init__(self, *flags: str, url: str | None = None, token: str | None = None, timeout: float = 30) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._directory: tempfile.TemporaryDirectory[str] | None = None
        self._token, self._context = token, None
        handlers: list[urllib.request.BaseHandler] = []
        if url is not None:
            if flags:
                raise ValueError("a server at an address has its flags already")
            self.url = url.rstrip("/")
        else:
            handlers.append(urllib.request.ProxyHandler({}))  # a proxy does not reach this machine
            ready = self._start(flags, timeout)
            self.url = ready["url"]
            self._token = ready.get("control_token", token)
            if "certificate" in ready:
                handlers.append(urllib.request.HTTPSHandler(context=ssl.create_default_context(cadata=ready["certificate"])))
        self._opener = urllib.request.build_opener(*handlers)
        health = self.control("GET", "health")
        _check_version(self.url, health.get("version", ""), _own_version())

    def _start(self, flags: Iterable[str], timeout: float) -> dict[str, Any]:
        self._directory = tempfile.TemporaryDirectory(prefix="rehearsal-", ignore_cleanup_errors=True) if _KEEPS_GOING else tempfile.TemporaryDirectory(prefix="rehearsal-")
        ready_file, log = (pathlib.Path(self._directory.name, name) for name in ("ready.json", "log"))
        command = [
            binary_path(), "serve", "--port", "0", "--test",
            "--ready-file", str(ready_file), "--until-stdin-closes", "--shutdown-timeout", "0s", *flags,
        ]
        with log.open("wb") as output:
            # Ctrl-C in a terminal is for the tests: the server ends after them, with its standard input.
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, stderr=output, start_new_session=True)
        _started.add(self)
        deadline = time.monotonic() + timeout
        while not ready_file.exists():
            if self._process.poll() is not None or time.monotonic() > deadline:
                said = log.read_text(errors="replace")
                self.close()
                raise RuntimeError(f"{command[0]} does not start: {said}")
            time.sleep(0.01)
        ready: dict[str, Any] = json.loads(ready_file.read_text(encoding="utf-8"))
        if os.name == "posix":  # else the log is in use
            self._directory.cleanup()
        return ready

    def control(self, method: str, path: str, body: object = None, **query: object) -> Any:
        """Calls a path below /_mock/. Members of the query that are None are left out."""
        given = {name: value for name, value in query.items() if value is not None}
        address = f"{self.url}/_mock/{path}" + ("?" + urllib.parse.urlencode(given) if given else "")
        request = urllib.request.Request(address, method=method)
        if self._token:
            request.add_header("Authorization", "Bearer " + self._token)
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body, default=_encode).encode()
        try:
            with self._opener.open(request, timeout=30) as response:
                return json.loads(response.read() or "null")
        except urllib.error.HTTPError as refused:
            with refused:
                text = refused.read().decode(errors="replace")
            try:
                text = json.loads(text)["message"]
            except (ValueError, KeyError, TypeError):
                pass
            raise ControlError(f"{method} {address}: {refused.code}: {text}") from None
        except urllib.error.URLError as error:
            raise ControlError(f"{method} {address}: {error.reason}") from None

    def scope(self, key: str | None = None) -> Scope:
        """A part of the server that belongs to one test, by its key."""
        return Scope(self, key or "test-" + uuid.uuid4().hex)

    @property
    def _gone(self) -> bool:
        """Whether the server was started here, and is gone."""
        return self._process is not None and self._process.poll() is not None

    def close(self) -> None:
        """Ends the server, if it was started here."""
        if self._process is not None:
            if self._process.stdin is not None:
                self._process.stdin.close()
            try:
                self._process.wait(15)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
        if self._directory is not None:
            self._directory.cleanup()
            self._directory = None

    def __enter__(self) -> Server:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


#: The servers that this process has started.
_started: weakref.WeakSet[Server] = weakref.WeakSet()


def _let_go() -> None:
    """Closes the copies of standard inputs in a forked process, which would keep a server alive after the tests."""
    for server in list(_started):
        if server._process is not None and server._process.stdin is not None:
            server._process.stdin.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)


class Scope:
    """What belongs to one key: exports, clock, scenarios, dataset, journal and lints. Scopes disturb each other in nothing."""

    #: Credentials for the client. A server of tests accepts any.
    company_key = "company"
    token = "token"

    def __init__(self, server: Server, key: str) -> None:
        self.server, self.key = server, key
        self._allowed: set[str] = set()

    @property
    def url(self) -> str:
        """The address of the export API."""
        return self.server.url

    # The clock.

    def now(self) -> datetime.datetime:
        """What the clock shows, in UTC."""
        shown: str = self.server.control("GET", "clock", key=self.key)["now"]
        whole, _, fraction = shown.rstrip("Z").partition(".")
        return datetime.datetime.fromisoformat(f"{whole}.{fraction[:6]:0<6}+00:00")

    def advance(self, by: datetime.timedelta | float | str) -> None:
        """Moves the clock forward, also one that stands still: by a number of seconds, a timedelta, or a text such as "21m"."""
        if isinstance(by, datetime.timedelta):
            by = by.total_seconds()
        self._clock(advance=by if isinstance(by, str) else f"{max(by, 0):.9f}s")

    def sleep(self, seconds: float) -> None:
        """Takes the place of time.sleep in a client: its clock moves, and nobody waits."""
        self.advance(seconds)

    def set_time(self, instant: datetime.datetime | str) -> None:
        """Makes the clock show an instant, from where it goes on if it runs. A datetime without a time zone is in UTC."""
        self._clock(set=instant)

    def freeze(self, at: datetime.datetime | str | None = None) -> None:
        """Stops the clock, where it is or at an instant."""
        self._clock(freeze=True, **({} if at is None else {"set": at}))

    def run(self, rate: float = 1) -> None:
        """Lets the clock go on, at the speed of real time times the rate."""
        self._clock(freeze=False, rate=rate)

    def _clock(self, **change: object) -> None:
        self.server.control("POST", "clock", change, key=self.key)

    # What happens.

    def scenario(self, scenario: str, *, times: int | None = None, **match: object) -> str:
        """Forces a scenario such as "error=MAINTENANCE_ERROR;retry-after=30s", for the requests that match, and so often; its identifier."""
        body: dict[str, object] = {"scenario": scenario, "match": {**match, "key": self.key}}
        if times is not None:
            body["times"] = times
        created: str = self.server.control("POST", "scenarios", body)["id"]
        return created

    def clear_scenarios(self) -> None:
        """Deletes the scenarios of this scope."""
        self.server.control("DELETE", "scenarios", key=self.key)

    def load(self, kind: str, *rows: Mapping[str, object]) -> None:
        """Adds rows to the dataset of this scope, of the kind "profiles", "installations" or "events"."""
        self.server.control("POST", f"data/{urllib.parse.quote(kind, safe='')}", rows, key=self.key)

    def show(self, mode: str) -> None:
        """Lets exports show the rows of the dataset "only", or "mixed" with the synthetic ones."""
        self.server.control("POST", "data", {"mode": mode}, key=self.key)

    def exports(self) -> list[dict[str, Any]]:
        """The exports of this scope."""
        found: list[dict[str, Any]] = self.server.control("GET", "exports", key=self.key)["exports"]
        return found

    def arrivals(self, export: str) -> Arrivals:
        """Which rows of the file of an export are late, come twice or have a wrong date: all of them, at once in memory, and their sums.

        An export that is not there, or that has no file yet, raises a ControlError.
        """
        path = f"exports/{urllib.parse.quote(export, safe='')}/arrivals"
        found = page = self.server.control("GET", path, limit=1000)
        while (start := page.pop("next_from", None)) is not None:
            page = self.server.control("GET", path, limit=1000, **{"from": start})
            for sort in ("missing", "twice", "skewed"):
                found[sort]["examples"] += page[sort]["examples"]
        told: Arrivals = found
        return told

    # What was asked.

    def journal(self, **filter: object) -> list[JournalEntry]:
        """The requests of this scope for which all of the filter holds: route, status ("202", "4xx"), method, path, export, kind, error, since."""
        found: list[JournalEntry] = []
        since = filter.pop("since", None)
        while True:
            page = self.server.control("GET", "journal", **{**filter, "key": self.key, "since": since})
            found += page["requests"]
            if not page["has_more"]:
                return found
            since = page["next_since"]

    def count(self, **filter: object) -> int:
        """How many requests of this scope a filter lets through."""
        counted: int = self.server.control("GET", "journal/count", **{**filter, "key": self.key})["count"]
        return counted

    def allow(self, *codes: str) -> None:
        """Lets the client do what has these codes: the test provokes it."""
        self._allowed.update(codes)

    def lints(self) -> list[Lint]:
        """What the client did wrong so far, but for what is allowed."""
        found: list[Lint] = self.server.control("GET", "lints", key=self.key, underway="true")["lints"]
        return [lint for lint in found if lint["code"] not in self._allowed]

    def check(self, *, warnings: bool = False) -> None:
        """Raises a LintError for what the client did wrong, and for what costs it time if warnings are asked for."""
        found = [lint for lint in self.lints() if warnings or lint["severity"] == "error"]
        if found:
            raise LintError(found)

    def reset(self) -> None:
        """Empties the scope."""
        self.server.control("DELETE", "state", key=self.key)
        self._allowed.clear()


def _own_version() -> str:
    try:
        return importlib.metadata.version("rehearsal")
    except importlib.metadata.PackageNotFoundError:  # from its sources
        return ""


def _check_version(url: str, server: str, client: str) -> None:
    """Refuses a server of another major version; before 1.0.0, that is the second number. A version that is no release is not compared."""
    releases = [re.fullmatch(r"v?(\d+)\.(\d+)\.\d+", version) for version in (server, client)]
    promised = [each and (each[1], each[2] if each[1] == "0" else "") for each in releases]
    if all(promised) and promised[0] != promised[1]:
        raise RuntimeError(
            f"{url} is a server of version {server.removeprefix('v')}, and this client is of {client}: they understand each other within one major version. "
            f"Install rehearsal=={server.removeprefix('v')}, or start a server of {client}"
        )


_KEEPS_GOING = "ignore_cleanup_errors" in tempfile.TemporaryDirectory.__init__.__code__.co_varnames  # Python 3.10, for Windows


def _encode(value: object) -> str:
    if isinstance(value, datetime.datetime):
        zoned = value if value.tzinfo else value.replace(tzinfo=datetime.timezone.utc)
        return zoned.isoformat()
    raise TypeError(f"{value!r} cannot be sent as JSON")


def from_environment(*flags: str) -> Server:
    """The server of REHEARSAL_URL, with the token of REHEARSAL_CONTROL_TOKEN, or one that is started."""
    address = os.environ.get("REHEARSAL_URL")
    if address:
        return Server(url=address, token=os.environ.get("REHEARSAL_CONTROL_TOKEN"))
    return Server(*flags)
