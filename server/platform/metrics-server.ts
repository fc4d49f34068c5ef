import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from './metrics.ts';

export interface MetricsServer {
  readonly port: number;
  stop(): Promise<void>;
}

/**
 * Serves the metrics on a separate port, which must not be public because it requires no credential.
 * @throws {Error} when the server cannot listen there, naming the remedy
 */
export async function serveMetrics(
  metrics: Metrics,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<MetricsServer> {
  const server = createServer(async (req, res) => {
    const isAsked = req.url === '/metrics' && (req.method === 'GET' || req.method === 'HEAD');
    if (!isAsked) {
      res.writeHead(404, { 'Content-Type': 'text/plain' }).end('Metrics are at /metrics\n');
      return;
    }
    try {
      const text = await metrics.text();
      res.writeHead(200, { 'Content-Type': metrics.contentType }).end(text);
    } catch {
      res.writeHead(500).end();
    }
  });
  server.listen(port, host);
  await once(server, 'listening').catch((cause: NodeJS.ErrnoException) => {
    const { code, message } = cause;
    const remedy =
      code === 'EADDRINUSE'
        ? '; set METRICS_PORT to a free port.'
        : ` (${code ?? message}); set HOST and METRICS_PORT.`;
    throw new Error(`Cannot serve metrics on ${host}:${port}${remedy}`, { cause });
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
