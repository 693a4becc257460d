"""Reads exports with DuckDB and with pandas, and joins them: the click rate of a campaign by language."""

import json
import pathlib
import tempfile
import urllib.request

import duckdb
import pandas

import exports


def saved(directory, name, kind, body):
    path = pathlib.Path(directory, name)
    for address in exports.links(kind, body):
        urllib.request.urlretrieve(address, path)
    return str(path)


with tempfile.TemporaryDirectory() as directory:
    events = saved(directory, "events.csv", exports.EVENTS_KIND, exports.EVENTS)
    attributes = saved(directory, "attributes.json", "profiles", exports.ATTRIBUTES)
    # Every column is text: an identifier such as 007 must not become a number.
    by_duckdb = duckdb.sql(f"""
        select coalesce(attributes."$language", '') as language, count(*) filter (event_type = 'inapp_clicked') as clicked, count(*) as events
        from read_csv('{events}', delim=';', header=true, all_varchar=true)
        join read_json('{attributes}') on identifiers.custom_id = custom_id
        group by all order by all""").fetchall()
    table = pandas.read_csv(events, sep=";", dtype=str, keep_default_na=False)
    profiles = pandas.json_normalize(json.loads(pathlib.Path(attributes).read_text()))
    joined = table.merge(profiles, left_on="custom_id", right_on="identifiers.custom_id")
    grouped = joined.assign(language=joined["attributes.$language"].fillna("")).groupby("language")["event_type"]
    by_pandas = [(language, int((of == "inapp_clicked").sum()), len(of)) for language, of in grouped]
    assert by_duckdb and by_duckdb == sorted(by_pandas), (by_duckdb, by_pandas)
    print(f"{len(by_duckdb)} languages, the same from DuckDB and pandas")
