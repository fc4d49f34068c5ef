import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FEATURES } from '@cspm/contract';
import pg from 'pg';
import { startTemporary } from '../../server/development/embedded-temporary.ts';
import { runProgramsOf } from '../../server/platform/child-process/watched-process.ts';
import { migrate } from '../../server/platform/database/migrate.ts';
import type { TestTenant, TestUser, UserOptions } from '../kit/people.ts';
import { type Call, type Reply, startTestServer, type TestServer } from '../kit/test-server.ts';
import { until } from '../kit/until.ts';

const INVENTORY = new URL('../../samples/shop-prod.ndjson', import.meta.url);
const DOCUMENT = new URL('../../openapi.json', import.meta.url);
/** Several, because chains of requests delete them. The first is that of the examples in the document. */
const PROJECTS = ['shop-prod', 'shop-test', 'shop-dev'];
/** Collections whose example is planted, so that their lists have an item. */
const PLANTED = [
  '/roles',
  '/users',
  '/api-keys',
  '/custom-rules',
  '/profiles',
  '/mutes',
  '/views',
  '/webhooks',
  '/schedules',
  '/tenant/domains',
];

export interface FuzzedServer {
  readonly url: string;
  /**
   * A new tenant with every feature, projects and findings. What one phase deletes or changes is not missing in the next.
   * @returns the address at which each POST answers with the headers of a new session with a second factor; hooks.py
   *   reads it from the environment
   */
  tenant(): Promise<string>;
  stop(): Promise<void>;
}

type InTurn = <T>(create: () => Promise<T>) => Promise<T>;

const signedIn = (tenant: TestTenant): UserOptions => ({ tenant, amr: ['pwd', 'otp'] });

/**
 * The real server and its worker on a new database.
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
    const sessions: Server[] = [];
    let created: Promise<unknown> = Promise.resolve();
    // The connection of the owner takes one query at a time.
    const inTurn: InTurn = (create) => {
      const result = created.then(create);
      created = result.catch(() => {});
      return result;
    };
    return {
      url: server.url,
      tenant: async () => {
        const tenant = await inTurn(() => server.people.tenant(FEATURES));
        const { session } = await inTurn(() => server.people.user(signedIn(tenant)));
        await plant(server, session);
        const served = await serveSessions(server, tenant, inTurn);
        sessions.push(served);
        return `http://127.0.0.1:${(served.address() as AddressInfo).port}`;
      },
      stop: async () => {
        for (const each of sessions) {
          each.closeAllConnections();
          each.close();
        }
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
async function serveSessions(
  { people }: TestServer,
  tenant: TestTenant,
  inTurn: InTurn,
): Promise<Server> {
  const sessions = createServer(async (request, response) => {
    request.resume();
    const user = await inTurn(() => people.user(signedIn(tenant)));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(user.session));
  });
  sessions.listen(0, '127.0.0.1');
  await once(sessions, 'listening');
  return sessions;
}

/** Projects with an inventory and a finished scan, and the examples of the document. */
async function plant(server: TestServer, headers: TestUser['session']): Promise<void> {
  const call = async (path: string, request: Call = {}): Promise<Reply> => {
    const reply = await server.call(path, {
      ...request,
      headers: { ...headers, ...request.headers },
    });
    if (reply.status >= 300) throw new Error(`${request.method} ${path}: ${reply.text}`);
    return reply;
  };
  const inventory = await readFile(INVENTORY);
  for (const name of PROJECTS) {
    await call('/projects', { method: 'POST', body: { name } });
    const type = { 'content-type': 'application/x-ndjson' };
    await call(`/projects/${name}/inventory`, { method: 'PUT', body: inventory, headers: type });
    const body = { projects: [name], profile: 'full' };
    const { json: scan } = await call('/scans', { method: 'POST', body });
    await until(`the scan of ${name}`, async () => {
      const { json } = await call(`/scans/${scan.id}`);
      return json.status === 'completed';
    });
  }
  const { paths } = JSON.parse(await readFile(DOCUMENT, 'utf8'));
  for (const path of PLANTED) {
    const { example } = paths[path].post.requestBody.content['application/json'];
    await call(path, { method: 'POST', body: example });
  }
}
