// A loopback service with the failures that the package promises to handle.
import { createServer } from 'node:http';

const SCAN_ID = '0199c2a4-9b60-7d41-a3f2-58c1e7d90b36';

const TOKENS = {
  accessToken: 'access-of-ada',
  refreshToken: 'refresh-of-ada',
  tokenType: 'Bearer',
  expiresIn: 900,
};

/** Two chunks; the first one ends in the middle of a character. */
const CSV = [
  Buffer.from('rule,asset\ngcp-sql-public,Bücher\n').subarray(0, 28),
  Buffer.from('rule,asset\ngcp-sql-public,Bücher\n').subarray(28),
];

/** The expected observations of `exercise`. */
export const EXPECTED = {
  launch: [503, 201],
  correlationId: 'correlation-of-launch-1',
  rules: ['gcp-storage-public', 'gcp-sql-public', 'gcp-kms-public'],
  firstPage: 2,
  limited: [429, 200],
  obeyedRetryAfter: true,
  progress: ['running', 'completed'],
  done: 'completed',
  csv: 'rule,asset\ngcp-sql-public,Bücher\n',
  events: [
    ['1', 'progress', 'running'],
    ['2', 'done', 'completed'],
  ],
  error: [true, true, 'NotFoundError', 'NOT_FOUND'],
  session: ['signed-in', 'signed-out', 2, false],
  upload: { assets: 3, first: 0, rises: true, all: true },
  webhooks: ['webhook.test', true, true],
};

/**
 * Starts the service on a free port. Each consumer uses its own path, with fresh state:
 * `http://127.0.0.1:1234/node-esm`.
 * @returns {Promise<{ url: string, faults: string[], close(): void }>} `faults`: violations by the client
 */
export async function startService() {
  const faults = [];
  /** Number of requests by consumer and resource. */
  const counts = new Map();
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://127.0.0.1');
    const [, consumer, ...path] = pathname.split('/');
    const route = `${request.method} /${path.join('/')}`;
    if (answerPreflight(request, response)) return;
    const count = (counts.get(`${consumer} ${route}`) ?? 0) + 1;
    counts.set(`${consumer} ${route}`, count);

    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const key = request.headers['idempotency-key'];
    const lastEvent = request.headers['last-event-id'];
    const reply =
      isPublic(route) || isKnown(request.headers)
        ? answer({ route, count, key, lastEvent, body, searchParams })
        : problem(401, 'UNAUTHORIZED');
    if (reply.status === undefined) faults.push(`${route}: ${body}`);
    const { status = 400, headers, json = {}, pieces = [JSON.stringify(json)] } = reply;
    response.writeHead(status, { 'content-type': typeOf(status), ...headers });
    for (const piece of pieces) await new Promise((written) => response.write(piece, written));
    response.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    faults,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Operations that need no credential are sent none. */
function isPublic(route) {
  return route === 'POST /auth/login' || route === 'POST /auth/logout';
}

function isKnown({ 'x-api-key': key, authorization }) {
  return key === 'cspm_consumer' || authorization === 'Bearer access-of-ada';
}

function answer({ route, count, key, lastEvent, body, searchParams }) {
  switch (route) {
    case 'POST /scans': {
      const right =
        key === 'launch-1' && body === '{"projects":["shop-prod"],"profile":"full"}' && count <= 2;
      if (!right) return {};
      if (count === 1) return problem(503, 'SERVICE_UNAVAILABLE');
      const headers = { 'x-correlation-id': `correlation-of-${key}` };
      return { status: 201, headers, json: scan('queued') };
    }
    case 'GET /findings': {
      const last = searchParams.get('cursor') === 'page-2';
      const ids = last ? ['gcp-kms-public'] : ['gcp-storage-public', 'gcp-sql-public'];
      const items = ids.map((ruleId) => ({ id: ruleId, ruleId, severity: 'high' }));
      return { status: 200, json: { items, nextCursor: last ? null : 'page-2' } };
    }
    case `GET /scans/${SCAN_ID}`:
      if (count === 1) return problem(429, 'RATE_LIMITED', { 'retry-after': '1' });
      return { status: 200, json: scan(count < 4 ? 'running' : 'completed') };
    case 'GET /findings/export':
      if (searchParams.get('format') !== 'csv') return {};
      return { status: 200, headers: { 'content-type': 'text/csv' }, pieces: CSV };
    case `GET /scans/${SCAN_ID}/events`: {
      // End the connection after the first event: the client must reconnect with its last id.
      const pieces = {
        none: ['retry: 10\n\n', event(1, 'progress', 'running')],
        1: [event(2, 'done', 'completed')],
      }[lastEvent ?? 'none'];
      if (!pieces) return {};
      return { status: 200, headers: { 'content-type': 'text/event-stream' }, pieces };
    }
    case 'POST /auth/login':
      if (!body.includes('"email":"ada@example.com"')) return {};
      return { status: 200, json: TOKENS };
    case 'POST /auth/logout':
      return { status: 204, pieces: [] };
    case 'PUT /projects/shop-prod/inventory':
      return { status: 200, json: { assets: body.split('\n').filter(Boolean).length } };
    case 'GET /rules/no-such-rule':
      return problem(404, 'NOT_FOUND');
    default:
      return {};
  }
}

function event(id, name, status) {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(scan(status))}\n\n`;
}

function scan(status) {
  return { id: SCAN_ID, status, profile: 'full', projects: [{ name: 'shop-prod' }] };
}

function problem(status, code, headers = {}) {
  return { status, headers, json: { type: 'about:blank', title: code, status, code } };
}

function typeOf(status) {
  return status < 400 ? 'application/json' : 'application/problem+json';
}

/** Allows the same cross-origin requests as the server does (server/http/cors.ts). */
function answerPreflight(request, response) {
  const { origin } = request.headers;
  if (origin === undefined) return false;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', 'X-Correlation-ID, RateLimit, Retry-After');
  if (request.method !== 'OPTIONS') return false;
  response.setHeader('access-control-allow-methods', 'GET, POST, PUT');
  response.setHeader(
    'access-control-allow-headers',
    'Authorization, Content-Type, Content-Encoding, Idempotency-Key, Last-Event-ID, X-API-Key, X-Retry-Attempt, X-SDK-Version',
  );
  response.writeHead(204).end();
  return true;
}
