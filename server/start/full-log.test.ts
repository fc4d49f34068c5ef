import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { SERVER_NODE_OPTIONS } from '../../scripts/node-options.mjs';
import { cloneDatabase } from '../../tests/kit/database.ts';
import { freePort } from '../../tests/kit/free-port.ts';
import { bundled, onDatabase } from '../../tests/kit/server-process.ts';
import { send } from '../../tests/kit/test-server.ts';
import { until } from '../../tests/kit/until.ts';

/** Refuses every write as a full disk does; only Linux has it. */
const FULL = '/dev/full';

it.skipIf(!existsSync(FULL))(
  'a server whose log is on a full disk serves, and ends at SIGTERM',
  async () => {
    const database = await cloneDatabase();
    const port = await freePort();
    const log = await open(FULL, 'w');
    const server = spawn(process.execPath, [...SERVER_NODE_OPTIONS, join(bundled(), 'main.mjs')], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { PATH: process.env['PATH'] ?? '', PORT: String(port), ...onDatabase(database) },
      stdio: ['ignore', log.fd, 'inherit'],
    });
    const ended = once(server, 'close');
    onTestFinished(() => void server.kill('SIGKILL'));
    const url = `http://127.0.0.1:${port}`;
    await until('the server to be ready', async () => {
      if (server.exitCode !== null) throw new Error('The server has ended');
      return (await send(`${url}/health/ready`, {}).catch(() => null))?.status === 200;
    });
    // Each request is logged.
    for (let count = 0; count < 5; count += 1) {
      expect((await send(`${url}/scans`, {})).status).toBe(401);
    }
    server.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    await log.close();
    await database.drop();
  },
);
