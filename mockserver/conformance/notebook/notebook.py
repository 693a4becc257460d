"""Runs the notebook of an analyst: the queries of a page, on the files that its commands make, and compares what they give.

usage: notebook.py PROGRAM DIRECTORY PAGE [--write]

PROGRAM is mockserver, DIRECTORY takes the files, PAGE is the Markdown file. Its shell blocks are run first, then its SQL blocks, in order.
The block of text behind a query is what it gives, to the character. Before a query the page may say

    Public range 0.14 to 0.36 (...), aim 0.30 to 0.38.

for the value in the first row of the column `measure`, or have a table with a row for each value of the result,

    | `opened` of email | 0.14 to 0.36 | 0.30 to 0.36 | ... |

where `opened` is a column, and `email` what stands in the first cell of its row; without "of", the first row is meant. The run fails when a
value is out of its range, unless the page, or its row of the table, says "Not met", and when they say so of a value that is in it. A value in the range that misses
the aim is printed. With --write, the blocks of text are written anew.
"""

import pathlib
import re
import subprocess
import sys

import duckdb

block = re.compile(r"^```sql\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.MULTILINE | re.DOTALL)
bounds = re.compile(r"^\| `(\w+)`(?: of (\w+))? \| ([\d.]+) to ([\d.]+) \| ([\d.]+) to ([\d.]+) \|(.*)$", re.MULTILINE)
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


def expectations(said, columns, rows):
    """Of each value that the text has a range for: its name, the value, the range, the aim, and whether it is said to be met."""
    if found := promise.search(said):
        yield "measure", found_in(rows, columns, "measure", None), *map(float, found.groups()), "Not met" not in bounds.sub("", said)
    for column, of, *numbers, rest in bounds.findall(said):
        yield f"{column} {of}".strip(), found_in(rows, columns, column, of), *map(float, numbers), "Not met" not in rest


def found_in(rows, columns, column, of):
    """The value in a column, of the row that begins with a text, or of the first; None if there is none."""
    row = next((row for row in rows if not of or row[0] == of), None)
    return None if row is None or column not in columns or row[columns.index(column)] is None else float(row[columns.index(column)])


def judge(heading, said, columns, rows):
    """What is wrong with the measures of a query; nothing if they are as the page says."""
    wrong, known = [], list(expectations(said, columns, rows))
    if "measure" in columns and not any(name == "measure" for name, *_ in known):
        wrong.append(f"{heading}: a column `measure` needs a public range before it")
    for name, value, low, high, least, most, met in known:
        if value is None:
            wrong.append(f"{heading}: there is a range for {name}, and no such value")
        elif (low <= value <= high) != met:
            wrong.append(f"{heading}: {name} is {value:.4f}, {'out of' if met else 'in'} the public range, {low} to {high}, and the page says otherwise")
        elif met and not least <= value <= most:
            print(f"{heading}: {name} is {value:.4f}, which is in the public range, and misses the aim, {least} to {most}")
    return "\n".join(wrong)


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
