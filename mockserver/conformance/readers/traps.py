"""Reads awkward files as docs/explanation/awkward-values.md says that readers go wrong with them, and as they do not.

usage: traps.py HOSTILE, a userbase file of that texture, with the longest cells. A file whose first quotes come late is made beside it.

Each trap has two ways to read, of which the first must lose or change something and the second must not: what the page says of a
reader is true of the versions that are installed.
"""

import csv
import io
import pathlib
import sys
import unicodedata

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.csv

hostile = pathlib.Path(sys.argv[1])
late = hostile.with_name("late.csv")
late.write_text("a;custom_id\n" + "1;2\n" * 20_480 + '1;"3"\n')
bytes_of = hostile.read_bytes()
text = bytes_of.decode()
column = "custom_id"


def by_csv(lines):
    return [row[1] for row in csv.reader(lines, delimiter=";")][1:]


def limited(most):
    csv.field_size_limit(most)
    try:
        return by_csv(io.StringIO(text, newline=""))
    finally:
        csv.field_size_limit(1 << 30)


def universal():
    with open(hostile, encoding="utf-8") as file:
        return by_csv(file)


def by_pandas(**options):
    return pandas.read_csv(hostile, sep=";", dtype=str, **options)[column].fillna("a missing value").tolist()


def by_pyarrow(multiline):
    within = b"first line\n"  # where a block ends in a cell; otherwise it is chance whether one does
    found = pyarrow.csv.read_csv(
        hostile,
        read_options=pyarrow.csv.ReadOptions(block_size=bytes_of.index(within, 1 << 18) + len(within)),
        parse_options=pyarrow.csv.ParseOptions(delimiter=";", newlines_in_values=multiline),
        convert_options=pyarrow.csv.ConvertOptions(column_types={name: pyarrow.string() for name in text[: text.index("\n")].split(";")}),
    )
    return found[column].to_pylist()


def sniffed(options=""):
    query = f"select coalesce({column}, '') from read_csv('{late}', all_varchar = true, header = true{options})"
    return [row[0] for row in duckdb.connect().sql(query).fetchall()]


def joined(key):
    """Joins everybody with themselves, by what a pipeline takes for their identifier."""
    whose = {key(each): each for each in wanted}
    return [whose[key(each)] for each in wanted]


domain = "xn--bcher-kva.example"
csv.field_size_limit(1 << 30)
wanted = by_csv(io.StringIO(text, newline=""))
late_wanted = by_csv(io.StringIO(late.read_text(), newline=""))
traps = [
    ("Python's csv on a file opened without newline=''", universal, lambda: by_csv(open(hostile, encoding="utf-8", newline="")), wanted),
    ("str.splitlines()", lambda: by_csv(line + "\n" for line in text.splitlines()), lambda: by_csv(line + "\n" for line in text.split("\n")[:-1]), wanted),
    ("pandas without keep_default_na=False", by_pandas, lambda: by_pandas(keep_default_na=False), wanted),
    ("pyarrow without newlines_in_values", lambda: by_pyarrow(False), lambda: by_pyarrow(True), wanted),
    ("DuckDB's sniffer without quote", sniffed, lambda: sniffed(", delim = ';', quote = '\"', escape = '\"'"), late_wanted),
    ("a join by identifiers that were trimmed", lambda: joined(str.strip), lambda: joined(str), wanted),
    ("a join by identifiers in one of Unicode's normal forms", lambda: joined(lambda each: unicodedata.normalize("NFC", each)), lambda: joined(str), wanted),
    ("a domain that is compared with how people write it", lambda: domain, lambda: domain.encode().decode("idna"), "bücher.example"),
    ("Python's csv without field_size_limit", lambda: limited(131_072), lambda: limited(1 << 30), wanted),
]

failures = []
for about, wrong, right, want in traps:
    answers = []
    for read in (wrong, right):
        try:
            answers.append(read() == want)
        except Exception as error:  # that is an answer, too
            answers.append(False)
            print(f"{about}: {type(error).__name__}: {str(error)[:120]!r}")
    if answers != [False, True]:
        failures.append(f"{about}: {answers}, want [False, True]")

# An empty cell beside an empty text in quotes: what one reader tells apart is one to another.
beside = 'a;b\n;""\n'
told = polars.read_csv(beside.encode(), separator=";", infer_schema=False).row(0)
same = pandas.read_csv(io.StringIO(beside), sep=";", dtype=str, keep_default_na=False).values.tolist()[0]
if told[0] == told[1] or same[0] != same[1]:
    failures.append(f"an empty cell beside an empty text: Polars reads {told}, pandas {same}")

print(f"{len(traps) + 1} traps, {len(wanted)} and {len(late_wanted)} rows, {len(failures)} failures")
sys.exit("\n".join(failures) or None)
