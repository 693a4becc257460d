"""Runs the manifest beside it with Airbyte's development kit, as its platform does."""

import json
import pathlib
import tempfile

import yaml
from airbyte_cdk.entrypoint import AirbyteEntrypoint
from airbyte_cdk.models import ConfiguredAirbyteCatalogSerializer
from airbyte_cdk.sources.declarative.concurrent_declarative_source import ConcurrentDeclarativeSource

import exports

manifest = yaml.safe_load(pathlib.Path(__file__).with_name("airbyte.yaml").read_text())
config = {"url": exports.MOCK, "api_key": "live_demo", "rest_key": "rest_demo"}
catalog = {"streams": [{"stream": {"name": "userbase", "json_schema": {}, "supported_sync_modes": ["full_refresh"]},
                        "sync_mode": "full_refresh", "destination_sync_mode": "overwrite"}]}
source = ConcurrentDeclarativeSource(catalog=ConfiguredAirbyteCatalogSerializer.load(catalog), config=config, state=[], source_config=manifest)
with tempfile.TemporaryDirectory() as directory:
    files = {name: pathlib.Path(directory, name + ".json") for name in ("config", "catalog")}
    files["config"].write_text(json.dumps(config))
    files["catalog"].write_text(json.dumps(catalog))
    arguments = ["read", "--config", str(files["config"]), "--catalog", str(files["catalog"])]
    messages = [json.loads(line) for line in AirbyteEntrypoint(source).run(AirbyteEntrypoint.parse_args(arguments))]
records = [message["record"]["data"] for message in messages if message["type"] == "RECORD"]
assert records and all(record["install_id"] for record in records), messages[-3:]
print(f"read {len(records)} installations")
