"""How values and places are written in a sentence."""

from __future__ import annotations

import datetime
import functools
import importlib.resources
import json
import re
import unicodedata
from decimal import Decimal
from typing import Any, Iterable


@functools.lru_cache(maxsize=None)
def _wording() -> dict[str, str]:
    return json.loads(importlib.resources.files(__package__).joinpath("wording.json").read_text("utf-8"))


def say(name: str, /, **parts: str) -> str:
    """Fills a sentence of wording.json; an unknown one is empty."""
    return re.sub(r"\{(\w+)\}", lambda found: parts.get(found[1], found[0]), _wording().get(name, ""))


class Word(str):
    """A type that is allowed: printed as it is."""


def escape(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def tokens(pointer: str) -> list[str]:
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


def follow(value: Any, pointer: str) -> list[Any]:
    """The value that a JSON Pointer leads to, alone in a list; an empty list when there is none."""
    for token in tokens(pointer):
        if isinstance(value, dict) and token in value:
            value = value[token]
        elif isinstance(value, list) and re.fullmatch("[0-9]+", token) and int(token) < len(value):
            value = value[int(token)]
        else:
            return []
    return [value]


def _is_index(token: str) -> bool:
    return re.fullmatch("[+-]?[0-9]{1,18}", token) is not None


def pointer_order(pointer: str) -> list[tuple[int, int, str]]:
    """Sorts pointers token by token: indexes as numbers, before names."""
    return [(0, int(token), token) if _is_index(token) else (1, 0, token) for token in tokens(pointer)]


_SHOWN_TEXT = 60
_NAMED_TOKENS = 8


def bytes_of(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _cut(text: str, most: int) -> str:
    """The beginning of a text: at most so many bytes, and whole characters."""
    return text.encode("utf-8", "surrogatepass")[:most].decode("utf-8", "ignore")


def _is_printable(character: str) -> bool:
    return character == " " or unicodedata.category(character)[0] in "LMNPS"


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v"}


def _quote(text: str) -> str:
    quoted = ""
    for character in text:
        code = ord(character)
        if character in _ESCAPES:
            quoted += _ESCAPES[character]
        elif _is_printable(character):
            quoted += character
        else:
            quoted += f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return f'"{quoted}"'


def _short(name: str) -> str:
    head = _cut(name, _SHOWN_TEXT)
    if len(head) < len(name):
        head += "..."
    return head if all(map(_is_printable, head)) else _quote(head)


def field_name(pointer: str) -> str:
    """Writes a JSON Pointer as a person would: events[0], filter.segment."""
    path, name = tokens(pointer), ""
    if len(path) > _NAMED_TOKENS:
        path, name = path[-_NAMED_TOKENS:], "..."
    for token in path:
        name += f"[{token}]" if _is_index(token) else ("." if name else "") + _short(token)
    return name or say("the value")


def count(number: int, noun: str) -> str:
    return say({0: f"{noun} none", 1: f"{noun} one"}.get(number, noun), count=str(number))


def size_of(value: Any) -> int:
    return len(value) if isinstance(value, (list, dict)) else 0


def describe(value: Any) -> str:
    """Writes a value that was found, cut short if it is long."""
    if isinstance(value, str):
        head = _cut(value, _SHOWN_TEXT)
        if len(head) < len(value):
            return say("long", head=_quote(head), bytes=str(bytes_of(value) - bytes_of(head)))
        return _quote(value)
    if isinstance(value, list):
        return say("array", items=count(len(value), "item"))
    return say("object") if isinstance(value, dict) else _short(json.dumps(value, default=str))


def describe_kind(value: Any) -> str:
    """Writes a value whose type is wrong."""
    if isinstance(value, str):
        return say("kind string", value=describe(value))
    if isinstance(value, bool):
        return say("kind boolean", value=describe(value))
    if isinstance(value, (int, float, Decimal)):
        return say("kind number", value=describe(value))
    return describe(value)


def plain(value: Any) -> str:
    """Writes a value for a sentence: simple words as they are, other text in quotes."""
    if isinstance(value, Word):
        return str(value)
    if value == "":
        return say("empty")
    if isinstance(value, str) and len(value) <= _SHOWN_TEXT and re.fullmatch(r"[A-Za-z0-9_.$:/-]+", value):
        return value
    return describe(value)


def list_values(values: list[Any]) -> str:
    """Writes the values to choose from: a, b or c."""
    words = [plain(value) for value in values]
    if len(words) < 2:
        return words[0] if words else say("nothing")
    text = f"{', '.join(words[:-1])} or {words[-1]}"
    return text if len(words) == 2 or isinstance(values[0], Word) else say("choice", list=text)


def number(value: Any) -> str:
    return f"{Decimal(str(value)):.9f}".rstrip("0").rstrip(".")


def _distance(a: bytes, b: bytes) -> int:
    """Counts the insertions, deletions, replacements and swaps of neighbours between two words."""
    longest = 64
    if len(a) > longest or len(b) > longest:
        return 2 * longest
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i in range(len(a)):
        row = [i + 1]
        for j in range(len(b)):
            row.append(min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] != b[j])))
            if i > 0 and j > 0 and a[i] == b[j - 1] and a[i - 1] == b[j]:
                row[j + 1] = min(row[j + 1], before[j - 1] + 1)
        before, last = last, row
    return last[len(b)]


def _likely(word: str, candidates: Iterable[str]) -> str:
    """The candidate that a misspelt word was probably meant to be, or ""."""
    best, best_distance = "", 1 + min(3, bytes_of(word) // 3)
    a = word.lower().encode("utf-8", "surrogatepass")
    for candidate in candidates if word else ():
        b = candidate.lower().encode("utf-8")
        apart = _distance(a, b)
        if len(a) > 3 and len(b) > 3 and (a.startswith(b) or b.startswith(a)):
            apart = min(apart, 2)
        if apart < best_distance:
            best, best_distance = candidate, apart
    return "" if best == word else best


def suggestion(name: Any, candidates: Iterable[Any]) -> str:
    """Closes a message with a suggestion, if there is a likely one."""
    word = _likely(name, (each for each in candidates if isinstance(each, str))) if isinstance(name, str) else ""
    return say("suggestion", word=word) if word else ""


_LIKE_DATE = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[.]([0-9]+))?(?:Z|[+-][0-9]{2}:[0-9]{2})?")
_MOST_FRACTION = 9


def date_hint(value: Any) -> str:
    """Says what is wrong with a text that looks as a date should, or ""."""
    found = _LIKE_DATE.fullmatch(value) if isinstance(value, str) else None
    if not found:
        return ""
    date, hour, minute, second, fraction = found.groups()
    try:
        year, month, day = map(int, date.split("-"))
        datetime.date(year or 2000, month, day)  # the year 0 was a leap year, as 2000
    except ValueError:
        return say("date", date=date)
    if int(hour) > 23 or int(minute) > 59 or int(second) > 59:
        return say("time")
    if fraction and len(fraction) > _MOST_FRACTION:
        return say("fraction", digits=str(len(fraction)), limit=str(_MOST_FRACTION))
    return ""
