"""Checks values against the schemas."""

from __future__ import annotations

import functools
import importlib.resources
import json
import urllib.parse
from typing import Any, Iterator, NamedTuple

import jsonschema
import referencing
import referencing.jsonschema

from . import _formats as formats
from . import _words as words
from ._explain import Explainer

BASE = "https://rehearsal.example/schemas/"
"""The address that every $id begins with."""


class Problem(NamedTuple):
    """One fault of a value."""

    pointer: str
    """The JSON Pointer to the value at fault, or to the member that is missing."""
    keyword: str
    """The keyword that refuses the value; "false" where the member may not be there at all."""
    message: str
    """Names the field, what was found, what is allowed, and what was probably meant."""


class InvalidError(ValueError):
    """Says that a value does not fit its schema."""

    def __init__(self, schema: str, problems: list[Problem]) -> None:
        super().__init__(f"not a valid {schema.removesuffix('.json')}: " + "; ".join(problem.message for problem in problems))
        self.schema = schema
        self.problems = problems


def _files() -> Any:
    return importlib.resources.files(__package__) / "files"


@functools.lru_cache(maxsize=None)
def _schemas() -> dict[str, dict[str, Any]]:
    def below(folder: Any, prefix: str) -> Iterator[tuple[str, dict[str, Any]]]:
        for entry in folder.iterdir():
            if entry.is_dir():
                yield from below(entry, f"{prefix}{entry.name}/")
            elif entry.name.endswith(".json"):
                yield prefix + entry.name, json.loads(entry.read_text("utf-8"))

    return dict(sorted(below(_files(), "")))


def names() -> list[str]:
    """The paths of all schema files, such as legacy/userbase.row.json, sorted."""
    return list(_schemas())


def text(name: str) -> str:
    """The text of a schema file, by its path, with or without .json, or by the kind of an export."""
    return _files().joinpath(*_file(name).split("/")).read_text("utf-8")


def schema(name: str) -> dict[str, Any]:
    """A schema file, decoded anew: the caller owns it."""
    return json.loads(text(name))


@functools.lru_cache(maxsize=None)
def _spellings() -> dict[str, str]:
    spellings: dict[str, str] = {}
    for file, contents in _schemas().items():
        for name in (file, file.removesuffix(".json"), contents.get("x-export", {}).get("kind", file)):
            spellings[name] = file
    return spellings


def _file(name: str) -> str:
    try:
        return _spellings()[name]
    except KeyError:
        message = f'there is no schema "{name}": name an export, such as userbase, or a schema file, such as legacy/userbase.row'
        raise LookupError(message) from None


class Validator:
    """Checks values, as json.loads makes them, and says of those that do not fit what is wrong and what to do."""

    def __init__(self) -> None:
        resources = ((BASE + file, referencing.Resource.from_contents(contents)) for file, contents in _schemas().items())
        self._registry: Any = referencing.Registry().with_resources(resources)
        self._formats = formats.checker()
        self._keywords = self._validator({})
        self._explainer = Explainer(_resolve, self._holds)

    def problems(self, name: str, value: Any) -> list[Problem]:
        """The faults of a value, sorted; empty when it fits. A name that no schema has is a LookupError."""
        file = _file(name)
        error = next(self._validator(_schemas()[file]).iter_errors(value), None)
        if error is None:
            return []
        found = [Problem(fault.pointer, fault.keyword, fault.message) for fault in self._explainer.explain(file, _schemas()[file], value)]
        if found:
            return found
        pointer = "".join("/" + words.escape(str(token)) for token in error.absolute_path)  # a keyword that has no words of ours
        want = words.say("other", keyword=str(error.validator), reason=error.message)
        return [Problem(pointer, str(error.validator), words.say("must", subject=words.field_name(pointer), want=want))]

    def validate(self, name: str, value: Any) -> None:
        """Raises an InvalidError unless the value fits."""
        found = self.problems(name, value)
        if found:
            raise InvalidError(_file(name), found)

    def _validator(self, contents: Any) -> Any:
        return jsonschema.Draft202012Validator(contents, registry=self._registry, format_checker=self._formats)

    def _holds(self, contents: dict[str, Any], keyword: str, value: Any) -> bool:
        rule = self._keywords.VALIDATORS[keyword]
        return next(iter(rule(self._keywords, contents[keyword], value, contents) or ()), None) is None


def _resolve(file: str, reference: str) -> tuple[str, Any]:
    address, fragment = urllib.parse.urldefrag(urllib.parse.urljoin(BASE + file, reference))
    target = address.removeprefix(BASE)
    at: Any = _schemas()[target]
    for token in words.tokens(urllib.parse.unquote(fragment)):
        at = at[int(token)] if isinstance(at, list) else at[token]
    return target, at
