"""Runs the notebook of an analyst: the queries of a page, on the files that its commands make, and compares what they give.

usage: notebook.py PROGRAM DIRECTORY PAGE [--write]

PROGRAM is mockserver, DIRECTORY takes the files, PAGE is the Markdown file. Its shell blocks are run first, then its SQL blocks, in order.
The block of text behind a query is what it gives, to the character. Before a query the page may say

    Public range 0.14 to 0.36 (...), aim 0.30 to 0.38.

The run fails when the value in the first row of the column `measure` is out of the range, unless the page says "Not met", and when the
page says so of a value that is in the range. A value in the range that misses the aim is printed. With --write, the blocks of text are
written anew.
"""

import pathlib
import re
import subprocess
import sys

import duckdb

block = re.compile(r"^```sql\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.MULTILINE | re.DOTALL)
promise = re.compile(r"Public range ([\d.]+) to ([\d.]+)[^#]*?aim ([\d.]+) to ([\d.]+)\.")


def prepare(program, directory, text):
    """Runs the commands of the page, with the program instead of the name by which users know it."""
    for commands in re.findall(r"^```sh\n(.*?)```", text, re.MULTILINE | re.DOTALL):
        script = re.sub(r"\bmockserver generate\b", f"{program} generate --quiet", commands)
        subprocess.run(["sh", "-e", "-c", script], cwd=directory, check=True)


def table(columns, rows):
    """A table as text, numbers with at most three digits behind the point."""
    cells = [columns] + [["" if value is None else f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value) for value in row] for row in rows]
    widths = [max(len(row[at]) for row in cells) for at in range(len(columns))]
    return "".join("  ".join(value.ljust(width) for value, width in zip(row, widths)).rstrip() + "\n" for row in cells)


def judge(heading, said, columns, rows):
    """What is wrong with a measure; nothing if it is as the page says."""
    found = promise.search(said)
    if not found and "measure" not in columns:
        return ""  # a chart
    if not found or "measure" not in columns:
        return f"{heading}: a column `measure` needs a public range before it, and the reverse"
    value, low, high, least, most = float(rows[0][columns.index("measure")]), *map(float, found.groups())
    inside, met = low <= value <= high, "Not met" not in said
    if inside and not least <= value <= most:
        print(f"{heading}: {value:.3f} is in the public range, and misses the aim, {least} to {most}")
    if inside != met:
        return f"{heading}: {value:.3f} is {'in' if inside else 'out of'} the public range, {low} to {high}, and the page says otherwise"
    return ""


def main(program, directory, page, *options):
    directory, page = pathlib.Path(directory).absolute(), pathlib.Path(page)
    directory.mkdir(parents=True, exist_ok=True)
    text = page.read_text()
    prepare(pathlib.Path(program).absolute(), directory, text)
    database = duckdb.connect()
    database.execute(f"set file_search_path = '{directory}'; set threads = 2")
    failures, made, at, measures = [], "", 0, 0
    for found in block.finditer(text):
        before = text[at:found.start()]
        heading, said = before.rpartition("\n### ")[::2]
        heading, _, said = said.partition("\n")
        query, expected = found.groups()
        try:
            result = database.execute(query)
        except duckdb.Error as error:
            sys.exit(f"{heading}: {error}\n{query}")
        if result.description and result.description[0][0] not in ("Count", "Success"):
            columns, rows = [column[0] for column in result.description], result.fetchall()
            given = table(columns, rows)
            measures += 1
            failures.append(judge(heading, said, columns, rows))
            if given != expected and "--write" not in options:
                failures.append(f"{heading}: the page shows\n{expected}and the query gives\n{given}")
            replacement = f"```sql\n{query}```\n\n```text\n{given}```\n"
        else:
            replacement = f"```sql\n{query}```\n"
        made += before + replacement
        at = found.end()
    if "--write" in options:
        page.write_text(made + text[at:])
    failures = [failure for failure in failures if failure]
    print(f"{measures} measures, {len(failures)} failures")
    if failures or measures < 15:
        sys.exit("\n".join(failures))


main(*sys.argv[1:])
