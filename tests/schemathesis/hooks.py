"""Signs in, sends each request from an address of its own, and says which refusals of valid data are right."""

import itertools
import json
import os
import re
import unicodedata
import urllib.request

import schemathesis
from schemathesis.core.failures import ServerError
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase
from schemathesis.openapi.checks import IgnoredAuth, JsonSchemaError, RejectedPositiveData

# An access token expires after 15 minutes. Some operations want a session of the last 5.
SESSION_SECONDS = 240
# The limits count addresses, and remember them from one phase to the next.
NETWORK = os.environ.get("CLIENT_NETWORK", "10")
ADDRESSES = itertools.count(1)
# A cursor is opaque, so a generated one only leads to a 400.
CURSORS = set()


@schemathesis.auth(refresh_interval=SESSION_SECONDS)
class Session:
    def get(self, case, context):
        request = urllib.request.Request(os.environ["SESSIONS_URL"], method="POST")
        with urllib.request.urlopen(request) as response:
            return json.load(response)["authorization"]

    def set(self, case, authorization, context):
        case.headers["Authorization"] = authorization


@schemathesis.hook
def before_call(context, case, kwargs):
    # The server trusts one proxy, so this header names the client.
    number = next(ADDRESSES)
    case.headers["X-Forwarded-For"] = f"{NETWORK}.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    # The user belongs to one tenant. With any other one, each request would end as a 403.
    case.headers.pop("X-Tenant-ID", None)
    # Only pages of the service may use the cookie. Without this, each sign-in would end as a 403.
    if "X-Session-Transport" in case.headers:
        case.headers["Sec-Fetch-Site"] = "same-origin"
    # Chains of requests go on with the cursors that responses gave.
    if is_valid_step(case) and case.query.get("cursor") not in CURSORS:
        case.query.pop("cursor", None)


@schemathesis.hook
def after_call(context, case, response):
    if case.meta is not None and case.meta.phase.name == TestPhase.STATEFUL:
        page = response.json() if is_json(response) else None
        if isinstance(page, dict) and page.get("nextCursor"):
            CURSORS.add(page["nextCursor"])


def is_valid_step(case):
    """Whether the query of a step in a chain of requests was generated to be valid."""
    meta = case.meta
    if meta is None or meta.phase.name != TestPhase.STATEFUL or not case.query:
        return False
    return not meta.is_negative_at(ParameterLocation.QUERY)


def is_json(response):
    return response.headers.get("content-type", [""])[0].startswith("application/json")


@schemathesis.serializer("application/x-ndjson")
def ndjson(context, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


# With --every-refusal: reports each refusal of valid data that is not listed below. Without, a refusal is right if it
# names the places and the rules, because random data breaks rules that JSON Schema cannot state in ever new ways.
EVERY_REFUSAL = os.environ.get("EVERY_REFUSAL") == "1"

# Rules that JSON Schema cannot state, by the code of the problem.
RIGHT_CODES = {
    "INVALID_TOKEN": "a token is not one that was mailed",
    "PREFLIGHT_BLOCKED": "a project has no inventory, or does not exist",
    "DOMAIN_NOT_VERIFIED": "the domain has no such DNS record",
    "SOURCE_REFUSED": "the key of a service account is not one of Google",
    "IDEMPOTENCY_KEY_MISMATCH": "the key was used with another payload",
}

# Messages of VALIDATION_FAILED about rules that JSON Schema cannot state.
RIGHT_MESSAGES = [
    # A cursor is opaque: only one from a response is valid, and only for the same list.
    "is not a valid cursor",
    # Compared with the present time, or with each other.
    "must be in the future",
    "must not be before ",
    "must not be after ",
    r"must be at most \d+ days before ",
    # Any text within free-form JSON, whose schema allows every string.
    "must be well-formed Unicode without the NUL character",
    # Names of other resources.
    "is not a rule id; ",
    "matches no rule id; ",
    "is not a project of your tenant",
    "is not a finding of your tenant",
    "is not a role of your tenant",
    # Languages of their own: CEL, cron, time zones, domains, addresses.
    r"line \d+, column \d+: ",
    "has an invalid ",
    "has no asset_type; ",
    "must be a label: ",
    "is not an IANA time zone; ",
    "must be a public domain name ",
    "must be an e-mail address ",
    # Other formats: URLs of receivers, certificates, Terraform plans and states.
    "An application/json inventory must be ",
    "must be an https:// URL",
    "is not a single X.509 certificate",
    # `minProperties` would be right, but adding it to a released document is reported as a breaking change.
    "must have at least one member",
    # One of two members. As `oneOf` of `required`, generators would make unusable types of it.
    "must have exactly one of ",
    "is required if metadataXml is missing",
    "must not be sent with X-Session-Transport",
    "must not be sent together with ",
    "is required without X-Session-Transport",
    "is required from a browser: ",
    # The header and the body must agree.
    "is truncated, or not gzip although Content-Encoding says so",
]
RIGHT = re.compile("|".join(RIGHT_MESSAGES))


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """False drops the failure."""
    if isinstance(failure, JsonSchemaError):
        # OpenAPI 3.1 describes a stream of events as one string. Schemathesis expects the schema of one event.
        return not response.headers["content-type"][0].startswith("text/event-stream")
    if isinstance(failure, ServerError):
        return not is_overload(response)
    if isinstance(failure, IgnoredAuth) and "got `400 " in failure.message:
        # The reason of a master key is checked before the key, so that nobody uses a right key without a valid reason.
        return is_valid_reason(case.headers.get("X-Break-Glass-Reason", ""))
    if not isinstance(failure, RejectedPositiveData):
        return True
    problem = response.json()
    if problem["code"] in RIGHT_CODES:
        return False
    errors = problem.get("errors", [])
    if errors and not EVERY_REFUSAL:
        return False
    return not errors or not all(RIGHT.match(error["message"]) for error in errors)


def is_overload(response):
    """A documented 503: on a machine under load, a password check was not begun in time. Any other one is a failure."""
    if response.status_code != 503 or not response.headers.get("retry-after"):
        return False
    problem = response.json()
    return problem["code"] == "SERVICE_UNAVAILABLE" and problem["detail"].startswith(
        "Too many password checks are queued. "
    )


def is_valid_reason(reason):
    return len(reason.strip()) <= 500 and not any(unicodedata.category(char) == "Cc" for char in reason.strip())
