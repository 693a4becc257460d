"""A Singer tap of two exports: its records go to any target, as JSON lines on standard output."""

from singer_sdk import Stream, Tap
from singer_sdk import typing as th

import exports


class Userbase(Stream):
    name = "userbase"
    primary_keys = ["install_id"]
    schema = th.PropertiesList(th.Property("install_id", th.StringType, required=True), th.Property("custom_id", th.StringType)).to_dict()

    def get_records(self, context):
        for row in exports.rows("userbase", exports.USERBASE):
            yield {name: row[name] for name in ("install_id", "custom_id")}


class Events(Stream):
    name = "campaign_events"
    primary_keys = []
    schema = th.PropertiesList(*(th.Property(name, th.StringType) for name in ("install_id", "custom_id", "event_date", "event_type"))).to_dict()

    def get_records(self, context):
        yield from exports.rows(exports.EVENTS_KIND, exports.EVENTS)


class TapExports(Tap):
    name = "tap-exports"
    config_jsonschema = th.PropertiesList().to_dict()

    def discover_streams(self):
        return [Userbase(self), Events(self)]


if __name__ == "__main__":
    TapExports.cli()
