"""The JSON Schema files of the actions and the export API, and jsonschema over them."""

from __future__ import annotations

import functools
import importlib.resources
import json
from typing import Any, Iterator

import jsonschema
import jsonschema.exceptions
import referencing

from . import _formats

__all__ = ["BASE", "names", "schema", "text", "validate", "validator"]

BASE = "https://rehearsal.example/schemas/"
"""The address that every $id begins with."""


def names() -> list[str]:
    """Returns the paths of all schema files, such as legacy/userbase.row.json, sorted."""
    return list(_schemas())


def text(name: str) -> str:
    """Returns the text of a schema file, by its path, with or without .json, or by the kind of an export, such as userbase."""
    return _files().joinpath(*_file(name).split("/")).read_text("utf-8")


def schema(name: str) -> dict[str, Any]:
    """Returns a schema file, decoded anew: the caller owns it."""
    return json.loads(text(name))


def validator(name: str) -> Any:
    """Returns the validator of jsonschema for a schema. A name that no schema has is a LookupError."""
    return _validator(_file(name))


def validate(name: str, value: Any) -> None:
    """Raises a jsonschema.ValidationError, the most telling one, unless the value fits."""
    error = jsonschema.exceptions.best_match(validator(name).iter_errors(value))
    if error is not None:
        raise error


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


@functools.lru_cache(maxsize=None)
def _spellings() -> dict[str, str]:
    spellings: dict[str, str] = {}
    for file, contents in _schemas().items():
        for name in (file, file[: -len(".json")], contents.get("x-export", {}).get("kind", file)):
            spellings[name] = file
    return spellings


def _file(name: str) -> str:
    try:
        return _spellings()[name]
    except KeyError:
        message = f'there is no schema "{name}": name an export, such as userbase, or a schema file, such as legacy/userbase.row'
        raise LookupError(message) from None


@functools.lru_cache(maxsize=None)
def _registry() -> Any:
    resources = ((BASE + file, referencing.Resource.from_contents(contents)) for file, contents in _schemas().items())
    return referencing.Registry().with_resources(resources)


@functools.lru_cache(maxsize=None)
def _format_checker() -> Any:
    return _formats.checker(json.loads((importlib.resources.files(__package__) / "formats.json").read_text("utf-8")))


@functools.lru_cache(maxsize=None)
def _validator(file: str) -> Any:
    return jsonschema.Draft202012Validator(_schemas()[file], registry=_registry(), format_checker=_format_checker())
