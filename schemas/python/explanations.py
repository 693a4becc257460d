"""Holds the installed package against what the Go package says: explanations.py TESTDATA [CASES]."""

import json
import pathlib
import sys

from rehearsal_schemas import Validator


def main() -> int:
    testdata = pathlib.Path(sys.argv[1])
    cases = json.loads((pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else testdata / "explanations.json").read_text("utf-8"))
    validator = Validator()
    different = 0
    for case in cases:
        value = case.get("value")
        if "sample" in case:
            value = json.loads((testdata / "invalid" / case["sample"]).read_text("utf-8"))["value"]
        said = [problem._asdict() for problem in validator.problems(case["schema"], value)]
        if said != case["problems"]:
            different += 1
            if different <= 20:
                print(f"python: {case['schema']} {case.get('sample', '')}\n  want {case['problems']}\n  said {said}", file=sys.stderr)
    print(f"python: {len(cases)} explanations, {different} different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
