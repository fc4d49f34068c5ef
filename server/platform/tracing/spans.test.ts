import '../../../tests/kit/recorded-spans.ts';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { type BreakableDatabase, breakable } from '../../../tests/kit/breakable-database.ts';
import { contractCases, pathOf } from '../../../tests/kit/contract-operations.ts';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import { cluster } from '../../../tests/kit/export-records.ts';
import { MARKED_HEADERS, MARKER, markedBody } from '../../../tests/kit/marked-requests.ts';
import { rowsOf } from '../../../tests/kit/owner-queries.ts';
import {
  forgetSpans,
  type RecordedSpan,
  recordedSpans,
  recordedText,
} from '../../../tests/kit/recorded-spans.ts';
import { hasRedis, startRedis } from '../../../tests/kit/redis.ts';
import { cutSmall } from '../../../tests/kit/small-chunks.ts';
import { startTestServer, type TestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';

let real: TestDatabase;
let way: BreakableDatabase;
let server: TestServer;
const lines: string[] = [];

beforeAll(async () => {
  real = await cloneDatabase();
  way = await breakable(real);
  const log = { write: (line: string) => void lines.push(line) };
  server = await startTestServer({ database: way.database, worker: true, log });
});

afterAll(async () => {
  await server.close();
  await way.close();
  await real.drop();
});

beforeEach(() => {
  lines.length = 0;
});

/** The response, the span of its request, and that span's direct children. */
async function traced(path: string, call: Parameters<TestServer['call']>[1] = {}) {
  const correlationId = `asked-${Math.random().toString(36).slice(2)}`;
  const reply = await server.call(path, {
    ...call,
    headers: { ...call.headers, 'x-correlation-id': correlationId },
  });
  const span = await until(`the span of ${path}`, async () =>
    recordedSpans().find(({ attributes }) => attributes['cspm.correlation_id'] === correlationId),
  );
  return { reply, span, below: childrenOf(span), correlationId };
}

function childrenOf(parent: RecordedSpan): RecordedSpan[] {
  return recordedSpans().filter(({ parentId }) => parentId === parent.spanId);
}

describe('the span of a request', () => {
  it('the span of a request has the operation, the tenant and the outcome, and its id is in the log', async () => {
    const analyst = await Analyst.at(server);
    const project = await analyst.project();
    const { span, correlationId } = await traced(`/projects/${project}?x=`, analyst);
    expect(span).toMatchObject({ kind: 'server', name: 'GET /projects/{name}', parentId: null });
    expect(span.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/projects/{name}',
      'http.response.status_code': 400,
      'network.protocol.version': '1.1',
      'url.scheme': 'http',
      'url.path': `/projects/${project}`,
      'cspm.tenant_id': analyst.tenantId,
      'cspm.correlation_id': correlationId,
    });
    const line = lines
      .map((text) => JSON.parse(text))
      .find((l) => l.correlationId === correlationId);
    expect(line).toMatchObject({ trace_id: span.traceId, span_id: span.spanId, trace_flags: '01' });
  });

  it('the span of a request that matches no route contains no text of the request', async () => {
    const { reply, span } = await traced(`/nothing/${MARKER}`);
    expect(reply.status).toBe(404);
    expect(span.name).toBe('GET');
    expect(span.failed).toBe(false);
    expect(Object.keys(span.attributes)).not.toContain('url.path');
  });

  it('the span of a request fails when the server fails, and so do those of statements that could not be sent', async () => {
    const { key } = await server.people.user();
    await way.cut();
    const { reply, span } = await traced('/projects', { headers: key });
    await way.mend();
    expect(reply.status).toBe(503);
    expect(span.failed).toBe(true);
    expect(span.attributes['error.type']).toBe('503');
    expect(childrenOf(span).map(({ name, failed }) => ({ name, failed }))).toEqual([
      { name: 'authenticate-key', failed: true },
    ]);
  });

  it("the span of a request is the parent of its own statements, Prisma's too, for many concurrent requests", async () => {
    const analysts: Analyst[] = [];
    for (let tenants = 0; tenants < 3; tenants += 1) analysts.push(await Analyst.at(server));
    const requests = Array.from({ length: 24 }, (_, i) => ({
      path: '/profiles',
      headers: analysts[i % 3]?.headers ?? {},
    }));
    // Opens all connections in advance, each with its own Prisma client, which takes a while on a busy machine.
    await Promise.all(requests.map(({ path, headers }) => server.call(path, { headers })));
    const asked = await Promise.all(requests.map(({ path }, i) => traced(path, analysts[i % 3])));
    for (const { reply, below } of asked) {
      expect(reply.status).toBe(200);
      const names = below.map(({ name }) => name).filter((name) => name !== 'pin-tenant');
      expect(names).toContain('authenticate-key');
      expect(names.filter((name) => name.startsWith('SELECT'))).toEqual(['SELECT profiles']);
    }
    expect(asked[0]?.below.find(({ name }) => name === 'SELECT profiles')).toMatchObject({
      kind: 'client',
      attributes: {
        'db.system.name': 'postgresql',
        'db.namespace': new URL(real.appUrl).pathname.slice(1),
        'db.operation.name': 'SELECT',
        'db.query.summary': 'SELECT profiles',
      },
    });
    // More requests than connections, so some had to wait.
    const waits = asked.flatMap(({ span, below }) => [span, ...below].flatMap((s) => s.events));
    expect(waits).toContain('db.client.connection.wait');
  });
});

describe('jobs', () => {
  it('the jobs of a scan are one trace, regardless of the slot that runs them', async () => {
    const analyst = await Analyst.at(server);
    const project = await analyst.project(Array.from({ length: 64 }, (_, i) => cluster(`c${i}`)));
    await cutSmall(server.services.tenants, analyst, project, 4);
    const { reply, span } = await traced('/scans', {
      method: 'POST',
      headers: analyst.headers,
      body: { projects: [project], profile: 'full' },
    });
    await analyst.finished(reply.json.id);
    const jobs = await until('the jobs of both slots', async () => {
      const done = recordedSpans().filter(
        ({ traceId, kind }) => traceId === span.traceId && kind === 'consumer',
      );
      return done.length > 1 && done;
    });
    expect(jobs.map(({ attributes }) => attributes['cspm.scan.slot']).toSorted()).toEqual([0, 1]);
    const [first, second] = jobs.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
    const senders = recordedSpans().filter(
      ({ kind, traceId }) => kind === 'producer' && traceId === span.traceId,
    );
    expect(senders.map(({ name }) => name)).toEqual(['send scan-project', 'send scan-project']);
    expect(senders.map(({ parentId }) => parentId)).toEqual([span.spanId, first?.spanId]);
    expect(senders.map(({ spanId }) => spanId)).toEqual([first?.parentId, second?.parentId]);
  });

  it('the jobs of a scan that waited for another scan continue its own trace', async () => {
    const analyst = await Analyst.at(server);
    const project = await analyst.project([cluster('c')]);
    const rows = (sql: string) => rowsOf(real, analyst.tenantId, sql);
    const { id: before } = await analyst.scan(project);
    await rows("UPDATE scan_projects SET status = 'running'");
    await rows("UPDATE scans SET status = 'running', finished_at = NULL");
    const launch = await traced('/scans', {
      method: 'POST',
      headers: analyst.headers,
      body: { projects: [project], profile: 'full' },
    });
    await until('that it waits', async () =>
      (await rows('SELECT 1 FROM scan_projects WHERE waits')).at(0),
    );
    const end = await traced(`/scans/${before}/cancel`, {
      method: 'POST',
      headers: analyst.headers,
    });
    expect(end.reply.status, end.reply.text).toBe(202);
    await analyst.finished(launch.reply.json.id);
    const of = (traceId: string, kind: string) =>
      recordedSpans().filter((span) => span.traceId === traceId && span.kind === kind);
    const jobs = await until('both jobs', async () => {
      const done = of(launch.span.traceId, 'consumer');
      return done.length === 2 && done;
    });
    const [, second] = of(launch.span.traceId, 'producer');
    expect(second).toMatchObject({ name: 'send scan-project', parentId: jobs[0]?.spanId });
    expect(jobs[1]?.parentId).toBe(second?.spanId);
    expect(of(end.span.traceId, 'producer')).toEqual([]);
  });

  it('the jobs of a failed scan have failed spans, and abandoned jobs are recorded in their trace', async () => {
    const analyst = await Analyst.at(server);
    const project = await analyst.project([cluster('c')]);
    const { id: projectId } = await analyst.ask(200, `/projects/${project}`);
    await rowsOf(real, analyst.tenantId, 'DELETE FROM inventory_chunks');
    const { reply, span } = await traced('/scans', {
      method: 'POST',
      headers: analyst.headers,
      body: { projects: [project], profile: 'full' },
    });
    const { id: scanId } = reply.json;
    expect(await analyst.finished(scanId)).toMatchObject({ status: 'failed' });
    const inTrace = (name: string) =>
      until(name, async () =>
        recordedSpans().find((other) => other.traceId === span.traceId && other.name === name),
      );
    expect(await inTrace('process scan-project')).toMatchObject({
      failed: true,
      attributes: { 'error.type': 'Error', 'cspm.scan.id': scanId },
    });

    const traceparent = `00-${span.traceId}-${span.spanId}-01`;
    const payload = JSON.stringify({ tenantId: analyst.tenantId, scanId, projectId, traceparent });
    await real.owner.query('BEGIN');
    await real.owner.query("SELECT jobs.enqueue('scan-project', $1::json, NULL, NULL)", [payload]);
    await real.owner.query('UPDATE graphile_worker._private_jobs SET attempts = max_attempts');
    await real.owner.query('COMMIT');
    expect(await inTrace('settle scan-project')).toMatchObject({
      kind: 'consumer',
      parentId: span.spanId,
    });
  });

  it('mail jobs continue the trace of the request that queued them', async () => {
    const user = await server.people.user();
    const { span } = await traced('/auth/forgot-password', {
      method: 'POST',
      body: { email: user.email },
    });
    const mail = await until('the mail', async () =>
      recordedSpans().find(
        ({ name, traceId }) => name === 'mail reset-password' && traceId === span.traceId,
      ),
    );
    const job = recordedSpans().find(({ spanId }) => spanId === mail.parentId);
    expect(job).toMatchObject({ kind: 'consumer', name: 'process send-mail' });
    const sender = recordedSpans().find(({ spanId }) => spanId === job?.parentId);
    expect(sender).toMatchObject({ kind: 'producer', parentId: span.spanId });
    expect(recordedText()).not.toContain(user.email);
  });
});

describe.skipIf(!hasRedis())('limits in Redis (skipped where there is no redis-server)', () => {
  it('rate limits in Redis are counted in spans that name the limit, and not the client', async () => {
    const redis = await startRedis();
    const limited = await startTestServer({ config: { redisUrl: redis.url }, database: real });
    try {
      forgetSpans();
      await limited.call('/auth/login', { method: 'POST', ip: '203.0.113.77', body: {} });
      const counted = recordedSpans().filter(
        ({ attributes }) => attributes['db.system.name'] === 'redis',
      );
      expect(counted.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
        'client count default',
        'client count login',
      ]);
      expect(recordedText()).not.toContain('203.0.113.77');
    } finally {
      await limited.close();
      await redis.kill();
    }
  });
});

/** Contains the marker and is still accepted. */
const HARMLESS = {
  cookie: MARKED_HEADERS['cookie'] ?? '',
  referer: MARKED_HEADERS['referer'] ?? '',
  'user-agent': MARKER,
  'idempotency-key': MARKER,
};

describe('spans of any kind', () => {
  it('no span contains a value of a header, a query or a body', async () => {
    const user = await server.people.user();
    forgetSpans();
    for (const subject of contractCases()) {
      const { method, metadata: policy } = subject.route;
      const path = pathOf(subject, Object.fromEntries(subject.parameters.map((p) => [p, 'named'])));
      const body = policy.body === 'none' ? {} : { body: markedBody(subject.route) };
      // Once with a valid credential, so statements are sent, and once with a marker in each credential.
      for (const headers of [{ ...HARMLESS, ...user.session }, MARKED_HEADERS]) {
        await server.call(`${path}?token=${MARKER}`, {
          ...{ method, ...body },
          headers: { ...headers, tracestate: `theirs=${MARKER}` },
        });
      }
    }
    expect(recordedSpans().length).toBeGreaterThan(contractCases().length * 3);
    expect(recordedText()).not.toContain(MARKER.slice(0, 12));
    expect(recordedText()).not.toContain(user.session['authorization']?.slice(7));
  });
});
