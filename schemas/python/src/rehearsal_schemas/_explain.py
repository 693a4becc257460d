"""Says why a value does not fit its schema, in the few faults that a person would name.

Whether a keyword holds is asked of the validator; here is only the way through the schema, and what is said on it. The Go
package of the repository does the same.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Any, Callable, NamedTuple, Optional

from . import _words as words
from ._words import escape, say

_LEAVES = (
    "const", "enum", "format", "minProperties", "maxProperties", "required", "dependentRequired", "minItems", "maxItems", "uniqueItems",
    "minLength", "maxLength", "pattern", "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf",
)  # fmt: skip
_SENTENCES = {"required": "missing", "dependentRequired": "missing", "additionalProperties": "unknown"}


class Condition(NamedTuple):
    """When a rule holds; weak where the rule may not be meant at all, since the condition could not be looked at."""

    text: str = ""
    weak: bool = False


@dataclasses.dataclass
class Fault:
    """One fault on its way to a problem."""

    pointer: str
    keyword: str
    subject: str
    want: str = ""
    found: str = ""
    allowed: list[Any] = dataclasses.field(default_factory=list)
    when: Condition = Condition()
    hint: str = ""

    @property
    def wanted(self) -> str:
        return words.list_values(self.allowed) if self.allowed else self.want

    @property
    def message(self) -> str:
        found = say("found", found=self.found) if self.found else ""
        return say(_SENTENCES.get(self.keyword, "must"), subject=self.subject, want=self.wanted) + self.when.text + found + self.hint


class Explainer:
    """Explains by two questions: where a reference leads, (file, schema), and whether one keyword of a schema holds for a value."""

    def __init__(self, resolve: Callable[[str, str], tuple[str, Any]], holds: Callable[[dict[str, Any], str, Any], bool]) -> None:
        self._resolve = resolve
        self._holds = holds

    def explain(self, file: str, schema: Any, value: Any) -> list[Fault]:
        faults = _tidy(self._walk(file, schema, "", value, Condition()))
        return sorted(faults, key=lambda fault: (words.pointer_order(fault.pointer), fault.keyword, fault.message))

    def _walk(self, file: str, schema: Any, at: str, value: Any, when: Condition) -> list[Fault]:
        if schema is True:
            return []
        if schema is False:
            return [Fault(at, "false", words.field_name(at), say("false"), when=when)]
        if "type" in schema and not self._holds(schema, "type", value):
            types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
            allowed = [words.Word(say(f"type {name}")) for name in types]
            return [Fault(at, "type", words.field_name(at), found=words.describe_kind(value), allowed=allowed, when=when)]
        faults: list[Fault] = []
        for keyword in _LEAVES:
            if keyword in schema and not self._holds(schema, keyword, value):
                faults += _leaf(file, schema, keyword, at, value, when)
        if isinstance(value, dict):
            faults += self._members(file, schema, at, value, when)
        elif isinstance(value, list):
            first = schema.get("prefixItems", [])
            for i, item in enumerate(value):
                items = first[i] if i < len(first) else schema.get("items", True)
                faults += self._walk(file, items, f"{at}/{i}", item, when)
        return faults + self._in_place(file, schema, at, value, when)

    def _members(self, file: str, schema: dict[str, Any], at: str, value: dict[str, Any], when: Condition) -> list[Fault]:
        faults: list[Fault] = []
        properties = schema.get("properties", {})
        names = list(properties)
        for name, member in value.items():
            pointer = f"{at}/{escape(name)}"
            rules = [properties[name]] if name in properties else []
            rules += [rule for pattern, rule in schema.get("patternProperties", {}).items() if re.search(pattern, name)]
            if not rules and schema.get("additionalProperties", True) is False:
                sentence = {0: "additionalProperties none", 1: "additionalProperties one"}.get(len(names), "additionalProperties")
                want = say(sentence, names=", ".join(names))
                hint = words.suggestion(name, names)
                faults.append(Fault(pointer, "additionalProperties", words.field_name(pointer), want, when=when, hint=hint))
                continue
            for rule in rules or [schema.get("additionalProperties", True)]:
                faults += self._walk(file, rule, pointer, member, when)
        return faults

    def _in_place(self, file: str, schema: dict[str, Any], at: str, value: Any, when: Condition) -> list[Fault]:
        """What references, branches and conditions say of the same value."""

        def here(other: Any, condition: Condition) -> list[Fault]:
            return self._walk(file, other, at, value, condition)

        faults: list[Fault] = []
        if "$ref" in schema:
            faults += self._walk(*self._resolve(file, schema["$ref"]), at, value, Condition())
        if "not" in schema and not here(schema["not"], Condition()):
            want = say("not", shape=_shape_of(schema["not"], say("not known")))
            faults.append(Fault(at, "not", words.field_name(at), want, words.describe(value), when=when))
        for each in schema.get("allOf", []):
            faults += here(each, when)
        for keyword in ("anyOf", "oneOf"):
            if keyword not in schema:
                continue
            branches = [_tidy(here(branch, when)) for branch in schema[keyword]]
            fitting = sum(not branch for branch in branches)
            if fitting == 0:
                faults += _alternatives(keyword, at, branches)
            elif fitting > 1 and keyword == "oneOf":
                faults.append(Fault(at, keyword, words.field_name(at), say("oneOf"), say("oneOf found"), when=when))
        if "if" in schema:
            if not here(schema["if"], Condition()):
                faults += here(schema.get("then", True), _holding(schema["if"], value))
            else:
                faults += here(schema.get("else", True), _failing(schema["if"], value))
        return faults


def _leaf(file: str, schema: dict[str, Any], keyword: str, at: str, value: Any, when: Condition) -> list[Fault]:
    """Words one broken rule. Only missing members may give several faults, one for each."""

    def missing(name: str, want: str) -> Fault:
        pointer = f"{at}/{escape(name)}"
        return Fault(pointer, keyword, words.field_name(pointer), want, when=when)

    limit = schema[keyword]
    if keyword == "required":
        return [missing(name, say(keyword)) for name in limit if name not in value]
    if keyword == "dependentRequired":
        return [
            missing(other, say(keyword, name=name)) for name, others in limit.items() if name in value for other in others if other not in value
        ]
    fault = Fault(at, keyword, words.field_name(at), found=words.describe(value), when=when)
    if keyword in ("const", "enum"):
        fault.allowed = [limit] if keyword == "const" else limit
        fault.hint = words.suggestion(value, fault.allowed)
    elif keyword == "pattern":
        fault.want = _shape_of(schema, say(keyword, pattern=limit))
        fault.hint = words.date_hint(value) if file == "common/dates.json" else ""
    elif keyword == "format":
        fault.want = _shape_of(schema, say(f"format {limit}") or say("format", format=limit))
    elif keyword == "minLength":
        fault.want = say("minLength one") if limit == 1 else say(keyword, limit=str(limit))
    elif keyword in ("minItems", "maxItems"):
        fault.want, fault.found = say(keyword, items=words.count(limit, "item")), words.count(words.size_of(value), "item")
    elif keyword in ("minProperties", "maxProperties"):
        fault.want, fault.found = say(keyword, members=words.count(limit, "member")), words.count(words.size_of(value), "member")
    elif keyword == "uniqueItems":
        fault.want, fault.found = say(keyword), say("uniqueItems found")
    else:
        fault.want = say(keyword, limit=words.number(limit))
    return [fault]


def _shape_of(schema: Any, fallback: str) -> str:
    """The first sentence of a description, if it reads as a shape ("A UTC date and time as ..."); else the fallback."""
    sentence = schema.get("description", "") if isinstance(schema, dict) else ""
    sentence = sentence.split(". ")[0]
    sentence = sentence[:-1] if sentence.endswith(".") else sentence
    return sentence[0].lower() + sentence[1:] if sentence.startswith(("A ", "An ")) else fallback


def _condition_tests(schema: Any, pointer: str = "") -> list[tuple[str, list[Any]]]:
    """The members that an if looks at, and the values that it asks for."""
    tests: list[tuple[str, list[Any]]] = []
    for name, member in sorted(schema.get("properties", {}).items() if isinstance(schema, dict) else []):
        at = f"{pointer}/{escape(name)}"
        member = member if isinstance(member, dict) else {}
        if member.get("properties"):
            tests += _condition_tests(member, at)
        else:
            tests.append((at, ([member["const"]] if "const" in member else []) + member.get("enum", [])))
    return tests


def _condition(sentence: str, parts: list[tuple[str, str]]) -> str:
    each = [say("condition", name=words.field_name(pointer), value=value) for pointer, value in parts]
    return say(sentence, condition=" and ".join(each)) if each else ""


def _holding(schema: Any, value: Any) -> Condition:
    return Condition(_condition("when", [(at, words.plain(there)) for at, _ in _condition_tests(schema) for there in words.follow(value, at)]))


def _failing(schema: Any, value: Any) -> Condition:
    tests = _condition_tests(schema)
    text = _condition("unless", [(at, words.list_values(allowed)) for at, allowed in tests if allowed])
    return Condition(text, any(not words.follow(value, at) for at, _ in tests))


def _tidy(faults: list[Fault]) -> list[Fault]:
    """Drops what other faults already say, and sorts."""
    typed = {fault.pointer for fault in faults if fault.keyword == "type"}
    patterned = {fault.pointer for fault in faults if fault.keyword == "pattern"}
    strong = any(not fault.when.weak for fault in faults)
    kept: dict[str, Fault] = {}
    for fault in faults:
        if fault.pointer in typed and fault.keyword != "type":
            continue
        if fault.pointer in patterned and fault.keyword == "format" or strong and fault.when.weak:
            continue
        # One fault of one kind at one place: the rule with the fewest choices is the one that bites.
        key = f"{fault.pointer}#{fault.keyword}"
        if key not in kept or _strength(fault) < _strength(kept[key]):
            kept[key] = fault
    return [kept[key] for key in sorted(kept)]


def _strength(fault: Fault) -> tuple[int, int, str]:
    return len(fault.allowed), words.bytes_of(fault.message), fault.message


def _alternatives(keyword: str, pointer: str, branches: list[list[Fault]]) -> list[Fault]:
    """Reduces the failed branches of anyOf or oneOf to what the value most likely meant."""
    first = _at_least_one(pointer, branches)
    if first:
        return first
    # A branch for another type of value says nothing, unless all are.
    meant = [branch for branch in branches if not any(fault.keyword == "type" and fault.pointer == pointer for fault in branch)] or branches
    fewest = min(map(len, meant))
    nearest = [branch for branch in meant if len(branch) == fewest]
    merged = _merge_allowed(nearest)
    if merged:
        return merged
    if all(len(branch) == 1 and branch[0].pointer == pointer and branch[0].keyword != "required" for branch in nearest):
        return [_either(keyword, nearest)]
    return nearest[0]


def _at_least_one(pointer: str, branches: list[list[Fault]]) -> Optional[list[Fault]]:
    """Recognises branches that only ask for different members: one of them is missing."""
    if not all(fault.keyword == "required" and fault.pointer.rpartition("/")[0] == pointer for branch in branches for fault in branch):
        return None
    names = sorted({" and ".join(fault.subject for fault in branch) for branch in branches})
    if len(names) == 1:
        return branches[0]
    subject = f"{', '.join(names[:-1])} or {names[-1]}"
    return [dataclasses.replace(branches[0][0], subject=subject, want=say("required one"))]


def _merge_allowed(branches: list[list[Fault]]) -> Optional[list[Fault]]:
    """Joins branches that refuse the same places by lists of allowed values."""
    places = [(fault.pointer, fault.keyword) for fault in branches[0]]
    for branch in branches:
        if [(fault.pointer, fault.keyword) for fault in branch] != places or not all(fault.allowed for fault in branch):
            return None
    merged = []
    for same in zip(*branches):
        allowed: dict[str, Any] = {}
        for value in (value for fault in same for value in fault.allowed):
            allowed.setdefault(words.plain(value), value)
        merged.append(dataclasses.replace(same[0], allowed=list(allowed.values())))
    return merged


def _either(keyword: str, branches: list[list[Fault]]) -> Fault:
    """Joins branches that each have one thing to say about the value itself."""
    want = say("either").join(branch[0].wanted for branch in branches)
    hint = next((branch[0].hint for branch in branches if branch[0].hint), "")
    return dataclasses.replace(branches[0][0], keyword=keyword, allowed=[], want=want, hint=hint)
