import { CREDENTIAL_KINDS, type CredentialKind, LIMITS, PROBLEM_CODES } from '@cspm/contract';
import type { Mention } from './case-inputs.ts';
import { type ContractCase, pathOf, unknownParams } from './contract-operations.ts';
import type { TestUser } from './people.ts';
import { globalKeyHeaders, masterKeyHeaders } from './shared-credentials.ts';
import type { Tour } from './surface-tour.ts';
import { type Call, freshAddress, type Reply } from './test-server.ts';

/** Checks one operation and returns its faults; empty if there are none. */
export type Check = (tour: Tour, subject: ContractCase) => Promise<string[]>;

/**
 * A well-formed request, by default from the owner. Creating what it names costs several statements, so checks that
 * expect refusals, which change nothing, send variations of one request.
 */
export async function wellFormed(
  tour: Tour,
  subject: ContractCase,
): Promise<{ path: string; call: Call; params: Record<string, string>; asker: TestUser }> {
  const { example, route } = subject;
  const asker = (await example.asker?.(tour.owner)) ?? tour.owner.user;
  const owner = { ...tour.owner, user: asker };
  const params = (await example.params?.(owner)) ?? {};
  const body = await example.body?.(owner);
  const query = await example.query?.(owner);
  const path = pathOf(subject, params, query);
  return { path, call: callOf(subject, route.method, body), params, asker };
}

/** The path with these parameters, each in place of one that it has already. */
function withQuery(path: string, query: string | undefined): string {
  if (query === undefined) return path;
  const [plain, given] = path.split('?');
  const all = new URLSearchParams(given);
  for (const [name, value] of new URLSearchParams(query)) all.set(name, value);
  return `${plain}?${all}`;
}

function callOf({ route, example }: ContractCase, method: string, body: unknown): Call {
  return {
    method,
    headers: {
      ...example.headers?.(),
      ...(example.contentType === undefined ? {} : { 'content-type': example.contentType }),
    },
    ...(body === undefined || route.metadata.body === 'none' ? {} : { body }),
  };
}

export function by(user: TestUser, call: Call): Call {
  return { ...call, headers: { ...user.session, ...call.headers } };
}

export function expectation(reply: Reply, status: number, code: string, where = ''): string[] {
  const got = reply.json?.code ?? reply.text.slice(0, 200);
  return reply.status === status && got === code
    ? []
    : [`${where} should be ${status} ${code}, and is ${reply.status} ${got}`.trim()];
}

export const isServedAtBothPaths: Check = async (tour, subject) => {
  const faults: string[] = [];
  const { metadata: policy, responses } = subject.route;
  for (const prefix of ['', '/api/v1', '/API/v1']) {
    const { path, call, asker } = await wellFormed(tour, subject);
    const reply = await tour.ask(subject, prefix + path, by(asker, call));
    if (reply.status >= 400 || !Object.hasOwn(responses, reply.status)) {
      faults.push(`${prefix}${path} answers ${reply.status} ${reply.text.slice(0, 300)}`);
    }
    const echoed = policy.credentials === 'public' ? null : tour.owner.user.tenant.id;
    if (reply.headers.get('x-tenant-id') !== echoed) faults.push('X-Tenant-ID is not as it should');
  }
  return faults;
};

export const refusesNobody: Check = async (tour, subject) => {
  if (subject.route.metadata.credentials === 'public') return [];
  const { path, call } = await wellFormed(tour, subject);
  const reply = await tour.ask(subject, path, call);
  return [
    ...expectation(reply, 401, 'UNAUTHORIZED', 'without credential'),
    ...(reply.headers.get('www-authenticate') === 'Bearer' ? [] : ['no WWW-Authenticate']),
    ...(reply.headers.has('x-tenant-id') ? ['X-Tenant-ID for nobody'] : []),
  ];
};

const HEADERS_OF: Record<CredentialKind, (user: TestUser) => Record<string, string>> = {
  jwt: (user) => user.session,
  api_key: (user) => user.key,
  global_api_key: () => globalKeyHeaders,
  master_key: (user) => masterKeyHeaders(user.tenant),
};

export const refusesOtherKinds: Check = async (tour, subject) => {
  const { credentials } = subject.route.metadata;
  if (credentials === 'public') return [];
  const faults: string[] = [];
  const { path, call } = await wellFormed(tour, subject);
  for (const kind of CREDENTIAL_KINDS.filter((known) => !credentials.includes(known))) {
    const headers = { ...call.headers, ...HEADERS_OF[kind](tour.owner.user) };
    const reply = await tour.ask(subject, path, { ...call, headers });
    faults.push(...expectation(reply, 403, 'CREDENTIAL_NOT_ALLOWED', `with ${kind}`));
    if (JSON.stringify(reply.json?.accepts) !== JSON.stringify(credentials)) {
      faults.push(`accepts is ${JSON.stringify(reply.json?.accepts)}`);
    }
  }
  return faults;
};

export const refusesWithoutPermission: Check = async (tour, subject) => {
  const { permissions } = subject.route.metadata;
  const faults: string[] = [];
  if (permissions.length === 0) return faults;
  const { path, call } = await wellFormed(tour, subject);
  for (const permission of permissions) {
    const user = await tour.lacking(permission);
    const reply = await tour.ask(subject, path, by(user, call));
    faults.push(
      ...expectation(reply, 403, 'FORBIDDEN', `without ${permission}`),
      ...(reply.json?.permission === permission ? [] : [`names ${reply.json?.permission}`]),
      ...(reply.headers.get('x-tenant-id') === user.tenant.id ? [] : ['no X-Tenant-ID on a 403']),
    );
  }
  return faults;
};

/** Users with every permission: with a session that passed one factor, and with a key if keys are accepted. */
export const refusesWithoutSecondFactor: Check = async (tour, subject) => {
  const { credentials, mfa } = subject.route.metadata;
  if (!mfa) return [];
  const { user, server } = tour.owner;
  const { headers: session } = await server.people.session(user);
  const ways = [{ session }, ...(credentials.includes('api_key') ? [{ session: user.key }] : [])];
  const faults: string[] = [];
  const { path, call } = await wellFormed(tour, subject);
  for (const way of ways) {
    const headers = { ...call.headers, ...way.session };
    const reply = await tour.ask(subject, path, { ...call, headers });
    faults.push(...expectation(reply, 403, 'MFA_REQUIRED', `by ${Object.keys(way.session)}`));
  }
  return faults;
};

/**
 * Compares the responses for another tenant's resource and for a missing one, and checks that the other tenant is
 * unchanged.
 */
export const hidesOtherTenants: Check = async (tour, subject) => {
  const { example } = subject;
  const faults: string[] = [];
  if (subject.parameters.length > 0 && example.unowned !== true && example.params !== undefined) {
    const theirs = await example.params(tour.stranger);
    const before = await tour.strangersThings();
    const { call, path } = await wellFormed(tour, subject);
    const [, query] = path.split('?');
    const ask = (params: Record<string, string>) =>
      tour.ask(subject, pathOf(subject, params, query), by(tour.owner.user, call));
    const foreign = await ask(theirs);
    const unknown = await ask(unknownParams(theirs));
    faults.push(...expectation(foreign, 404, 'NOT_FOUND', "another tenant's id"));
    faults.push(...differences(foreign, unknown));
    if ((await tour.strangersThings()) !== before) faults.push("changed another tenant's things");
  }
  for (const mention of example.mentions ?? []) {
    const theirs = await mention(tour.stranger);
    const before = await tour.strangersThings();
    const foreign = await askNaming(tour, subject, theirs);
    const unknown = await askNaming(tour, subject, await mention(null));
    faults.push(...differences(foreign, unknown));
    if ((await tour.strangersThings()) !== before) faults.push("changed another tenant's things");
  }
  return faults;
};

async function askNaming(tour: Tour, subject: ContractCase, mention: Mention): Promise<Reply> {
  const { path, call } = await wellFormed(tour, subject);
  const body = mention.body === undefined ? {} : { body: mention.body };
  const reply = await tour.ask(
    subject,
    withQuery(path, mention.query),
    by(tour.owner.user, { ...call, ...body }),
  );
  return { ...reply, text: reply.text.replaceAll(mention.named, '<named>') };
}

function differences(one: Reply, other: Reply): string[] {
  const [a, b] = [comparable(one), comparable(other)];
  return a === b ? [] : [`can be told apart:\n${a}\n${b}`];
}

/** A response without the parts that always differ: correlation id, times, also in file names, and the address in the limits' headers. */
export function comparable(reply: Reply): string {
  const headers = [...reply.headers]
    .filter(([name]) => !['date', 'x-correlation-id', 'content-length'].includes(name))
    .map(([name, value]) => `${name}: ${value.replace(/pk=:[^:]*:|t=\d+|\d{8}T\d{6}Z/g, '')}`);
  const text = reply.text
    .replaceAll(reply.headers.get('x-correlation-id') ?? '', '<correlation>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
  return [reply.status, ...headers, text].join('\n');
}

export const refusesMalformedIds: Check = async (tour, subject) => {
  const { example, parameters } = subject;
  const faults: string[] = [];
  if (parameters.length === 0) return faults;
  const { call, params } = await wellFormed(tour, subject);
  for (const parameter of parameters) {
    for (const malformed of ['\0', '../..', ' no such thing!', 'x'.repeat(300), '__proto__']) {
      const path = pathOf({ ...subject, example }, { ...params, [parameter]: malformed });
      const reply = await tour.ask(subject, path, by(tour.owner.user, call));
      faults.push(...expectation(reply, 404, 'NOT_FOUND', `${parameter} ${malformed}`));
    }
  }
  return faults;
};

export const refusesSurplusInput: Check = async (tour, subject) => {
  const { path, call } = await wellFormed(tour, subject);
  const asked = by(tour.owner.user, call);
  const query = await tour.ask(subject, withQuery(path, 'surplus=1'), asked);
  const faults = expectation(query, 400, 'VALIDATION_FAILED', 'an unknown parameter');
  if (!namesPlace(query, 'query')) faults.push('the unknown parameter is not named as in `query`');
  if (subject.route.metadata.body !== 'json') return faults;
  const body = { ...(call.body as object), surplus: true };
  const surplus = await tour.ask(subject, path, { ...asked, body });
  faults.push(...expectation(surplus, 400, 'VALIDATION_FAILED', 'an unknown member'));
  if (!namesPlace(surplus, 'body')) faults.push('the unknown member is not named as in `body`');
  return faults;
};

function namesPlace(reply: Reply, place: string): boolean {
  const errors: { path: string }[] = reply.json?.errors ?? [];
  return errors.length > 0 && errors.every(({ path }) => path.split('.')[0] === place);
}

export const refusesOtherMediaTypes: Check = async (tour, subject) => {
  if (subject.route.metadata.body === 'none') return [];
  const faults: string[] = [];
  const form = 'application/x-www-form-urlencoded';
  const other = subject.route.metadata.body === 'form' ? 'application/json' : form;
  const { path, call } = await wellFormed(tour, subject);
  for (const type of ['text/plain', other, 'multipart/form-data']) {
    const asked = by(tour.owner.user, { ...call, body: '{}', headers: { 'content-type': type } });
    const reply = await tour.ask(subject, path, asked);
    faults.push(...expectation(reply, 415, 'UNSUPPORTED_MEDIA_TYPE', type));
  }
  const typeless = by(tour.owner.user, { ...call, headers: {}, body: Buffer.from('{}') });
  const reply = await tour.ask(subject, path, typeless);
  return [...faults, ...expectation(reply, 415, 'UNSUPPORTED_MEDIA_TYPE', 'no type')];
};

/** A variation of a request that must use the same rate limit bucket. */
interface Way {
  readonly form: string;
  readonly call: Call;
}

/** Sends anonymous requests, because limits are counted before authentication. */
export function keepsLimit(defaultQuota: number): Check {
  return async (tour, subject) => {
    const { method, metadata: policy } = subject.route;
    const name = policy.limit;
    const path = pathOf(subject);
    const forms = [path, `/api/v1${path}`, path.toUpperCase(), `${path}/`, `/API/V1${path}/`];
    const ip = freshAddress();
    const ways: Way[] = forms.map((form) => ({ form, call: { method, ip } }));
    if (method === 'GET') ways.push({ form: path, call: { method: 'HEAD', ip } });
    if (name === 'none') return isOutsideLimits(tour, subject, ways, defaultQuota);
    const quota = name === 'default' ? defaultQuota : LIMITS[name].quota;
    const names = name === 'default' ? ['default'] : ['default', name];
    const faults: string[] = [];
    for (let count = 1; count <= quota; count += 1) {
      const { form, call } = ways[count % ways.length] ?? { form: path, call: { method, ip } };
      const reply = await tour.ask(subject, form, call);
      if (reply.status === 429) faults.push(`429 at ${count} of ${quota} (${form})`);
      const left = remaining(reply);
      if (names.join() !== [...left.keys()].join()) faults.push(`limits ${[...left.keys()]}`);
      if (left.get(name) !== quota - count) faults.push(`${left.get(name)} left after ${count}`);
    }
    for (const { form, call } of ways) {
      const reply = await tour.ask(subject, form, call);
      const named = call.method === 'HEAD' || reply.json?.limit === name;
      if (reply.status !== 429 || !named) faults.push(`${form}: ${reply.status} beyond ${quota}`);
      if (!isWithin(reply.headers.get('retry-after'), 1, 60)) faults.push('Retry-After is off');
      if (remaining(reply).get(name) !== 0) faults.push(`${form}: something left beyond the limit`);
    }
    const other = await tour.ask(subject, path, { method });
    return other.status === 429 ? [...faults, 'another address is refused too'] : faults;
  };
}

async function isOutsideLimits(
  tour: Tour,
  subject: ContractCase,
  ways: readonly Way[],
  defaultQuota: number,
): Promise<string[]> {
  for (let count = 0; count < defaultQuota + ways.length; count += 1) {
    const { form, call } = ways[count % ways.length] ?? { form: '/', call: {} };
    const reply = await tour.ask(subject, form, call);
    if (reply.status === 429 || reply.headers.has('ratelimit')) return ['is counted'];
  }
  return [];
}

/** The remaining requests of each active limit, from the `RateLimit` header; empty if header and policy disagree. */
function remaining(reply: Reply): Map<string, number> {
  const items = (reply.headers.get('ratelimit') ?? '').split(', ').map((item) => {
    const [, name = '', left] = /^"([a-z0-9-]+)"; ?r=(\d+); ?t=\d+$/.exec(item) ?? [];
    return [name, Number(left)] as const;
  });
  const policies = (reply.headers.get('ratelimit-policy') ?? '').split(', ');
  const agreed = items.every(([name], at) =>
    new RegExp(`^"${name}"; ?q=\\d+; ?w=\\d+(; ?pk=:[A-Za-z0-9+/=]+:)?$`).test(policies[at] ?? ''),
  );
  return agreed && policies.length === items.length ? new Map(items) : new Map();
}

function isWithin(value: string | null, least: number, most: number): boolean {
  return value !== null && /^\d+$/.test(value) && Number(value) >= least && Number(value) <= most;
}

const VERBS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** A check of a path instead of an operation: `all` are the operations that share it. */
export async function refusesOtherVerbs(
  tour: Tour,
  subject: ContractCase,
  all: readonly ContractCase[],
): Promise<string[]> {
  const sharing = all.filter(({ route }) => route.path === subject.route.path);
  const declared = sharing.map(({ route }): string => route.method);
  const allowed = declared.includes('GET') ? [...declared, 'HEAD'] : declared;
  const faults: string[] = [];
  for (const method of VERBS.filter((verb) => !allowed.includes(verb))) {
    const reply = await tour.ask(null, pathOf(subject), { method });
    if (reply.status !== 405) faults.push(`${method} is ${reply.status}`);
    const listed = (reply.headers.get('allow') ?? '').split(', ').sort().join();
    if (listed !== [...allowed].sort().join()) faults.push(`Allow is ${listed}`);
    if (method !== 'HEAD' && reply.json?.code !== 'METHOD_NOT_ALLOWED') faults.push(reply.text);
  }
  return faults;
}

export const hasItsPage: Check = async (tour, subject) => {
  if (subject.name !== 'meta.problem') return [];
  const faults: string[] = [];
  for (const code of PROBLEM_CODES) {
    const slug = code.toLowerCase().replaceAll('_', '-');
    const reply = await tour.ask(subject, pathOf(subject, { code: slug }));
    if (reply.status !== 200 || reply.json?.code !== code) faults.push(`${slug} has no page`);
  }
  return faults;
};

export const revalidates: Check = async (tour, subject) => {
  const { metadata: policy } = subject.route;
  if (policy.cache !== 'revalidate') return [];
  const { path, call, asker } = await wellFormed(tour, subject);
  const ask = (headers: Record<string, string>, user: TestUser | null = asker) => {
    const request = { ...call, headers: { ...call.headers, ...headers } };
    return tour.ask(subject, path, user === null ? request : by(user, request));
  };
  const first = await ask({});
  const etag = first.headers.get('etag') ?? '';
  const same = await ask({ 'if-none-match': `"other", W/${etag}` });
  const other = await ask({ 'if-none-match': '"other"' });
  const nobody = await ask({ 'if-none-match': etag }, null);
  const vary = same.headers.get('vary')?.toLowerCase() ?? '';
  const wanted =
    policy.credentials === 'public'
      ? ['accept-encoding']
      : ['authorization', 'x-api-key', 'x-tenant-id'];
  return [
    ...(/^"[\w-]{27}"$/.test(etag) ? [] : [`ETag is ${etag}`]),
    ...(same.status === 304 && same.headers.get('etag') === etag
      ? []
      : [`is ${same.status} when unchanged`]),
    ...(other.status === 200 ? [] : [`is ${other.status} for another ETag`]),
    ...(nobody.status === (policy.credentials === 'public' ? 304 : 401)
      ? []
      : [`is ${nobody.status} for nobody`]),
    ...wanted.filter((name) => !vary.includes(name)).map((name) => `does not vary by ${name}`),
  ];
};
