import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { startTestServer } from '../../../tests/kit/test-server.ts';
import { until } from '../../../tests/kit/until.ts';

it('a replica that cannot be reached from the start is logged, with the error', async () => {
  const lines: string[] = [];
  const server = await startTestServer({
    // Port 1 is that of a service that no machine runs.
    replicaUrl: 'postgres://u:secret-word@127.0.0.1:1/x',
    log: new Writable({
      write(line, _encoding, done) {
        lines.push(String(line));
        done();
      },
    }),
  });
  const told = () => lines.filter((line) => line.includes('A replica serves no reads'));
  try {
    await until('the line', async () => told().length > 0);
    expect(JSON.parse(told()[0] ?? '')).toMatchObject({
      level: 'warn',
      replica: '127.0.0.1:1',
      absence: 'unreachable',
      err: { code: 'ECONNREFUSED' },
    });
    expect(lines.join('')).not.toContain('secret-word');
  } finally {
    await server.close();
  }
});
