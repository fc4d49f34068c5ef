import type { RuleId } from './rules.ts';

// biome-ignore lint/suspicious/noExplicitAny: mutations change the document in ways that its type forbids
export type Loose = any;

/** One mutation of the real document, and the place where it must be reported. */
export interface Slip {
  readonly operation: string;
  /** Changes the operation, whose references are resolved, or the document around it. */
  readonly change: (operation: Loose, document: Loose) => void;
  /** Prepares the document. Default: unchanged. */
  readonly before?: (operation: Loose, document: Loose) => void;
}

const at =
  (operation: string) =>
  (change: Slip['change'], before?: Slip['before']): Slip =>
    before === undefined ? { operation, change } : { operation, change, before };

const api = at('*');
const listScans = at('GET /scans');
const launch = at('POST /scans');
const getScan = at('GET /scans/{id}');
const cancel = at('POST /scans/{id}/cancel');
const preflight = at('POST /preflight');
const createProject = at('POST /projects');
const upload = at('PUT /projects/{name}/inventory');
const listMutes = at('GET /mutes');
const getTenant = at('GET /tenant');
const updateTenant = at('PATCH /tenant');
const createKey = at('POST /api-keys');

const query = (operation: Loose, name: string): Loose =>
  operation.parameters.find((parameter: Loose) => parameter.name === name);
const body = (operation: Loose): Loose => operation.requestBody.content['application/json'].schema;
const answer = (operation: Loose, status: number): Loose =>
  operation.responses[status].content['application/json'].schema;
const without = (names: string[], gone: string): string[] => names.filter((name) => name !== gone);
const goingOn = (sunset: string) => (operation: Loose) => {
  operation.deprecated = true;
  operation['x-deprecation'] = { since: '2026-01-01', sunset };
};
const json = { 'application/json': { schema: { type: 'object' } } };

/** For each rule, a mutation that only this rule reports. */
export const SLIPS: Readonly<Record<RuleId, Slip>> = {
  'server-removed': api((_, { servers }) => servers.pop()),
  'server-added': api((_, { servers }) => servers.push({ url: '/api/v2' })),
  'credential-scheme-changed': api((_, { components }) => {
    components.securitySchemes.apiKey.name = 'X-Key';
  }),

  'operation-removed': getScan((_, { paths }) => delete paths['/scans/{id}'].get),
  'operation-retired': getScan(
    (_, { paths }) => delete paths['/scans/{id}'].get,
    goingOn('2026-11-20'),
  ),
  'operation-added': at('PUT /scans/{id}')((_, { paths }) => {
    paths['/scans/{id}'].put = { responses: {} };
  }),
  'operation-renamed': launch((operation) => {
    operation.operationId = 'scansStart';
  }),
  'path-parameter-renamed': at('GET /scans/{id}/rules')((operation, { paths }) => {
    query(operation, 'id').name = 'scan';
    paths['/scans/{scan}/rules'] = paths['/scans/{id}/rules'];
    delete paths['/scans/{id}/rules'];
  }),
  'operation-deprecated': launch(goingOn('2027-05-01')),
  'operation-reinstated': launch((operation) => {
    delete operation.deprecated;
    delete operation['x-deprecation'];
  }, goingOn('2027-05-01')),
  'sunset-advanced': launch(goingOn('2027-02-01'), goingOn('2027-05-01')),

  'credential-required': at('GET /health/live')((operation) => {
    operation['x-credentials'] = ['jwt'];
  }),
  'credential-lifted': listScans((operation) => {
    operation['x-credentials'] = 'public';
  }),
  'credential-kind-dropped': listScans((operation) => {
    operation['x-credentials'] = without(operation['x-credentials'], 'api_key');
  }),
  'credential-kind-added': createKey((operation) => operation['x-credentials'].push('api_key')),
  'permission-required': listScans((operation) => {
    operation['x-required-permission'] = 'admin.audit';
  }),
  'permission-lifted': listScans((operation) => delete operation['x-required-permission']),
  'mfa-required': createProject((operation) => {
    operation['x-requires-mfa'] = true;
  }),
  'mfa-lifted': at('POST /roles')((operation) => {
    operation['x-requires-mfa'] = false;
  }),
  'feature-required': listScans((operation) => {
    operation['x-required-feature'] = 'sso';
  }),
  'feature-lifted': at('GET /tenant/saml')((operation) => delete operation['x-required-feature']),
  'rate-limit-tightened': launch((operation) => {
    operation['x-rate-limit'].quota = 5;
  }),
  'rate-limit-loosened': launch((operation) => {
    operation['x-rate-limit'].windowSeconds = 30;
  }),
  'idempotency-dropped': launch((operation) => {
    operation['x-idempotency'] = { kind: 'none' };
  }),
  'idempotency-gained': at('POST /auth/login')((operation) => {
    operation['x-idempotency'] = { kind: 'natural' };
  }),
  'idempotency-life-shortened': launch((operation) => {
    operation['x-idempotency'].keyTtlSeconds = 3600;
  }),
  'idempotency-life-lengthened': launch((operation) => {
    operation['x-idempotency'].keyTtlSeconds *= 2;
  }),
  'audit-action-changed': launch((operation) => {
    operation['x-audit-action'] = 'scan.started';
  }),
  'problem-added': listScans((operation) => operation['x-problems'].push('CONFLICT')),
  'problem-removed': launch((operation) => operation['x-problems'].pop()),

  'request-parameter-removed': listScans((operation) => {
    operation.parameters.splice(operation.parameters.indexOf(query(operation, 'status')), 1);
  }),
  'request-parameter-added': listScans((operation) => {
    operation.parameters.push({ in: 'header', name: 'X-Trace', schema: { type: 'string' } });
  }),
  'request-parameter-required': listScans((operation) => {
    query(operation, 'project').required = true;
  }),
  'request-parameter-optional': at('GET /auth/saml/login')((operation) => {
    query(operation, 'tenant').required = false;
  }),
  'request-serialization-changed': listScans((operation) => {
    query(operation, 'ids').explode = false;
  }),
  'request-body-removed': preflight((operation) => delete operation.requestBody),
  'request-body-added': cancel((operation) => {
    operation.requestBody = { content: json };
  }),
  'request-body-required': cancel((operation) => {
    operation.requestBody = { required: true, content: json };
  }),
  'request-body-optional': preflight((operation) => delete operation.requestBody.required),
  'request-media-type-removed': upload(
    ({ requestBody }) => delete requestBody.content['application/x-ndjson'],
  ),
  'request-media-type-added': upload(({ requestBody }) => {
    requestBody.content['text/csv'] = {};
  }),
  'request-member-removed': createProject(
    (operation) => delete body(operation).properties.description,
  ),
  'request-member-added': createProject((operation) => {
    body(operation).properties.labels = { type: 'object' };
  }),
  'request-member-required': createProject((operation) => {
    body(operation).required.push('description');
  }),
  'request-member-optional': createProject((operation) => delete body(operation).required),
  'request-members-closed': upload((operation) => {
    body(operation).anyOf[1].additionalProperties = false;
  }),
  'request-members-opened': createProject((operation) => {
    body(operation).additionalProperties = true;
  }),
  'request-type-narrowed': updateTenant((operation) => {
    body(operation).properties.settings.properties.muteDefaultDays.type = 'string';
  }),
  'request-type-widened': updateTenant((operation) => {
    body(operation).properties.settings.properties.muteDefaultDays.type = 'number';
  }),
  'request-null-refused': at('PATCH /projects/{name}')((operation) => {
    body(operation).properties.description.type = 'string';
  }),
  'request-null-taken': createProject((operation) => {
    body(operation).properties.description.type = ['string', 'null'];
  }),
  'request-enum-narrowed': listScans((operation) =>
    query(operation, 'status').schema.items.enum.pop(),
  ),
  'request-enum-widened': listScans((operation) =>
    query(operation, 'status').schema.items.enum.push('paused'),
  ),
  'request-bound-narrowed': createProject((operation) => {
    body(operation).properties.description.maxLength = 100;
  }),
  'request-bound-widened': createProject((operation) => {
    delete body(operation).properties.description.maxLength;
  }),
  'request-pattern-changed': createProject((operation) => {
    body(operation).properties.name.pattern = '^[a-z]+$';
  }),
  'request-pattern-lifted': createProject((operation) => {
    delete body(operation).properties.name.pattern;
  }),
  'request-format-changed': createKey((operation) => {
    body(operation).properties.expiresAt.format = 'date';
  }),
  'request-format-lifted': createKey((operation) => {
    delete body(operation).properties.expiresAt.format;
  }),
  'request-alternative-removed': upload((operation) => body(operation).anyOf.pop()),
  'request-alternative-added': upload((operation) =>
    body(operation).anyOf.push({ type: 'string' }),
  ),
  'request-default-changed': listScans((operation) => {
    query(operation, 'limit').schema.default = 50;
  }),

  'response-status-removed': launch(({ responses }) => delete responses[202]),
  'response-status-added': launch(({ responses }) => {
    responses[200] = { description: 'Done already' };
  }),
  'response-header-removed': launch(({ responses }) => delete responses[202].headers.Location),
  'response-header-added': launch(({ responses }) => {
    responses[202].headers['Content-Language'] = { schema: { type: 'string' } };
  }),
  'response-media-type-removed': at('GET /findings/export')(
    ({ responses }) => delete responses[200].content['text/csv'],
  ),
  'response-media-type-added': at('GET /findings/export')(({ responses }) => {
    responses[200].content['text/plain'] = {};
  }),
  'response-media-type-described': at('GET /findings/export')(
    (operation) => {
      operation.responses[200].content['application/sarif+json'].schema = { type: 'object' };
    },
    (operation) => {
      operation.responses[200].content['application/sarif+json'].schema = { type: 'string' };
    },
  ),
  'response-member-removed': getScan(
    (operation) => delete answer(operation, 200).properties.profile,
  ),
  'response-member-added': getScan((operation) => {
    answer(operation, 200).properties.name = { type: 'string' };
  }),
  'response-member-optional': getScan((operation) => {
    const scan = answer(operation, 200);
    scan.required = without(scan.required, 'profile');
  }),
  'response-member-guaranteed': listMutes((operation) => {
    answer(operation, 200).properties.items.items.properties.selector.anyOf[0].required = ['asset'];
  }),
  'response-type-changed': getScan((operation) => {
    answer(operation, 200).properties.projects.items.properties.assets.type = 'string';
  }),
  'response-type-narrowed': preflight((operation) => {
    answer(operation, 200).properties.estimate.properties.seconds.type = 'integer';
  }),
  'response-nullable': getScan((operation) => {
    answer(operation, 200).properties.profile.type = ['string', 'null'];
  }),
  'response-not-nullable': getScan((operation) => {
    answer(operation, 200).properties.startedAt.type = 'string';
  }),
  'response-enum-widened': getScan((operation) => {
    answer(operation, 200).properties.status.enum.push('paused');
  }),
  'response-enum-narrowed': getScan((operation) =>
    answer(operation, 200).properties.status.enum.pop(),
  ),
  'response-bound-widened': getTenant((operation) => {
    answer(operation, 200).properties.settings.properties.muteDefaultDays.maximum = 10_000;
  }),
  'response-bound-narrowed': getTenant((operation) => {
    answer(operation, 200).properties.settings.properties.muteDefaultDays.minimum = 2;
  }),
  'response-pattern-changed': at('GET /projects/{name}')((operation) => {
    delete answer(operation, 200).properties.name.pattern;
  }),
  'response-format-changed': getScan(
    (operation) => delete answer(operation, 200).properties.id.format,
  ),
  'response-alternative-added': listMutes((operation) => {
    answer(operation, 200).properties.items.items.properties.selector.anyOf.push({
      type: 'string',
    });
  }),
  'response-alternative-removed': listMutes(
    (operation) => answer(operation, 200).properties.items.items.properties.selector.anyOf.pop(),
    (operation) => {
      answer(operation, 200).properties.items.items.properties.selector.anyOf.push({
        type: 'string',
      });
    },
  ),
};
