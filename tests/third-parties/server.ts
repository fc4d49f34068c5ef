import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildServer } from '../../scripts/build.mjs';
import { runProgramsOf } from '../../server/platform/child-process/watched-process.ts';
import { serve } from '../../server/start/serve.ts';

/** The bundled programs of child processes, which start faster than their sources. */
const PROGRAMS = fileURLToPath(new URL('../../dist/server', import.meta.url));

export interface LiveServer {
  readonly apiKey: string;
  /** A URL of the server at which all requests come from another client address, because the limits count addresses. */
  urlFor(client: number): Promise<string>;
  stop(): Promise<void>;
}

/** The server as `npm start` runs it, on a free port with an empty database. */
export async function startLiveServer(): Promise<LiveServer> {
  await buildServer(PROGRAMS);
  runProgramsOf(PROGRAMS);
  const directory = await mkdtemp(join(tmpdir(), 'cspm-third-parties-'));
  // For root, Postgres runs as another account, which needs access to the folder.
  if (process.geteuid?.() === 0) await chmod(directory, 0o711);
  const proxies: Server[] = [];
  const apiKey = `cspm_${random(12)}_${random(43)}`;
  const removed = () => rm(directory, { recursive: true, force: true });
  try {
    const server = await serve(
      {
        DATA_DIR: directory,
        PORT: '0',
        TRUST_PROXY: '1',
        RATE_LIMIT: '600',
        LOG_LEVEL: 'error',
        BOOTSTRAP_EMAIL: 'third-parties@example.com',
        BOOTSTRAP_PASSWORD: random(24),
        BOOTSTRAP_API_KEY: apiKey,
      },
      () => {},
    );
    return {
      apiKey,
      urlFor: async (client) => {
        const proxy = await startProxy(new URL(server.url ?? ''), `192.0.2.${client}`);
        proxies.push(proxy);
        return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
      },
      stop: async () => {
        for (const proxy of proxies) {
          proxy.closeAllConnections();
          proxy.close();
        }
        await server.stop();
        await removed();
      },
    };
  } catch (error) {
    await removed();
    throw error;
  }
}

async function startProxy(target: URL, address: string): Promise<Server> {
  const proxy = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const forwarded = request(
      {
        ...{ host: target.hostname, port: target.port, method, path },
        headers: { ...headers, 'x-forwarded-for': address },
      },
      (reply) => {
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(outgoing);
      },
    );
    forwarded.once('error', (error) => outgoing.destroy(error));
    incoming.pipe(forwarded);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return proxy;
}

function random(length: number): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from({ length }, () => letters.charAt(randomInt(letters.length))).join('');
}
