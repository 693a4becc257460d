"""Loads exports into DuckDB with dlt."""

import sys

import dlt

import exports


@dlt.resource(primary_key="install_id", write_disposition="merge")
def userbase():
    yield from exports.rows("userbase", exports.USERBASE)


@dlt.resource(write_disposition="replace")
def campaign_events():
    yield from exports.rows(exports.EVENTS_KIND, exports.EVENTS)


@dlt.resource(write_disposition="replace")
def profiles():
    yield from exports.rows("profiles", exports.ATTRIBUTES)


pipeline = dlt.pipeline("rehearsal", destination=dlt.destinations.duckdb(sys.argv[1]), dataset_name="rehearsal_exports", pipelines_dir=sys.argv[1] + ".state")
pipeline.run([userbase(), campaign_events(), profiles()]).raise_on_failed_jobs()
counts = pipeline.last_trace.last_normalize_info.row_counts
assert all(counts[name] > 0 for name in ("userbase", "campaign_events", "profiles")), counts
print(f"loaded {counts['userbase']} installations, {counts['campaign_events']} events, {counts['profiles']} profiles")
