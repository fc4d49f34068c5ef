import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FEATURES } from '@cspm/contract';
import pg from 'pg';
import { startTemporary } from '../../server/development/embedded-temporary.ts';
import { runProgramsOf } from '../../server/platform/child-process/watched-process.ts';
import { migrate } from '../../server/platform/database/migrate.ts';
import type { TestTenant } from '../kit/people.ts';
import { type Call, startTestServer, type TestServer } from '../kit/test-server.ts';

const INVENTORY = new URL('../../samples/shop-prod.ndjson', import.meta.url);

/** What hooks.py reads from the environment. */
export interface FuzzedServer {
  readonly url: string;
  /** Each POST answers with the headers of a new session with a second factor. */
  readonly sessionsUrl: string;
  stop(): Promise<void>;
}

/**
 * The real server and its worker on a new database, with a tenant that has every feature.
 * @param programs the folder of the bundled programs of child processes, which start faster than their sources
 */
export async function startFuzzedServer(programs: string): Promise<FuzzedServer> {
  runProgramsOf(programs);
  const postgres = await startTemporary();
  try {
    await migrate(postgres);
    const owner = new pg.Client({ connectionString: postgres.ownerUrl });
    await owner.connect();
    const drop = () => owner.end();
    const server = await startTestServer({ database: { ...postgres, owner, drop }, worker: true });
    const tenant = await server.people.tenant(FEATURES);
    await plantProject(server, tenant);
    const sessions = await serveSessions(server, tenant);
    return {
      url: server.url,
      sessionsUrl: `http://127.0.0.1:${(sessions.address() as AddressInfo).port}`,
      stop: async () => {
        sessions.closeAllConnections();
        sessions.close();
        await server.close();
        await owner.end();
        await postgres.stop();
      },
    };
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/**
 * Signing in would allow one session in thirty seconds, because a code of an authenticator is accepted once. Requests
 * that end the session or disable the user are among those that are sent, so each session is of a new user.
 */
async function serveSessions({ people }: TestServer, tenant: TestTenant): Promise<Server> {
  const sessions = createServer(async (request, response) => {
    request.resume();
    const user = await people.user({ tenant, amr: ['pwd', 'otp'] });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(user.session));
  });
  sessions.listen(0, '127.0.0.1');
  await once(sessions, 'listening');
  return sessions;
}

/** The project of the examples in the document, with an inventory and a scan that found something. */
async function plantProject(server: TestServer, tenant: TestTenant): Promise<void> {
  const { session: headers } = await server.people.user({ tenant, amr: ['pwd', 'otp'] });
  const calls: [string, Call][] = [
    ['/projects', { method: 'POST', body: { name: 'shop-prod' } }],
    ['/projects/shop-prod/inventory', { method: 'PUT', body: await readFile(INVENTORY) }],
    ['/scans', { method: 'POST', body: { projects: ['shop-prod'], profile: 'full' } }],
  ];
  for (const [path, call] of calls) {
    const type = call.method === 'PUT' ? { 'content-type': 'application/x-ndjson' } : {};
    const reply = await server.call(path, { ...call, headers: { ...headers, ...type } });
    if (reply.status >= 300) throw new Error(`${call.method} ${path}: ${reply.text}`);
  }
}
