import {
  API_KEYS_MAX,
  DEFAULT_LIMIT,
  JSON_OBJECT_LIMITS,
  type JsonObjectLimits,
  LIMITS,
  MUTE_LIMITS,
  OPEN_STREAMS,
  REQUEST_LIMITS,
  SAML_XML_LENGTH_MAX,
  SCHEDULES_MAX,
  VIEWS_MAX,
  WEBHOOKS_MAX,
} from '@cspm/contract';
import { INVENTORY_LIMITS, JSON_LIMITS, type JsonLimits } from '@cspm/scanner';
import { DEFINITION_LIMITS } from '../../scanner/custom/definition.ts';
import { PATCH_LIMITS } from '../../scanner/fixes/json-patch.ts';
import { FIX_LIMITS } from '../../scanner/fixes/repair.ts';
import { FREE_CHUNKS, MIN_AVERAGE_CHUNK_BYTES } from '../../server/http/body-chunks.ts';
import { LINGER_LIMITS } from '../../server/http/lingering-close.ts';
import { OPEN_STREAM_OPTIONS } from '../../server/http/open-streams.ts';
import { MAX_WAITING_REQUESTS } from '../../server/http/pipelined-requests.ts';
import { UNREAD_LIMITS } from '../../server/http/unread-answers.ts';
import { HASHING_LIMITS } from '../../server/modules/auth/password/password.ts';
import {
  METADATA_LIMITS,
  RESPONSE_LIMITS,
  type XmlLimits,
} from '../../server/modules/auth/saml/xml-limits.ts';
import { XML_THREAD_LIMITS } from '../../server/modules/auth/saml/xml-thread.ts';
import { LARGE_BYTES, LONG_BYTES } from '../../server/modules/inventories/packing.ts';
import { PACKING_LIMITS } from '../../server/modules/inventories/packing-process.ts';
import {
  REFERENCE_CHARACTERS_MAX,
  REFERENCES_MAX,
} from '../../server/modules/inventories/reference-budget.ts';
import {
  MAX_DOCUMENT_BYTES,
  TERRAFORM_LIMITS,
  TERRAFORM_SLOTS,
} from '../../server/modules/inventories/terraform-process.ts';
import { UPLOAD_SLOTS } from '../../server/modules/inventories/upload-slots.ts';
import { ROLES_MAX } from '../../server/modules/roles/queries.ts';
import { CUSTOM_RULES_MAX } from '../../server/modules/rules/custom-rule-queries.ts';
import { EVALUATION_LIMITS } from '../../server/modules/rules/evaluation-limits.ts';
import { PROFILES_MAX } from '../../server/modules/rules/profile-queries.ts';
import {
  CRASHES_MAX,
  FINDINGS_MAX,
  SCAN_EVALUATION,
} from '../../server/modules/scans/evaluation-limits.ts';
import { OPEN_SCANS_MAX } from '../../server/modules/scans/preflight-request-checks.ts';
import { MAX_DOMAINS } from '../../server/modules/tenants/domain-handlers.ts';
import { MAX_LOOKUPS, MAX_LOOKUPS_OF_TENANT } from '../../server/modules/tenants/domain-proof.ts';
import { RECEIVER_LIMITS } from '../../server/modules/webhooks/secure-agent.ts';

/** One row of the table in docs/security.md. */
interface InputLimit {
  readonly input: string;
  readonly limit: string;
  /** The response to a request above the limit. */
  readonly refusal: string;
}

const INVALID = '400 `VALIDATION_FAILED`';
const TOO_LARGE = '413 `PAYLOAD_TOO_LARGE`';
const LATE = '408 `REQUEST_TIMEOUT`';
const LIMITED = '429 `RATE_LIMITED`';
const BUSY = '503 `SERVICE_UNAVAILABLE` with `Retry-After`';
const ENDED = `the evaluator is ended; after ${CRASHES_MAX} crashes the scan of the project fails`;
const UNREAD_PACE = `${size(UNREAD_LIMITS.bytesPerSecond)}/s over ${UNREAD_LIMITS.windowMs / 1000} s`;
const I = INVENTORY_LIMITS;
const R = REQUEST_LIMITS;
const WAITS = OPEN_STREAM_OPTIONS.waits;

/**
 * The limit of every input, built from the constants that enforce it. For a new limit, add one line that imports its
 * constant; never write a number here.
 */
const INPUT_LIMITS: readonly InputLimit[] = [
  row('JSON body', size(R.jsonBytes), TOO_LARGE),
  row('JSON body, form: time for the whole body', `${R.bodySeconds} s`, LATE),
  row('JSON body', json(JSON_LIMITS.body), `${INVALID} with a JSON pointer`),
  row('Parameters of a rule in a profile', object(JSON_OBJECT_LIMITS.parameters), INVALID),
  row('Asset of a test of a custom rule', object(JSON_OBJECT_LIMITS.testAsset), INVALID),
  row('Form', `${size(R.formBytes)}, ${R.formParameters} parameters`, `${TOO_LARGE} or ${INVALID}`),
  row(
    'Body or upload: chunks of chunked transfer encoding',
    `${MIN_AVERAGE_CHUNK_BYTES} bytes on average, after ${FREE_CHUNKS} chunks`,
    INVALID,
  ),
  row('Query string', `${R.queryParameters} parameters`, INVALID),
  row('Header fields: time', `${R.headerSeconds} s`, LATE),
  row('Header fields and request line', '16 KiB (Node.js)', '431 `PAYLOAD_TOO_LARGE`'),
  row(
    'Requests that wait on one connection (pipelining)',
    `${MAX_WAITING_REQUESTS}`,
    'connection closed',
  ),
  row('Idle connection', `${R.idleSeconds} s`, 'closed'),
  row(
    'Upload: minimum progress',
    `${size(R.uploadWindowBytes)} in every ${R.uploadWindowSeconds} s`,
    LATE,
  ),
  row(
    `Upload: progress while all slots, or for more than ${size(LARGE_BYTES)} all processes, are taken and another tenant needs one`,
    `${size(R.slowUploadBytesPerSecond)}/s over ${R.slowUploadSeconds} s`,
    `${LATE}, the slowest first`,
  ),
  row(
    'Upload: progress of a tenant with two while all slots are taken and a tenant without any waits',
    `${size(R.slowSecondUploadBytesPerSecond)}/s over ${R.slowUploadSeconds} s`,
    `${LATE}, the slowest first`,
  ),
  row(
    `Upload: progress after ${R.longUploadSeconds / 60} minutes while all slots are taken and a tenant without any waits`,
    `${size(R.slowSecondUploadBytesPerSecond)}/s over ${R.slowUploadSeconds} s`,
    `${LATE}, the slowest first`,
  ),
  row('Inventory record', size(I.recordBytes), `${TOO_LARGE} with the line`),
  row('Inventory record', json(JSON_LIMITS.record), `${INVALID} with the line`),
  row(
    'Inventory: all records of one asset',
    `${number(I.assetRecords)} records, ${size(I.assetBytes)}`,
    `${TOO_LARGE} with the line`,
  ),
  row('Inventory: asset types', number(I.assetTypes), `${INVALID} with the line`),
  row(
    'Inventory: assets that rules on other assets look up (of buckets, those that a sink writes to)',
    `${number(REFERENCES_MAX)}, ${size(REFERENCE_CHARACTERS_MAX)}`,
    TOO_LARGE,
  ),
  row(
    'Concurrent uploads',
    `${UPLOAD_SLOTS.perTenant} per tenant, ${UPLOAD_SLOTS.total} per process; others wait ${UPLOAD_SLOTS.waitMs / 1000} s, ${UPLOAD_SLOTS.waitingPerTenant} of a tenant at most`,
    `${LIMITED}, or ${BUSY}`,
  ),
  row(
    `Inventory of more than ${size(LARGE_BYTES)}, JSON array or NDJSON line of more than ${size(LONG_BYTES)}: packing in another process`,
    `${PACKING_LIMITS.evaluationMs / 1000} s of CPU between two pieces, ${PACKING_LIMITS.memoryMb} MB of heap; ${PACKING_LIMITS.processes} processes; further inventories are packed in the server unless they have a record of more than ${size(LONG_BYTES)}`,
    BUSY,
  ),
  row('Terraform document sent to the server', size(MAX_DOCUMENT_BYTES), TOO_LARGE),
  row(
    'Terraform document sent to the server: conversion',
    `${TERRAFORM_LIMITS.evaluationMs / 1000} s of CPU, ${TERRAFORM_LIMITS.memoryMb} MB of heap; ${TERRAFORM_SLOTS.perTenant} per tenant, ${TERRAFORM_SLOTS.total} per process, others wait ${TERRAFORM_SLOTS.waitMs / 1000} s, ${TERRAFORM_SLOTS.waitingPerTenant} of a tenant at most`,
    `${TOO_LARGE}; ${LIMITED}, or ${BUSY}`,
  ),
  row('Terraform document read by the CLI', json(JSON_LIMITS.document), 'refused'),
  row('SAML response', xml(RESPONSE_LIMITS), '401 `INVALID_CREDENTIALS`'),
  row(
    'SAML metadata of a provider',
    `${number(SAML_XML_LENGTH_MAX)} characters, ${xml(METADATA_LIMITS)}`,
    INVALID,
  ),
  row(
    'SAML documents waiting to be parsed',
    `${XML_THREAD_LIMITS.waiting}, ${XML_THREAD_LIMITS.waitingPerTenant} per tenant, ${XML_THREAD_LIMITS.waitMs / 1000} s`,
    BUSY,
  ),
  row('SAML document: parsing time', `${XML_THREAD_LIMITS.deadlineMs / 1000} s`, 'refused'),
  row(
    'Passwords waiting to be hashed',
    `${HASHING_LIMITS.waiting}, ${HASHING_LIMITS.waitingPerClient} per address, ${HASHING_LIMITS.waitMs / 1000} s`,
    BUSY,
  ),
  row('E-mail domains of a tenant', `${MAX_DOMAINS}`, '409 `CONFLICT`'),
  row(
    'E-mail domains that are being verified',
    `${MAX_LOOKUPS_OF_TENANT} per tenant, ${MAX_LOOKUPS} per process, 5 s each`,
    '429 `RATE_LIMITED`, or 503 `SERVICE_UNAVAILABLE`, with `Retry-After`',
  ),
  row('Mutes of a tenant', `${number(MUTE_LIMITS.active)} active`, '409 `CONFLICT`'),
  row(
    'Mutes of one rule, of one project, or of neither',
    `${number(MUTE_LIMITS.perScope)} active`,
    '409 `CONFLICT`',
  ),
  row('Bulk mute: ids', number(MUTE_LIMITS.bulkIds), INVALID),
  row(
    'Bulk mute: findings that match the filter',
    number(MUTE_LIMITS.bulkMatches),
    '409 `CONFLICT`',
  ),
  row('Pattern of a mute', `${MUTE_LIMITS.wildcards} wildcards`, INVALID),
  ...Object.entries(OPEN_STREAMS).map(([name, { perCredential, perTenant, inAll }]) =>
    row(
      `Open streams: \`${name}\``,
      `${perCredential} per credential, ${perTenant} per tenant, ${number(inAll)} per process${name === 'events' ? '' : `; others wait ${WAITS.maxMs / 1000} s`}`,
      `${LIMITED}, or ${BUSY}`,
    ),
  ),
  row(
    'Open stream: progress while all of its kind are open and another tenant asks for one',
    `${size(R.slowStreamBytesPerSecond)}/s over ${R.slowStreamSeconds} s in which the server waits for the client`,
    'connection closed, the slowest first',
  ),
  row(
    'Open streams: `events` of the tenant with the most, while all are open and a tenant with fewer asks for one',
    'one more than the other tenant',
    'connection of the newest one closed; the client resumes it with `Last-Event-ID`',
  ),
  row(
    `Open streams: \`export\` or \`report\` of the tenant with the most, while all are open and a tenant without any has waited ${WAITS.afterMs / 1000} s`,
    'one',
    'connection of the slowest one closed',
  ),
  row(
    'Fix of a finding',
    `asset of ${number(FIX_LIMITS.assetCharacters)} characters, ${PATCH_LIMITS.operations} operations, ${FIX_LIMITS.commands} commands`,
    '`fix` is null, and `noFix` says why',
  ),
  row(
    'Scans of a tenant that are queued or running',
    number(OPEN_SCANS_MAX),
    '422 `PREFLIGHT_BLOCKED` with the check `SCANS_QUEUED`',
  ),
  row('Scan: one rule on one asset', `${SCAN_EVALUATION.evaluationMs / 1000} s of CPU`, ENDED),
  row('Scan: four chunks of 1 MiB', `${SCAN_EVALUATION.chunkMs / 1000} s of CPU`, ENDED),
  row('Scan: heap of the evaluator', `${SCAN_EVALUATION.memoryMb} MB`, ENDED),
  row(
    'Scan: findings of one chunk of 1 MiB, or of all cloud projects',
    number(FINDINGS_MAX),
    'the scan of the project fails',
  ),
  row(
    'Response: time in which the client reads nothing',
    `${R.answerSeconds} s`,
    'connection closed',
  ),
  row(
    'Responses that clients have not read',
    `${size(UNREAD_LIMITS.tenantBytes)} per tenant, ${size(UNREAD_LIMITS.totalBytes)} per process`,
    `clients are disconnected as in the next three rows. If that is not enough, ${BUSY} for large responses and for repetitions of a request whose response is unread`,
  ),
  row(
    'Response: pace of a client while its tenant is at that limit',
    UNREAD_PACE,
    'connection closed',
  ),
  row(
    'Response: pace of a client while the process is at that limit, if its tenant has at least as many unread bytes as the one that needs room for a large response',
    UNREAD_PACE,
    'connection closed, the slowest first',
  ),
  row(
    'Responses of the tenants with the most unread bytes, while the process is at that limit and no client is slower than that',
    'each of these tenants keeps more unread bytes than the tenant that needs room for a large response',
    'connection closed at any pace',
  ),
  row(
    'Stream (events, export, report): time until the client has read a piece of up to some hundred lines',
    `${R.pieceSeconds} s`,
    'connection closed',
  ),
  row(
    'Rest of a refused body',
    `${size(R.unwantedBytes)} and ${R.unwantedSeconds} s`,
    'connection closed',
  ),
  row(
    'Rest of a body that was refused because it is slow or in tiny chunks',
    `${size(LINGER_LIMITS.bytes)} and ${LINGER_LIMITS.ms / 1000} s, for ${LINGER_LIMITS.connections} connections of a process`,
    'connection closed',
  ),
  row(
    'Receiver of a webhook: TLS handshake',
    size(RECEIVER_LIMITS.handshakeBytes),
    'the attempt fails',
  ),
  row(
    'Receiver of a webhook: one TLS connection',
    size(RECEIVER_LIMITS.connectionBytes),
    'the attempt fails',
  ),
  row(
    'Receiver of a webhook: addresses of its host',
    `${RECEIVER_LIMITS.addresses} of each family`,
    'the attempt fails',
  ),
  ...Object.entries(DEFINITION_LIMITS).map(([member, most]) =>
    row(`Custom rule: \`${member}\``, `${number(most)}`, INVALID),
  ),
  row(
    'Custom rule: one evaluation',
    `${EVALUATION_LIMITS.evaluationMs / 1000} s of CPU`,
    '`unknown`',
  ),
  row(
    'Custom rule: all evaluations of one rule in a scan of a project',
    `${EVALUATION_LIMITS.ruleMs / 1000} s`,
    '`unknown`',
  ),
  row(
    'Custom rules: all evaluations in a scan of a project',
    `${EVALUATION_LIMITS.totalMs / 1000} s`,
    '`unknown`',
  ),
  row('Custom rules: heap of an evaluator', `${EVALUATION_LIMITS.memoryMb} MB`, '`unknown`'),
  row('Custom rules of a tenant', `${CUSTOM_RULES_MAX}`, '409 `CONFLICT`'),
  row('Roles of a tenant', `${ROLES_MAX}`, '409 `CONFLICT`'),
  row('Profiles of a tenant', `${PROFILES_MAX}`, '409 `CONFLICT`'),
  row('Schedules of a tenant', `${SCHEDULES_MAX}`, '409 `CONFLICT`'),
  row('Webhooks of a tenant', `${WEBHOOKS_MAX}`, '409 `CONFLICT`'),
  row('Active API keys of a person in a tenant', `${API_KEYS_MAX}`, '409 `CONFLICT`'),
  row('Saved views of a person', `${VIEWS_MAX}`, '409 `CONFLICT`'),
  row(
    'Requests per address: `default`',
    `${DEFAULT_LIMIT.quota} in ${DEFAULT_LIMIT.windowSeconds} s (\`RATE_LIMIT\`)`,
    LIMITED,
  ),
  ...Object.entries(LIMITS).map(([name, { quota, windowSeconds }]) =>
    row(`Requests per address: \`${name}\``, `${quota} in ${windowSeconds} s`, LIMITED),
  ),
];

const BEGIN =
  '<!-- limits: generated by `npm run generate` from tools/generate/security-limits.ts -->';
const END = '<!-- /limits -->';

/**
 * The page with the table of current limits.
 * @throws {Error} for a page without the marks around the table.
 */
export function withLimitsTable(page: string): string {
  const [before, rest = ''] = page.split(BEGIN);
  const after = rest.split(END)[1];
  if (before === undefined || after === undefined) {
    throw new Error(`docs/security.md must contain the lines ${BEGIN} and ${END}`);
  }
  const rows = INPUT_LIMITS.map(
    ({ input, limit, refusal }) => `| ${input} | ${limit} | ${refusal} |`,
  );
  const table = ['| input | limit | beyond it |', '|---|---|---|', ...rows].join('\n');
  return `${before}${BEGIN}\n${table}\n${END}${after}`;
}

function row(input: string, limit: string, refusal: string): InputLimit {
  return { input, limit, refusal };
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}

function size(bytes: number): string {
  const mib = bytes / 1024 ** 2;
  return mib >= 1 ? `${number(mib)} MiB` : `${number(bytes / 1024)} KiB`;
}

function xml({ bytes, elements, depth, attributes, namespaces }: XmlLimits): string {
  return `${size(bytes)}, ${number(elements)} elements, ${depth} levels, ${number(attributes)} attributes, ${number(namespaces)} namespaces`;
}

function json({ depth, values, members }: JsonLimits): string {
  const named = members === undefined ? '' : `, ${number(members)} object members`;
  return `${depth} levels, ${number(values)} values${named}`;
}

function object({ characters, ...limits }: JsonObjectLimits): string {
  return `${json(limits)}, ${number(characters)} characters`;
}
