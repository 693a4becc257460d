"""Holds two wheels against each other: the same files, but for what build tools say of themselves."""

import sys
import zipfile


def contents(path: str) -> dict:
    wheel = zipfile.ZipFile(path)
    return {name: wheel.read(name) for name in wheel.namelist() if not name.endswith(("/WHEEL", "/RECORD", "/METADATA"))}


one, other = map(contents, sys.argv[1:])
different = sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
print(f"python: {len(one)} files in the wheel, {len(different)} other ones from the source", *different)
sys.exit(1 if different else 0)
