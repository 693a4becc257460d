"""Holds every sample against the schema files with python-jsonschema.

Exit status 1 when python-jsonschema disagrees with a sample.
"""

import json
import pathlib
import sys

import jsonschema
import referencing

BASE = "https://rehearsal.example/schemas/"
ROOT = pathlib.Path(__file__).resolve().parents[2]


def read_schemas():
    paths = [ROOT / "vocabulary.json"]
    for folder in ("actions", "common", "data", "legacy", "mock", "profiles"):
        paths += sorted((ROOT / folder).glob("*.json"))
    return {path.relative_to(ROOT).as_posix(): json.loads(path.read_text("utf-8")) for path in paths}


def read_samples(kind):
    folder = ROOT / "testdata" / kind
    for path in sorted(folder.rglob("*.json")):
        name = path.relative_to(folder)
        yield name.as_posix(), name.parent.as_posix() + ".json", json.loads(path.read_text("utf-8"))


def leaves(errors):
    """Every error, those of the branches of anyOf and oneOf included."""
    for error in errors:
        yield error
        yield from leaves(error.context)


def pointer(tokens):
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens)


def problems(error, value):
    """An error as the pointers and keywords that the samples name."""
    at = list(error.absolute_path)
    if error.validator is None:
        # Where a schema is false the path ends at the object; what it refuses is one of the members.
        for token in at:
            value = value[token]
        return [(pointer(at + [name]), "false") for name, member in value.items() if member is error.instance]
    if error.validator == "required":
        return [(pointer(at + [name]), "required") for name in error.validator_value if name not in error.instance]
    if error.validator == "dependentRequired":
        wanted = [name for have, names in error.validator_value.items() if have in error.instance for name in names]
        return [(pointer(at + [name]), "dependentRequired") for name in wanted if name not in error.instance]
    if error.validator == "additionalProperties":
        return [(pointer(at + [name]), "additionalProperties") for name in error.instance]
    return [(pointer(at), error.validator)]


def main():
    schemas = read_schemas()
    resources = [(BASE + name, referencing.Resource.from_contents(schema)) for name, schema in schemas.items()]
    registry = referencing.Registry().with_resources(resources)
    formats = jsonschema.Draft202012Validator.FORMAT_CHECKER
    validators = {}
    complaints = []
    for name, schema in schemas.items():
        jsonschema.Draft202012Validator.check_schema(schema)
        validators[name] = jsonschema.Draft202012Validator(schema, registry=registry, format_checker=formats)
    counts = {"valid": 0, "invalid": 0}
    for file, schema, sample in read_samples("valid"):
        counts["valid"] += 1
        for error in validators[schema].iter_errors(sample["value"]):
            complaints.append(f"valid/{file} is refused: {error.message}")
    for file, schema, sample in read_samples("invalid"):
        counts["invalid"] += 1
        errors = leaves(validators[schema].iter_errors(sample["value"]))
        found = [problem for error in errors for problem in problems(error, sample["value"])]
        want = (sample["problem"]["pointer"], sample["problem"]["keyword"])
        if not found:
            complaints.append(f"invalid/{file} is accepted")
        elif want not in found:
            complaints.append(f"invalid/{file}: want {want}, found {found}")
    for complaint in complaints:
        print(f"python-jsonschema: {complaint}", file=sys.stderr)
    print(
        f"python-jsonschema: {len(schemas)} schemas, {counts['valid']} valid and {counts['invalid']} invalid samples, "
        f"{len(complaints)} disagreements"
    )
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
