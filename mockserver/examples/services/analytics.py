"""A client of the analytics service, with the standard library: reads the events of a day hour by hour, and prints how many there are by type.

The first argument is the address of the service, and the second a day of the last 90, such as 2026-03-14. Without a day it is yesterday.
"""

import base64
import collections
import datetime
import gzip
import json
import sys
import urllib.parse
import urllib.request

CREDENTIAL = "Basic " + base64.b64encode(b"project_demo:token_demo").decode()
NO_PROXY = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def events(address):
    request = urllib.request.Request(address, headers={"Authorization": CREDENTIAL})
    with NO_PROXY.open(request, timeout=60) as response, gzip.open(response, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def hours(base, day):
    for hour in range(24):
        start = f"{day.replace('-', '')}T{hour:02}"
        yield from events(base + "/api/2/export?" + urllib.parse.urlencode({"start": start, "end": start}))


if __name__ == "__main__":
    base, day = (sys.argv[1:] + [str(datetime.date.today() - datetime.timedelta(days=1))])[:2]
    by_hour = [event["$insert_id"] for event in hours(base, day)]
    whole = list(events(f"{base}/api/2/days/{day}"))
    if by_hour != [event["$insert_id"] for event in whole]:
        raise RuntimeError("the hours are not the day")
    print(json.dumps(collections.Counter(event["event_type"] for event in whole), sort_keys=True))
