"""A client that openapi-python-client generated asks for an export of each interface, looks it up until it is finished, and
downloads its file."""

import os
import time

import httpx
from client import AuthenticatedClient, Client
from client.api.legacy_exports import legacy_status, userbase_create
from client.api.profile_exports import profiles_create, profiles_download, profiles_view
from client.models import (
    CommonIdentifiersRequestedColumnsItem,
    LegacyCreatedResponse,
    LegacyExportRecord,
    LegacyUserbaseRequest,
    ProfilesAttributesOutputItem,
    ProfilesAttributesRequest,
    ProfilesAttributesRequestExportType,
    ProfilesCreatedResponse,
    ProfilesExportRecord,
)

PAUSE = 0.1  # a service in production is asked every minute
MOCK = os.environ["MOCK"]


def finished(look_up, record):
    """Looks an export up until it is finished."""
    while True:
        found = look_up()
        if not isinstance(found, record):
            raise RuntimeError(f"no export: {found}")
        if found.status.value == "ERROR":
            raise RuntimeError(f"the export failed: {found}")
        if found.status.value == "SUCCESS":
            return found
        time.sleep(PAUSE)


def legacy():
    client = AuthenticatedClient(MOCK, token="rest_demo", prefix="", auth_header_name="X-Authorization")
    request = LegacyUserbaseRequest(ids=[CommonIdentifiersRequestedColumnsItem.CUSTOM_ID])
    created = userbase_create.sync("live_demo", client=client, body=request)
    if not isinstance(created, LegacyCreatedResponse):
        raise RuntimeError(f"no export: {created}")
    export = finished(lambda: legacy_status.sync("live_demo", created.request_id, client=client), LegacyExportRecord)
    # The link is a credential of its own, and gets no other.
    file = httpx.get(export.file_url).raise_for_status()
    print("userbase:", len(file.text.splitlines()), "lines")


def profiles():
    # The link that a file redirects to is asked for without the token, so redirects are not followed here.
    client = Client(MOCK, headers={"Authorization": "Bearer token_demo", "X-Service-Project": "project_demo"})
    request = ProfilesAttributesRequest(export_type=ProfilesAttributesRequestExportType.ATTRIBUTES, attributes=["$email_address", "$language"])
    created = profiles_create.sync(client=client, body=request)
    if not isinstance(created, ProfilesCreatedResponse):
        raise RuntimeError(f"no export: {created}")
    export = finished(lambda: profiles_view.sync(client=client, id=created.id), ProfilesExportRecord)
    total = 0
    for file in export.files:
        redirect = profiles_download.sync_detailed(client=client, id=file.id)
        part = httpx.get(redirect.headers["Location"]).raise_for_status()
        total += len([ProfilesAttributesOutputItem.from_dict(profile) for profile in part.json()])
    print("profiles:", total)


legacy()
profiles()
