"""Fixtures for pytest. Nothing is started, nor even imported, until a test asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generator, Iterator

import pytest

if TYPE_CHECKING:
    from rehearsal.client import Scope, Server

_JUDGED = ("error", "warning", "log", "ignore")
_SCOPE = "_rehearsal_scope"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("rehearsal_flags", "flags of `rehearsal serve` for the server of the tests", type="args", default=[])
    parser.addini("rehearsal_lints", "which lints fail a test: error (the default), warning for both, log or ignore for none", default="error")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "rehearsal(now=None, scenario=None, allow=(), lints=None): the clock of the scope stands still at now, a scenario is forced, codes of "
        "lints are allowed, and which lints fail the test",
    )


@pytest.fixture(scope="session")
def rehearsal_flags(pytestconfig: pytest.Config) -> list[str]:
    """Flags for the server of this session; override it, or set rehearsal_flags in the ini file."""
    flags: list[str] = pytestconfig.getini("rehearsal_flags")
    return flags


@pytest.fixture(scope="session")
def rehearsal_server(rehearsal_flags: list[str]) -> Iterator[Server]:
    """The server of this session, and of this worker of xdist: that of REHEARSAL_URL, or one that is started."""
    from rehearsal.client import from_environment

    with from_environment(*rehearsal_flags) as server:
        yield server


@pytest.fixture
def rehearsal(request: pytest.FixtureRequest, rehearsal_server: Server) -> Iterator[Scope]:
    """A scope of the server for this test alone, which fails when the client did what it should not."""
    settings: dict[str, Any] = {}
    for mark in reversed(list(request.node.iter_markers("rehearsal"))):  # that of the function wins
        if mark.args or not set(mark.kwargs) <= {"now", "scenario", "allow", "lints"}:
            raise pytest.UsageError(f"{request.node.nodeid}: the marker rehearsal takes now, scenario, allow and lints, by name")
        settings.update(mark.kwargs)
    judged = settings.get("lints") or request.config.getini("rehearsal_lints")
    if judged not in _JUDGED:
        raise pytest.UsageError(f"rehearsal: the lints {judged!r} are not one of {', '.join(_JUDGED)}")
    scope = rehearsal_server.scope()
    try:
        if settings.get("now") is not None:
            scope.freeze(settings["now"])
        if settings.get("scenario"):
            scope.scenario(settings["scenario"])
        allowed = settings.get("allow", ())
        scope.allow(*([allowed] if isinstance(allowed, str) else allowed))
        setattr(request.node, _SCOPE, scope)
        yield scope
        # A test that failed has left its client somewhere on its way.
        if judged in ("error", "warning") and not getattr(request.node, "_rehearsal_failed", False):
            from rehearsal.client import LintError

            found = ""
            try:
                scope.check(warnings=judged == "warning")
            except LintError as error:
                found = str(error)
            if found:
                pytest.fail(found, pytrace=False)
    finally:
        if not rehearsal_server._gone:  # the test has met that itself
            scope.reset()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    report = (yield).get_result()
    scope: Scope | None = getattr(item, _SCOPE, None)
    if scope is None or report.when != "call":
        return
    from rehearsal.client import ControlError, describe_entry, describe_lint

    setattr(item, "_rehearsal_failed", report.failed)
    try:
        lints, entries = scope.lints(), scope.journal() if report.failed else []
    except ControlError:
        return  # the server is gone, which the test has met itself
    if entries:
        report.sections.append(("rehearsal: requests", "\n".join(describe_entry(entry) for entry in entries[-40:])))
    if lints:
        report.sections.append(("rehearsal: lints", "\n".join(describe_lint(lint) for lint in lints)))
