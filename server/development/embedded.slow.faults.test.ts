import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../../tests/kit/until.ts';
import { startEmbedded } from './embedded.ts';
import { sight } from './embedded-process.ts';
import { query, scratchFolder, serverIn } from './embedded-test-harness.ts';

/** Retries a query until the database answers it. */
function answerOf(url: string, sql: string) {
  return until('an answer', () => query(url, sql).catch(() => null));
}

describe('the Postgres of a server that brings its own', () => {
  it.each<NodeJS.Signals>(['SIGKILL', 'SIGINT'])(
    'an embedded Postgres that ends by %s is started again at the same address with all committed rows',
    async (signal) => {
      const directory = await scratchFolder();
      const lines: string[] = [];
      const postgres = await startEmbedded({ directory, log: (line) => lines.push(line) });
      await query(postgres.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS n');
      const { pid } = await serverIn(directory);
      process.kill(pid, signal);
      await until('its end', async () => !(await sight(pid)).running);
      expect(await answerOf(postgres.ownerUrl, 'SELECT n FROM kept')).toEqual([{ n: 42 }]);
      expect(lines.join('\n')).toContain(`the Postgres server (pid ${pid}) exited`);
      const again = await serverIn(directory);
      expect(again.pid).not.toBe(pid);
      await postgres.stop();
      expect((await sight(again.pid)).running).toBe(false);
    },
  );

  it('an embedded Postgres is not started again when its folder is gone', async () => {
    const directory = await scratchFolder();
    const lines: string[] = [];
    const postgres = await startEmbedded({
      directory,
      durable: false,
      log: (line) => lines.push(line),
    });
    const { pid } = await serverIn(directory);
    // Deleting it would fail with ENOTEMPTY when Postgres creates a file meanwhile.
    await rename(join(postgres.directory, 'cluster'), join(directory, 'moved away'));
    process.kill(pid, 'SIGKILL');
    await until('its end', async () => !(await sight(pid)).running);
    await postgres.stop();
    expect(lines.join('\n')).not.toContain('starting it again');
  });
});
