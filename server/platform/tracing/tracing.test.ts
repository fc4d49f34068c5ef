import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Analyst } from '../../../tests/kit/analyst.ts';
import { cloneDatabase, type TestDatabase } from '../../../tests/kit/database.ts';
import { cluster } from '../../../tests/kit/export-records.ts';
import { bundled, onDatabase, ServerProcess } from '../../../tests/kit/server-process.ts';
import { type ReceivedSpan, SpanReceiver } from '../../../tests/kit/span-receiver.ts';
import { treeBelow } from '../../../tests/kit/span-tree.ts';
import { type Call, send } from '../../../tests/kit/test-server.ts';
import { newApiKey } from '../../modules/auth/credentials/api-key.ts';

const folder = bundled();
const { key } = newApiKey();
const PASSWORD = 'correct horse battery staple';

let database: TestDatabase;
let receiver: SpanReceiver;
const processes: ServerProcess[] = [];

beforeAll(async () => {
  database = await cloneDatabase();
  receiver = await SpanReceiver.start();
});

afterEach(async () => {
  for (const running of processes.splice(0)) await running.kill();
});

afterAll(async () => {
  await receiver.stop();
  await database.drop();
});

function start(environment: Record<string, string>): ServerProcess {
  const server = new ServerProcess(join(folder, 'main.mjs'), {
    ...onDatabase(database),
    APP_SECRET: 'the same secret in each of the processes',
    BOOTSTRAP_EMAIL: 'first@example.com',
    BOOTSTRAP_PASSWORD: PASSWORD,
    BOOTSTRAP_API_KEY: key,
    TRUST_PROXY: '1',
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    ...environment,
  });
  processes.push(server);
  return server;
}

/** Spans are exported only at the end, so the test need not wait for anything. */
const traced = () => ({
  NODE_OPTIONS: `--import=${join(folder, 'tracing.mjs')}`,
  OTEL_BSP_SCHEDULE_DELAY: '3600000',
});

async function ended(...servers: readonly ServerProcess[]): Promise<void> {
  for (const server of servers) server.signal('SIGTERM');
  for (const server of servers) expect(await server.ended()).toEqual({ code: 0, signal: null });
}

async function analystAt(server: ServerProcess): Promise<Analyst> {
  const url = await server.url();
  const { rows } = await database.owner.query('SELECT id FROM identity.tenants');
  const call = (path: string, request?: Call) => send(url + path, request);
  return new Analyst({ call }, { 'x-api-key': key }, rows[0].id);
}

const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

describe('with the preload', () => {
  it('with the tracing preload, a launch and its scan in the worker continue the caller’s trace', async () => {
    const server = start({ ...traced(), WORKER: 'off', LOG_LEVEL: 'info' });
    const analyst = await analystAt(server);
    const worker = start({ ...traced(), WORKER: 'only', OTEL_SERVICE_NAME: 'cspm-worker' });
    const project = await analyst.project([cluster('theirs-cluster')]);
    const launched = await analyst.call('/scans', {
      method: 'POST',
      body: { projects: [project], profile: 'full' },
      headers: {
        traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01`,
        tracestate: 'theirs=1',
        'x-correlation-id': 'the-launch',
      },
    });
    expect(launched.status, launched.text).toBe(202);
    await analyst.finished(launched.json.id);
    await ended(server, worker);

    const spans = receiver.spans.filter(({ traceId }) => traceId === CALLER.traceId);
    const below = (parentId: string | undefined) =>
      spans.filter((span) => span.parentId === parentId);
    const only = (parentId: string | undefined, kind: string) => {
      const [span, ...others] = below(parentId).filter((child) => child.kind === kind);
      expect(others).toEqual([]);
      return span;
    };
    const request = only(CALLER.spanId, 'server');
    expect(request).toMatchObject({ service: 'cspm', name: 'POST /scans', failed: false });
    expect(request?.attributes).toMatchObject({
      'http.response.status_code': 202,
      'cspm.correlation_id': 'the-launch',
      'cspm.tenant_id': analyst.tenantId,
    });
    expect(namesOf(below(request?.spanId), 'client')).toEqual(
      expect.arrayContaining(['authenticate-key', 'BEGIN', 'audit-insert', 'COMMIT']),
    );
    const sender = only(request?.spanId, 'producer');
    expect(namesOf(below(sender?.spanId), 'client')).toEqual(['scan-insert']);
    const job = only(sender?.spanId, 'consumer');
    expect(job).toMatchObject({ service: 'cspm-worker', name: 'process scan-project' });
    expect(job?.attributes).toMatchObject({
      'messaging.system': 'graphile-worker',
      'messaging.destination.name': 'scan-project',
      'messaging.operation.type': 'process',
      'cspm.scan.id': launched.json.id,
    });
    const steps = below(job?.spanId).filter(({ kind }) => kind === 'internal');
    expect(namesOf(steps, 'internal')).toEqual([
      'evaluate',
      'write',
      'evaluate projects',
      'finish',
    ]);
    expect(namesOf(below(job?.spanId), 'client')).toContain('chunks-read');
    expect(namesOf(below(steps[1]?.spanId), 'client')).toContain('scan-claim-settle');
    expect(namesOf(below(steps[3]?.spanId), 'client')).toContain('scan-end');
    // There are no orphan spans, and the documentation shows all of them except most statements.
    const tree = treeBelow(spans, CALLER.spanId);
    expect(tree).toHaveLength(spans.length);
    const manual = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    for (const line of tree) if (!line.includes('client ')) expect(manual).toContain(line);

    const lines = server.output.split('\n').filter((line) => line.startsWith('{'));
    const line = lines.map((text) => JSON.parse(text)).find((l) => l.operation === 'scans.launch');
    expect(line).toMatchObject({ trace_id: CALLER.traceId, span_id: request?.spanId });
    for (const secret of [
      key,
      key.split('_')[2],
      PASSWORD,
      'first@example.com',
      'theirs-cluster',
    ]) {
      expect(receiver.text).not.toContain(secret);
    }
  });
});

describe('without it', () => {
  it('without the tracing preload, the server exports nothing, for any environment', async () => {
    const before = receiver.spans.length;
    const server = start({ WORKER: 'off' });
    const analyst = await analystAt(server);
    await analyst.ask(200, '/projects', {
      headers: { traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01` },
    });
    await ended(server);
    expect(receiver.spans.length).toBe(before);
  });

  it('without the tracing preload, the server loads the OpenTelemetry API and no SDK', async () => {
    expect(await packagesOf('main.mjs')).toEqual(['@opentelemetry/api']);
    // Proves that the check above finds spans.
    expect(await packagesOf('tracing.mjs')).toContain('@opentelemetry/sdk-trace-node');
  });
});

function namesOf(spans: readonly ReceivedSpan[], kind: string): string[] {
  const ordered = spans.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
  return ordered.filter((span) => span.kind === kind).map(({ name }) => name);
}

/** The OpenTelemetry packages in a bundle and in those that it imports, whose source maps name each file. */
async function packagesOf(entry: string): Promise<string[]> {
  const seen = new Set([entry]);
  const packages = new Set<string>();
  for (const file of seen) {
    const code = await readFile(join(folder, file), 'utf8');
    for (const [, path = ''] of code.matchAll(/(?:from|import) ?\(?"([^"]+)"/g)) {
      if (path.startsWith('./')) seen.add(path.slice(2));
    }
    const { sources }: { sources: string[] } = JSON.parse(
      await readFile(join(folder, `${file}.map`), 'utf8'),
    );
    for (const source of sources) {
      const [, name] = /node_modules\/(@opentelemetry\/[^/]+)\//.exec(source) ?? [];
      if (name !== undefined) packages.add(name);
    }
  }
  return [...packages].toSorted();
}
