"""The formats of the table, which mean the same in every language, beside those of jsonschema."""

from __future__ import annotations

import copy
import re
from typing import Any

import jsonschema


def checker(table: dict[str, dict[str, Any]]) -> Any:
    """The formats of jsonschema, but for those of the table: patterns that a text has to match as a whole."""
    formats = copy.copy(jsonschema.Draft202012Validator.FORMAT_CHECKER)
    formats.checkers = {**formats.checkers, **{name: (_matcher(entry["patterns"]), ()) for name, entry in table.items()}}
    return formats


def _matcher(patterns: list[str]) -> Any:
    compiled = [re.compile(pattern) for pattern in patterns]
    return lambda value: not isinstance(value, str) or all(pattern.fullmatch(value) for pattern in compiled)
