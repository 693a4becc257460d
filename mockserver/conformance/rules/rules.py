"""Asks the rules of `mockserver check` once more, in SQL, of worlds of several seeds and settings.

usage: rules.py PROGRAM DIRECTORY [WORLDS [PROFILES [SEED]]]

PROGRAM is mockserver, DIRECTORY takes the files of a world, one world after the other. Each of the WORLDS (3) has about PROFILES
(1500) people and settings of its own: every second one has those that SEED (0) draws. A world passes when neither the rules of SQL nor `mockserver check` find anything; a rule passes
when it finds the fault that is planted for it in the first world. The number of rows that were read is printed.
"""

import datetime
import importlib.resources
import pathlib
import random
import re
import shlex
import subprocess
import sys

import duckdb

here = pathlib.Path(__file__).parent
lists = here.parent.parent / "e2e" / "testdata"  # settings that are lists
messages = ("campaign", "transactional", "in-app-campaign")
now = datetime.datetime(2026, 3, 15, 12)
opens = now - datetime.timedelta(days=45)
middle = now - datetime.timedelta(days=20, hours=5, minutes=7, seconds=1)

# What differs from one world to the next, besides the seed, in those whose settings are not drawn.
settings = [
    [],
    ["--world", "texture=hostile", "--world", "weekly-messages=9"],
    ["--world", "texture=tidy", "--world", "push-opt-in=0.2", "--world", "email-opt-in=0.95"],
    ["--world", "rates.email_open=0.9", "--world", "rates.push_open=0.6", "--world", "campaigns=8"],
    ["--world", "email-only=0.6", "--world", "push-only=0.1", "--world", "sms=0.1"],
    ["--world", "weekly-messages=1", "--world", "campaigns=90"],
    ["--world", "rates.email_bounced=0.3", "--world", "rates.push_bounced=0.3"],
]


def drawn(number):
    """Settings of a world by chance, each now and then."""
    draw = random.Random(number)
    flags = []

    def add(name, *values):
        if draw.random() < 0.3:
            flags.extend(["--world", f"{name}={draw.choice(values)}"])

    def share(most=1.0):
        return f"{draw.choice([0, most, most * draw.random(), most * draw.random()]):.4g}"

    add("texture", "tidy", "hostile")
    add("campaigns", "1", "2", "5", "60", "200")
    add("weekly-messages", "0.5", "1", "7", "15")
    for name in ("push-opt-in", "email-opt-in", "sms-opt-in", "growth"):
        add(name, share())
    for name in ("push-only", "email-only", "sms"):
        add(name, share(0.33))
    for event in ("email_open", "email_click", "email_bounced", "push_opened", "push_bounced", "sms_bounced", "inapp_clicked"):
        add(f"rates.{event}", share(0.5))
    add("churn", share(0.5))
    for name in ("countries", "segments"):
        if draw.random() < 0.3:
            flags.extend(["--world", str(lists / f"{name}.yaml")])
    return flags


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


def load(database, directory, full):
    """Reads the files of a world, which have rows if they are to be full, and returns how many."""
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
    if full and not all(counts.values()):
        sys.exit(f"a file without rows says nothing of any rule: {counts}")
    return sum(counts.values())


def zones(database):
    """The time zones of regions, as the time zone database has them."""
    database.execute("create or replace table zones (region varchar, timezone varchar)")
    lines = importlib.resources.files("tzdata.zoneinfo").joinpath("zone.tab").read_text().splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    database.executemany("insert into zones values (?, ?)", [(row[0], row[2]) for row in rows])


def main(program, directory, worlds="3", profiles="1500", seed="0"):
    directory = pathlib.Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    failures, rows = [], 0
    for number in range(int(worlds)):
        of = drawn(int(seed) + number) if number % 2 else settings[number // 2 % len(settings)]
        world = ["--seed", str(number * 7919 + int(seed)), "--profiles", profiles, *of]
        known = generate(program, directory, world)
        checked = subprocess.run([program, "check", *known], capture_output=True, text=True)
        if checked.returncode:
            failures.append(f"generate {shlex.join(world)}: mockserver check ends with {checked.returncode}:\n{checked.stdout[-3000:]}{checked.stderr[-1000:]}")
        database = duckdb.connect()
        zones(database)
        rows += load(database, directory, full=number % 2 == 0)
        for name, query, fault in rules():
            found = database.execute(query).fetchmany(3)
            if found:
                failures.append(f"generate {shlex.join(world)}: {name}: " + "; ".join(map(str, found)))
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
