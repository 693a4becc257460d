"""Formats of which jsonschema asks less than the Go package does."""

from __future__ import annotations

import copy
import ipaddress
import re
from typing import Any

import jsonschema

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\U0010ffff-]+"
_LOCAL = re.compile(rf'{_ATOM}(?:\.{_ATOM})*|"(?:[^"\\\r\n]|\\.)*"')
_LABEL = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?")


def checker() -> Any:
    """The formats of jsonschema, but for that of e-mail addresses."""
    formats = copy.copy(jsonschema.Draft202012Validator.FORMAT_CHECKER)
    formats.checkers = {**formats.checkers, "email": (_is_email, ())}
    return formats


def _is_email(value: Any) -> bool:
    if not isinstance(value, str):
        return True
    local, at, domain = value.rpartition("@")
    if not at or len(value.encode()) > 254 or len(local.encode()) > 64 or not _LOCAL.fullmatch(local):
        return False
    if domain.startswith("[") and domain.endswith("]"):
        return _is_address(domain[1:-1])
    return all(_LABEL.fullmatch(label) for label in domain.removesuffix(".").split("."))


def _is_address(text: str) -> bool:
    try:
        if text.startswith("IPv6:"):
            ipaddress.IPv6Address(text.removeprefix("IPv6:"))
        else:
            ipaddress.IPv4Address(text)
    except ValueError:
        return False
    return True
