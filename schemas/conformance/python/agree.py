"""Holds the installed package against every sample: agree.py TESTDATA.

Exit status 1 when jsonschema, as the package sets it up, disagrees with a sample.
"""

import json
import pathlib
import sys

import jsonschema
import rehearsal_schemas


def read_samples(folder):
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


def refuses(name, value):
    try:
        rehearsal_schemas.validate(name, value)
    except jsonschema.ValidationError:
        return True
    return False


def main():
    testdata = pathlib.Path(sys.argv[1])
    complaints = []
    names = rehearsal_schemas.names()
    for name in names:
        file = testdata.parent / name
        if json.loads(file.read_text("utf-8")) != rehearsal_schemas.schema(name):
            complaints.append(f"{name} is not the file of the repository")
        jsonschema.Draft202012Validator.check_schema(rehearsal_schemas.schema(name))
    counts = {"valid": 0, "invalid": 0}
    for file, schema, sample in read_samples(testdata / "valid"):
        counts["valid"] += 1
        for error in rehearsal_schemas.validator(schema).iter_errors(sample["value"]):
            complaints.append(f"valid/{file} is refused: {error.message}")
    for file, schema, sample in read_samples(testdata / "invalid"):
        counts["invalid"] += 1
        errors = leaves(rehearsal_schemas.validator(schema).iter_errors(sample["value"]))
        found = [problem for error in errors for problem in problems(error, sample["value"])]
        want = (sample["problem"]["pointer"], sample["problem"]["keyword"])
        if want not in found:
            complaints.append(f"invalid/{file}: want {want}, found {found}")
        if not refuses(schema, sample["value"]):
            complaints.append(f"invalid/{file}: validate raises nothing")
    formats = rehearsal_schemas.validator("userbase").format_checker
    for name, table in json.loads((testdata.parent / "formats" / "formats.json").read_text("utf-8")).items():
        for text in table["valid"] + table["invalid"]:
            if formats.conforms(text, name) != (text in table["valid"]):
                complaints.append(f"{name}: {text!r}")
    for other, name in (("userbase", "legacy/userbase.row.json"), ("legacy/userbase.row", "legacy/userbase.row.json")):
        if rehearsal_schemas.text(other) != rehearsal_schemas.text(name):
            complaints.append(f"{other} is another schema than {name}")
    try:
        complaints.append(f"there is a schema for nothing: {rehearsal_schemas.validator('nothing')}")
    except LookupError:
        pass
    for complaint in complaints:
        print(f"python: {complaint}", file=sys.stderr)
    print(f"python: {len(names)} schemas, {counts['valid']} valid and {counts['invalid']} invalid samples, {len(complaints)} disagreements")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
