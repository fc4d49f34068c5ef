import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../testing/until.ts';
import { startEmbedded } from './embedded.ts';
import { sight } from './embedded-process.ts';
import { query, scratchFolder, serverIn } from './embedded-test-harness.ts';

/** Its answer, once there is one. */
function answerOf(url: string, sql: string) {
  return until('an answer', () => query(url, sql).catch(() => null), 30_000);
}

describe('the Postgres of a server that brings its own', () => {
  it.each<NodeJS.Signals>(['SIGKILL', 'SIGINT'])(
    'is started again at the same place when it ends by %s, with all that was committed',
    async (signal) => {
      const directory = await scratchFolder();
      const lines: string[] = [];
      const postgres = await startEmbedded({ directory, log: (line) => lines.push(line) });
      await query(postgres.ownerUrl, 'CREATE TABLE kept AS SELECT 42 AS n');
      const { pid } = await serverIn(directory);
      process.kill(pid, signal);
      await until('its end', async () => !(await sight(pid)).running);
      expect(await answerOf(postgres.ownerUrl, 'SELECT n FROM kept')).toEqual([{ n: 42 }]);
      expect(lines.join('\n')).toContain(`the Postgres server (pid ${pid}) has ended`);
      const again = await serverIn(directory);
      expect(again.pid).not.toBe(pid);
      await postgres.stop();
      expect((await sight(again.pid)).running).toBe(false);
    },
  );

  it('is left alone when its folder is gone', async () => {
    const directory = await scratchFolder();
    const lines: string[] = [];
    const postgres = await startEmbedded({
      directory,
      durable: false,
      log: (line) => lines.push(line),
    });
    const { pid } = await serverIn(directory);
    await rm(join(postgres.directory, 'cluster'), { recursive: true, force: true });
    // Postgres looks after its own files, or is ended here.
    process.kill(pid, 'SIGKILL');
    await until('its end', async () => !(await sight(pid)).running);
    await postgres.stop();
    expect(lines.join('\n')).not.toContain('starting it again');
  });
});
