"""Reads the files of all kinds with readers that people use, and with readers that people write in a hurry.

usage: readers.py DIRECTORY, which holds a folder per texture (tidy, realistic, hostile), each with the same eleven files.

DuckDB, pandas, Polars and a strict reader of RFC 4180 must find the same cells in every file. The naive readers must find them in
tidy files, and must fail in the others: where one of them passes, the texture teaches nobody anything.
"""

import csv
import io
import json
import pathlib
import sys

import duckdb
import pandas
import polars

failures = []


def strict(text):
    """Reads CSV by RFC 4180, with semicolons and line feeds, and refuses what it does not allow."""
    rows, row, at = [], [], 0
    while at < len(text):
        if text[at] == '"':
            cell = ""
            at += 1
            while True:
                end = text.index('"', at)
                cell += text[at:end]
                at = end + 1
                if text[at] != '"':
                    break
                cell, at = cell + '"', at + 1
        else:
            end = min(found for found in (text.find(";", at), text.find("\n", at)) if found >= 0)
            cell = text[at:end]
            if '"' in cell or "\r" in cell:
                raise ValueError(f"a quote or a carriage return in a cell without quotes: {cell!r}")
            at = end
        row.append(cell)
        if text[at] == "\n":
            rows.append(row)
            row = []
        elif text[at] != ";":
            raise ValueError(f"{text[at]!r} behind a cell")
        at += 1
    if row or any(len(each) != len(rows[0]) for each in rows):
        raise ValueError("rows differ in length, or the last one does not end")
    return rows


def with_duckdb(path):
    # The sniffer finds separators and quotes; types are left as text.
    found = duckdb.connect().sql(f"select * from read_csv('{path}', all_varchar = true, header = true, max_line_size = 4000000)")
    return [found.columns] + [["" if cell is None else cell for cell in row] for row in found.fetchall()]


def with_pandas(path):
    found = pandas.read_csv(path, sep=";", dtype=str, keep_default_na=False)
    return [list(found.columns)] + found.values.tolist()


def with_polars(path):
    found = polars.read_csv(path, separator=";", infer_schema=False).fill_null("")
    return [found.columns] + [list(row) for row in found.iter_rows()]


def with_split(path):
    return [line.split(";") for line in path.read_bytes().decode().split("\n")[:-1]]


def per_line(path):
    with open(path, encoding="utf-8", newline="\n") as file:
        return [next(csv.reader([line.removesuffix("\n")], delimiter=";")) for line in file]


def with_ascii(path):
    return strict(path.read_bytes().decode("ascii"))


def identifiers(items):
    """What JSON files are compared by: who each row is about, and what the row says in free text."""
    return [(item["identifiers"]["profile_id"], item["identifiers"].get("custom_id") or "") for item in items]


def json_with_duckdb(path):
    found = duckdb.connect().sql(
        f"select identifiers->>'profile_id', coalesce(identifiers->>'custom_id', '') from read_json('{path}', columns = {{identifiers: 'JSON'}}, "
        "format = 'array', maximum_object_size = 16000000)"
    )
    return found.fetchall()


def json_with_pandas(path):
    found = pandas.read_json(io.StringIO(path.read_text(encoding="utf-8")), orient="records", dtype=False)
    return identifiers({"identifiers": each} for each in found["identifiers"])


def json_with_polars(path):
    found = polars.read_json(path, infer_schema_length=None)
    return identifiers({"identifiers": each} for each in found["identifiers"].to_list())


def json_with_ascii(path):
    return identifiers(json.loads(path.read_bytes().decode("ascii")))


good = {"csv": [with_duckdb, with_pandas, with_polars], "json": [json_with_duckdb, json_with_pandas, json_with_polars]}
naive = {"csv": [with_split, per_line, with_ascii], "json": [json_with_ascii]}


def same(read, path, want):
    """Tells whether a reader finds what it should, and what it does instead."""
    try:
        found = read(path)
    except Exception as error:  # whatever a reader does, it is its answer
        return False, f"{type(error).__name__}: {str(error)[:200]}"
    found = [list(row) for row in found]
    want = [list(row) for row in want]
    if found == want:
        return True, ""
    for number, (mine, other) in enumerate(zip(found, want)):
        if mine != other:
            return False, f"row {number} is {mine!r:.200}, want {other!r:.200}"
    return False, f"{len(found)} rows, want {len(want)}"


def main(directory):
    counts = {}
    for texture in ("tidy", "realistic", "hostile"):
        files = sorted((directory / texture).iterdir())
        if len(files) != 11:
            sys.exit(f"{texture}: {len(files)} files, want 11")
        for path in files:
            kind = path.suffix[1:]
            text = path.read_bytes().decode()
            want = strict(text) if kind == "csv" else identifiers(json.loads(text))
            if counts.setdefault(path.name, len(want)) != len(want) or len(want) < 100:
                failures.append(f"{texture}/{path.name}: {len(want)} rows, the tidy file has {counts[path.name]}")
            for read in good[kind]:
                passes, instead = same(read, path, want)
                if not passes:
                    failures.append(f"{texture}/{path.name}: {read.__name__}: {instead}")
            for read in naive[kind]:
                passes, instead = same(read, path, want)
                if passes != (texture == "tidy"):
                    failures.append(f"{texture}/{path.name}: {read.__name__} {'passes' if passes else instead}")
    print(f"{sum(counts.values())} rows of each texture in {len(counts)} files")
    for failure in failures:
        print(failure)
    sys.exit(1 if failures else 0)


main(pathlib.Path(sys.argv[1]))
