"""The steps of steps.ts with the client that openapi-python-client generates."""

import os
import time
import uuid
from http import HTTPStatus

from cspm_api.api.findings import findings_get, findings_list
from cspm_api.api.preflight import preflight_run
from cspm_api.api.projects import projects_create
from cspm_api.api.scans import scans_get, scans_launch
from cspm_api.client import AuthenticatedClient
from cspm_api.models import Inventory, ProjectsCreateBody, ScanRequest

PROJECT = os.environ["CSPM_PROJECT"]

# An API key goes into X-API-Key, without a prefix. Leave prefix and header name out for an access token.
client = AuthenticatedClient(
    base_url=os.environ["CSPM_URL"],
    token=os.environ["CSPM_API_KEY"],
    prefix="",
    auth_header_name="X-API-Key",
)


def retried(send, attempts=5):
    """Repeats a request that was refused because of a limit or an outage, after the time that the server names."""
    for attempt in range(1, attempts + 1):
        response = send()
        if response.status_code not in (429, 503) or attempt == attempts:
            return response
        time.sleep(int(response.headers.get("Retry-After", attempt)))


# 1. Create a project. With an Idempotency-Key, a repeated request returns the stored response.
create = {"client": client, "body": ProjectsCreateBody(name=PROJECT), "idempotency_key": str(uuid.uuid4())}
created = retried(lambda: projects_create.sync_detailed(**create))
assert created.status_code == HTTPStatus.CREATED, created.content
assert retried(lambda: projects_create.sync_detailed(**create)).parsed == created.parsed
print("project created")

# 2. Upload NDJSON. The generated function sends JSON only, so this uses its HTTP client, which streams the file.
with open(os.environ["CSPM_INVENTORY"], "rb") as file:
    uploaded = client.get_httpx_client().put(
        f"/projects/{PROJECT}/inventory",
        content=file,
        headers={"Content-Type": "application/x-ndjson"},
    )
assert uploaded.status_code == HTTPStatus.CREATED, uploaded.content
print(f"inventory uploaded: {Inventory.from_dict(uploaded.json()).assets} assets")

# 3. Launch a scan, and wait for its end.
body = ScanRequest(projects=[PROJECT], profile="full")
key = str(uuid.uuid4())
launched = retried(lambda: scans_launch.sync_detailed(client=client, body=body, idempotency_key=key))
assert launched.status_code == HTTPStatus.ACCEPTED, launched.content
scan = launched.parsed
while scan.status in ("queued", "running"):
    time.sleep(0.5)
    scan = retried(lambda: scans_get.sync_detailed(scan.id, client=client)).parsed
print(f"scan {scan.status}")

# 4. Read all findings. nextCursor is null on the last page.
findings, pages, cursor = [], 0, None
while pages == 0 or cursor is not None:
    more = {} if cursor is None else {"cursor": cursor}
    page = retried(lambda: findings_list.sync_detailed(client=client, scan=scan.id, limit=20, **more)).parsed
    findings += page.items
    pages += 1
    cursor = page.next_cursor
print(f"findings read: {len({finding.id for finding in findings})} on {pages} pages")

# 5. Problems have a code, which does not change between releases.
duplicate = projects_create.sync_detailed(client=client, body=create["body"])
print(f"duplicate project: {duplicate.status_code.value} {duplicate.parsed.code}")
missing = findings_get.sync_detailed(uuid.uuid4(), client=client)
print(f"missing finding: {missing.status_code.value} {missing.parsed.code}")

# 6. Exhaust a limit, and wait for as long as Retry-After says.
check = ScanRequest(projects=[PROJECT], profile="full")
limited = preflight_run.sync_detailed(client=client, body=check)
while limited.status_code == HTTPStatus.OK:
    limited = preflight_run.sync_detailed(client=client, body=check)
print(f"limit exhausted: {limited.status_code.value} {limited.parsed.code}", flush=True)
time.sleep(int(limited.headers["Retry-After"]))
print(f"after Retry-After: {preflight_run.sync_detailed(client=client, body=check).status_code.value}")
