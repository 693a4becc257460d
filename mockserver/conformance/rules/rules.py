"""Asks the rules of `mockserver check` once more, in SQL, of worlds of several seeds and settings.

usage: rules.py PROGRAM DIRECTORY [WORLDS [PROFILES]]

PROGRAM is mockserver, DIRECTORY takes the files of a world, one world after the other. Each of the WORLDS (3) has about PROFILES
(1500) people and settings of its own. A world passes when neither the rules of SQL nor `mockserver check` find anything; a rule passes
when it finds the fault that is planted for it in the first world. The number of rows that were read is printed.
"""

import datetime
import importlib.resources
import pathlib
import re
import subprocess
import sys

import duckdb

here = pathlib.Path(__file__).parent
messages = ("campaign", "transactional", "in-app-campaign")
now = datetime.datetime(2026, 3, 15, 12)
opens = now - datetime.timedelta(days=45)
middle = now - datetime.timedelta(days=20, hours=5, minutes=7, seconds=1)

# What differs from one world to the next, besides the seed.
settings = [
    [],
    ["--texture", "hostile", "--weekly-messages", "9"],
    ["--texture", "tidy", "--push-opt-in", "0.2", "--email-opt-in", "0.95"],
    ["--rate", "email_open=0.9", "--rate", "push_open=0.6", "--campaigns", "8"],
    ["--email-only", "0.6", "--push-only", "0.1", "--sms", "0.1"],
    ["--weekly-messages", "1", "--campaigns", "90"],
    ["--rate", "email_bounced=0.3", "--rate", "push_bounced=0.3"],
]


def rules():
    """The rules of rules.sql by name, each with its fault."""
    text = (here / "rules.sql").read_text()
    found = re.findall(r"^-- rule (\S+)\n(.*?;)\n-- fault\n(.*?;)\n", text, re.MULTILINE | re.DOTALL)
    if len(found) != text.count("-- rule "):
        sys.exit("rules.sql: a rule has no query or no fault")
    return found


def generate(program, directory, flags):
    """Writes the files of a world, and returns the arguments by which `mockserver check` knows them."""
    date = "%Y-%m-%dT%H:%M:%S"
    windows = {"profiles.events.1.json": (opens, middle), "profiles.events.2.json": (middle, now)}
    kinds = [f"{kind}.{what}.csv" for kind in messages for what in ("events", "ids")]
    kinds += ["reachability.events.csv", "userbase.csv", "profiles.attributes.json", "profiles.events.json", "profiles.reachability.json", *windows]
    known = ["--now", now.strftime(date)]
    for name in kinds:
        kind = re.sub(r"(\.\d)?\.\w+$", "", name)
        since, until = windows.get(name, (opens, now))
        path = directory / name
        command = [program, "generate", "--quiet", "--kind", kind, "--now", now.strftime(date) + "Z", "--out", path, *flags]
        if kind in ("userbase", "profiles.attributes"):
            known += ["--window", f"{path}={now.strftime(date)}"]
        else:
            zone = "Z" if kind.startswith("profiles") else ""
            command += ["--from", since.strftime(date) + zone, "--to", until.strftime(date) + zone]
            known += ["--window", f"{path}={since.strftime(date)}/{until.strftime(date)}"]
        if kind.rpartition(".")[0] in messages:
            known += ["--campaign", f"{path}={kind.rpartition('.')[0]}"]
        subprocess.run(command, check=True)
        known.append(path)
    return known


def load(database, directory):
    """Reads the files of a world, and returns how many rows they have."""
    columns = "install_id, nullif(custom_id, '') as custom_id, nullif(advertising_id, '') as advertising_id"
    read = "read_csv('{}/{}', delim = ';', header = true, all_varchar = true)"
    token = {"transactional": "transactional_token"}
    legacy = [
        f"select '{kind}.events' as file, {columns}, event_date::timestamp as event_date, event_type, {token.get(kind, 'null')} as token "
        f"from {read.format(directory, kind + '.events.csv')}"
        for kind in messages
    ]
    ids = [f"select '{kind}.ids' as file, {columns}, event_type from {read.format(directory, kind + '.ids.csv')}" for kind in messages]
    tables = (here / "tables.sql").read_text()
    database.execute(tables.format(directory=directory, campaigns=" union all ".join(legacy), ids=" union all ".join(ids)))
    for name, value in (("opens", opens), ("middle", middle), ("now", now)):
        database.execute(f"set variable {name} = timestamp '{value}'")
    names = ["legacy", "ids", "reachable", "userbase", "profiles", "events", "earlier", "later", "changes"]
    counts = {name: database.execute(f"select count(*) from {name}").fetchall()[0][0] for name in names}
    if not all(counts.values()):
        sys.exit(f"a file without rows says nothing of any rule: {counts}")
    return sum(counts.values())


def zones(database):
    """The time zones of regions, as the time zone database has them."""
    database.execute("create or replace table zones (region varchar, timezone varchar)")
    lines = importlib.resources.files("tzdata.zoneinfo").joinpath("zone.tab").read_text().splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    database.executemany("insert into zones values (?, ?)", [(row[0], row[2]) for row in rows])


def main(program, directory, worlds="3", profiles="1500"):
    directory = pathlib.Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    failures, rows = [], 0
    for number in range(int(worlds)):
        world = ["--seed", str(number * 7919), "--profiles", profiles, *settings[number % len(settings)]]
        known = generate(program, directory, world)
        checked = subprocess.run([program, "check", *known], capture_output=True, text=True)
        if checked.returncode:
            failures.append(f"{world}: mockserver check ends with {checked.returncode}:\n{checked.stdout[-3000:]}{checked.stderr[-1000:]}")
        database = duckdb.connect()
        zones(database)
        rows += load(database, directory)
        for name, query, fault in rules():
            found = database.execute(query).fetchmany(3)
            if found:
                failures.append(f"{world}: {name}: " + "; ".join(map(str, found)))
            if number == 0:
                database.begin()
                database.execute(fault)
                if not database.execute(query).fetchone():
                    failures.append(f"{name}: its fault is not found")
                database.rollback()
        database.close()
    print(f"{rows} rows of {worlds} worlds, {len(rules())} rules, {len(failures)} failures")
    if failures:
        sys.exit("\n".join(failures))


main(*sys.argv[1:])
